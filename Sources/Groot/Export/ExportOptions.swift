/// How an export is done.
public struct ExportOptions: Sendable {
  /// How many steps along relationships objects are written in full; nil is no limit.
  ///
  /// Objects behind are written as their identity alone, or left out when they have none.
  public var depth: Int?
  /// The names of the properties of the exported objects to write; nil is all of them.
  ///
  /// Objects that relationships lead to are not concerned.
  public var properties: [String]?

  /// The usual options.
  public init(depth: Int? = nil, properties: [String]? = nil) {
    self.depth = depth
    self.properties = properties
  }
}

/// Which properties of exported objects are written, found once for each entity.
struct PropertyFilter {
  private let names: [String]
  private let model: ManagedObjectModel
  private var numbersOf: [Int: Set<UInt16>] = [:]

  init(_ names: [String], _ model: ManagedObjectModel) {
    self.names = names
    self.model = model
  }

  /// The numbers of the properties of an entity that are written.
  ///
  /// - Throws: ``Status/unknownProperty`` when the entity lacks one of them.
  mutating func numbers(_ entity: Int) throws -> Set<UInt16> {
    if let known = numbersOf[entity] { return known }
    let numbers = Set(try names.map { try model.property(named: $0, of: entity).field.number })
    numbersOf[entity] = numbers
    return numbers
  }
}
