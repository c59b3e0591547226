/// The new links of a save that take the places of ended ones with the same source.
///
/// A store changes such a link where it is. A deletion and an insertion would search once more, and
/// check a source that does not change.
struct ExchangedLinks {
  /// A new link in the place of an ended one.
  struct Pair {
    let source: Row
    let oldTarget: Row
    let newTarget: Row
    /// The node of the new link.
    let node: NodeIndex
  }

  /// By link, the pairs.
  private(set) var pairs: [[Pair]]
  /// By link, the nodes of new links that take no place.
  private(set) var linked: [[NodeIndex]]
  /// By link, the nodes of ended links whose places stay empty.
  private(set) var unlinked: [[NodeIndex]]

  /// Finds the pairs.
  ///
  /// Complexity: O(n log n) for the links that change.
  init(_ changes: StoreChanges, graph: Graph) {
    (linked, unlinked) = (changes.linked, changes.unlinked)
    pairs = Array(repeating: [], count: changes.linked.count)
    for number in graph.linkIndices where !linked[number].isEmpty && !unlinked[number].isEmpty {
      let link = graph.links[number]
      // An object that is deleted takes its links along, and a symmetric link has a twin.
      guard !link.isSymmetric, changes.deleted[link.tables.0].isEmpty,
        changes.deleted[link.tables.1].isEmpty
      else { continue }
      exchange(number, nodes: graph.linkTables[number])
    }
  }

  /// A link by its objects, with its node.
  private struct Entry {
    let source: Row
    let target: Row
    let node: NodeIndex

    static func isOrdered(_ first: Entry, _ second: Entry) -> Bool {
      first.source != second.source
        ? first.source < second.source : first.target < second.target
    }
  }

  private mutating func exchange(_ number: LinkIndex, nodes: LinkTable) {
    let old = Self.entries(unlinked[number], of: nodes)
    let new = Self.entries(linked[number], of: nodes)
    var (exchanged, ended, begun): ([Pair], [NodeIndex], [NodeIndex]) = ([], [], [])
    exchanged.reserveCapacity(min(old.count, new.count))
    var (left, right) = (0, 0)
    while left < old.count, right < new.count {
      let (first, other) = (old[left], new[right])
      if first.source < other.source {
        ended.append(first.node)
        left += 1
        continue
      }
      if other.source < first.source {
        begun.append(other.node)
        right += 1
        continue
      }
      let ends = (Self.end(of: old, from: left), Self.end(of: new, from: right))
      // A link that ended and began again would be in its own way.
      if !Self.shareTargets(old, left..<ends.0, with: new, right..<ends.1) {
        while left < ends.0, right < ends.1 {
          exchanged.append(
            Pair(
              source: first.source, oldTarget: old[left].target, newTarget: new[right].target,
              node: new[right].node))
          left += 1
          right += 1
        }
      }
      while left < ends.0 {
        ended.append(old[left].node)
        left += 1
      }
      while right < ends.1 {
        begun.append(new[right].node)
        right += 1
      }
    }
    ended += old[left...].map(\.node)
    begun += new[right...].map(\.node)
    (pairs[number], unlinked[number], linked[number]) = (exchanged, ended, begun)
  }

  /// Returns links by their sources, then targets.
  private static func entries(_ nodes: [NodeIndex], of table: LinkTable) -> [Entry] {
    var entries = nodes.map { node in
      let rows = table.node(node).pointee.rows
      return Entry(source: rows.0, target: rows.1, node: node)
    }
    entries.sort(by: Entry.isOrdered)
    return entries
  }

  /// Returns the end of the links that have the source of the link at `start`.
  private static func end(of entries: [Entry], from start: Int) -> Int {
    var end = start + 1
    while end < entries.count, entries[end].source == entries[start].source { end += 1 }
    return end
  }

  /// Returns whether links of one source, each in the order of targets, lead to the same object.
  private static func shareTargets(
    _ old: [Entry], _ left: Range<Int>, with new: [Entry], _ right: Range<Int>
  ) -> Bool {
    var (first, other) = (left.lowerBound, right.lowerBound)
    while first < left.upperBound, other < right.upperBound {
      let (ended, begun) = (old[first].target, new[other].target)
      if ended == begun { return true }
      if ended < begun { first += 1 } else { other += 1 }
    }
    return false
  }
}
