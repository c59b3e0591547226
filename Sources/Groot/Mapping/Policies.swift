/// The rules of the engine where JSON and model do not simply agree; data, chosen by a dialect.
///
/// The names of the values are those of annotations (`groot.null` and so on) and of import options.
struct Policies: Hashable, Sendable {
  /// The property's key is missing.
  enum Missing: UInt8, CaseIterable, Sendable {
    /// The value stays; a new object has its default.
    case keep
    /// The value is removed.
    case clear
    /// The key must be there.
    case required
  }

  /// The value is null.
  enum Null: UInt8, CaseIterable, Sendable {
    /// The value, or the members, are removed.
    case clear
    /// The value stays.
    case keep
    /// The value becomes the attribute's default.
    case `default`
    /// Null is a mistake.
    case error
  }

  /// A value has the wrong shape: one value for a to-many, an array for a to-one.
  enum Shape: UInt8, CaseIterable, Sendable {
    case error
    /// One value counts as an array of one.
    case box
    /// The property is left alone, also where a scalar is in the place of an object.
    case ignore
  }

  /// How the members of a to-many become what the JSON lists.
  enum Assignment: UInt8, CaseIterable, Sendable {
    /// They are exactly those listed.
    case replace
    /// Those listed are added.
    case union
    /// They are exactly those listed; those that fall out are deleted, unless the import gives them
    /// elsewhere or another object has them.
    case deleteMissing
    /// As `deleteMissing` where the JSON lists objects; a list of identifiers only links.
    case deleteMissingObjects
  }

  /// An identifier names a missing object.
  enum UnknownIdentifier: UInt8, CaseIterable, Sendable {
    /// An object that has just its identity is made; a later import fills it.
    case placeholder
    /// It is left out; a to-one has no object then.
    case skip
    /// A to-one stays as it is, which the report notes; else as `skip`.
    case keep
    case error
  }

  /// A value's JSON type is not the attribute's.
  enum Conversion: UInt8, CaseIterable, Sendable {
    /// It is a mistake.
    case exact
    /// Numbers and truth values are read from text and text from them, where nothing is lost.
    case lenient
    /// As `lenient`, more kinds of text and of truth values are read.
    case coercing
    /// As `coercing`; whole numbers are cut from fractions, an object where none belongs is
    /// ignored.
    case generous
  }

  /// A value cannot be converted.
  enum Invalid: UInt8, CaseIterable, Sendable {
    /// It is an error.
    case fail
    /// The property stays as it is; the report notes it.
    case keep
    /// The property loses its value; the report notes it.
    case clear
    /// The property stays as it is, and nothing is said.
    case ignore
  }

  /// When required values and limits are checked.
  enum Validation: UInt8, CaseIterable, Sendable {
    /// During the import, and when the context is saved.
    case `import`
    /// When the context is saved.
    case save
  }

  /// The value is a text without characters.
  enum EmptyText: UInt8, CaseIterable, Sendable {
    /// It is a text as any other.
    case value
    /// It counts as null.
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
  /// Which of them were chosen, by an annotation or a call: a bit for each name, in the order of
  /// ``names``.
  private(set) var chosen: UInt16 = 0

  /// The names of the policies, without the prefix of annotations.
  static let names = [
    "missing", "null", "shape", "assignment", "unknownIdentifier", "conversion", "invalid",
    "validation", "emptyText",
  ]

  /// Sets a policy by its name and the name of its value.
  ///
  /// - Throws: ``Status/invalidArgument`` naming the values there are.
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

  /// Takes over what a call chose, where no annotation chose before.
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
