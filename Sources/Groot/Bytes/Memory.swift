/// Where something gets its memory: from an account, or past all accounts.
///
/// Plain words, for structs that are copied often; the owner of such a struct keeps the account
/// alive.
struct Memory {
  private let account: Unmanaged<MemoryAccount>?

  init(_ account: MemoryAccount?) { self.account = account.map(Unmanaged.passUnretained) }

  /// Room for so many elements; nil when it is refused.
  func allocate<Element: BitwiseCopyable>(
    _: Element.Type, count: Int, zeroed: Bool = false
  ) -> UnsafeMutablePointer<Element>? {
    let (size, overflow) = count.multipliedReportingOverflow(by: MemoryLayout<Element>.stride)
    guard !overflow else { return nil }
    let block: UnsafeMutableRawPointer? =
      if let account {
        account.takeUnretainedValue().allocate(size, zeroed: zeroed)
      } else {
        zeroed ? CLibrary.allocateZeros(size) : CLibrary.allocate(size)
      }
    return block?.bindMemory(to: Element.self, capacity: count)
  }

  /// The same for what can be done without.
  func allocateIfPossible<Element: BitwiseCopyable>(
    _: Element.Type, count: Int
  ) -> UnsafeMutablePointer<Element>? {
    let size = count * MemoryLayout<Element>.stride
    let block: UnsafeMutableRawPointer? =
      if let account {
        account.takeUnretainedValue().allocateIfPossible(size)
      } else {
        CLibrary.allocate(size)
      }
    return block?.bindMemory(to: Element.self, capacity: count)
  }

  /// Notes that something cannot be done without room that was refused.
  func noteShortage<Element: BitwiseCopyable>(_: Element.Type, count: Int) {
    account?.takeUnretainedValue().noteShortage(count * MemoryLayout<Element>.stride)
  }

  /// Room for the few elements that something begins with: the model says how many, not the data.
  ///
  /// Without memory for as little as that the process ends, as the language has it.
  func allocateFew<Element: BitwiseCopyable>(
    _: Element.Type, count: Int
  ) -> UnsafeMutablePointer<Element> {
    let size = count * MemoryLayout<Element>.stride
    let block = CLibrary.allocate(size) ?? .allocate(byteCount: size, alignment: 16)
    account?.takeUnretainedValue().hold(size)
    return block.bindMemory(to: Element.self, capacity: count)
  }

  /// The elements in room for more of them; nil, and the old room stays, when that is refused.
  func resize<Element: BitwiseCopyable>(
    _ start: UnsafeMutablePointer<Element>, from old: Int, to count: Int
  ) -> UnsafeMutablePointer<Element>? {
    let stride = MemoryLayout<Element>.stride
    let (size, overflow) = count.multipliedReportingOverflow(by: stride)
    guard !overflow else { return nil }
    let block: UnsafeMutableRawPointer? =
      if let account {
        account.takeUnretainedValue().resize(start, from: old &* stride, to: size)
      } else {
        CLibrary.resize(start, to: size)
      }
    return block?.bindMemory(to: Element.self, capacity: count)
  }

  /// The error for what was refused last.
  var failure: GrootError {
    account?.takeUnretainedValue().failure ?? MemoryAccount.outOfMemory
  }

  /// Gives room for so many elements back.
  func release<Element: BitwiseCopyable>(_ start: UnsafeMutablePointer<Element>?, count: Int) {
    if let account {
      account.takeUnretainedValue().release(start, size: count &* MemoryLayout<Element>.stride)
    } else {
      CLibrary.release(start)
    }
  }
}

extension Array {
  /// Appends an element if there is room for as large an array as that may take.
  @inline(__always)
  mutating func append(
    _ element: Element, within memory: @autoclosure () -> MemoryAccount
  ) throws {
    if count == capacity { try memory().expect(3 &* capacity &* MemoryLayout<Element>.stride) }
    append(element)
  }
}
