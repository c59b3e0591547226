import Foundation
import Groot

// Decimals of attributes, converted exactly or not at all.

extension DecimalNumber {
  /// Makes the same number; nil for NaN and for a number of more than 38 digits.
  public init?(_ decimal: Decimal) {
    // The description has all digits in every locale, and "NaN" is not a decimal number.
    self.init(decimal.description)
  }
}

extension Decimal {
  /// Makes the same number; nil for a number that is too large or too small for Foundation.
  ///
  /// Decimals of Foundation have exponents from -128 to 127.
  public init?(_ number: DecimalNumber) {
    let surplus = max(Int(number.exponent) - 127, 0)
    guard surplus <= DecimalNumber.maximumDigits, number.exponent >= -128 else { return nil }
    let digits = number.coefficient.description + String(repeating: "0", count: surplus)
    // Foundation rounds a number that it cannot hold, so the result is compared.
    guard
      let decimal = Decimal(string: "\(digits)E\(Int(number.exponent) - surplus)"),
      DecimalNumber(decimal) == number
    else { return nil }
    self = decimal
  }
}

extension Decimal: FoundationValue {
  /// ``AttributeType/decimal``.
  public static var attributeType: AttributeType { .decimal }
  /// 0.
  public static var absent: Decimal { 0 }

  /// Makes a decimal from a decimal value; nil for other values.
  public init?(attributeValue: Value) {
    guard case .decimal(let number) = attributeValue else { return nil }
    self.init(number)
  }

  /// ``Value/decimal(_:)``; for a number out of range, a string that no decimal attribute accepts.
  public var attributeValue: Value {
    DecimalNumber(self).map(Value.decimal) ?? .string(description)
  }
}
