// Finding values on a tape by key or position.

extension JSONTape {
  /// Returns the index of the token after the value at `index`.
  @inline(__always)
  package func end(of index: TokenIndex) -> TokenIndex {
    tokens[index].end(at: index)
  }

  /// Returns the index of the value under `key` in the object at `index`; of duplicate keys the
  /// last counts.
  ///
  /// Returns nil without this member, or if the value is not an object. Complexity: O(members).
  package func value(forKey key: UnsafeBufferPointer<UInt8>, inObject index: TokenIndex)
    -> TokenIndex?
  {
    let tokens = self.tokens
    guard tokens[index].rawKind == JSONKind.object.rawValue else { return nil }
    let end = tokens[index].end(at: index)
    let head = JSONToken(kind: .string, size: UInt32(clamping: key.count)).head
    var found = TokenIndex.none
    var member = index.next
    while member < end {
      let value = member.next
      if tokens[member].head == head, Self.equal(tokens[member].bytes, key) { found = value }
      member = tokens[value].end(at: value)
    }
    return found.isNone ? nil : found
  }

  /// Returns the index of the element at `position` of the array at `index`; nil without one.
  ///
  /// Complexity: O(position).
  package func element(at position: Int, inArray index: TokenIndex) -> TokenIndex? {
    let token = tokens[index]
    guard token.rawKind == JSONKind.array.rawValue, position >= 0, position < token.payload else {
      return nil
    }
    var element = index.next
    for _ in 0..<position { element = end(of: element) }
    return element
  }

  /// Appends the key tokens of an object to `keys`, without duplicates.
  ///
  /// Of duplicate keys, it appends the last token. The order is that of the first occurrences, as
  /// in jansson, or with `sorted` that of the keys' bytes. Complexity: O(n log n), or O(n²)
  /// comparisons of lengths for up to 8 members.
  func distinctKeys(ofObject index: TokenIndex, sorted: Bool, into keys: inout [TokenIndex]) {
    let tokens = self.tokens
    let end = tokens[index].end(at: index)
    let start = keys.count
    var member = index.next
    while member < end {
      keys.append(member)
      member = tokens[member.next].end(at: member.next)
    }
    let count = keys.count - start
    if count < 2 { return }
    if !sorted, count <= 8, !hasDuplicate(keys[start...]) { return }

    // Sorted by bytes, then by position: equal keys are adjacent, and the last occurrence is the
    // last of them.
    var ranked = Array(keys[start...])
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
    keys.removeSubrange(start...)
    for group in groups { keys.append(group.last) }
  }

  private func hasDuplicate(_ keys: ArraySlice<TokenIndex>) -> Bool {
    for (position, key) in keys.enumerated() {
      for other in keys.dropFirst(position + 1)
      where Self.equal(tokens[key].bytes, tokens[other].bytes) {
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
  static func order(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Int
  {
    let common = min(left.count, right.count)
    if common > 0, let leftBytes = left.baseAddress, let rightBytes = right.baseAddress {
      let order = CLibrary.compare(leftBytes, rightBytes, count: common)
      if order != 0 { return order }
    }
    return left.count - right.count
  }
}
