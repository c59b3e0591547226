/// An object in which unmapped keys are written beside mapped ones.
struct RestLevel: Sendable {
  /// Its path in the whole object.
  let path: RestPath
  /// Its mapped keys.
  let named: WrittenKeys
}

/// The path of a value in the text of unmapped keys, with its keys as they are in the text.
final class RestPath: Sendable {
  /// A step to a member, to an element, or to either of them if a key is a number.
  struct Step: BitwiseCopyable, Sendable {
    /// The place of the key's text; empty for an element.
    let start: Int32
    let length: Int32
    /// The position in an array, or -1.
    let position: Int
    var isKey: Bool { @inline(__always) get { length > 0 } }
  }

  let steps: [Step]
  private let keys: WrittenKeys.Bytes

  init(_ segments: [JSONKeyPath.Segment]) {
    var bytes: [UInt8] = []
    steps = segments.compactMap { segment in
      switch segment {
      case .key(let key):
        let text = WrittenKeys.text(key)
        bytes += text
        return Step(
          start: Int32(truncatingIfNeeded: bytes.count - text.count),
          length: Int32(truncatingIfNeeded: text.count),
          position: JSONPointer.position(Array(key.text.utf8)) ?? -1)
      case .position(let position): return Step(start: 0, length: 0, position: position)
      case .elements: return nil
      }
    }
    keys = WrittenKeys.Bytes(bytes)
  }

  /// Returns the key of a step with its quotes, valid as long as the path.
  @inline(__always)
  func key(of step: Step) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: keys.start + Int(step.start), count: Int(step.length))
  }
}

/// A set of keys, as a ``JSONWriter`` writes them.
final class WrittenKeys: Sendable {
  /// Bytes that do not move.
  final class Bytes: @unchecked Sendable {
    let start: UnsafePointer<UInt8>

    init(_ bytes: [UInt8]) {
      let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: max(bytes.count, 1))
      bytes.withUnsafeBufferPointer { source in
        if let first = source.baseAddress { copy.update(from: first, count: source.count) }
      }
      start = UnsafePointer(copy)
    }

    deinit { start.deallocate() }
  }

  private let bytes: Bytes
  /// The ends of the keys, which are sorted by length and bytes.
  private let ends: [Int]
  /// A bit for the length and the first letter of each key; a key without its bit is another one.
  private let marks: UInt64

  init(_ keys: some Sequence<Name>) {
    let texts = keys.map(Self.text).sorted { left, right in
      left.count != right.count ? left.count < right.count : left.lexicographicallyPrecedes(right)
    }
    var end = 0
    ends = texts.map { text in
      end += text.count
      return end
    }
    bytes = Bytes(Array(texts.joined()))
    marks = texts.reduce(0) { marks, text in
      text.withUnsafeBufferPointer { marks | Self.mark($0) }
    }
  }

  /// Returns a key with its quotes.
  static func text(_ key: Name) -> [UInt8] { Array(JSONValue.string(key.text).description.utf8) }

  @inline(__always)
  private static func mark(_ key: UnsafeBufferPointer<UInt8>) -> UInt64 {
    // The first byte is a quote.
    let letter = key.count > 1 ? Int(key[1]) : 0
    return 1 &<< UInt64(truncatingIfNeeded: (letter &+ 11 &* key.count) & 63)
  }

  /// Returns whether a key with its quotes is in the set.
  @inline(__always)
  func contains(_ key: UnsafeBufferPointer<UInt8>) -> Bool {
    marks & Self.mark(key) != 0 && find(key)
  }

  @inline(never)
  private func find(_ key: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let text = key.baseAddress else { return false }
    var (low, high) = (0, ends.count)
    while low < high {
      let middle = low &+ (high &- low) / 2
      let start = middle > 0 ? ends[middle &- 1] : 0
      var order = ends[middle] &- start &- key.count
      if order == 0 { order = CLibrary.compare(bytes.start + start, text, count: key.count) }
      if order == 0 { return true }
      if order < 0 { low = middle &+ 1 } else { high = middle }
    }
    return false
  }
}
