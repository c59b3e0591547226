#if Entities

/// A property of an ``Entity``: an ``Attribute``, a ``ToOne`` or a ``ToMany``.
///
/// Programs declare properties of these three types, and do not conform other types to it.
public protocol TypedProperty<Content>: Sendable {
  /// The type of the property as a member of an object.
  associatedtype Content
  /// The key by which contexts find the property.
  var propertyKey: PropertyKey { get }
  /// Makes the property that a context finds by a key.
  init(propertyKey: PropertyKey)
  /// Returns the content; the object's context keeps a failure.
  func content(of object: ManagedObject) -> Content
  /// Sets the content; the object's context keeps a failure.
  func set(_ content: Content, of object: ManagedObject)
}

/// A property with a value of its own: ``Attribute``.
public protocol TypedAttribute: TypedProperty where Content: AttributeValue {}

/// A relationship to at most one object: ``ToOne``.
public protocol TypedToOne: TypedProperty {
  /// The entity of the member.
  associatedtype Destination: Entity
}

extension Entity {
  /// The keys of all properties, in order.
  static var propertyKeys: [PropertyKey] {
    Mirror(reflecting: properties).children.compactMap {
      ($0.value as? any TypedProperty)?.propertyKey
    }
  }
}

#endif
