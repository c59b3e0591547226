/// Writes compact JSON text into one growing buffer, or in chunks to a sink.
///
/// A comma follows each value without a test; the end of a container or ``finish()`` removes the
/// last comma. The writer does not check the grammar: its caller balances containers and writes a
/// key before each member's value.
///
/// If memory is refused, further output is discarded and ``finish()`` throws. Not thread-safe.
package final class JSONWriter {
  /// A function that receives a chunk of text, borrowed for the call.
  package typealias Sink = (UnsafeRawBufferPointer) throws -> Void

  /// The address of the next byte.
  @exclusivity(unchecked) var cursor: UnsafeMutablePointer<UInt8>
  /// The end of the room whose pages are there.
  @exclusivity(unchecked) var limit: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  @exclusivity(unchecked) private(set) var start: UnsafeMutablePointer<UInt8>
  private var hasFailed = false
  /// Whether the text's reader reads numbers as doubles: a decimal that a double would round is
  /// written as a string.
  package var isReadAsDoubles = false
  private let sink: Sink?
  /// The account that may refuse memory; the output belongs to the program and is not counted.
  private let account: MemoryAccount?
  private var flushedCount = 0
  /// The containers around the innermost one of a tape's value that is written.
  @exclusivity(unchecked) var outer = Buffer<Frame>(nil, capacity: 8)
  /// The keys of the value's containers that are not in the order of the tape.
  @exclusivity(unchecked) var listedKeys = Buffer<TokenIndex>(nil, capacity: 8)

  private static let chunkBytes = 262_144
  /// The room whose pages come at once.
  private static let stepBytes = 1 << 20

  /// Makes a writer to memory or, with a sink, to chunks of about 256 KiB.
  package init(capacity: Int = 4096, account: MemoryAccount? = nil, sink: Sink? = nil) {
    let capacity = max(capacity, 64)
    self.account = account
    start = Memory(nil).allocateFew(UInt8.self, count: capacity)
    cursor = start
    limit = start + capacity
    self.capacity = capacity
    self.sink = sink
  }

  deinit {
    CLibrary.release(start)
    outer.deallocate()
    listedKeys.deallocate()
  }

  /// The output that has not gone to the sink; valid until the next write.
  package var bytes: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: start, count: cursor - start)
  }

  /// The total number of bytes written.
  package var count: Int { flushedCount + (cursor - start) }

  /// The position of the next byte in the buffer; valid until the buffer is flushed.
  var position: Int { @inline(__always) get { cursor - start } }

  /// Removes all output and keeps the memory.
  package func reset() {
    cursor = start
    flushedCount = 0
    hasFailed = false
  }

  /// Passes the output to the sink if it is 256 KiB or more; called at the ends of elements.
  ///
  /// Throws the error of the sink.
  @inline(__always)
  package func checkpoint() throws {
    if cursor - start >= Self.chunkBytes { try flush(keeping: 1) }
  }

  /// Removes the last comma and passes the rest to the sink.
  ///
  /// Returns the content of the buffer: without a sink, the whole text, valid until the next write.
  /// Throws `outOfMemory` if memory was refused, or the error of the sink.
  @discardableResult
  package func finish() throws -> UnsafeBufferPointer<UInt8> {
    if hasFailed { throw MemoryAccount.outOfMemory }
    if cursor > start, cursor[-1] == Byte.comma { cursor -= 1 }
    try flush(keeping: 0)
    return bytes
  }

  /// Passes all but the last `kept` bytes to the sink, because the last may be a comma to remove.
  private func flush(keeping kept: Int) throws {
    guard let sink else { return }
    if hasFailed { throw MemoryAccount.outOfMemory }
    let count = cursor - start - kept
    guard count > 0 else { return }
    try sink(UnsafeRawBufferPointer(start: start, count: count))
    flushedCount += count
    start.update(from: start + count, count: kept)
    cursor = start + kept
  }

  /// Returns room for at least `count` bytes; nil without memory.
  @inline(__always)
  func room(_ count: Int) -> UnsafeMutablePointer<UInt8>? {
    if limit - cursor >= count { return cursor }
    return grow(count)
  }

  /// Adds room for `count` bytes to the output, which the caller writes; nil without memory.
  @inline(__always)
  func reserve(_ count: Int) -> UnsafeMutablePointer<UInt8>? {
    guard let target = room(count) else { return nil }
    cursor = target + count
    return target
  }

  @inline(never)
  private func grow(_ count: Int) -> UnsafeMutablePointer<UInt8>? {
    let used = cursor - start
    let (needed, overflow) = used.addingReportingOverflow(count)
    if overflow || needed > capacity {
      let doubled = max(needed, 2 &* capacity)
      guard !overflow, let block = resize(to: doubled) else {
        hasFailed = true
        cursor = start
        return limit - start >= count ? start : nil
      }
      start = block.bindMemory(to: UInt8.self, capacity: doubled)
      capacity = doubled
    }
    cursor = start + used
    limit = start + min(capacity, max(needed, used &+ Self.stepBytes))
    CLibrary.populate(cursor, size: limit - cursor)
    return cursor
  }

  /// Replaces the last comma with a NUL, for readers in C.
  package func endText() {
    if cursor > start, cursor[-1] == Byte.comma { cursor -= 1 }
    rawByte(0)
  }

  private func resize(to capacity: Int) -> UnsafeMutableRawPointer? {
    account == nil ? CLibrary.resize(start, to: capacity) : account?.relend(start, to: capacity)
  }

  /// Whether memory was refused, so that output is missing.
  var lacksMemory: Bool { hasFailed }

  /// Notes that memory was refused.
  func noteRefusal() { hasFailed = true }

  /// Ends the output as ``finish()`` and hands over the content of the buffer.
  ///
  /// A NUL follows the bytes, and the caller must pass them to `free`; the writer is then empty.
  package func takeBytes() throws -> UnsafeMutableBufferPointer<UInt8> {
    let count = try finish().count
    rawByte(0)
    if hasFailed { throw MemoryAccount.outOfMemory }
    let taken = UnsafeMutableBufferPointer(start: start, count: count)
    start = Memory(nil).allocateFew(UInt8.self, count: 64)
    cursor = start
    limit = start + 64
    capacity = 64
    return taken
  }
}

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

  /// Writes a string or key of a tape.
  @inline(__always)
  func string(_ token: JSONToken, in source: SourceStrings, terminator: UInt8) {
    guard source.canCopy(token), let text = source.quoted(token),
      let target = room(SourceStrings.width &+ 1)
    else { return quoted(token.bytes, terminator: terminator) }
    let size = Int(token.size) &+ 2
    SourceStrings.copy(text, to: target)
    target[size] = terminator
    cursor = target + (size &+ 1)
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
    while end - source >= ByteRuns.width {
      let run = ByteRuns.copy(source, to: output)
      guard run == ByteRuns.width else {
        source += run
        output += run
        return false
      }
      source += ByteRuns.width
      output += ByteRuns.width
    }
    let count = end - source
    if count >= 8 {
      // The last eight bytes may be copied twice, but are past the first ones' marks.
      let (first, last) = (ByteLanes.load8(source), ByteLanes.load8(end - 8))
      ByteLanes.store8(first, into: output)
      ByteLanes.store8(last, into: output + (count &- 8))
      let marks = escapeMarks(first)
      if marks | escapeMarks(last) == 0 {
        source = end
        output += count
        return true
      }
      let run =
        marks != 0
        ? marks.trailingZeroBitCount &>> 3
        : (count &- 8) &+ escapeMarks(last).trailingZeroBitCount &>> 3
      source += run
      output += run
      return false
    }
    if count >= 4 {
      let (first, last) = (ByteLanes.load4(source), ByteLanes.load4(end - 4))
      ByteLanes.store4(first, into: output)
      ByteLanes.store4(last, into: output + (count &- 4))
      let marks = escapeMarks(UInt64(first) | UInt64(last) &<< 32)
      if marks == 0 {
        source = end
        output += count
        return true
      }
      let lane = marks.trailingZeroBitCount &>> 3
      let run = lane < 4 ? lane : count &- 8 &+ lane
      source += run
      output += run
      return false
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

// Writing containers, numbers and literals.

extension JSONWriter {
  /// Begins an array; its elements follow.
  @inline(__always)
  package func beginArray() { rawByte(Byte.openBracket) }

  /// Ends the innermost array.
  @inline(__always)
  package func endArray() { end(Byte.closeBracket) }

  /// Begins an object; its keys and values follow alternately.
  @inline(__always)
  package func beginObject() { rawByte(Byte.openBrace) }

  /// Ends the innermost object.
  @inline(__always)
  package func endObject() { end(Byte.closeBrace) }

  /// Replaces the comma after a value with a newline.
  package func endLine() {
    if cursor > start, cursor[-1] == Byte.comma { cursor[-1] = Byte.newline }
  }

  @inline(__always)
  private func end(_ bracket: UInt8) {
    guard let target = room(2) else { return }
    // An empty container has no comma to remove.
    let last = target - (target > start && target[-1] == Byte.comma ? 1 : 0)
    last[0] = bracket
    last[1] = Byte.comma
    cursor = last + 2
  }

  /// Writes an integer.
  @inline(__always)
  package func integer(_ value: Int64) {
    guard let target = room(NumberText.integerCapacity + 1) else { return }
    let length = NumberText.writeInteger(value, into: target)
    target[length] = Byte.comma
    cursor = target + (length &+ 1)
  }

  /// Writes the shortest text of a real that reads back as the same double.
  ///
  /// JSON has no text for infinities and NaN: for these it writes null and returns false.
  @inline(__always) @discardableResult
  package func real(_ value: Double) -> Bool {
    guard let target = room(NumberText.doubleCapacity + 1) else { return true }
    guard let length = NumberText.writeDouble(value, into: target) else {
      null()
      return false
    }
    target[length] = Byte.comma
    cursor = target + (length &+ 1)
    return true
  }

  /// Writes true or false.
  @inline(__always)
  package func boolean(_ value: Bool) {
    raw(value ? "true," : "false,")
  }

  /// Writes null.
  @inline(__always)
  package func null() { raw("null,") }

  /// Writes a byte unchanged, without a comma.
  @inline(__always)
  package func rawByte(_ byte: UInt8) {
    guard let target = room(1) else { return }
    target.pointee = byte
    cursor = target + 1
  }

  /// Writes bytes unchanged, without a comma, such as a prepared key or a part of a value.
  @inline(__always)
  package func raw(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let source = bytes.baseAddress, let target = room(bytes.count) else { return }
    target.update(from: source, count: bytes.count)
    cursor = target + bytes.count
  }

  /// Writes a short text unchanged, without a comma, such as a prepared key.
  ///
  /// The ``padding`` bytes from its start on may be read, whatever its length.
  @inline(__always)
  func padded(_ source: UnsafePointer<UInt8>, count: Int) {
    guard let target = room(count &+ Self.padding) else { return }
    if count <= Self.padding {
      let bytes = UnsafeRawPointer(source).loadUnaligned(as: SIMD16<UInt8>.self)
      UnsafeMutableRawPointer(target).storeBytes(of: bytes, as: SIMD16<UInt8>.self)
    } else {
      target.update(from: source, count: count)
    }
    cursor = target + count
  }

  /// The length up to which a text is copied at once.
  static var padding: Int { 16 }

  /// Writes the text of one value unchanged.
  @inline(__always)
  package func rawValue(_ bytes: UnsafeBufferPointer<UInt8>) {
    raw(bytes)
    rawByte(Byte.comma)
  }

  @inline(__always)
  private func raw(_ text: StaticString) {
    raw(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Writes a string without escapes; `write` returns the number of its characters.
  @inline(__always)
  package func quoted(capacity: Int, _ write: (UnsafeMutablePointer<UInt8>) -> Int) {
    guard let target = room(capacity &+ 3) else { return }
    target.pointee = Byte.quote
    let end = target + (write(target + 1) &+ 1)
    end[0] = Byte.quote
    end[1] = Byte.comma
    cursor = end + 2
  }

  /// Writes the text of a number; `write` returns the number of its characters.
  @inline(__always)
  package func unquoted(capacity: Int, _ write: (UnsafeMutablePointer<UInt8>) -> Int) {
    guard let target = room(capacity &+ 1) else { return }
    let end = target + write(target)
    end[0] = Byte.comma
    cursor = end + 1
  }

  /// Writes a number as the key of a member.
  package func key(_ number: Int64) {
    quoted(capacity: NumberText.integerCapacity) {
      NumberText.writeInteger(number, into: $0)
    }
    // Replaces the comma of a value with the colon of a key.
    if cursor > start { cursor[-1] = Byte.colon }
  }
}
