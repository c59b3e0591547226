/// What the property of a typed entity is known by: its name, and what its type says of it.
///
/// Made once for a type and compared by identity, so that contexts find the property fast.
public final class PropertyKey: Sendable {
  /// What a type says of a property.
  package enum Declaration: Sendable {
    case attribute(AttributeDescription)
    case relationship(RelationshipDescription)
  }

  /// The property's name; with a dot after each relationship that leads to it.
  public let name: String
  /// What its type says of it; nil for what is reached through relationships.
  package let declaration: Declaration?

  package init(_ declaration: Declaration) {
    self.declaration = declaration
    name =
      switch declaration {
      case .attribute(let attribute): attribute.name
      case .relationship(let relationship): relationship.name
      }
  }

  /// The key of a property behind a to-one relationship.
  package init(_ key: PropertyKey, behind relationship: PropertyKey) {
    name = "\(relationship.name).\(key.name)"
    declaration = nil
  }
}
