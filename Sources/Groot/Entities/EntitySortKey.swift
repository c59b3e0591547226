/// An attribute to sort objects of an ``Entity`` by.
public struct EntitySortKey<Object: Entity>: Sendable {
  /// The same, named by text.
  let key: FetchRequest.SortKey

  /// From the smallest value to the greatest; no value comes first.
  public static func ascending<Content>(
    _ path: KeyPath<Object.Properties, Attribute<Content>>
  ) -> EntitySortKey {
    EntitySortKey(key: FetchRequest.SortKey(Object.properties[keyPath: path].propertyKey.name))
  }

  /// From the greatest value to the smallest; no value comes last.
  public static func descending<Content>(
    _ path: KeyPath<Object.Properties, Attribute<Content>>
  ) -> EntitySortKey {
    EntitySortKey(
      key: FetchRequest.SortKey(
        Object.properties[keyPath: path].propertyKey.name, isAscending: false))
  }
}
