/// A relationship and its inverse in a flat form for frequent use.
struct Link {
  let kind: LinkKind
  let isSymmetric: Bool
  let tables: (TableIndex, TableIndex)
  let fields: (Field, Field)
  let isOrdered: (Bool, Bool)
  /// Whether each direction is hidden; hidden directions are not marked as changed.
  let isHidden: (Bool, Bool)

  init(_ definition: LinkDefinition, model: ManagedObjectModel) {
    func property(_ side: LinkEnd) -> Property {
      model.hierarchies[side.hierarchy].properties[side.number]
    }
    let sides = (property(definition.sides.0), property(definition.sides.1))
    kind = definition.kind
    isSymmetric = definition.isSymmetric
    tables = (definition.sides.0.hierarchy, definition.sides.1.hierarchy)
    fields = (sides.0.field, sides.1.field)
    isOrdered = (definition.sides.0.isOrdered, definition.sides.1.isOrdered)
    isHidden = (sides.0.name.isEmpty, sides.1.name.isEmpty)
  }

  @inline(__always)
  func table(_ side: LinkSide) -> TableIndex { side == .first ? tables.0 : tables.1 }
  @inline(__always)
  func field(_ side: LinkSide) -> Field { side == .first ? fields.0 : fields.1 }
  func isOrdered(_ side: LinkSide) -> Bool { side == .first ? isOrdered.0 : isOrdered.1 }
  @inline(__always)
  func isHidden(_ side: LinkSide) -> Bool { side == .first ? isHidden.0 : isHidden.1 }
}
