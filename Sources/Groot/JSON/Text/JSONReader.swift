/// Reads a JSON text one element at a time onto a tape.
///
/// The elements of an array are put on the tape one by one; an object is the only element. The text
/// must be valid for json_loadb without flags, except that values may exceed its types. It is an
/// array or an object, with only white space around it. Errors are found when they are reached. A
/// ``Source`` can choose a nested array or object, or make each line an element.
///
/// The text is borrowed whole, or comes in pieces of any size, from a closure or by ``feed(_:)``.
/// Memory for pieces is at most about four times the largest element. The strings on the tape point
/// to text that is valid until the next call of ``next()``. After an error, a reader is at its end.
/// Not thread-safe.
package final class JSONReader {
  /// The place of the elements in a text, and the threads that read it.
  package struct Source: Sendable {
    /// Whether each line is an element; blank lines are skipped.
    package var hasLines: Bool
    /// The array or object that is read; the text around it is only checked.
    package var root: JSONPointer?
    /// The length of a text from which on a second thread scans the elements of an array ahead; nil for
    /// none.
    package var aheadLength: Int?

    /// Makes a source: by default the whole text, as one value.
    package init(hasLines: Bool = false, root: JSONPointer? = nil) {
      self.hasLines = hasLines
      self.root = root
    }
  }

  /// The limits of an element.
  package struct Limits: Sendable {
    /// The greatest number of levels of nesting, in the whole text, as jansson counts them.
    package var maxDepth: Int
    /// The greatest length of an element's text; jansson counts with an `int`.
    package var maxElementBytes: Int

    /// Makes limits; the defaults are jansson's.
    package init(maxDepth: Int = JanssonBridge.maxDepth, maxElementBytes: Int = Int(Int32.max)) {
      self.maxDepth = maxDepth
      self.maxElementBytes = maxElementBytes
    }

    /// The limits, lowered to those of jansson.
    var bounded: Limits {
      Limits(
        maxDepth: min(max(maxDepth, 2), JanssonBridge.maxDepth),
        maxElementBytes: min(max(maxElementBytes, 1), Int(Int32.max)))
    }
  }

  /// The place of the reader in the text.
  ///
  /// A state reads its part as a whole or not at all, so reading can pause anywhere in the text and
  /// continue with more of it.
  enum State {
    /// Outside the root of the root path.
    case outside
    /// Before the array or object to read.
    case start
    /// After the array's opening bracket.
    case beforeFirst
    /// Before an element, or before the object that is the only element.
    case beforeElement
    /// After an element, where only a comma or the closing bracket may follow.
    case afterElement
    /// After the array or object.
    case afterRoot
    /// Before a line, or in white space between lines.
    case betweenLines
    /// At an error that jansson reports once enough of the text is in memory.
    case failed
    case finished
  }

  /// Writes bytes to a buffer and returns their number; 0 at the end.
  package typealias Refill = (UnsafeMutableRawBufferPointer) throws -> Int

  /// The current element.
  package let tape: JSONTape
  let limits: Limits
  /// Whether elements are scanned; otherwise jansson parses all of them.
  let usesScanner: Bool
  /// Whether the top level is an array; set by the first call of ``next()``.
  @exclusivity(unchecked) package internal(set) var isArray = false
  /// The position of the current element in the array; 0 for an object; -1 before the first.
  @exclusivity(unchecked) package internal(set) var elementIndex = -1
  /// Whether the current element's tokens are in the order of its text.
  @exclusivity(unchecked) var isScanned = false
  /// The number of the tape's tokens that are from the text; later ones were appended.
  @exclusivity(unchecked) var scannedCount = 0

  @exclusivity(unchecked) var state: State
  /// The walk to the array or object that is read, if it is nested.
  let walk: RootWalk?
  /// The known parts of an error for which more text is needed.
  var pendingError: PendingError?
  /// The bytes in memory: from `window` to `limit`, read up to `cursor`.
  @exclusivity(unchecked) var window: UnsafePointer<UInt8>
  @exclusivity(unchecked) var limit: UnsafePointer<UInt8>
  @exclusivity(unchecked) var cursor: UnsafePointer<UInt8>
  /// The current element's first byte.
  @exclusivity(unchecked) var elementStart: UnsafePointer<UInt8>
  /// The offset of `window` in the whole text.
  @exclusivity(unchecked) var windowOffset = 0
  /// Whether the text ends at `limit`.
  @exclusivity(unchecked) var isAtEnd: Bool
  /// The tree that the current element's strings point to, if jansson parsed it.
  @exclusivity(unchecked) var held: JanssonValue?

  /// The second thread; nil without one.
  var ahead: ScanAhead?

  /// The locations of the current element's tokens, made on demand.
  @exclusivity(unchecked) var locationIndex: TextLocation.Index?
  /// A known location, from which later ones are counted.
  var mark = (offset: 0, location: TextLocation())

  var buffer: UnsafeMutablePointer<UInt8>?
  var bufferCapacity = 0
  var refill: Refill?
  /// Whether the text is given through ``feed(_:)``.
  let isFed: Bool
  /// The number of bytes that must be in memory for another attempt to read.
  var wanted = 1
  /// The target of the pointers without a text.
  private let nothing: UnsafeMutablePointer<UInt8>

  /// Reads a whole text, which is borrowed: it must outlive the reader, and must not change.
  package convenience init(
    text: UnsafeRawBufferPointer, limits: Limits = Limits(), usesScanner: Bool = true,
    source: Source = Source(), account: MemoryAccount? = nil
  ) {
    self.init(limits, usesScanner: usesScanner, source: source, isFed: false, account)
    guard let start = text.baseAddress?.assumingMemoryBound(to: UInt8.self) else {
      isAtEnd = true
      return
    }
    window = start
    cursor = start
    elementStart = start
    limit = start + text.count
    isAtEnd = true
  }

  /// Reads the text from `refill`; ``next()`` throws its errors unchanged.
  package convenience init(
    limits: Limits = Limits(), usesScanner: Bool = true, source: Source = Source(),
    account: MemoryAccount? = nil, refill: @escaping Refill
  ) {
    self.init(limits, usesScanner: usesScanner, source: source, isFed: false, account)
    self.refill = refill
  }

  /// Reads text that is fed.
  package convenience init(
    fedWith source: Source, limits: Limits = Limits(), usesScanner: Bool = true,
    account: MemoryAccount? = nil
  ) {
    self.init(limits, usesScanner: usesScanner, source: source, isFed: true, account)
  }

  private init(
    _ limits: Limits, usesScanner: Bool, source: Source, isFed: Bool, _ account: MemoryAccount?
  ) {
    if let length = source.aheadLength, usesScanner, !isFed, !source.hasLines {
      ahead = ScanAhead(from: length)
    }
    tape = JSONTape(account, isExchanged: ahead != nil)
    nothing = .allocate(capacity: 1)
    nothing.initialize(to: 0)
    window = UnsafePointer(nothing)
    cursor = window
    elementStart = window
    limit = window
    isAtEnd = false
    self.limits = limits.bounded
    self.usesScanner = usesScanner
    self.isFed = isFed
    walk = source.root.flatMap { $0.keys.isEmpty ? nil : RootWalk($0) }
    state = source.hasLines ? .betweenLines : walk == nil ? .start : .outside
    isArray = source.hasLines
  }

  deinit {
    ahead?.close()
    nothing.deallocate()
    Memory(tape.account).release(buffer, count: bufferCapacity)
  }

  /// The offset of the current element in the whole text, in bytes.
  package var elementOffset: Int { windowOffset + (elementStart - window) }

  /// The current element's text; valid until the next call of ``next()``.
  package var elementText: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: elementStart, count: max(0, cursor - elementStart))
  }

  /// The number of bytes that have been read.
  package var bytesConsumed: Int { windowOffset + (cursor - window) }
}
