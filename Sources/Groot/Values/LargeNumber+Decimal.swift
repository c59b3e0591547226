// Large numbers as decimals.

extension LargeNumber {
  /// The exact number; nil if it does not fit a decimal.
  public var decimal: DecimalNumber? { DecimalNumber(text) }
}
