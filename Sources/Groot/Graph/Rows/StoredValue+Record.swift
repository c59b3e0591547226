// Attributes in records, read and written as ``StoredValue``.

extension StoredValue {
  /// Reads an attribute; text is borrowed from the record or the arena.
  @inline(__always)
  init(_ record: UnsafeRawPointer, field: Field, table: UnsafePointer<ObjectTable>) {
    if field.isRelationship {
      // A to-one in an identity.
      let row = (record + Int(field.offset)).load(as: OptionalRow.self)
      self = row.isNone ? .none : StoredValue(word: row.word)
      return
    }
    guard table.pointee.has(field, in: record) else {
      self = .none
      return
    }
    self.init(at: record + Int(field.offset), field.storage)
  }

  /// Reads a present attribute at an address; its text is borrowed.
  @inline(__always)
  init(at address: UnsafeRawPointer, _ storage: FieldStorage) {
    switch storage {
    case .integer, .real: self.init(word: address.load(as: UInt64.self))
    case .boolean: self.init(word: UInt64(address.load(as: UInt8.self)))
    case .text: self.init(bytes: TextSlot.bytes(address))
    case .uuid:
      self.init(word: address.load(as: UInt64.self), (address + 8).load(as: UInt64.self))
    case .decimal:
      self.init(
        word: address.load(as: UInt64.self), (address + 8).load(as: UInt64.self),
        word2: (address + 16).load(as: UInt64.self))
    case .oneToOne, .toOne, .memberList, .nodeList: self = .none
    }
  }

  /// Writes an attribute with its presence bit; text is copied.
  @inline(__always)
  func write(
    to record: UnsafeMutableRawPointer, _ field: Field, table: UnsafePointer<ObjectTable>,
    arena: UnsafeMutablePointer<TextArena>
  ) {
    table.pointee.setPresence(field, in: record, to: isPresent)
    guard isPresent else { return }
    let address = record + Int(field.offset)
    switch field.storage {
    case .integer, .real: address.storeBytes(of: word0, as: UInt64.self)
    case .boolean: address.storeBytes(of: UInt8(truncatingIfNeeded: word0), as: UInt8.self)
    case .text:
      if let start {
        TextSlot.write(start, count: count, to: address, arena: arena)
      } else {
        CLibrary.fill(address, count: 16)
      }
    case .uuid:
      address.storeBytes(of: word0, as: UInt64.self)
      (address + 8).storeBytes(of: word1, as: UInt64.self)
    case .decimal:
      address.storeBytes(of: word0, as: UInt64.self)
      (address + 8).storeBytes(of: word1, as: UInt64.self)
      (address + 16).storeBytes(of: word2, as: UInt64.self)
    case .oneToOne, .toOne, .memberList, .nodeList: break
    }
  }

  /// Returns whether both are the same value of a field.
  @inline(__always)
  func equals(_ other: StoredValue, storage: FieldStorage) -> Bool {
    guard isPresent == other.isPresent else { return false }
    guard isPresent else { return true }
    switch storage {
    case .integer, .boolean: return word0 == other.word0
    // Compared by bits: a change from 0.0 to -0.0 is visible in exports.
    case .real: return word0 == other.word0
    case .uuid: return word0 == other.word0 && word1 == other.word1
    case .decimal:
      return word0 == other.word0 && word1 == other.word1 && word2 == other.word2
    case .text:
      guard count == other.count else { return false }
      guard let start, let otherStart = other.start else { return count == 0 }
      if start == otherStart { return true }
      return ByteComparison.areEqual(start, otherStart, count: count)
    case .oneToOne, .toOne: return word0 == other.word0
    case .memberList, .nodeList: return true
    }
  }

  /// Returns the hash of the value in an identity.
  @inline(__always)
  func hash(_ storage: FieldStorage, from: UInt64, with hash: Hash) -> UInt64 {
    guard isPresent else { return hash.none(from) }
    switch storage {
    case .text: return hash.bytes(start, count: count, from: from)
    case .uuid: return hash.mix(word1, start: hash.mix(word0, start: from))
    case .decimal:
      return hash.mix(word2, start: hash.mix(word1, start: hash.mix(word0, start: from)))
    default: return hash.mix(word0, start: from)
    }
  }
}
