/// A property that is reached through to-one relationships, such as `publisher.name`.
///
/// It is a class because predicates are copied more often than they are read.
package final class PropertyPath: Sendable {
  /// The relationships, in order.
  let steps: [Property]
  /// The end of the path.
  let property: Property
  /// The entity that has the last property.
  let entity: EntityIndex
  /// The original text.
  package let text: String

  /// Finds the property at a path.
  ///
  /// A name with dots is tried as a whole first. A leading dot is ignored: it marks a path whose
  /// text would otherwise mean something else.
  ///
  /// - Throws: ``Status/unknownProperty``, ``Status/wrongType``; `location` is the place of the
  ///   path in the JSON.
  init(_ text: String, of entity: EntityIndex, model: ManagedObjectModel, location: String) throws {
    self.text = text
    let path =
      text.utf8.first == Byte.point ? String(decoding: text.utf8.dropFirst(), as: UTF8.self) : text
    if let whole = try? model.property(named: path, of: entity) {
      (steps, property, self.entity) = ([], whole, entity)
      return
    }
    var steps: [Property] = []
    var current = entity
    var names = path.parts(separatedBy: Byte.point)
    let last = names.removeLast()
    for name in names {
      let step = try Self.find(name, entity: current, in: model, at: location)
      guard let relationship = step.relationship, !step.field.isToMany else {
        throw GrootError(
          GrootIssue(
            .wrongType, Self.impassable(step, text: text), path: location,
            entity: model.resolved[current].name, property: name))
      }
      steps.append(step)
      current = try model.index(of: relationship.destination)
    }
    property = try Self.find(last, entity: current, in: model, at: location)
    self.steps = steps
    self.entity = current
  }

  private static func find(
    _ name: String, entity: EntityIndex, in model: ManagedObjectModel, at location: String
  ) throws -> Property {
    do {
      return try model.property(named: name, of: entity)
    } catch {
      var issue = error.issues[0]
      issue.path = location
      throw GrootError(issue)
    }
  }

  private static func impassable(_ step: Property, text: String) -> String {
    if step.field.isToMany {
      return
        "the path \"\(text)\" leads through a to-many relationship; ask about its members with "
        + "{\"\(step.name)\": {\"any\": {...}}}, or \"all\", \"none\", \"count\""
    }
    return "the path \"\(text)\" leads through an attribute; only to-one relationships lead on"
  }

  /// Returns the attribute at the end.
  ///
  /// - Throws: ``Status/wrongType`` if it is a relationship.
  func attribute(
    _ purpose: String, in model: ManagedObjectModel, location: String
  ) throws -> AttributeDescription {
    if let attribute = property.attribute { return attribute }
    let kind = property.field.isToMany ? "a to-many relationship" : "a to-one relationship"
    throw GrootError(
      GrootIssue(
        .wrongType, "\(purpose) an attribute; \"\(text)\" is \(kind)", path: location,
        entity: model.resolved[entity].name, property: property.name))
  }
}

extension PropertyPath {
  /// A property path in flat form: the links of its steps, and the last field.
  struct Flat {
    let steps: UnsafeBufferPointer<Field>
    let field: Field

    /// The path of a node without a property.
    static var none: Flat {
      Flat(
        steps: UnsafeBufferPointer(start: nil, count: 0),
        field: Field(
          storage: .integer, type: .integer64, isOptional: true, number: 0, offset: 0,
          firstEntity: 1,
          lastEntity: 0, link: .none, side: .first))
    }

    /// Follows the steps; returns nil if a relationship has no member.
    @inline(__always)
    func follow(_ graph: Graph, table: inout TableIndex, row: inout Row) -> Bool {
      for step in steps {
        guard let target = graph.target(graph.links[step.link], side: step.side, row: row).index
        else {
          return false
        }
        row = target
        table = graph.destination(step)
      }
      return true
    }

    /// Returns the value of the attribute at the end; none if a relationship has no member.
    @inline(__always)
    func read(_ graph: Graph, table: TableIndex, row: Row) -> StoredValue {
      var (table, row) = (table, row)
      guard follow(graph, table: &table, row: &row) else { return .none }
      return StoredValue(graph.tables[table].record(row), field: field, table: graph.tables + table)
    }
  }

  /// The owner of the memory that flat paths point to.
  final class FlatStorage {
    private var blocks: [UnsafeMutableBufferPointer<Field>] = []

    deinit { for block in blocks { block.deallocate() } }

    func flat(_ path: PropertyPath) -> Flat {
      let block = UnsafeMutableBufferPointer<Field>.allocate(capacity: path.steps.count)
      _ = block.initialize(from: path.steps.map(\.field))
      blocks.append(block)
      return Flat(steps: UnsafeBufferPointer(block), field: path.property.field)
    }
  }
}
