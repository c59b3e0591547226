import Groot
import GrootSQL

/// The parameters of a statement in binary form.
struct PostgreSQLParameters: ~Copyable {
  private(set) var types: [UInt32] = []
  private(set) var formats: [Int32] = []
  private(set) var lengths: [Int32] = []
  /// The places of the values in the buffer; nil for a missing value.
  private(set) var offsets: [Int?] = []
  private(set) var buffer = PostgreSQLBuffer()

  init() {}

  /// Makes the parameters of a statement that stores in SQL share.
  ///
  /// - Throws: ``UnstorableValue``.
  init(_ parameters: [SQLQuery.Parameter]) throws {
    for parameter in parameters {
      switch parameter {
      case .integer(let number): add(number)
      case .keys(let keys): add(keys)
      case .value(let value, let type):
        try value.withStored(type) { try add($0, as: PostgreSQLType(type)) }
      case .values(let values, let type): try add(values, as: type)
      }
    }
  }

  private mutating func add(_ type: UInt32, write: (inout PostgreSQLBuffer) throws -> Void) rethrows
  {
    let start = buffer.count
    try write(&buffer)
    types.append(type)
    formats.append(1)
    lengths.append(Int32(truncatingIfNeeded: buffer.count - start))
    offsets.append(start)
  }

  mutating func add(_ number: Int64) { add(PostgreSQLType.integer.number) { $0.append(number) } }

  mutating func add(_ text: String) {
    add(PostgreSQLType.text.number) { buffer in
      var text = text
      text.withUTF8 { buffer.append($0) }
    }
  }

  mutating func add(_ value: StoredValue, as type: PostgreSQLType) throws {
    guard value.isPresent else {
      types.append(type.number)
      formats.append(1)
      lengths.append(0)
      offsets.append(nil)
      return
    }
    // A value begins with its length, which libpq takes separately.
    try add(type.number) { try $0.append(value, as: type) }
    let last = offsets.count - 1
    offsets[last] = (offsets[last] ?? 0) + 4
    lengths[last] -= 4
  }

  /// Adds an array of keys or numbers.
  mutating func add(_ numbers: some Collection<Int64>) {
    add(PostgreSQLType.integer.arrayNumber) { buffer in
      buffer.beginArray(of: .integer, count: numbers.count)
      for number in numbers {
        buffer.append(Int32(8))
        buffer.append(number)
      }
    }
  }

  mutating func add(_ texts: [String]) {
    add(PostgreSQLType.text.arrayNumber) { buffer in
      buffer.beginArray(of: .text, count: texts.count)
      for text in texts { buffer.append(text: text) }
    }
  }

  /// Adds an array of `count` values.
  mutating func add(
    array type: PostgreSQLType, count: Int, value: (Int) throws -> StoredValue
  ) throws {
    try add(type.arrayNumber) { buffer in
      buffer.beginArray(of: type, count: count)
      for number in 0..<count { try buffer.append(value(number), as: type) }
    }
  }

  /// Adds an array of values.
  mutating func add(_ values: [Value], as type: AttributeType) throws {
    let element = PostgreSQLType(type)
    try add(element.arrayNumber) { buffer in
      buffer.beginArray(of: element, count: values.count)
      for value in values {
        try value.withStored(type) { try buffer.append($0, as: element) }
      }
    }
  }

  /// Adds an array of the values of a column.
  mutating func add(_ column: PostgreSQLColumn) {
    add(column.type.arrayNumber) { buffer in
      buffer.beginArray(of: column.type, count: column.count)
      buffer.append(column.buffer.bytes)
    }
  }
}

/// The values of one column of many rows.
final class PostgreSQLColumn {
  let type: PostgreSQLType
  private(set) var buffer = PostgreSQLBuffer()
  private(set) var count = 0

  init(_ type: PostgreSQLType) { self.type = type }

  func append(_ value: StoredValue) throws {
    try buffer.append(value, as: type)
    count += 1
  }

  func append(_ number: Int64) {
    buffer.append(Int32(8))
    buffer.append(number)
    count += 1
  }

  func append(text: String) {
    buffer.append(text: text)
    count += 1
  }
}
