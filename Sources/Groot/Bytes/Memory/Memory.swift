/// The source of memory: an account, or the system without an account.
///
/// It has only plain words, for structs that are copied often; the owner of the struct keeps the
/// account alive.
struct Memory {
  private let account: Unmanaged<MemoryAccount>?

  init(_ account: MemoryAccount?) { self.account = account.map(Unmanaged.passUnretained) }

  /// Allocates room for a number of elements; nil if it is refused.
  func allocate<Element: BitwiseCopyable>(
    _: Element.Type, count: Int
  ) -> UnsafeMutablePointer<Element>? {
    let (size, overflow) = count.multipliedReportingOverflow(by: MemoryLayout<Element>.stride)
    guard !overflow else { return nil }
    let block: UnsafeMutableRawPointer? =
      if let account {
        account.takeUnretainedValue().allocate(size)
      } else {
        CLibrary.allocate(size)
      }
    return block?.bindMemory(to: Element.self, capacity: count)
  }

  /// Allocates optional room: a refusal is not a shortage.
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

  /// Records a shortage: refused optional room is needed after all.
  func noteShortage<Element: BitwiseCopyable>(_: Element.Type, count: Int) {
    account?.takeUnretainedValue().noteShortage(count * MemoryLayout<Element>.stride)
  }

  /// Allocates room for a few initial elements, whose number depends on the model, not on the data.
  ///
  /// If even that is refused, the process ends, as for allocations of the language.
  func allocateFew<Element: BitwiseCopyable>(
    _: Element.Type, count: Int
  ) -> UnsafeMutablePointer<Element> {
    let size = count * MemoryLayout<Element>.stride
    let block = CLibrary.allocate(size) ?? .allocate(byteCount: size, alignment: 16)
    account?.takeUnretainedValue().hold(size)
    return block.bindMemory(to: Element.self, capacity: count)
  }

  /// Changes the room of elements; nil if it is refused, and the old room stays valid.
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

  /// The error for the last refusal.
  var failure: GrootError {
    account?.takeUnretainedValue().failure ?? MemoryAccount.outOfMemory
  }

  /// Frees the room for a number of elements.
  func release<Element: BitwiseCopyable>(_ start: UnsafeMutablePointer<Element>?, count: Int) {
    if let account {
      account.takeUnretainedValue().release(start, size: count &* MemoryLayout<Element>.stride)
    } else {
      CLibrary.release(start)
    }
  }
}

extension Array {
  /// Appends an element if there is memory for the array that may be needed.
  @inline(__always)
  mutating func append(
    _ element: Element, within memory: @autoclosure () -> MemoryAccount
  ) throws {
    if count == capacity { try memory().expect(3 &* capacity &* MemoryLayout<Element>.stride) }
    append(element)
  }
}
