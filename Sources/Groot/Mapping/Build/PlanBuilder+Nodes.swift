// The tree of keys that an import walks.

extension PlanBuilder {
  /// The rest of paths from a node on, with the slots that they fill.
  typealias Branches = [(segments: ArraySlice<JSONKeyPath.Segment>, slot: Int32)]

  /// Adds the nodes below a node; siblings are adjacent.
  ///
  /// Recursion is bounded by the paths' length.
  mutating func addChildren(of node: Int, _ paths: Branches, slotCount: inout Int32) {
    var below: [JSONKeyPath.Segment: Branches] = [:]
    for path in paths {
      guard let segment = path.segments.first else { continue }
      below[segment, default: []].append((path.segments.dropFirst(), path.slot))
    }
    let segments = below.keys.sortedFew(by: Self.precedes)
    let first = nodes.count
    nodes[node].firstChild = first
    nodes[node].childCount = segments.count
    nodes[node].keyCount = segments.count { $0.key != nil }
    for (position, segment) in segments.enumerated() {
      let ends = (below[segment] ?? []).filter { $0.segments.isEmpty }.map(\.slot)
      let own = ends.filter { $0 != Self.knownSlot }
      var child = Node(firstSlot: slots.count, slotCount: own.count)
      child.isKnown = own.count < ends.count
      child.leavings = leavings(own)
      switch segment {
      case .key(let key): (child.offset, child.length) = (offset(of: key), key.text.utf8.count)
      case .position(let place): child.position = Int32(clamping: place)
      case .elements:
        child.position = KeyNode.isElements
        nodes[node].elements = Int32(first + position)
      }
      nodes.append(child)
      slots.append(contentsOf: own)
    }
    setPositions(
      of: node, segments.map { if case .position(let place) = $0 { place } else { nil } })
    for (position, segment) in segments.enumerated() {
      let deeper = (below[segment] ?? []).filter { !$0.segments.isEmpty }
      if deeper.isEmpty { continue }
      if !leavingsOfSlot.isEmpty, deeper.allSatisfy({ isLeftOut($0.slot) }) {
        nodes[first + position].leavings.insert(.empty)
      }
      if deeper.contains(where: { $0.slot != Self.knownSlot }) {
        nodes[first + position].innerSlot = slotCount
        nodes[node].hasInnerChildren = true
        slotCount += 1
      }
      addChildren(of: first + position, deeper, slotCount: &slotCount)
    }
  }

  // MARK: Mapped values that `@rest` keeps

  /// Records the values of a property that an export omits.
  mutating func noteLeavings(_ mapping: PropertyMapping, slots: Range<Int32>) {
    let isToMany = mapping.property.field.isToMany
    let isChosen = mapping.options.contains(.choosesNull)
    let isOmitted = isChosen ? mapping.options.contains(.omitsNull) : nulls == .omit
    var leavings: KeyNode.Leavings = isToMany ? .null : []
    if isToMany && isOmitted && isChosen { leavings.formUnion([.empty, .omitted]) }
    if !isToMany && isOmitted { leavings.formUnion([.null, .omitted]) }
    for slot in slots { leavingsOfSlot[slot] = leavings }
  }

  private func leavings(_ slots: [Int32]) -> KeyNode.Leavings {
    // A property that reads the discriminator keeps its value.
    let known = slots.compactMap { leavingsOfSlot[$0] }
    return known.contains(.kind) && known.count > 1
      ? KeyNode.Leavings(known.filter { $0 != .kind }) : KeyNode.Leavings(known)
  }

  /// Returns whether an export omits the property of a slot without a value.
  private func isLeftOut(_ slot: Int32) -> Bool {
    leavingsOfSlot[slot]?.contains(.omitted) ?? true
  }

  /// Orders keys by length and bytes, then positions, then all elements.
  private static func precedes(
    _ left: JSONKeyPath.Segment, _ right: JSONKeyPath.Segment
  ) -> Bool {
    switch (left, right) {
    case (.key(let one), .key(let other)):
      let (length, otherLength) = (one.text.utf8.count, other.text.utf8.count)
      return length != otherLength ? length < otherLength : one < other
    case (.key, _): return true
    case (_, .key): return false
    case (.position(let one), .position(let other)): return one < other
    case (.position, .elements): return true
    case (.elements, _): return false
    }
  }

  /// Records the children of a node by their array positions.
  private mutating func setPositions(of node: Int, _ places: [Int?]) {
    // A larger mapping is rejected later.
    guard positions.count <= Self.maximumSize, let last = places.compactMap({ $0 }).max() else {
      return
    }
    nodes[node].firstPosition = positions.count
    nodes[node].positionCount = last + 1
    positions += Array(repeating: -1, count: last + 1)
    for (child, place) in places.enumerated() {
      guard let place else { continue }
      positions[nodes[node].firstPosition + place] = Int32(nodes[node].firstChild + child)
    }
  }

  /// Makes numeric keys positions as well, if no other path has positions.
  mutating func addPositions(of node: Int) {
    guard nodes[node].positionCount == 0 else { return }
    let children = nodes[nodes[node].firstChild..<nodes[node].firstChild + nodes[node].keyCount]
    setPositions(
      of: node,
      children.map { child in
        JSONKeyPath.position(
          String(decoding: bytes[child.offset..<child.offset + child.length], as: UTF8.self))
      })
  }

  /// A path, its slot, and whether the slot takes text.
  struct SlotUse {
    let path: JSONKeyPath
    let slot: Int32
    let takesText: Bool
  }

  /// Adds a node for each ``Place/Part`` if paths begin at one of them; returns the first, or -1.
  mutating func addPlaces(_ paths: [SlotUse], slotCount: inout Int32) -> Int32 {
    guard paths.contains(where: { $0.path.origin != .object }) else { return -1 }
    let first = nodes.count
    for part in Place.Part.allCases {
      let own = paths.filter {
        Place.Part($0.path.origin, takesText: $0.takesText) == part && $0.path.segments.isEmpty
      }
      nodes.append(Node(firstSlot: slots.count, slotCount: own.count))
      slots.append(contentsOf: own.map(\.slot))
    }
    for part in Place.Part.allCases {
      let own = paths.filter {
        Place.Part($0.path.origin, takesText: $0.takesText) == part && !$0.path.segments.isEmpty
      }
      addChildren(
        of: first + Int(part.rawValue), own.map { ($0.path.segments[...], $0.slot) },
        slotCount: &slotCount)
    }
    return Int32(first)
  }

  /// Returns a bit for each ``Place/Part`` at which paths begin.
  func usedPlaces(_ paths: [SlotUse]) -> UInt8 {
    paths.reduce(0) { used, path in
      Place.Part(path.path.origin, takesText: path.takesText).map { used | $0.bit } ?? used
    }
  }
}
