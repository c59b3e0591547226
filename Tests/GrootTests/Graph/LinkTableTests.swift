import Testing

@testable import Groot

struct LinkTableTests {
  private static let segmentSize = 2048

  /// A table with so many links that it has room for no other one.
  private func fullTable(_ segments: Int, _ account: MemoryAccount) -> LinkTable {
    var table = LinkTable(account)
    for _ in 0..<segments * Self.segmentSize {
      let added = table.insert(0, 0)
      #expect(added != nil)
    }
    return table
  }

  /// The sixteen segments that a table begins with room for, and what comes after them.
  @Test(arguments: [0, 1, 8, 16, 32])
  func aTableWithoutMemoryForMoreSaysSo(segments: Int) {
    let account = MemoryAccount()
    var table = fullTable(segments, account)
    let count = table.count
    // A segment is asked for, and a longer list of segments where it is full.
    let requests = segments > 0 && segments % 16 == 0 ? 2 : 1
    for request in 0..<requests {
      account.refusedRequests = account.requestCount + request..<Int.max
      let added = table.insert(0, 0)
      #expect(added == nil)
      account.refusedRequests = account.requestCount..<Int.max
      let hasRoom = table.reserve(1)
      #expect(!hasRoom)
      #expect(table.count == count)
      #expect(throws: GrootError.self) { try account.check() }
    }
    account.refusedRequests = 0..<0
    let (hasRoom, added) = (table.reserve(1), table.insert(0, 0))
    #expect(hasRoom)
    #expect(added?.number == count)
    #expect(account.shortage == nil)
    table.deallocate()
    #expect(account.held == 0)
  }

  /// All that is reserved is there, or it is said that it is not.
  @Test func manyAreReservedOrNone() {
    let account = MemoryAccount()
    var table = fullTable(0, account)
    account.refusedRequests = 2..<3
    let wasRefused = !table.reserve(3 * Self.segmentSize)
    #expect(wasRefused)
    #expect(table.count == 0)
    account.forgive()
    let hasRoom = table.reserve(3 * Self.segmentSize)
    #expect(hasRoom)
    let before = account.requestCount
    for _ in 0..<3 * Self.segmentSize {
      let added = table.insert(0, 0)
      #expect(added != nil)
    }
    #expect(account.requestCount == before)
    table.deallocate()
    #expect(account.held == 0)
  }
}
