/// The check of text in UTF-8 (RFC 3629), and its characters as units of one width.
package enum UTF8Text {
  /// Returns whether bytes are UTF-8.
  ///
  /// Complexity: O(count), sixteen bytes at a time in ASCII.
  static func isValid(_ bytes: UnsafePointer<UInt8>, count: Int) -> Bool {
    validCount(bytes, count: count, limit: bytes + count) == count
  }

  /// Returns whether bytes are UTF-8.
  package static func isValid(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    bytes.baseAddress.map { isValid($0, count: bytes.count) } ?? true
  }

  /// Returns whether bytes are UTF-8, where those up to `limit` may be read.
  static func isValid(
    _ bytes: UnsafePointer<UInt8>, count: Int, limit: UnsafePointer<UInt8>
  ) -> Bool {
    validCount(bytes, count: count, limit: limit) == count
  }

  /// Returns whether bytes are UTF-8 as far as they go: the last sequence may be cut.
  static func isBegun(_ bytes: UnsafePointer<UInt8>, count: Int) -> Bool {
    let valid = validCount(bytes, count: count, limit: bytes + count)
    return valid == count || Byte.sequenceLength(bytes + valid, end: bytes + count) < 0
  }

  /// Returns the number of bytes before the first malformed or incomplete sequence.
  @inline(__always)
  private static func validCount(
    _ bytes: UnsafePointer<UInt8>, count: Int, limit: UnsafePointer<UInt8>
  ) -> Int {
    let end = bytes + count
    var cursor = bytes
    while cursor < end {
      if limit - cursor >= ByteRuns.width {
        let run = ByteRuns.ascii(cursor)
        if run == ByteRuns.width {
          cursor += ByteRuns.width
          continue
        }
        cursor += run
        if cursor >= end { return count }
      }
      if cursor.pointee < 0x80 {
        cursor += 1
        continue
      }
      // Sequences often follow each other, as in scripts other than Latin.
      repeat {
        let length = Byte.sequenceLength(cursor, end: end)
        if length <= 0 { return cursor - bytes }
        cursor += length
      } while cursor < end && cursor.pointee >= 0x80
    }
    return count
  }
}

// Text in units of one width.

extension UTF8Text {
  /// The characters that a unit has room for.
  package enum Unit: UInt32 {
    /// ASCII, in units of one byte.
    case ascii = 0x7F
    /// Latin-1, in units of one byte.
    case latin1 = 0xFF
    /// The basic plane, in units of two bytes.
    case basic = 0xFFFF
    /// All characters, in units of four bytes.
    case any = 0x10FFFF

    /// The least byte that begins a character beyond the unit's.
    fileprivate var stop: UInt8 {
      switch self {
      case .ascii: 0x80
      case .latin1: 0xC4
      case .basic: 0xF0
      case .any: 0xF5
      }
    }
  }

  /// The numbers of bytes read and of units written.
  package struct Written {
    package let bytes: Int
    package let units: Int
  }

  /// The bytes of which the units get their pages at once.
  private static let blockSize = 128 << 10

  /// Writes the characters of a text as units, up to the first that a unit has no room for, or that
  /// is not UTF-8.
  ///
  /// `units` is aligned and has room for as many units as there are bytes.
  /// Complexity: O(count), 32 bytes at a time in ASCII.
  package static func write(
    _ bytes: UnsafePointer<UInt8>, count: Int, as unit: Unit, to units: UnsafeMutableRawPointer
  ) -> Written {
    switch unit {
    case .ascii, .latin1:
      write(bytes, count: count, to: units, as: UInt8.self, stop: unit.stop) {
        ByteRuns.ascii($0, to: $1)
      }
    case .basic:
      write(bytes, count: count, to: units, as: UInt16.self, stop: unit.stop) {
        ByteRuns.ascii($0, to: $1)
      }
    case .any:
      write(bytes, count: count, to: units, as: UInt32.self, stop: unit.stop) {
        ByteRuns.ascii($0, to: $1)
      }
    }
  }

  @inline(__always)
  private static func write<Stored: FixedWidthInteger & UnsignedInteger>(
    _ bytes: UnsafePointer<UInt8>, count: Int, to start: UnsafeMutableRawPointer, as: Stored.Type,
    stop: UInt8, copyRun: (UnsafePointer<UInt8>, UnsafeMutablePointer<Stored>) -> Int
  ) -> Written {
    let end = bytes + count
    var cursor = bytes
    let first = start.assumingMemoryBound(to: Stored.self)
    var unit = first
    reading: while cursor < end {
      let block = min(blockSize, end - cursor)
      CLibrary.populate(unit, size: block &* MemoryLayout<Stored>.stride)
      let blockEnd = cursor + block
      while cursor < blockEnd {
        if end - cursor >= ByteRuns.unitsWidth {
          let run = copyRun(cursor, unit)
          if run == ByteRuns.unitsWidth {
            cursor += ByteRuns.unitsWidth
            unit += ByteRuns.unitsWidth
            continue
          }
          cursor += run
          unit += run
        }
        // Characters beyond ASCII often follow each other, as in scripts other than Latin.
        repeat {
          let lead = cursor.pointee
          if lead < 0x80 {
            unit.pointee = Stored(truncatingIfNeeded: lead)
            cursor += 1
          } else if lead < min(stop, 0xE0), lead >= 0xC2, end - cursor >= 2,
            cursor[1] & 0xC0 == 0x80
          {
            let value = UInt32(lead & 0x1F) &<< 6 | UInt32(cursor[1] & 0x3F)
            unit.pointee = Stored(truncatingIfNeeded: value)
            cursor += 2
          } else {
            let length = lead < stop ? Byte.sequenceLength(cursor, end: end) : 0
            if length <= 0 { break reading }
            unit.pointee = Stored(truncatingIfNeeded: scalar(cursor, length: length))
            cursor += length
          }
          unit += 1
        } while cursor < end && cursor.pointee >= 0x80
      }
    }
    return Written(bytes: cursor - bytes, units: unit - first)
  }

  /// Returns the character of a valid sequence of 2 to 4 bytes.
  @inline(__always)
  private static func scalar(_ bytes: UnsafePointer<UInt8>, length: Int) -> UInt32 {
    // The leading byte has 7 minus `length` bits of the character.
    var value = UInt32(bytes[0]) & (0x7F &>> UInt32(truncatingIfNeeded: length))
    var position = 1
    while position < length {
      value = value &<< 6 | UInt32(bytes[position] & 0x3F)
      position &+= 1
    }
    return value
  }
}
