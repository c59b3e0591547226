/// The known results of a condition by row: two bits per row, in pages that are made on demand.
struct KnownAnswers {
  private static let pageShift: UInt32 = 12
  private static let rowsPerPage: UInt32 = 1 << pageShift

  private let pages: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>
  private let rowCount: UInt32
  private let pageCount: Int

  init(rowCount: UInt32) {
    self.rowCount = rowCount
    pageCount = Int((rowCount >> Self.pageShift) &+ 1)
    pages = .allocate(capacity: pageCount)
    pages.initialize(repeating: nil, count: pageCount)
  }

  func deallocate() {
    for page in 0..<pageCount { pages[page]?.deallocate() }
    pages.deallocate()
  }

  /// Returns the result for a row; `ask` computes an unknown one.
  @inline(__always)
  func answer(_ row: Row, ask: () -> Bool) -> Bool {
    guard row.rawValue < rowCount else { return ask() }
    let (index, shift) = (
      Int(row.rawValue & (Self.rowsPerPage &- 1)), UInt8(row.rawValue & 3) &* 2
    )
    if let page = pages[Int(row.rawValue >> Self.pageShift)] {
      let known = page[index >> 2] &>> shift & 3
      if known != 0 { return known == 2 }
    }
    let answer = ask()
    let page = page(of: row)
    page[index >> 2] |= (answer ? 2 : 1) &<< shift
    return answer
  }

  @inline(__always)
  private func page(of row: Row) -> UnsafeMutablePointer<UInt8> {
    if let page = pages[Int(row.rawValue >> Self.pageShift)] { return page }
    let size = Int(Self.rowsPerPage / 4)
    let page = UnsafeMutablePointer<UInt8>.allocate(capacity: size)
    page.initialize(repeating: 0, count: size)
    pages[Int(row.rawValue >> Self.pageShift)] = page
    return page
  }
}
