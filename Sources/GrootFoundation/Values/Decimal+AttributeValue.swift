import Foundation
import Groot

// Decimals of attributes: exactly the same number, or none.

extension DecimalNumber {
  /// The same number; nil for one with more than 38 digits, and for NaN.
  public init?(_ decimal: Decimal) {
    // All its digits, whatever the locale; "NaN" is read as no number.
    self.init(decimal.description)
  }
}

extension Decimal {
  /// The same number; nil for one that is further from 1 than decimals of Foundation are.
  ///
  /// These have exponents from -128 to 127.
  public init?(_ number: DecimalNumber) {
    let surplus = max(Int(number.exponent) - 127, 0)
    guard surplus <= DecimalNumber.maximumDigits, number.exponent >= -128 else { return nil }
    let digits = number.coefficient.description + String(repeating: "0", count: surplus)
    // Foundation rounds a number that it cannot hold, so that the result is looked at.
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

  /// A decimal.
  public init?(attributeValue: Value) {
    guard case .decimal(let number) = attributeValue else { return nil }
    self.init(number)
  }

  /// ``Value/decimal(_:)``; for what no decimal attribute takes its text.
  public var attributeValue: Value {
    DecimalNumber(self).map(Value.decimal) ?? .string(description)
  }
}
