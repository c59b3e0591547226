/// The new links of a save that take the places of ended ones with the same source.
///
/// A store changes such a link where it is. A deletion and an insertion would search once more, and
/// check a source that does not change.
struct ExchangedLinks {
  /// A new link in the place of an ended one.
  struct Pair {
    let old: NodeIndex
    let new: NodeIndex
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
    (unlinked[number], linked[number]) = ([], [])
    var (ended, begun) = (old[...], new[...])
    while let first = ended.first, let other = begun.first {
      let source = min(first.source, other.source)
      let (left, right) = (
        ended.prefix { $0.source == source }, begun.prefix { $0.source == source }
      )
      // A link that ended and began again would be in its own way.
      let count = Self.shareTargets(left, right) ? 0 : min(left.count, right.count)
      pairs[number] += zip(left.prefix(count), right).map { Pair(old: $0.node, new: $1.node) }
      unlinked[number] += left.dropFirst(count).map(\.node)
      linked[number] += right.dropFirst(count).map(\.node)
      ended = ended.dropFirst(left.count)
      begun = begun.dropFirst(right.count)
    }
    unlinked[number] += ended.map(\.node)
    linked[number] += begun.map(\.node)
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

  /// Returns whether links of one source, each in the order of targets, lead to the same object.
  private static func shareTargets(_ left: ArraySlice<Entry>, _ right: ArraySlice<Entry>) -> Bool {
    var (left, right) = (left, right)
    while let first = left.first, let other = right.first {
      if first.target == other.target { return true }
      if first.target < other.target { left = left.dropFirst() } else { right = right.dropFirst() }
    }
    return false
  }
}
