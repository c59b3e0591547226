/// The treatment of differences between JSON and model, chosen by a dialect.
///
/// The names of the values are those of annotations (`groot.null` and so on) and of import options.
struct Policies: Hashable, Sendable {
  /// The treatment of a missing key.
  enum Missing: UInt8, CaseIterable, Sendable {
    /// The property keeps its value; a new object has the default.
    case keep
    /// The value is removed.
    case clear
    /// A missing key is an error.
    case required
  }

  /// The treatment of null.
  enum Null: UInt8, CaseIterable, Sendable {
    /// The value, or the members, are removed.
    case clear
    /// The property keeps its value.
    case keep
    /// The attribute gets its default.
    case `default`
    /// Null is an error.
    case error
  }

  /// The treatment of a value of the wrong shape: one value for a to-many, an array for a to-one.
  enum Shape: UInt8, CaseIterable, Sendable {
    case error
    /// One value counts as an array of one.
    case box
    /// The property is unchanged, also if a scalar is in the place of an object.
    case ignore
  }

  /// The assignment of the listed members to a to-many.
  enum Assignment: UInt8, CaseIterable, Sendable {
    /// The listed members replace the existing ones.
    case replace
    /// The listed members are added.
    case union
    /// As `replace`; the removed members are deleted, unless the import lists them elsewhere or
    /// another object has them.
    case deleteMissing
    /// As `deleteMissing` where the JSON lists objects; for a list of identifiers as `replace`.
    case deleteMissingObjects
  }

  /// The treatment of an identifier without an object.
  enum UnknownIdentifier: UInt8, CaseIterable, Sendable {
    /// A placeholder with only its identity is inserted; a later import fills it.
    case placeholder
    /// The identifier is skipped; a to-one becomes empty.
    case skip
    /// A to-one keeps its object, with a note in the report; otherwise as `skip`.
    case keep
    case error
  }

  /// The treatment of a value whose JSON type differs from the attribute's.
  enum Conversion: UInt8, CaseIterable, Sendable {
    /// The value is an error.
    case exact
    /// Numbers and truth values are read from text, and text from them, if nothing is lost.
    case lenient
    /// As `lenient`, with more forms of text and of truth values.
    case coercing
    /// As `coercing`; fractions are cut to whole numbers, and an object in the place of a scalar is
    /// ignored.
    case generous
  }

  /// The treatment of a value that cannot be converted.
  enum Invalid: UInt8, CaseIterable, Sendable {
    /// The value is an error.
    case fail
    /// The property keeps its value, with a note in the report.
    case keep
    /// The property loses its value, with a note in the report.
    case clear
    /// The property keeps its value, without a note.
    case ignore
  }

  /// The time at which required values and limits are checked.
  enum Validation: UInt8, CaseIterable, Sendable {
    /// During the import, and when the context is saved.
    case `import`
    /// When the context is saved.
    case save
  }

  /// The treatment of an empty text.
  enum EmptyText: UInt8, CaseIterable, Sendable {
    /// The empty text is a value.
    case value
    /// The empty text counts as null.
    case null
  }

  var missing = Missing.keep
  var null = Null.clear
  var shape = Shape.error
  var assignment = Assignment.replace
  var unknownIdentifier = UnknownIdentifier.placeholder
  var conversion = Conversion.exact
  var invalid = Invalid.fail
  var validation = Validation.import
  var emptyText = EmptyText.value
  /// The policies that an annotation or a call has chosen: a bit for each name, in the order of
  /// ``names``.
  private(set) var chosen: UInt16 = 0

  /// The names of the policies, without the prefix of annotations.
  static let names = [
    "missing", "null", "shape", "assignment", "unknownIdentifier", "conversion", "invalid",
    "validation", "emptyText",
  ]

  /// Sets a policy by its name and the name of its value.
  ///
  /// - Throws: ``Status/invalidArgument`` with a list of the valid values.
  mutating func set(_ name: String, to value: String) throws {
    guard let position = Self.names.firstIndex(of: name) else {
      throw GrootError(
        .invalidArgument, "'\(name)' is not a policy; policies are \(listed(Self.names))")
    }
    switch name {
    case "missing": missing = try Self.named(name, name: value)
    case "null": null = try Self.named(name, name: value)
    case "shape": shape = try Self.named(name, name: value)
    case "assignment": assignment = try Self.named(name, name: value)
    case "unknownIdentifier": unknownIdentifier = try Self.named(name, name: value)
    case "conversion": conversion = try Self.named(name, name: value)
    case "invalid": invalid = try Self.named(name, name: value)
    case "validation": validation = try Self.named(name, name: value)
    default: emptyText = try Self.named(name, name: value)
    }
    chosen |= 1 << UInt16(position)
  }

  /// Takes over the policies of a call that no annotation has chosen.
  mutating func adopt(_ call: Policies) {
    let free = call.chosen & ~chosen
    if free & 1 != 0 { missing = call.missing }
    if free & 2 != 0 { null = call.null }
    if free & 4 != 0 { shape = call.shape }
    if free & 8 != 0 { assignment = call.assignment }
    if free & 16 != 0 { unknownIdentifier = call.unknownIdentifier }
    if free & 32 != 0 { conversion = call.conversion }
    if free & 64 != 0 { invalid = call.invalid }
    if free & 128 != 0 { validation = call.validation }
    if free & 256 != 0 { emptyText = call.emptyText }
  }

  static func named<Choice: CaseIterable>(_ policy: String, name: String) throws -> Choice {
    if let found = Choice.allCases.first(where: { "\($0)" == name }) { return found }
    throw GrootError(
      .invalidArgument,
      "'\(name)' is not a value of the policy '\(policy)'; values are "
        + listed(Choice.allCases.map { "\($0)" }))
  }
}
