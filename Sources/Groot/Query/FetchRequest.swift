/// A request for objects, with their condition and their order.
///
/// ```swift
/// let request = FetchRequest(
///   "Character", where: ["publisher.name": ["beginsWith": "DC"], "rating": [">": 5]],
///   sort: [.ascending("name")], limit: 10)
/// ```
public struct FetchRequest: Sendable {
  /// A sort key.
  public struct SortKey: Hashable, Sendable {
    /// The attribute's name, or a path through to-one relationships, such as `publisher.name`.
    public var attribute: String
    /// Whether the smallest value comes first.
    ///
    /// A missing value is smaller than all others.
    public var isAscending: Bool

    /// Makes a sort key.
    public init(_ attribute: String, isAscending: Bool = true) {
      self.attribute = attribute
      self.isAscending = isAscending
    }

    /// Returns a key that sorts from the smallest value to the greatest.
    public static func ascending(_ attribute: String) -> SortKey { SortKey(attribute) }

    /// Returns a key that sorts from the greatest value to the smallest.
    public static func descending(_ attribute: String) -> SortKey {
      SortKey(attribute, isAscending: false)
    }

    /// Reads a sort key of a request in JSON: a leading `-` means descending.
    package init(text: String) {
      let isDescending = text.utf8.first == Byte.minus
      let attribute = isDescending ? String(decoding: text.utf8.dropFirst(), as: UTF8.self) : text
      self.init(attribute, isAscending: !isDescending)
    }
  }

  /// The entity; its descendants are included.
  public var entity: String
  /// The condition for an object, as JSON (docs/reference/fetching.md); nil means no condition.
  public var predicate: JSONValue?
  /// The sort keys; without any, and among equal objects, the order is that of insertion, except
  /// that a newer object may take the place of a deleted one.
  public var sortKeys: [SortKey]
  /// The greatest number of objects; nil means no limit.
  public var limit: Int?
  /// The number of objects to skip.
  public var offset: Int

  /// Makes a request.
  ///
  /// - Parameters:
  ///   - entity: The entity; its descendants are included.
  ///   - predicate: The condition for an object, as JSON; nil means no condition.
  ///   - keys: The sort keys.
  ///   - limit: The greatest number of objects; nil means no limit.
  ///   - offset: The number of objects to skip.
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

  /// Reads a request from JSON: `where`, `sort`, `limit` and `offset`, all optional.
  ///
  /// - Throws: ``Status/invalidArgument`` for unknown members. The predicate is checked when it is
  ///   used.
  package init(_ entity: String, json: JSONValue?) throws {
    var document = RequestDocument(json, name: "a fetch request", entity: entity)
    self.entity = entity
    predicate = try document.object("where")
    sortKeys = try document.texts("sort").map(SortKey.init(text:))
    limit = try document.number("limit")
    offset = try document.number("offset") ?? 0
    try document.finish(["\"where\" (an object)", "\"sort\" (a list)", "\"limit\"", "\"offset\""])
  }
}
