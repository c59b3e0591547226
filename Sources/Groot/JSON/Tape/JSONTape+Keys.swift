// The keys of an object, without duplicates and in an order.

extension JSONTape {
  /// The number of members up to which comparing all of them is faster than ranking them.
  static var fewMembers: Int { 8 }

  /// Appends the key tokens of an object to `keys`, without duplicates.
  ///
  /// Of duplicate keys, it appends the last token. The order is that of the first occurrences, as
  /// in jansson, or with `sorted` that of the keys' bytes. Complexity: O(n) for keys in the order of
  /// their bytes, otherwise O(n log n), or O(n²) comparisons for up to 8 members.
  ///
  /// Throws `outOfMemory` or `limitExceeded`.
  func distinctKeys(
    ofObject index: TokenIndex, sorted: Bool, into keys: inout Buffer<TokenIndex>
  ) throws {
    let start = try keys.reserve(Int(clamping: tokens[index].payload))
    let few = keys.count &- start <= Self.fewMembers
    if few && sorted {
      keys.removeLast(to: sortFew(ofObject: index, into: keys.start, from: start))
      return
    }
    let end = tokens[index].end(at: index)
    var member = index.next
    var place = start
    while member < end, place < keys.count {
      keys.start[place] = member
      place &+= 1
      member = tokens[member.next].end(at: member.next)
    }
    if hasAscendingKeys(index) || few && !hasDuplicate(keys, from: start) { return }
    rankKeys(from: start, sorted: sorted, in: &keys)
  }

  /// Returns the key tokens of an object without duplicates, in the order of the first occurrences.
  func distinctKeys(ofObject index: TokenIndex) throws -> [TokenIndex] {
    var keys = Buffer<TokenIndex>(account, capacity: Self.fewMembers)
    defer { keys.deallocate() }
    try distinctKeys(ofObject: index, sorted: false, into: &keys)
    return Array(UnsafeBufferPointer(start: keys.start, count: keys.count))
  }

  /// Returns whether each key of an object is after the one before it by bytes: the keys are then
  /// sorted, and all different.
  func hasAscendingKeys(_ index: TokenIndex) -> Bool {
    let tokens = self.tokens
    let end = tokens[index].end(at: index)
    var last = index.next
    guard last < end else { return true }
    var before = tokens[last].bytes
    while true {
      let member = tokens[last.next].end(at: last.next)
      guard member < end else { return true }
      let bytes = tokens[member].bytes
      if Self.order(before, bytes) >= 0 { return false }
      (last, before) = (member, bytes)
    }
  }

  /// Writes the keys of an object in the order of their bytes, the last of equal ones only, and
  /// returns the place after them.
  private func sortFew(
    ofObject index: TokenIndex, into keys: UnsafeMutablePointer<TokenIndex>, from start: Int
  ) -> Int {
    let tokens = self.tokens
    let end = tokens[index].end(at: index)
    var member = index.next
    var kept = start
    while member < end {
      let bytes = tokens[member].bytes
      var place = kept
      var order = -1
      while place > start {
        order = Self.order(tokens[keys[place &- 1]].bytes, bytes)
        if order <= 0 { break }
        place &-= 1
      }
      if place > start, order == 0 {
        keys[place &- 1] = member
      } else {
        var last = kept
        while last > place {
          keys[last] = keys[last &- 1]
          last &-= 1
        }
        keys[place] = member
        kept &+= 1
      }
      member = tokens[member.next].end(at: member.next)
    }
    return kept
  }

  /// Brings the keys from `start` on into their order, and keeps the last of equal ones.
  private func rankKeys(from start: Int, sorted: Bool, in keys: inout Buffer<TokenIndex>) {
    let tokens = self.tokens
    let count = keys.count - start
    // Sorted by bytes, then by position: equal keys are adjacent, and the last occurrence is the
    // last of them.
    var ranked = Array(UnsafeBufferPointer(start: keys.start + start, count: count))
    ranked.sort { left, right in
      let order = Self.order(tokens[left].bytes, tokens[right].bytes)
      return order == 0 ? left < right : order < 0
    }
    var groups: [(first: TokenIndex, last: TokenIndex)] = []
    groups.reserveCapacity(count)
    for key in ranked {
      if let group = groups.last,
        Self.equal(tokens[group.last].bytes, tokens[key].bytes)
      {
        groups[groups.count - 1].last = key
      } else {
        groups.append((key, key))
      }
    }
    if !sorted {
      if groups.count == count { return }
      groups.sort { $0.first < $1.first }
    }
    for (place, group) in groups.enumerated() { keys.start[start + place] = group.last }
    keys.removeLast(to: start + groups.count)
  }

  private func hasDuplicate(_ keys: Buffer<TokenIndex>, from start: Int) -> Bool {
    for place in start..<keys.count {
      for other in place &+ 1..<keys.count
      where Self.equal(tokens[keys.start[place]].bytes, tokens[keys.start[other]].bytes) {
        return true
      }
    }
    return false
  }

  /// Returns whether two strings have the same bytes.
  @inline(__always)
  static func equal(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Bool
  {
    guard left.count == right.count else { return false }
    guard let leftBytes = left.baseAddress, let rightBytes = right.baseAddress else { return true }
    return ByteComparison.areEqual(leftBytes, rightBytes, count: left.count)
  }

  /// Compares two strings by bytes: less than 0 if `left` is first, 0 if they are equal, greater
  /// than 0 otherwise.
  @inline(__always)
  static func order(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Int
  {
    let common = min(left.count, right.count)
    if common > 0, let leftBytes = left.baseAddress, let rightBytes = right.baseAddress {
      // Most keys begin with different bytes, which takes no call.
      let first = Int(leftBytes.pointee) &- Int(rightBytes.pointee)
      if first != 0 { return first }
      let order = CLibrary.compare(leftBytes, rightBytes, count: common)
      if order != 0 { return order }
    }
    return left.count - right.count
  }
}
