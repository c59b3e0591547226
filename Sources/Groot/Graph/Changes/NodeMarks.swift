/// A set of nodes of a relationship, a bit for each node up to the greatest.
struct NodeMarks {
  private static let bits = UInt64.bitWidth

  private var words: [UInt64] = []

  init() {}

  init(_ nodes: [NodeIndex]) {
    for node in nodes { insert(node) }
  }

  mutating func insert(_ node: NodeIndex) {
    let position = node.offset / Self.bits
    if position >= words.count {
      let missing = position + 1 - words.count
      words.append(contentsOf: repeatElement(0, count: max(missing, words.count)))
    }
    words[position] |= 1 << UInt64(node.offset % Self.bits)
  }

  mutating func remove(_ node: NodeIndex) {
    let position = node.offset / Self.bits
    if position < words.count { words[position] &= ~(1 << UInt64(node.offset % Self.bits)) }
  }

  @inline(__always)
  func contains(_ node: NodeIndex) -> Bool {
    let position = node.offset / Self.bits
    return position < words.count && words[position] >> UInt64(node.offset % Self.bits) & 1 != 0
  }
}
