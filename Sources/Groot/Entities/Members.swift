#if Entities

/// The members of a to-many relationship when it was read, in order, without duplicates.
///
/// The collection can be read, changed and assigned: `hero.powers.append(flight)` reads the
/// members, appends one and sets them. Each change takes time linear in the members, so add many in
/// one call, with `append(contentsOf:)` or by assignment.
public struct Members<Element: Entity> {
  /// The context of the objects; nil without members.
  private(set) var context: ManagedObjectContext?
  /// The ids of the objects.
  public private(set) var ids: [ObjectID]
  /// Whether it has objects of several contexts.
  private(set) var isMixed = false

  init(_ ids: [ObjectID], in context: ManagedObjectContext) {
    self.ids = ids
    self.context = context
  }

  /// Makes a collection without members.
  public init() { ids = [] }
}

extension Members: RandomAccessCollection {
  /// The position of the first member.
  public var startIndex: Int { 0 }
  /// The position after the last member.
  public var endIndex: Int { ids.count }

  /// The member at a position.
  public subscript(position: Int) -> Element {
    guard let context else { return unreachable(position) }
    return Element(managedObject: ManagedObject(context: context, id: ids[position]))
  }

  /// Stops the program: without a context there are no positions.
  private func unreachable(_ position: Int) -> Element { [Element]()[position] }
}

extension Members: RangeReplaceableCollection {
  /// Replaces a range of members with objects.
  public mutating func replaceSubrange(
    _ range: Range<Int>, with objects: some Collection<Element>
  ) {
    ids.replaceSubrange(range, with: objects.map(\.managedObject.id))
    for object in objects {
      if context == nil { context = object.managedObject.context }
      isMixed = isMixed || context !== object.managedObject.context
    }
  }
}

extension Members: ExpressibleByArrayLiteral {
  /// Makes a collection of a literal's objects.
  public init(arrayLiteral objects: Element...) { self.init(objects) }
}

extension Members: Equatable {
  /// Returns whether two collections have the same objects in the same order.
  public static func == (left: Members, right: Members) -> Bool {
    left.ids == right.ids
      && (left.context === right.context || (left.ids.isEmpty && right.ids.isEmpty))
  }
}

#endif
