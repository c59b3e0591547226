/// A sort key for objects of an ``Entity``.
public struct EntitySortKey<Object: Entity>: Sendable {
  /// The sort key by name.
  let key: FetchRequest.SortKey

  /// Returns a key that sorts from the smallest value to the greatest; missing values are first.
  public static func ascending<Content>(
    _ path: KeyPath<Object.Properties, Attribute<Content>>
  ) -> EntitySortKey {
    EntitySortKey(key: FetchRequest.SortKey(Object.properties[keyPath: path].propertyKey.name))
  }

  /// Returns a key that sorts from the greatest value to the smallest; missing values are last.
  public static func descending<Content>(
    _ path: KeyPath<Object.Properties, Attribute<Content>>
  ) -> EntitySortKey {
    EntitySortKey(
      key: FetchRequest.SortKey(
        Object.properties[keyPath: path].propertyKey.name, isAscending: false))
  }
}
