/// How an export is done.
public struct ExportOptions: Sendable {
  /// How many steps along relationships objects are written in full; nil means no limit.
  ///
  /// Objects further away are written as their identity alone; a relationship to one that has none
  /// is left out.
  public var depth: Int?
  /// The names of the properties of the exported objects to write; nil is all of them.
  ///
  /// Objects that relationships lead to are not concerned.
  public var properties: [String]?
  /// JSON keys of the exported objects to leave out; a path such as `address.city` for one inside.
  ///
  /// Objects that relationships lead to are not concerned.
  public var excludedKeys: [String] = []
  /// How relationships are written; nil is the mapping's way.
  public var relationships: RelationshipStyle?
  /// How names become keys; nil is the mapping's way.
  public var inflection: KeyInflection?
  /// How dates are written: `iso8601`, `unixSeconds`, `unixMillis`, or a pattern such as
  /// `yyyy-MM-dd`; nil is the mapping's way.
  public var dates: String?
  /// Whether to-many relationships given as foreign keys are written, where rules leave it open.
  public var writesToMany = false
  /// Whether relationships given as nested objects are written, where rules leave it open.
  public var writesSubobjects = false
  /// The forms that the mapping must be able to write.
  var style: ExportStyle {
    ExportStyle(
      relationships: relationships, inflection: inflection, writesToMany: writesToMany,
      writesSubobjects: writesSubobjects)
  }
  /// The output of properties without a value, where no annotation says it; nil for the mapping's
  /// way.
  public var nulls: NullStyle?
  /// How several objects are arranged.
  public var form = CollectionForm.array
  /// Another mapping of the context's model to export by; nil is the context's own.
  public var mapping: Mapping?

  /// Whether texts of several objects have an object a line, each with a newline after it.
  ///
  /// Else they are arrays.
  public var writesLines = false

  /// The keys that other exporters of the same text have written.
  var keys: KeyTable?
  /// The userdata of a program's functions in each call of this export; an address.
  package var callbackUserdata: UInt = 0

  /// The usual options.
  public init(depth: Int? = nil, properties: [String]? = nil) {
    self.depth = depth
    self.properties = properties
  }
}
