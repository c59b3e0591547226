/// The options of an export.
public struct ExportOptions: Sendable {
  /// The number of steps along relationships within which objects are written in full.
  ///
  /// Nil means no limit. An object further away is written as its identity. If it has no identity,
  /// the relationship to it is left out.
  public var depth: Int?
  /// The names of the properties of the exported objects to write; nil for all.
  ///
  /// The option does not apply to the objects of relationships.
  public var properties: [String]?
  /// The JSON keys of the exported objects to leave out, such as `name` or `address.city`.
  ///
  /// The option does not apply to the objects of relationships.
  public var excludedKeys: [String] = []
  /// The form of relationships; nil for that of the mapping.
  public var relationships: RelationshipStyle?
  /// The conversion of names to keys; nil for that of the mapping.
  public var inflection: KeyInflection?
  /// The form of dates: `iso8601`, `unixSeconds`, `unixMillis` or a pattern; nil for the mapping's.
  ///
  /// An example of a pattern is `yyyy-MM-dd`.
  public var dates: String?
  /// Whether to-many relationships given as foreign keys are written if no rule decides.
  public var writesToMany = false
  /// Whether relationships given as nested objects are written if no rule decides.
  public var writesSubobjects = false
  /// The forms that the mapping must be able to export.
  var style: ExportStyle {
    ExportStyle(
      relationships: relationships, inflection: inflection, writesToMany: writesToMany,
      writesSubobjects: writesSubobjects)
  }
  /// The output of missing values without an annotation; nil for that of the mapping.
  public var nulls: NullStyle?
  /// The arrangement of several objects.
  public var form = CollectionForm.array
  /// The mapping of the context's model to export by; nil for the context's own mapping.
  public var mapping: Mapping?

  /// Whether several objects are written as lines, one object in each, instead of as an array.
  public var writesLines = false

  /// The keys that other exporters of the same text have already written.
  var keys: KeyTable?
  /// The userdata of a program's functions in each call of this export; an address.
  package var callbackUserdata: UInt = 0

  /// Makes options.
  public init(depth: Int? = nil, properties: [String]? = nil) {
    self.depth = depth
    self.properties = properties
  }
}
