/// A sum of doubles that is rounded only once, at the end, so that the order of the numbers does
/// not matter.
///
/// It consists of doubles that do not overlap, smallest first (Shewchuk, 1997).
struct ExactSum {
  private var parts: [Double] = []

  mutating func add(_ number: Double) {
    var sum = number
    var kept = 0
    for part in parts {
      let (large, small) = sum.magnitude < part.magnitude ? (part, sum) : (sum, part)
      let high = large + small
      let low = small - (high - large)
      if low != 0 {
        parts[kept] = low
        kept += 1
      }
      sum = high
    }
    parts.removeSubrange(kept...)
    parts.append(sum)
  }

  /// The double nearest to the sum, ties to even; nil if it, or an intermediate sum, is not finite.
  var rounded: Double? {
    guard let last = parts.last else { return 0 }
    guard last.isFinite, parts.allSatisfy(\.isFinite) else { return nil }
    var high = last
    var low = 0.0
    var index = parts.count - 1
    while index > 0 {
      index -= 1
      let before = high
      high = before + parts[index]
      low = parts[index] - (high - before)
      if low != 0 { break }
    }
    // The rest is half a unit, and the parts below it decide the direction of rounding.
    if index > 0, (low < 0) == (parts[index - 1] < 0), low != 0 {
      let twice = low * 2
      let next = high + twice
      if twice == next - high { high = next }
    }
    return high == 0 ? 0 : high
  }
}

extension DecimalNumber {
  /// Returns the sum of two numbers; nil if its digits do not fit the type.
  func adding(_ other: DecimalNumber) -> DecimalNumber? {
    if coefficient == 0 { return other }
    if other.coefficient == 0 { return self }
    let (low, high) = exponent <= other.exponent ? (self, other) : (other, self)
    let distance = Int(high.exponent) - Int(low.exponent)
    guard distance <= 38 else { return nil }
    let power = Self.powerOfTen(distance)
    let (aligned, overflow) = high.coefficient.magnitude.multipliedReportingOverflow(by: power)
    guard !overflow, aligned <= UInt128(Int128.max) else { return nil }
    let value = Int128(aligned)
    let (sum, isTooLarge) = low.coefficient.addingReportingOverflow(
      high.coefficient < 0 ? 0 - value : value)
    return isTooLarge ? nil : DecimalNumber(coefficient: sum, exponent: Int(low.exponent))
  }
}
