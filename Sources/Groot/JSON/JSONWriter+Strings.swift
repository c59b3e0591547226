// Writing strings and keys.

extension JSONWriter {
  /// Writes a string from UTF-8, which is not checked.
  ///
  /// Quotes, backslashes and control characters are escaped (RFC 8259, section 7); all other
  /// bytes stay as they are. Complexity: O(bytes), eight at a time.
  @inline(__always)
  package func string(_ bytes: UnsafeBufferPointer<UInt8>) {
    quoted(bytes, terminator: Byte.comma)
  }

  /// Writes a member's key, escaped like a string, and the colon.
  @inline(__always)
  package func key(_ bytes: UnsafeBufferPointer<UInt8>) {
    quoted(bytes, terminator: Byte.colon)
  }

  /// Writes a string.
  package func string(_ text: String) {
    var text = text
    text.withUTF8 { string($0) }
  }

  /// Writes a member's key and the colon.
  package func key(_ text: String) {
    var text = text
    text.withUTF8 { key($0) }
  }

  @inline(__always)
  private func quoted(_ bytes: UnsafeBufferPointer<UInt8>, terminator: UInt8) {
    // Stored words may reach beyond the string's end.
    guard let target = room(bytes.count &+ 16) else { return }
    target.pointee = Byte.quote
    var output = target + 1
    if var source = bytes.baseAddress {
      let end = source + bytes.count
      if !Self.copyPlain(&source, end: end, output: &output) {
        cursor = output
        guard let next = escape(source, end: end) else { return }
        output = next
      }
    }
    output[0] = Byte.quote
    output[1] = terminator
    cursor = output + 2
  }

  /// Copies up to the first byte that needs an escape; returns whether it reached the end.
  @inline(__always)
  private static func copyPlain(
    _ source: inout UnsafePointer<UInt8>, end: UnsafePointer<UInt8>,
    output: inout UnsafeMutablePointer<UInt8>
  ) -> Bool {
    while end - source >= 8 {
      let word = ByteLanes.load8(source)
      ByteLanes.store8(word, into: output)
      let marks = escapeMarks(word)
      if marks != 0 {
        let run = marks.trailingZeroBitCount &>> 3
        source += run
        output += run
        return false
      }
      source += 8
      output += 8
    }
    if end - source >= 4 {
      let half = ByteLanes.load4(source)
      ByteLanes.store4(half, into: output)
      // Spaces, which need no escape, fill the upper lanes.
      let marks = escapeMarks(UInt64(half) | 0x2020_2020_0000_0000)
      if marks != 0 {
        let run = marks.trailingZeroBitCount &>> 3
        source += run
        output += run
        return false
      }
      source += 4
      output += 4
    }
    while source < end {
      let byte = source.pointee
      if byte < 0x20 || byte == Byte.quote || byte == Byte.backslash { return false }
      output.pointee = byte
      source += 1
      output += 1
    }
    return true
  }

  /// Marks each lane that needs an escape in its high bit; marks above the first may be false.
  @inline(__always)
  private static func escapeMarks(_ word: UInt64) -> UInt64 {
    let controls = word &- ByteLanes.fill(0x20)
    let quotes = (word ^ ByteLanes.fill(Byte.quote)) &- ByteLanes.fill(1)
    let backslashes = (word ^ ByteLanes.fill(Byte.backslash)) &- ByteLanes.fill(1)
    return (controls | quotes | backslashes) & ~word & ByteLanes.highBits
  }

  /// Writes the rest of a string from a byte that needs an escape on; returns its end, with room
  /// for two more bytes.
  @inline(never)
  private func escape(
    _ start: UnsafePointer<UInt8>, end: UnsafePointer<UInt8>
  ) -> UnsafeMutablePointer<UInt8>? {
    var source = start
    while source < end {
      guard var output = room(end - source &+ 24) else { return nil }
      let byte = source.pointee
      source += 1
      output[0] = Byte.backslash
      if let short = Self.shortEscape(byte) {
        output[1] = short
        output += 2
      } else {
        output[1] = Byte.u
        output[2] = Byte.zero
        output[3] = Byte.zero
        output[4] = Byte.zero &+ byte &>> 4
        let low = byte & 15
        output[5] = low < 10 ? Byte.zero &+ low : 0x57 &+ low
        output += 6
      }
      _ = Self.copyPlain(&source, end: end, output: &output)
      cursor = output
    }
    return room(2)
  }

  private static func shortEscape(_ byte: UInt8) -> UInt8? {
    switch byte {
    case Byte.quote, Byte.backslash: byte
    case 0x08: 0x62
    case 0x09: Byte.t
    case 0x0A: Byte.n
    case 0x0C: Byte.f
    case 0x0D: 0x72
    default: nil
    }
  }
}
