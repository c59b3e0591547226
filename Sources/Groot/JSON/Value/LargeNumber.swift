/// A JSON number that fits neither an Int64 nor a Double, as its text.
///
/// It is written with the text it was read from. Two large numbers are equal if their texts are
/// equal.
public struct LargeNumber: Hashable, Sendable {
  /// The JSON text of the number, such as `12345678901234567890` or `1e400`.
  public let text: String

  /// Makes a number from its text; nil if it is not a JSON number, or fits an Int64 or a Double.
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

  /// Makes a number from text that the scanner has checked.
  init(scanned bytes: UnsafeBufferPointer<UInt8>) {
    text = String(decoding: bytes, as: UTF8.self)
  }

  /// The nearest Double; nil if the number is beyond all of them.
  public var real: Double? {
    var text = text
    return text.withUTF8 { NumberText.parseDouble($0) }
  }
}

extension LargeNumber: CustomStringConvertible {
  /// The JSON text of the number.
  public var description: String { text }
}
