#if Entities

/// A sort key for objects of an ``Entity``: `.ascending(\.publisher.name)`.
public struct EntitySortKey<Object: Entity>: Sendable {
  /// The sort key by name.
  let key: FetchRequest.SortKey

  /// Returns a key that sorts from the smallest value to the greatest; missing values are first.
  ///
  /// - Parameter path: The attribute, as in `\.publisher.name`.
  public static func ascending<Property: TypedAttribute>(
    _ path: (EntityPaths<Object>) -> EntityPath<Object, Property>
  ) -> EntitySortKey {
    EntitySortKey(key: FetchRequest.SortKey(path(EntityPaths()).key.name))
  }

  /// Returns a key that sorts from the greatest value to the smallest; missing values are last.
  ///
  /// - Parameter path: The attribute, as in `\.publisher.name`.
  public static func descending<Property: TypedAttribute>(
    _ path: (EntityPaths<Object>) -> EntityPath<Object, Property>
  ) -> EntitySortKey {
    EntitySortKey(key: FetchRequest.SortKey(path(EntityPaths()).key.name, isAscending: false))
  }
}

#endif
