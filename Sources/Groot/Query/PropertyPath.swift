/// A property that is reached from an object through to-one relationships: `publisher.name`.
package struct PropertyPath: Sendable {
  /// The relationships on the way, in order.
  let steps: [Property]
  /// The end of the path.
  let property: Property
  /// The entity that the last property is looked up in, as a position in the model.
  let entity: EntityIndex
  /// As it was written.
  package let text: String

  /// Finds what a path names.
  ///
  /// A name with dots in it is tried as a whole first. A dot in front is left out: it makes a path
  /// of a name that would mean something else there.
  ///
  /// - Throws: ``Status/unknownProperty``, ``Status/wrongType``; `location` is where the path is.
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

  /// The attribute at the end.
  ///
  /// - Throws: ``Status/wrongType`` when it is a relationship.
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

/// A property path in the form hot code follows: the links of its steps, and the last field.
struct FlatPath {
  let steps: UnsafeBufferPointer<Field>
  let field: Field

  /// For what needs no path.
  static var none: FlatPath {
    FlatPath(
      steps: UnsafeBufferPointer(start: nil, count: 0),
      field: Field(
        storage: .integer, type: .integer64, isOptional: true, number: 0, offset: 0, firstEntity: 1,
        lastEntity: 0, link: .none, side: .first))
  }

  /// Goes along the steps; nil where a relationship has no member.
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

  /// The attribute at the end; no value where a relationship on the way has no member.
  @inline(__always)
  func read(_ graph: Graph, table: TableIndex, row: Row) -> StoredValue {
    var (table, row) = (table, row)
    guard follow(graph, table: &table, row: &row) else { return .none }
    return StoredValue(graph.tables[table].record(row), field: field, table: graph.tables + table)
  }
}

/// Owns what flat paths point to.
final class PathStorage {
  private var blocks: [UnsafeMutableBufferPointer<Field>] = []

  deinit { for block in blocks { block.deallocate() } }

  func flat(_ path: PropertyPath) -> FlatPath {
    let block = UnsafeMutableBufferPointer<Field>.allocate(capacity: path.steps.count)
    _ = block.initialize(from: path.steps.map(\.field))
    blocks.append(block)
    return FlatPath(steps: UnsafeBufferPointer(block), field: path.property.field)
  }
}
