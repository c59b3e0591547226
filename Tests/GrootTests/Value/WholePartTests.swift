import Testing

@testable import Groot

/// Whole numbers by the digits of a text.
@Suite struct WholePartTests {
  static let wholes: [(String, Int64?)] = [
    ("0", 0), ("-0.0", 0), ("0e400", 0), ("0.000E-99999999999999999999999", 0), ("3.0", 3),
    ("30e-1", 3), ("1e3", 1_000), ("-12.5e1", -125), ("0.00000000000000000000001e23", 1),
    ("9007199254740993.0", 9_007_199_254_740_993), ("9.007199254740993e15", 9_007_199_254_740_993),
    ("9223372036854775807.000", .max), ("-9223372036854775808e0", .min),
    ("9223372036854775808.0", nil), ("-9223372036854775809.0", nil), ("1e19", nil),
    ("18446744073709551616", nil), ("1e400", nil), ("-1e99999999999999999999999999", nil),
    ("92233720368547758070000000000000000000000e-22", .max),
  ]

  @Test(arguments: wholes)
  func aWholeNumberHasNoFraction(text: String, expected: Int64?) throws {
    let part = try #require(read(text))
    #expect(part.integer == expected)
    #expect(!part.hasFraction)
    #expect(part.isZero == (expected == 0))
  }

  static let fractions: [(String, Int64?)] = [
    ("3.5", 3), ("-3.5", -3), ("9007199254740992.5", 9_007_199_254_740_992), ("1e-400", 0),
    ("2.99999999999999999999", 2), ("-1e-99999999999999999999999999", 0), ("35e-1", 3),
    ("9223372036854775807.9", .max), ("9223372036854775808.1", nil), ("0.5e-1", 0),
  ]

  @Test(arguments: fractions)
  func aNumberWithAFractionHasItsWholePart(text: String, expected: Int64?) throws {
    let part = try #require(read(text))
    #expect(part.integer == expected)
    #expect(part.hasFraction)
    #expect(!part.isZero)
  }

  @Test(arguments: ["", "-", "1.", ".5", "01", "+1", "1e", "1 ", "NaN", "0x1"])
  func textOfNoNumberHasNoWholePart(text: String) { #expect(read(text) == nil) }

  @Test func aDoubleHasItsWholePart() {
    #expect(WholePart(3.0) == WholePart(Int64(3)))
    #expect(WholePart(-0.0).isZero)
    #expect(WholePart(-3.5).integer == -3 && WholePart(-3.5).hasFraction)
    #expect(WholePart(0x1p63).integer == nil)
    #expect(WholePart(-0x1p63) == WholePart(Int64.min))
  }

  @Test(arguments: [
    ("1e-400", 0.0), ("1.2345e-320", 1.2345e-320), ("9007199254740993.0", 0x1p53),
    ("9.22337203685e18", 9.22337203685e18),
  ])
  func theTextOfANumberIsNeededWhereItsDoubleIsAnotherNumber(text: String, double: Double) {
    #expect(isNeeded(text, double))
  }

  @Test(arguments: [("0.0", 0.0), ("0e400", 0.0), ("0.1", 0.1), ("1e23", 1e23), ("1.5e3", 1_500)])
  func theTextOfANumberIsSpareWhereItsDoubleTellsAll(text: String, double: Double) {
    #expect(!isNeeded(text, double))
  }

  private func read(_ text: String) -> WholePart? {
    Array(text.utf8).withUnsafeBufferPointer { WholePart($0) }
  }

  private func isNeeded(_ text: String, _ double: Double) -> Bool {
    Array(text.utf8).withUnsafeBufferPointer { NumberText.isNeeded($0, beside: double) }
  }
}
