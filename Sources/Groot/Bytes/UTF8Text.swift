/// The check of text in UTF-8 (RFC 3629), and its characters as units of one width.
package enum UTF8Text {
  /// Returns whether bytes are UTF-8.
  ///
  /// Complexity: O(count), sixteen bytes at a time in ASCII.
  static func isValid(_ bytes: UnsafePointer<UInt8>, count: Int) -> Bool {
    validCount(bytes, count: count, limit: bytes + count) == count
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
        cursor += ByteRuns.ascii(cursor)
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
  /// Characters as units of one width, the least of 1, 2 and 4 bytes that has room for all of them.
  package struct Units {
    package let width: Int
    package let count: Int
  }

  /// Returns the width and the number of the units for a text, if it is UTF-8.
  ///
  /// Complexity: O(count), sixteen bytes at a time.
  package static func units(of bytes: UnsafePointer<UInt8>, count: Int) -> Units {
    let greatest = greatestByte(bytes, count: count)
    return Units(
      width: greatest < 0xC4 ? 1 : greatest < 0xF0 ? 2 : 4,
      count: ByteCounts.characters(in: bytes, count: count))
  }

  /// Writes the characters of a text as its units, which are aligned for their width; returns false
  /// for bytes that are not UTF-8.
  ///
  /// Complexity: O(count), sixteen bytes
  /// at a time in ASCII.
  package static func write(
    _ bytes: UnsafePointer<UInt8>, count: Int, as made: Units, to units: UnsafeMutableRawPointer
  ) -> Bool {
    CLibrary.populate(units, size: made.count &* made.width)
    return switch made.width {
    case 1: write(bytes, count: count, to: units, as: UInt8.self, room: made.count)
    case 2: write(bytes, count: count, to: units, as: UInt16.self, room: made.count)
    default: write(bytes, count: count, to: units, as: UInt32.self, room: made.count)
    }
  }

  private static func greatestByte(_ bytes: UnsafePointer<UInt8>, count: Int) -> UInt8 {
    var lanes = SIMD16<UInt8>.zero
    var position = 0
    while count &- position >= ByteRuns.width {
      let next = UnsafeRawPointer(bytes + position).loadUnaligned(as: SIMD16<UInt8>.self)
      lanes.replace(with: next, where: next .> lanes)
      position &+= ByteRuns.width
    }
    var greatest = lanes.max()
    while position < count {
      greatest = max(greatest, bytes[position])
      position &+= 1
    }
    return greatest
  }

  @inline(__always)
  private static func write<Unit: FixedWidthInteger & UnsignedInteger>(
    _ bytes: UnsafePointer<UInt8>, count: Int, to start: UnsafeMutableRawPointer, as: Unit.Type,
    room: Int
  ) -> Bool {
    let end = bytes + count
    var cursor = bytes
    var unit = start.assumingMemoryBound(to: Unit.self)
    let limit = unit + room
    while cursor < end {
      if min(end - cursor, limit - unit) >= ByteRuns.width {
        let run = ByteRuns.ascii(cursor)
        for lane in 0..<ByteRuns.width { unit[lane] = Unit(truncatingIfNeeded: cursor[lane]) }
        cursor += run
        unit += run
        if run == ByteRuns.width { continue }
      }
      guard unit < limit else { return false }
      if cursor.pointee < 0x80 {
        unit.pointee = Unit(truncatingIfNeeded: cursor.pointee)
        cursor += 1
      } else {
        let length = Byte.sequenceLength(cursor, end: end)
        if length <= 0 { return false }
        unit.pointee = Unit(truncatingIfNeeded: scalar(cursor, length: length))
        cursor += length
      }
      unit += 1
    }
    return unit == limit
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
