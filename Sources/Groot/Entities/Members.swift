/// The members of a to-many relationship at the time it was read, in order, each once.
///
/// A collection to look at, to change and to give back: `hero.powers.append(flight)` reads the
/// members, appends one and sets them. That is linear in the members: add many in one call, with
/// `append(contentsOf:)` or by assignment.
public struct Members<Element: Entity> {
  /// Where the objects are; nil for none.
  private(set) var context: ManagedObjectContext?
  /// The objects' identities.
  public private(set) var ids: [ObjectID]
  /// Whether objects of two contexts came together here.
  private(set) var isMixed = false

  init(_ ids: [ObjectID], in context: ManagedObjectContext) {
    self.ids = ids
    self.context = context
  }

  /// No members.
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

  /// Where there is no context there are no positions either: an array says so, as for any index.
  private func unreachable(_ position: Int) -> Element { [Element]()[position] }
}

extension Members: RangeReplaceableCollection {
  /// Puts objects in the place of members.
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
  /// The objects of a list.
  public init(arrayLiteral objects: Element...) { self.init(objects) }
}

extension Members: Equatable {
  /// The same objects in the same order.
  public static func == (left: Members, right: Members) -> Bool {
    left.ids == right.ids
      && (left.context === right.context || (left.ids.isEmpty && right.ids.isEmpty))
  }
}
