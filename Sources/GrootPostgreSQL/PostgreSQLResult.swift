import CPostgreSQL
import Groot

/// The rows that a statement returned, in binary form.
final class PostgreSQLResult {
  private let functions: groot_pq
  private let handle: OpaquePointer
  /// By column, the check of its JSON.
  private var json: [Int: StoredJSON] = [:]

  init(_ handle: OpaquePointer, library: PostgreSQLLibrary) {
    functions = library.functions
    self.handle = handle
  }

  deinit { functions.clear(handle) }

  var count: Int { Int(functions.row_count(handle)) }

  /// The number of rows that the statement changed.
  var changeCount: Int { functions.affected(handle).flatMap { Int(String(cString: $0)) } ?? 0 }

  @inline(__always)
  func isNull(_ row: Int, _ column: Int) -> Bool {
    functions.is_null(handle, Int32(truncatingIfNeeded: row), Int32(truncatingIfNeeded: column))
      != 0
  }

  /// Returns the bytes of a value, borrowed from the result.
  @inline(__always)
  func bytes(_ row: Int, _ column: Int) -> UnsafeBufferPointer<UInt8> {
    let (row, column) = (Int32(truncatingIfNeeded: row), Int32(truncatingIfNeeded: column))
    let start = UnsafeRawPointer(functions.value(handle, row, column))
    return UnsafeBufferPointer(
      start: start?.assumingMemoryBound(to: UInt8.self),
      count: Int(functions.length(handle, row, column)))
  }

  /// Returns a `bigint`; nil for a missing value.
  @inline(__always)
  func integer(_ row: Int, _ column: Int) -> Int64? {
    let bytes = bytes(row, column)
    guard bytes.count == 8, let start = UnsafeRawPointer(bytes.baseAddress) else { return nil }
    return Int64(bigEndian: start.loadUnaligned(as: Int64.self))
  }

  func text(_ row: Int, _ column: Int) -> String {
    String(decoding: bytes(row, column), as: UTF8.self)
  }

  func truth(_ row: Int, _ column: Int) -> Bool { bytes(row, column).first == 1 }

  /// Returns the value of a column; nil when the content is not a value of the type.
  @inline(__always)
  func value(_ row: Int, _ column: Int, as type: AttributeType) -> StoredValue? {
    if isNull(row, column) { return StoredValue.none }
    return PostgreSQLBuffer.value(bytes(row, column), as: type) {
      let reader = json[column] ?? StoredJSON()
      json[column] = reader
      return reader
    }
  }

  /// The number of bytes in a row.
  func size(_ row: Int, columns: Int) -> Int {
    (0..<columns).reduce(0) {
      $0 + Int(functions.length(handle, Int32(truncatingIfNeeded: row), Int32($1)))
    }
  }
}
