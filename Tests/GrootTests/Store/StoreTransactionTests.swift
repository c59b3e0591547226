import Testing

@testable import Groot
@testable import GrootSQLite

/// Who begins a transaction of a store ends it; others inside only take part.
struct StoreTransactionTests {
  private struct Stop: Error {}

  private func transaction(_ file: StoreFile) throws -> StoreTransaction {
    let mapping = try Mapping(model: ManagedObjectModel(document: Generated.document))
    return StoreTransaction(
      try SQLiteStore(file.path, schema: StoreSchema(mapping), options: SQLiteStoreOptions()))
  }

  /// SQLite begins no transaction inside another: that this one can means that none is open.
  private func expectNone(_ transaction: StoreTransaction) throws {
    #expect(try transaction.beginReading())
    transaction.endReading()
  }

  @Test func aSnapshotIsShared() throws {
    let file = try StoreFile()
    let transaction = try transaction(file)
    #expect(try transaction.beginReading())
    #expect(try !transaction.beginReading())
    transaction.endReading()
    try expectNone(transaction)
  }

  @Test func innerWritesAreApart() throws {
    let file = try StoreFile()
    let transaction = try transaction(file)
    let number = try transaction.writing(WriteHint()) {
      #expect(try !transaction.beginReading())
      let inner = try transaction.writing(WriteHint()) { 1 }
      // The inner one has not ended the outer one.
      #expect(try !transaction.beginReading())
      return inner + 1
    }
    #expect(number == 2)
    try expectNone(transaction)
  }

  @Test func aFailedTransactionIsOver() throws {
    let file = try StoreFile()
    let transaction = try transaction(file)
    for isInner in [false, true] {
      #expect(throws: Stop.self) {
        try transaction.writing(WriteHint()) {
          if isInner { try transaction.writing(WriteHint()) { throw Stop() } }
          throw Stop()
        }
      }
      try expectNone(transaction)
    }
    // A failure inside that is caught ends nothing.
    try transaction.writing(WriteHint()) { () throws -> Void in
      try? transaction.writing(WriteHint()) { throw Stop() }
      #expect(try !transaction.beginReading())
    }
    try expectNone(transaction)
  }
}
