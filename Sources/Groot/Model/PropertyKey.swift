/// The key of a property in a typed entity: its name and its declaration.
///
/// A key is made once for a type and compared by identity, so contexts find the property fast.
public final class PropertyKey: Sendable {
  /// The declaration of a property in its type.
  package enum Declaration: Sendable {
    case attribute(AttributeDescription)
    case relationship(RelationshipDescription)
  }

  /// The name of the property, after the relationships that lead to it, separated by dots.
  public let name: String
  /// The declaration in its type; nil for a property that is reached through relationships.
  package let declaration: Declaration?

  package init(_ declaration: Declaration) {
    self.declaration = declaration
    name =
      switch declaration {
      case .attribute(let attribute): attribute.name
      case .relationship(let relationship): relationship.name
      }
  }

  /// Makes the key of a property that is reached through a to-one relationship.
  package init(_ key: PropertyKey, behind relationship: PropertyKey) {
    name = "\(relationship.name).\(key.name)"
    declaration = nil
  }
}
