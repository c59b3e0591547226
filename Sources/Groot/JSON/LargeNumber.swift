/// A JSON number that neither an Int64 nor a Double holds, as its text.
///
/// It is written as it was read. Two of them are equal when their texts are.
public struct LargeNumber: Hashable, Sendable {
  /// The number as JSON has it: `12345678901234567890`, `1e400`.
  public let text: String

  /// A number from its text; nil when that is not a JSON number, or is one of an Int64 or a Double.
  public init?(_ text: String) {
    var text = text
    let isLarge = text.withUTF8 { bytes in
      guard let scan = NumberScan(bytes) else { return false }
      let isReal = bytes.contains { $0 == Byte.point || $0 | 0x20 == Byte.e }
      if isReal { return NumberText.parseDouble(bytes) == nil }
      return scan.digitCount > 18 && NumberText.parseInteger(bytes) == nil
    }
    guard isLarge else { return nil }
    self.text = text
  }

  /// For text that a scanner found to be a large number.
  init(scanned bytes: UnsafeBufferPointer<UInt8>) {
    text = String(decoding: bytes, as: UTF8.self)
  }

  /// The nearest Double; nil when the number is beyond all of them.
  public var real: Double? {
    var text = text
    return text.withUTF8 { NumberText.parseDouble($0) }
  }
}

extension LargeNumber: CustomStringConvertible {
  /// The number as JSON has it.
  public var description: String { text }
}
