/// The members of a many-to-many relationship's lists in a store, before its links are in the graph.
///
/// An import compares the lists of one side with them, and links only those that it changes. They hold
/// until the graph follows its store; a save forgets the lists that it writes.
final class StoredMembers {
  /// The places of an object's members among all.
  private struct List {
    var first: UInt32
    var count: UInt32

    static let empty = List(first: 0, count: 0)
    /// The list of an object that a save has changed.
    static let unknown = List(first: 0, count: .max)
  }

  /// The length up to which inserting members one by one sorts a list fastest.
  private static let shortCount = 16

  /// The side whose objects have the lists.
  let side: LinkSide
  /// The account of the buffers, which do not keep it.
  private let memory: MemoryAccount
  /// The keys of the members; those of a list are adjacent and in its order.
  private var members: Buffer<Int64>
  /// By row, the list of an object.
  private var lists: Buffer<List>
  /// Before ``finish()``: by member, the row of its owner and the position in the owner's list.
  private var owners: Buffer<Row>
  private var positions: Buffer<Int64>

  /// Makes empty lists for the first `count` rows.
  init(_ memory: MemoryAccount, side: LinkSide, count: Int) throws {
    self.memory = memory
    self.side = side
    members = Buffer(memory)
    lists = Buffer(memory)
    owners = Buffer(memory)
    positions = Buffer(memory)
    _ = try lists.reserve(count)
    lists.start.initialize(repeating: .empty, count: count)
  }

  deinit {
    members.deallocate()
    lists.deallocate()
    owners.deallocate()
    positions.deallocate()
  }

  // MARK: Reading

  /// Adds a member to the list of an object.
  @inline(__always)
  func append(_ member: Int64, of owner: Row, at position: Int64) throws {
    guard owner.offset < lists.count else { return }
    try members.append(member)
    try owners.append(owner)
    try positions.append(position)
    lists.start[owner.offset].count &+= 1
  }

  /// Puts the members of each list beside each other and in order, after all are added.
  ///
  /// - Returns: False if a list has a member twice, which only a damaged store has.
  /// - Throws: ``Status/outOfMemory``, ``Status/limitExceeded``.
  func finish() throws -> Bool {
    var next: UInt32 = 0
    for row in 0..<lists.count where lists.start[row].count > 0 {
      lists.start[row].first = next
      next &+= lists.start[row].count
    }
    let areAdjacent = (1..<max(owners.count, 1)).allSatisfy {
      owners.start[$0 &- 1] <= owners.start[$0]
    }
    if !areAdjacent { try bringTogether() }
    let areSound = (0..<lists.count).allSatisfy { sort(lists.start[$0]) }
    owners.deallocate()
    positions.deallocate()
    (owners, positions) = (Buffer(memory), Buffer(memory))
    return areSound
  }

  /// Moves the members of each list beside each other.
  private func bringTogether() throws {
    var (moved, places) = (Buffer<Int64>(memory), Buffer<Int64>(memory))
    do {
      _ = try moved.reserve(members.count)
      _ = try places.reserve(members.count)
    } catch {
      moved.deallocate()
      places.deallocate()
      throw error
    }
    for place in 0..<members.count {
      let list = lists.start + owners.start[place].offset
      moved.start[Int(list.pointee.first)] = members.start[place]
      places.start[Int(list.pointee.first)] = positions.start[place]
      list.pointee.first &+= 1
    }
    for row in 0..<lists.count { lists.start[row].first &-= lists.start[row].count }
    swap(&members, &moved)
    swap(&positions, &places)
    moved.deallocate()
    places.deallocate()
  }

  /// Puts the members of a list into the order of their positions, and of their keys where equal;
  /// returns false if the list has a member twice.
  private func sort(_ list: List) -> Bool {
    let (first, count) = (Int(list.first), Int(list.count))
    let (members, places) = (members.start + first, positions.start + first)
    guard count <= Self.shortCount else {
      var sorted = (0..<count).map { (position: places[$0], member: members[$0]) }
      sorted.sort { ($0.position, $0.member) < ($1.position, $1.member) }
      for (place, entry) in sorted.enumerated() { members[place] = entry.member }
      return Set(sorted.lazy.map(\.member)).count == count
    }
    // Mostly the members come in the order of their keys.
    Self.sort(members, with: places, count: count)
    if count > 1, (1..<count).contains(where: { members[$0 &- 1] == members[$0] }) { return false }
    Self.sort(places, with: members, count: count)
    return true
  }

  /// Sorts a few numbers, and moves others along; those of equal numbers keep their order.
  private static func sort(
    _ numbers: UnsafeMutablePointer<Int64>, with others: UnsafeMutablePointer<Int64>, count: Int
  ) {
    for next in stride(from: 1, to: count, by: 1) {
      let (number, other) = (numbers[next], others[next])
      var place = next
      while place > 0, numbers[place &- 1] > number {
        numbers[place] = numbers[place &- 1]
        others[place] = others[place &- 1]
        place &-= 1
      }
      numbers[place] = number
      others[place] = other
    }
  }

  // MARK: Lists

  /// Returns the keys of an object's members in their order; nil if they are unknown.
  @inline(__always)
  func members(of row: Row) -> UnsafeBufferPointer<Int64>? {
    guard row.offset < lists.count else { return nil }
    let list = lists.start[row.offset]
    guard list.count != List.unknown.count else { return nil }
    return UnsafeBufferPointer(start: members.start + Int(list.first), count: Int(list.count))
  }

  /// Forgets the list of an object.
  func forget(_ row: Row) {
    if row.offset < lists.count { lists.start[row.offset] = .unknown }
  }
}
