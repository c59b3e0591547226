/// Which objects to fetch, and in which order.
///
/// ```swift
/// let request = FetchRequest(
///   "Character", where: ["publisher.name": ["beginsWith": "DC"], "rating": [">": 5]],
///   sort: [.ascending("name")], limit: 10)
/// ```
public struct FetchRequest: Sendable {
  /// An attribute to sort by.
  public struct SortKey: Hashable, Sendable {
    /// The attribute's name, or a path to it through to-one relationships: `publisher.name`.
    public var attribute: String
    /// Whether the smallest value comes first.
    ///
    /// No value is smaller than any.
    public var isAscending: Bool

    /// Makes a sort key.
    public init(_ attribute: String, isAscending: Bool = true) {
      self.attribute = attribute
      self.isAscending = isAscending
    }

    /// From the smallest value to the greatest.
    public static func ascending(_ attribute: String) -> SortKey { SortKey(attribute) }

    /// From the greatest value to the smallest.
    public static func descending(_ attribute: String) -> SortKey {
      SortKey(attribute, isAscending: false)
    }

    /// Reads a sort key as a request in JSON has it: with a `-` in front for descending.
    package init(text: String) {
      let isDescending = text.utf8.first == Byte.minus
      let attribute = isDescending ? String(decoding: text.utf8.dropFirst(), as: UTF8.self) : text
      self.init(attribute, isAscending: !isDescending)
    }
  }

  /// The entity, whose descendants are fetched too.
  public var entity: String
  /// The condition for an object, as JSON (docs/reference/fetching.md); nil means no condition.
  public var predicate: JSONValue?
  /// The sort keys; without any, and among equals, the order is that of insertion, except that a
  /// deleted object's place may be taken by a newer one.
  public var sortKeys: [SortKey]
  /// The greatest number of objects; nil means no limit.
  public var limit: Int?
  /// The number of objects to pass over.
  public var offset: Int

  /// Makes a request.
  ///
  /// - Parameters:
  ///   - entity: The entity, whose descendants are fetched too.
  ///   - predicate: The condition for an object, as JSON; nil means no condition.
  ///   - keys: The sort keys.
  ///   - limit: The greatest number of objects; nil means no limit.
  ///   - offset: The number of objects to pass over.
  public init(
    _ entity: String, where predicate: JSONValue? = nil, sort keys: [SortKey] = [],
    limit: Int? = nil, offset: Int = 0
  ) {
    self.entity = entity
    self.predicate = predicate
    self.sortKeys = keys
    self.limit = limit
    self.offset = offset
  }

  /// Reads a request as JSON: `where`, `sort`, `limit`, `offset`, all of which may be absent.
  ///
  /// - Throws: ``Status/invalidArgument`` for what is not known. The predicate is checked when it
  ///   is used.
  package init(_ entity: String, json: JSONValue?) throws {
    self.init(entity)
    var document = RequestDocument(json, name: "a fetch request", entity: entity)
    predicate = try document.object("where")
    sortKeys = try document.texts("sort").map(SortKey.init(text:))
    limit = try document.number("limit")
    offset = try document.number("offset") ?? 0
    try document.finish(["\"where\" (an object)", "\"sort\" (a list)", "\"limit\"", "\"offset\""])
  }
}
