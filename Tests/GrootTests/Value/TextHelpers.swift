@testable import Groot

/// What a function that writes into a buffer has written.
func written(_ capacity: Int, _ write: (UnsafeMutablePointer<UInt8>) -> Int?) -> String? {
  withUnsafeTemporaryAllocation(of: UInt8.self, capacity: capacity) { buffer in
    guard let start = buffer.baseAddress, let length = write(start), length <= capacity else {
      return nil
    }
    return String(decoding: UnsafeBufferPointer(start: start, count: length), as: UTF8.self)
  }
}

/// Hands a text's bytes to a function, copied so that nothing readable follows them.
func parsed<Result>(_ text: String, _ parse: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
  Array(text.utf8).withUnsafeBufferPointer(parse)
}

extension NumberText {
  static func integer(_ text: String) -> Int64? { parsed(text, parseInteger) }
  static func double(_ text: String) -> Double? { parsed(text, parseDouble) }
  static func text(_ value: Int64) -> String? {
    written(integerCapacity) { writeInteger(value, into: $0) }
  }
  static func text(_ value: Double) -> String? {
    written(doubleCapacity) { writeDouble(value, into: $0) }
  }
}
