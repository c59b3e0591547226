import CAtomics

/// Scans the elements of an array in a second thread, ahead of their reader.
///
/// It takes only those that the scanner takes, of moderate size. At all else it stops and leaves the
/// place to the reader, so results and errors do not depend on it. The tapes count for no account, since
/// an account belongs to one thread. The reader calls all functions, and ``close()`` as the last one.
final class ScanAhead: @unchecked Sendable {
  /// The number of elements that may wait.
  private static let places = 256
  /// The longest element in bytes, by which the memory of the tapes is limited.
  private static let longestElement = 16 << 10
  /// The length of a text from which on a start is worth its time.
  static let worthwhileLength = 64 << 10
  /// The number of starts without an element after which there is no other one.
  private static let fruitlessStarts = 8

  /// An element that waits.
  private struct WaitingElement {
    var start, end: UnsafePointer<UInt8>
    /// The tokens on its tape.
    var tokens: UnsafePointer<JSONToken>
    var count: Int
  }

  /// The least length of a text for a start.
  private let leastLength: Int
  private let queue: UnsafeMutablePointer<groot_queue>
  private let tapes: [JSONTape]
  private let waiting: UnsafeMutablePointer<WaitingElement>
  /// The text of the current start; set only while the thread is stopped.
  private var text = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
  private var maxDepth = 0
  /// Whether the thread was started and has not stopped, as far as the reader knows.
  private var isRunning = false
  /// Whether the current start has given an element.
  private var hasFound = false
  private var fruitless = 0

  /// Makes the thread, for texts from a length on; nil if the system has none to give.
  init?(from length: Int) {
    leastLength = length
    queue = .allocate(capacity: 1)
    waiting = .allocate(capacity: Self.places)
    tapes = (0..<Self.places).map { _ in JSONTape() }
    let isOpen = groot_queue_open(
      queue, UInt64(Self.places),
      { argument in
        if let argument {
          Unmanaged<ScanAhead>.fromOpaque(argument).takeUnretainedValue().run()
        }
        return nil
      }, Unmanaged.passUnretained(self).toOpaque())
    if !isOpen {
      queue.deallocate()
      waiting.deallocate()
      return nil
    }
  }

  /// Ends the thread, within the time of one element.
  func close() {
    groot_queue_close(queue)
    queue.deallocate()
    waiting.deallocate()
  }

  /// Puts the element at `start` on `tape` and returns its end; nil if the reader must take it.
  func take(
    at start: UnsafePointer<UInt8>, limit: UnsafePointer<UInt8>, maxDepth: Int, onto tape: JSONTape
  ) -> UnsafePointer<UInt8>? {
    if !isRunning {
      guard fruitless < Self.fruitlessStarts, limit - start >= leastLength else {
        return nil
      }
      text = UnsafeBufferPointer(start: start, count: limit - start)
      self.maxDepth = maxDepth
      (isRunning, hasFound) = (true, false)
      groot_queue_start(queue)
    }
    guard groot_queue_await_full(queue) else {
      isRunning = false
      fruitless = hasFound ? 0 : fruitless &+ 1
      return nil
    }
    let number = queue.pointee.now_emptied
    let place = Int(number % UInt64(Self.places))
    guard waiting[place].start == start else {
      fruitless = Self.fruitlessStarts
      return nil
    }
    hasFound = true
    tape.exchange(with: tapes[place])
    if number &+ 1 < queue.pointee.heard_filled {
      let next = waiting + Int((number &+ 1) % UInt64(Self.places))
      groot_prefetch(next.pointee.tokens, next.pointee.count &* MemoryLayout<JSONToken>.stride)
      groot_prefetch(next.pointee.start, next.pointee.end - next.pointee.start)
    }
    let end = waiting[place].end
    groot_queue_empty(queue)
    return end
  }

  // MARK: The thread

  private func run() {
    while groot_queue_await_start(queue) {
      scanText()
      groot_queue_stop(queue)
    }
  }

  private func scanText() {
    guard var cursor = text.baseAddress else { return }
    let limit = cursor + text.count
    while groot_queue_await_place(queue) {
      let place = Int(queue.pointee.now_filled % UInt64(Self.places))
      let tape = tapes[place]
      tape.reset()
      let end = limit - cursor > Self.longestElement ? cursor + Self.longestElement : limit
      guard
        case .scanned(let next) = JSONScanner.scan(
          from: cursor, to: end, onto: tape, maxDepth: maxDepth)
      else { return }
      waiting[place] = WaitingElement(
        start: cursor, end: next, tokens: tape.tokens, count: tape.count)
      groot_queue_fill(queue)
      cursor = next
      guard JSONScanner.skipSpace(&cursor, end: limit), cursor.pointee == Byte.comma else { return }
      cursor += 1
      guard JSONScanner.skipSpace(&cursor, end: limit) else { return }
    }
  }
}
