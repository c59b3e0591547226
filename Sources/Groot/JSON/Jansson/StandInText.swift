/// A text for jansson to judge, in which stand-ins replace the values that its types cannot hold.
///
/// A number that may exceed 64 bits or a double is replaced by a number of the same length, and an
/// escaped NUL by U+0001. Jansson then judges the text as if its types could hold every value, and
/// counts the same locations. It drops a NUL byte directly after a number or literal: that byte is
/// doubled, and jansson refuses the second.
struct StandInText {
  private enum State {
    case plain
    case string
    /// After a backslash.
    case escape
  }

  /// A number that is being replaced.
  private struct Number {
    /// The number of its remaining bytes, and of those before an exponent.
    var left = 0
    var mantissaLeft = 0
    /// Whether the part before the exponent is replaced; a short one fits.
    var isReplaced = false
    /// The number of bytes written, without the sign.
    var given = 0

    init() {}

    init(_ start: UnsafePointer<UInt8>, end: UnsafePointer<UInt8>) {
      left = end - start
      mantissaLeft = 0
      while mantissaLeft < left, start[mantissaLeft] | 0x20 != Byte.e { mantissaLeft += 1 }
      isReplaced = mantissaLeft > 18
    }
  }

  private var next: UnsafePointer<UInt8>?
  private var end: UnsafePointer<UInt8>?
  private var rest: UnsafeRawBufferPointer
  private var state = State.plain
  private var number = Number()
  /// The number of remaining bytes of an escaped NUL.
  private var nulLeft = 0
  /// Whether the last escape is the first half of a surrogate pair.
  private var followsHighSurrogate = false
  private var last: UInt8 = 0
  private var isRepeated = false
  /// The number of bytes written, without repeated ones.
  private var position = 0

  /// Makes the text of `head` followed by `text`; both are borrowed.
  init(_ head: UnsafeRawBufferPointer, text: UnsafeRawBufferPointer) {
    rest = text
    enter(head)
  }

  private mutating func enter(_ part: UnsafeRawBufferPointer) {
    next = part.baseAddress?.assumingMemoryBound(to: UInt8.self)
    end = next.map { $0 + part.count }
  }

  /// Fills a buffer and returns the number of bytes; 0 at the end.
  mutating func read(_ buffer: UnsafeMutableRawPointer, room: Int) -> Int {
    let buffer = buffer.assumingMemoryBound(to: UInt8.self)
    var count = 0
    while count < room, let byte = take() {
      buffer[count] = byte
      count &+= 1
    }
    return count
  }

  private mutating func take() -> UInt8? {
    guard let next, let end, next < end else {
      guard !rest.isEmpty else { return nil }
      let part = rest
      rest = UnsafeRawBufferPointer(start: nil, count: 0)
      enter(part)
      return take()
    }
    let byte = next.pointee
    if byte == 0, !isRepeated, state == .plain, Byte.isLetter(last) || Byte.isDigit(last) {
      isRepeated = true
      return 0
    }
    isRepeated = false
    let given =
      switch state {
      case .plain: plain(byte, at: next, end: end)
      case .string: string(byte)
      case .escape: escape(byte, at: next, end: end)
      }
    last = byte
    position &+= 1
    self.next = next + 1
    return given
  }

  private mutating func plain(
    _ byte: UInt8, at: UnsafePointer<UInt8>, end: UnsafePointer<UInt8>
  ) -> UInt8 {
    if number.left > 0 { return digit(byte) }
    if byte == Byte.quote {
      state = .string
    } else if byte == Byte.minus || Byte.isDigit(byte) {
      if let (form, next) = NumberForm.read(at, end: end), form != .cut {
        number = Number(at, end: next)
        return digit(byte)
      }
    }
    return byte
  }

  /// Returns the next byte of a replaced number: 1.000 with the number's sign and the exponent 0.
  private mutating func digit(_ byte: UInt8) -> UInt8 {
    number.left &-= 1
    if number.mantissaLeft == 0 { return Byte.isDigit(byte) ? Byte.zero : byte }
    number.mantissaLeft &-= 1
    if !number.isReplaced || byte == Byte.minus { return byte }
    number.given &+= 1
    return number.given == 1 ? Byte.one : number.given == 2 ? Byte.point : Byte.zero
  }

  private mutating func string(_ byte: UInt8) -> UInt8 {
    if nulLeft > 0 {
      nulLeft &-= 1
      return nulLeft == 0 ? Byte.one : byte
    }
    if byte == Byte.backslash {
      state = .escape
    } else {
      // Escapes with text between them are not a pair.
      if !Byte.isHexDigit(byte) { followsHighSurrogate = false }
      if byte == Byte.quote { state = .plain }
    }
    return byte
  }

  private mutating func escape(
    _ byte: UInt8, at: UnsafePointer<UInt8>, end: UnsafePointer<UInt8>
  ) -> UInt8 {
    state = .string
    guard byte == Byte.u, end - at > 4 else {
      followsHighSurrogate = false
      return byte
    }
    let digits = UnsafeBufferPointer(start: at + 1, count: 4)
    // After the first half of a pair, U+0000 is an error, and jansson's message names it.
    if !followsHighSurrogate, digits.allSatisfy({ $0 == Byte.zero }) { nulLeft = 4 }
    followsHighSurrogate =
      digits[0] | 0x20 == 0x64 && (0x38...0x39 ~= digits[1] || 0x61...0x62 ~= digits[1] | 0x20)
    return byte
  }

  /// Returns the original bytes for `given`, the bytes that jansson was given before a position in
  /// `head` and `text`.
  ///
  /// Nil if it was given other bytes there.
  static func original(
    of given: [UInt8], endingAt position: Int, in head: UnsafeRawBufferPointer,
    _ text: UnsafeRawBufferPointer
  ) -> [UInt8]? {
    let start = position - given.count
    guard start >= 0, position <= head.count + text.count else { return nil }
    var source = StandInText(head, text: text)
    while source.position < start, source.take() != nil {}
    var original: [UInt8] = []
    for index in start..<position {
      guard source.position == index, source.take() == given[index - start] else { return nil }
      original.append(index < head.count ? head[index] : text[index - head.count])
    }
    return original
  }
}
