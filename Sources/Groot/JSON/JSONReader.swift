/// Reads a JSON text one element at a time onto a tape.
///
/// If the text is an array, its elements are put on the tape in turn; if it is an object, that one
/// is. The text must be what json_loadb would accept without flags if its types held every value:
/// an array or an object and nothing but white space around it. Errors are found when they are
/// reached. A ``Source`` may say that the array or object is inside others, or that each line of
/// the text is an element.
///
/// The text is lent whole, or comes in pieces of any size, from a closure or by ``feed(_:)``; then
/// memory is bounded by about four times the largest element. The texts that the tape's strings
/// point to are valid until the next call of ``next()``. After an error a reader is at its end. Not
/// thread-safe.
package final class JSONReader {
  /// Where in a text the elements are.
  package struct Source: Sendable {
    /// Whether each line is an element; blank lines are passed over.
    package var hasLines: Bool
    /// The array or object that is read; all around it is only checked.
    package var root: JSONPointer?

    /// The whole text, as one value, unless another is named.
    package init(hasLines: Bool = false, root: JSONPointer? = nil) {
      self.hasLines = hasLines
      self.root = root
    }
  }

  /// The bounds of an element.
  package struct Limits: Sendable {
    /// How many levels values may nest, counted in the whole text as jansson counts them.
    package var maxDepth: Int
    /// How long an element's text may be; jansson counts with an `int`.
    package var maxElementBytes: Int

    /// The limits of jansson, or lower ones.
    package init(maxDepth: Int = JanssonBridge.maxDepth, maxElementBytes: Int = Int(Int32.max)) {
      self.maxDepth = maxDepth
      self.maxElementBytes = maxElementBytes
    }

    /// These limits, brought within what jansson itself can do.
    var bounded: Limits {
      Limits(
        maxDepth: min(max(maxDepth, 2), JanssonBridge.maxDepth),
        maxElementBytes: min(max(maxElementBytes, 1), Int(Int32.max)))
    }
  }

  /// Where in the text the reader is.
  ///
  /// A state reads its part whole or not at all, so that reading can end anywhere in the text and
  /// go on when there is more of it.
  enum State {
    /// Around what the root path leads to.
    case outside
    /// Before the array or object to read.
    case start
    /// After the array's opening bracket.
    case beforeFirst
    /// Before an element, or the one object.
    case beforeElement
    /// After an element, where only a comma or the closing bracket may follow.
    case afterElement
    /// After the array or object.
    case afterRoot
    /// Before a line, or in white space between lines.
    case betweenLines
    /// Where jansson is to say what is wrong, once enough of the text is there.
    case failed
    case finished
  }

  /// Fills a buffer as far as it likes and answers how many bytes it wrote; 0 at the end.
  package typealias Refill = (UnsafeMutableRawBufferPointer) throws -> Int

  /// The current element.
  package let tape: JSONTape
  let limits: Limits
  /// Whether elements are scanned; otherwise all of them are parsed by jansson.
  let usesScanner: Bool
  /// Whether the top level is an array; set by the first call of ``next()``.
  @exclusivity(unchecked) package internal(set) var isArray = false
  /// The current element's position in the top-level array; 0 for the one object; -1 before it.
  @exclusivity(unchecked) package internal(set) var elementIndex = -1
  /// Whether the current element's tokens are in the order of its text.
  @exclusivity(unchecked) var isScanned = false
  /// How many of the tape's tokens came from the text: those after them were appended by others.
  @exclusivity(unchecked) var scannedCount = 0

  @exclusivity(unchecked) var state: State
  /// The way to what is read, when it is inside others.
  let walk: RootWalk?
  /// The known parts of an error whose end is still to come.
  var pendingError: PendingError?
  /// The bytes in memory: from `window` to `limit`; read as far as `cursor`.
  @exclusivity(unchecked) var window: UnsafePointer<UInt8>
  @exclusivity(unchecked) var limit: UnsafePointer<UInt8>
  @exclusivity(unchecked) var cursor: UnsafePointer<UInt8>
  /// The current element's first byte.
  @exclusivity(unchecked) var elementStart: UnsafePointer<UInt8>
  /// Where in the whole text `window` begins.
  @exclusivity(unchecked) var windowOffset = 0
  /// Whether no bytes come after `limit`.
  @exclusivity(unchecked) var isAtEnd: Bool
  /// The tree the current element's strings point into, when jansson parsed it.
  @exclusivity(unchecked) var held: JanssonValue?

  /// Where the current element's tokens are, once that was asked for.
  @exclusivity(unchecked) var locationIndex: JSONLocationIndex?
  /// A location counted before, from which later ones are counted on.
  var mark = (offset: 0, location: JSONLocator.Location())

  var buffer: UnsafeMutablePointer<UInt8>?
  var bufferCapacity = 0
  var refill: Refill?
  /// Whether the text is given through ``feed(_:)``.
  let isFed: Bool
  /// How many bytes must be in memory before reading on is worth it.
  var wanted = 1
  /// The target of the pointers while there is no text.
  private let nothing: UnsafeMutablePointer<UInt8>

  /// Reads a whole text, which is borrowed: it must outlive the reader and stay as it is.
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

  /// Reads what `refill` delivers; an error it throws comes out of ``next()`` as it is.
  package convenience init(
    limits: Limits = Limits(), usesScanner: Bool = true, source: Source = Source(),
    account: MemoryAccount? = nil, refill: @escaping Refill
  ) {
    self.init(limits, usesScanner: usesScanner, source: source, isFed: false, account)
    self.refill = refill
  }

  /// Reads what is fed to it.
  package convenience init(
    fedWith source: Source, limits: Limits = Limits(), usesScanner: Bool = true,
    account: MemoryAccount? = nil
  ) {
    self.init(limits, usesScanner: usesScanner, source: source, isFed: true, account)
  }

  private init(
    _ limits: Limits, usesScanner: Bool, source: Source, isFed: Bool, _ account: MemoryAccount?
  ) {
    tape = JSONTape(account)
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
    nothing.deallocate()
    Memory(tape.account).release(buffer, count: bufferCapacity)
  }

  /// Where in the whole text the current element begins, in bytes.
  package var elementOffset: Int { windowOffset + (elementStart - window) }

  /// The current element's text; valid until the next call of ``next()``.
  package var elementText: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: elementStart, count: max(0, cursor - elementStart))
  }

  /// How many bytes of the text have been read.
  package var bytesConsumed: Int { windowOffset + (cursor - window) }
}
