// The large numbers that a decimal holds.

extension LargeNumber {
  /// The number itself, when it has at most 38 significant digits.
  public var decimal: DecimalNumber? { DecimalNumber(text) }
}
