/// The unmapped keys that records add to those that objects already have.
///
/// They are merged after all records are read: a merge for each record would each time copy all
/// earlier keys.
struct PendingRests {
  /// The addition of one record.
  struct Piece {
    let object: ObjectKey
    let field: Field
    /// The unmapped keys as canonical JSON.
    let text: UnsafeBufferPointer<UInt8>
    /// The mapped keys of the record as JSON: the object's rest no longer has them.
    let taken: UnsafeBufferPointer<UInt8>
  }

  private(set) var pieces: [Piece] = []
  /// The number of pieces of each object.
  private var counts: [ObjectKey: Int] = [:]
  private var texts: TextArena

  init(_ memory: MemoryAccount) { texts = TextArena(memory) }

  var isEmpty: Bool { pieces.isEmpty }

  /// The number of pieces, for returning to an earlier state.
  var count: Int { pieces.count }

  /// Returns whether an object has pieces.
  func contains(_ object: ObjectKey) -> Bool { !counts.isEmpty && counts[object] != nil }

  /// Adds a copy of a value; without memory it adds nothing, and the call fails later.
  mutating func add(
    _ text: UnsafeBufferPointer<UInt8>, taken: UnsafeBufferPointer<UInt8>, to object: ObjectKey,
    field: Field
  ) {
    guard let text = copy(text), let taken = copy(taken) else { return }
    pieces.append(Piece(object: object, field: field, text: text, taken: taken))
    counts[object, default: 0] += 1
  }

  private mutating func copy(
    _ text: UnsafeBufferPointer<UInt8>
  ) -> UnsafeBufferPointer<UInt8>? {
    guard let start = text.baseAddress, text.count > 0 else {
      return UnsafeBufferPointer(start: nil, count: 0)
    }
    guard let room = texts.allocate(text.count) else { return nil }
    let copy = room.assumingMemoryBound(to: UInt8.self)
    copy.update(from: start, count: text.count)
    return UnsafeBufferPointer(start: copy, count: text.count)
  }

  /// Removes all pieces after the first `count`.
  mutating func removeLast(to count: Int) {
    while pieces.count > count, let piece = pieces.popLast() {
      let left = (counts[piece.object] ?? 1) - 1
      counts[piece.object] = left > 0 ? left : nil
    }
  }

  mutating func removeAll() {
    pieces = []
    counts = [:]
    texts.removeAll()
  }
}

/// The members of several JSON objects in one.
///
/// The last value of a key counts, but objects under the same key are merged.
struct MergedObject {
  private enum Member {
    /// A value as canonical JSON.
    case value([UInt8])
    /// The position of an object in the tree.
    case object(Int)
  }

  private var members: [Name: Member] = [:]

  /// A tree of merged objects, the outermost first.
  struct Tree {
    private var objects = [MergedObject()]
    private let tape: JSONTape

    init(_ memory: MemoryAccount) { tape = JSONTape(memory) }

    /// Adds the members of an object; any other value adds nothing.
    mutating func add(_ text: UnsafeBufferPointer<UInt8>) throws {
      if text.isEmpty { return }
      tape.reset()
      try tape.load(text)
      try add(.first, to: 0)
    }

    /// Removes the mapped keys of a record.
    mutating func remove(_ taken: UnsafeBufferPointer<UInt8>) throws {
      if taken.isEmpty { return }
      tape.reset()
      try tape.load(taken)
      remove(.first, from: 0)
    }

    /// Recurses at most as deep as the longest key path is long.
    private mutating func remove(_ index: TokenIndex, from object: Int) {
      guard tape.tokens[index].kind == .object else { return }
      var key = index.next
      for _ in 0..<Int(clamping: tape.tokens[index].payload) {
        let name = Name(String(decoding: tape.tokens[key].bytes, as: UTF8.self))
        if case .object(let inner)? = objects[object].members[name],
          tape.tokens[key.next].kind == .object
        {
          let wasEmpty = objects[inner].members.isEmpty
          remove(key.next, from: inner)
          if objects[inner].members.isEmpty && !wasEmpty { objects[object].members[name] = nil }
        } else {
          objects[object].members[name] = nil
        }
        key = tape.end(of: key.next)
      }
    }

    /// Recurses at most as deep as JSON may be nested.
    private mutating func add(_ index: TokenIndex, to object: Int) throws {
      guard tape.tokens[index].kind == .object else { return }
      for key in try tape.distinctKeys(ofObject: index) {
        let name = Name(String(decoding: tape.tokens[key].bytes, as: UTF8.self))
        guard tape.tokens[key.next].kind == .object else {
          objects[object].members[name] = .value(try text(key.next))
          continue
        }
        if case .object(let inner)? = objects[object].members[name] {
          try add(key.next, to: inner)
        } else {
          let inner = objects.count
          objects.append(MergedObject())
          objects[object].members[name] = .object(inner)
          try add(key.next, to: inner)
        }
      }
    }

    private func text(_ index: TokenIndex) throws -> [UInt8] {
      guard let text = JSONWriter.canonical(tape, index: index) else { throw tape.noRoom }
      return Array(text)
    }

    /// Writes the whole tree as canonical JSON, borrowed until the next call.
    func write(_ writer: JSONWriter) { write(0, writer) }

    /// Recurses at most as deep as JSON may be nested.
    private func write(_ object: Int, _ writer: JSONWriter) {
      writer.beginObject()
      for (name, member) in objects[object].members.sorted(by: { $0.key < $1.key }) {
        var key = name.text
        key.withUTF8 { writer.key($0) }
        switch member {
        case .value(let text): text.withUnsafeBufferPointer { writer.rawValue($0) }
        case .object(let inner): write(inner, writer)
        }
      }
      writer.endObject()
    }
  }
}
