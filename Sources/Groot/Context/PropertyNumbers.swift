/// The numbers of the properties that typed objects used recently.
///
/// Only one thread may use it at a time, like its context.
struct PropertyNumbers {
  private struct Entry {
    var key: PropertyKey?
    var entity: EntityIndex
    var number: Int
  }

  /// The number of entries, a power of two.
  private static let count = 128
  private var entries: [Entry] = []

  /// Returns the number of an entity's property; nil if the entity has none of that name.
  @inline(__always)
  mutating func number(
    of key: PropertyKey, entity: EntityIndex, model: ManagedObjectModel
  ) -> Int? {
    let address = UInt(bitPattern: Unmanaged.passUnretained(key).toOpaque())
    let position =
      Int(truncatingIfNeeded: (address &>> 5) ^ UInt(entity.offset)) & (Self.count &- 1)
    if position < entries.count, entries[position].key === key, entries[position].entity == entity {
      return entries[position].number
    }
    return find(key, entity: entity, model: model, position: position)
  }

  @inline(never)
  private mutating func find(
    _ key: PropertyKey, entity: EntityIndex, model: ManagedObjectModel, position: Int
  ) -> Int? {
    guard let number = model.resolved[entity].numberByName[key.name] else { return nil }
    if entries.isEmpty {
      entries = Array(
        repeating: Entry(key: nil, entity: entity, number: 0), count: Self.count)
    }
    entries[position] = Entry(key: key, entity: entity, number: number)
    return number
  }
}
