/// Which objects to fetch, and in which order.
public struct FetchRequest: Sendable {
  /// An attribute to sort by.
  public struct SortKey: Hashable, Sendable {
    /// The attribute's name.
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
  }

  /// The entity, whose descendants are fetched too.
  public var entity: String
  /// Values that attributes must have, all of them; ``Value/null`` is no value.
  public var values: [String: Value]
  /// What to sort by; without any the order is that of insertion, except that a deleted object's
  /// place may be taken by a newer one.
  public var sortKeys: [SortKey]
  /// The greatest number of objects; nil is no limit.
  public var limit: Int?
  /// The number of objects to pass over.
  public var offset: Int

  /// Makes a request.
  public init(
    _ entity: String, where values: [String: Value] = [:], sortKeys: [SortKey] = [],
    limit: Int? = nil, offset: Int = 0
  ) {
    self.entity = entity
    self.values = values
    self.sortKeys = sortKeys
    self.limit = limit
    self.offset = offset
  }

  /// Reads a request as JSON: `where`, `sort`, `limit`, `offset`, all of which may be absent.
  ///
  /// - Throws: ``Status/invalidArgument`` for what is not known; the statuses of values.
  package init(_ entity: String, _ json: JSONValue?, _ model: ManagedObjectModel) throws {
    self.init(entity)
    let index = try model.index(of: entity)
    guard let json, json != .null else { return }
    guard case .object(let request) = json else {
      throw GrootError(.invalidArgument, "a fetch request is a JSON object")
    }
    for (key, value) in request.members {
      switch (key, value) {
      case (_, .null): break
      case ("where", .object(let conditions)):
        for (name, condition) in conditions.members {
          let property = try model.property(named: name, of: index)
          guard let attribute = property.attribute else {
            throw GrootError(
              .invalidArgument, "\"where\" compares attributes", entity: entity, property: name)
          }
          values[name] = try Value(condition, attribute.type)
        }
      case ("sort", .array(let keys)):
        for key in keys {
          guard let text = key.stringValue, !text.isEmpty else {
            throw GrootError(.invalidArgument, "\"sort\" is a list of attribute names")
          }
          let isDescending = text.utf8.first == UInt8(ascii: "-")
          sortKeys.append(
            SortKey(isDescending ? String(text.dropFirst()) : text, isAscending: !isDescending))
        }
      case ("limit", .integer(let count)) where count >= 0: limit = Int(count)
      case ("offset", .integer(let count)) where count >= 0: offset = Int(count)
      default:
        throw GrootError(
          .invalidArgument,
          "\"\(key)\": \(value) is no part of a fetch request; it has \"where\" (an object), "
            + "\"sort\" (a list), \"limit\" and \"offset\" (numbers from 0)")
      }
    }
  }
}
