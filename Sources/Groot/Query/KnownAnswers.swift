/// The known answers of a condition for each row: two bits a row, in pages that are made when
/// needed.
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

  /// The answer for a row, which is asked for when it is not known.
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
