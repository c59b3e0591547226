import Testing

@testable import Groot

@Suite("Decimals")
struct DecimalNumberTests {
  static let nines = String(repeating: "9", count: 38)

  static let texts: [(String, String?)] = [
    ("0", "0"), ("-0", "0"), ("0.000", "0"), ("0e99999999999999999999", "0"), ("7", "7"),
    ("+7", "7"), ("7.0", "7"), ("7.3450", "7.345"), ("-7.345", "-7.345"), ("1200", "1200"),
    ("0.1", "0.1"), ("0.05", "0.05"), ("0.000001", "0.000001"), ("0.0000012", "0.0000012"),
    ("0.0000001", "0.0000001"), ("12e-8", "0.00000012"), ("1\(zeros(20))", "1\(zeros(20))"),
    ("1e21", "1\(zeros(21))"), ("1.5e30", "15\(zeros(29))"), ("15E+29", "15\(zeros(29))"),
    ("-1.5e-30", "-0.\(zeros(29))15"), ("1e37", "1\(zeros(37))"), ("1e38", "1E+38"),
    ("1e-38", "0.\(zeros(37))1"), ("1e-39", "1E-39"), ("1.5e-38", "1.5E-38"),
    ("1.2345E+34", "12345\(zeros(30))"), ("1.2345E+38", "1.2345E+38"),
    ("0.00000\(nines)", "0.00000\(nines)"), ("0.000000\(nines)", "9.\(nines.dropLast())E-7"),
    ("123e-2", "1.23"), ("1e6144", "1E+6144"), ("1e6145", nil), ("10e6144", nil),
    ("1\(zeros(10))e-6154", "1E-6144"), ("1e-6144", "1E-6144"), ("1e-6145", nil),
    ("0.1e-6144", nil), ("1e99999999999999999999", nil), ("1e-99999999999999999999", nil),
    (nines, nines), ("-\(nines)", "-\(nines)"), ("\(nines)9", nil),
    ("0.\(nines)", "0.\(nines)"), ("0.\(nines)9", nil), ("1.\(nines)", nil),
    ("\(nines)000", "9.\(String(repeating: "9", count: 37))E+40"), ("0.\(zeros(50))1", "1E-51"),
    ("1\(zeros(60))", "1E+60"), ("1\(zeros(36)).1", "1\(zeros(36)).1"),
    ("12345678901234567890.12345", "12345678901234567890.12345"),
    ("10000000000000000000.1", "10000000000000000000.1"), ("1\(zeros(37)).1", nil),
    ("", nil), ("-", nil), ("+", nil), ("+-1", nil), (".5", nil), ("5.", nil), ("01", nil),
    ("1e", nil), ("1 ", nil), ("nan", nil), ("1,5", nil), ("0x1", nil),
  ]

  static func zeros(_ count: Int) -> String { String(repeating: "0", count: count) }

  @Test("read and written", arguments: texts)
  func decimalsAreReadAndWrittenInOneForm(text: String, expected: String?) {
    let value = DecimalNumber(text)
    #expect(value?.description == expected)
    if let value { #expect(DecimalNumber(value.description) == value) }
  }

  @Test("equal numbers are equal, however they are written")
  func equalNumbersAreEqualHoweverTheyAreWritten() {
    let same = ["1200", "1200.00", "1.2e3", "12E2", "120000e-2"].map { DecimalNumber($0) }
    #expect(Set(same).count == 1)
    #expect(DecimalNumber(1_200) == same[0])
    #expect(DecimalNumber(coefficient: 120, exponent: 1) == same[0])
    #expect(DecimalNumber(coefficient: 0, exponent: .max) == .zero)
    #expect(DecimalNumber(coefficient: .max, exponent: 0) == nil)
    #expect(DecimalNumber(coefficient: .min, exponent: 0) == nil)
    #expect(DecimalNumber(coefficient: 10, exponent: .max) == nil)
    #expect(DecimalNumber(coefficient: 1, exponent: .min) == nil)
  }

  /// Whether 38 digits hold a number without an exponent.
  static func isPlain(_ value: DecimalNumber) -> Bool {
    let digits = "\(value.coefficient.magnitude)".count
    return digits + Int(value.exponent) <= 38 && value.exponent >= -38
  }

  @Test("any number reads back as written, without an exponent where 38 digits hold it")
  func anyDecimalComesBackFromItsText() {
    var generator = SeededGenerator(seed: 9)
    for index in 0..<200_000 {
      let bits = UInt128(generator.next()) << 64 | UInt128(generator.next())
      let coefficient = Int128(bitPattern: bits) >> Int128(1 + index % 127)
      let range = index % 2 == 0 ? -60...30 : -6_144...6_100
      let exponent = Int.random(in: range, using: &generator)
      guard let value = DecimalNumber(coefficient: coefficient, exponent: exponent) else {
        #expect(coefficient.magnitude >= DecimalNumber.limit)
        continue
      }
      let text = value.description
      guard DecimalNumber(text) == value, parsed(text, { NumberScan($0) }) != nil,
        text.utf8.count <= 46, !text.contains("E") || !Self.isPlain(value)
      else {
        Issue.record("\(coefficient)e\(exponent) is written \(text)")
        return
      }
    }
  }

  @Test("the order is the doubles' order where doubles are exact")
  func decimalsHaveTheOrderOfExactDoubles() {
    var generator = SeededGenerator(seed: 10)
    for _ in 0..<100_000 {
      // Sixteenths have at most four decimals and are exact either way.
      let left = Double(Int64(bitPattern: generator.next()) >> (generator.next() % 40 + 12)) / 16
      let right = Double(Int64(bitPattern: generator.next()) >> (generator.next() % 40 + 12)) / 16
      guard let first = DecimalNumber(shortest: left), let second = DecimalNumber(shortest: right)
      else {
        Issue.record("\(left) or \(right) is not a decimal")
        return
      }
      #expect((first < second) == (left < right) && (first == second) == (left == right))
    }
  }

  @Test("far apart and close together")
  func theLeastAndGreatestDecimalsAreOrdered() {
    let ascending = [
      "-1e6144", "-\(Self.nines)", "-2", "-1.5", "-1", "-1e-6144", "0", "1e-6144", "2e-6144",
      "0.\(Self.nines)", "1", "1.\(Self.zeros(36))1", "1.5", "2", "10", "11", "99.9", "100",
      Self.nines, "1e38", "1.1e38", "1e6144", "\(Self.nines)e6144",
    ].compactMap { DecimalNumber($0) }
    #expect(ascending.count == 23)
    for (index, left) in ascending.enumerated() {
      for (other, right) in ascending.enumerated() {
        #expect((left < right) == (index < other))
      }
    }
  }

  @Test("from doubles and back")
  func doublesComeBackFromTheirDecimals() {
    #expect(DecimalNumber(shortest: 0.1)?.description == "0.1")
    #expect(DecimalNumber(shortest: -0.0) == .zero)
    #expect(DecimalNumber(shortest: .nan) == nil)
    #expect(DecimalNumber(shortest: .infinity) == nil)
    #expect(DecimalNumber("1e400")?.double == .infinity)
    #expect(DecimalNumber("-1e400")?.double == -.infinity)
    #expect(DecimalNumber("1e-400")?.double == 0)
    var generator = SeededGenerator(seed: 11)
    for _ in 0..<100_000 {
      let value = Double(bitPattern: generator.next())
      guard value.isFinite else { continue }
      guard DecimalNumber(shortest: value)?.double == value else {
        Issue.record("\(value) does not come back")
        return
      }
    }
  }

  static let integers: [(String, Int64?)] = [
    ("0", 0), ("12.0", 12), ("1.5", nil), ("1e18", 1_000_000_000_000_000_000), ("1e19", nil),
    ("9223372036854775807", .max), ("9223372036854775808", nil),
    ("-9223372036854775808", .min), ("-9223372036854775809", nil), ("1e6144", nil),
    ("\(nines)e18", nil), ("1e-6144", nil),
  ]

  @Test("to integers, exactly or not at all", arguments: integers)
  func aDecimalBecomesAnIntegerExactlyOrNotAtAll(text: String, expected: Int64?) {
    #expect(DecimalNumber(text)?.int64 == expected)
  }

  @Test("every integer comes back")
  func anyIntegerComesBackFromItsDecimal() {
    var generator = SeededGenerator(seed: 12)
    for index in 0..<100_000 {
      let value = Int64(bitPattern: generator.next()) >> Int64(index % 64)
      let decimal = DecimalNumber(value)
      #expect(decimal.int64 == value && DecimalNumber(value.description) == decimal)
    }
    #expect(DecimalNumber(Int64.min).int64 == .min)
  }

  @Test("no bytes trap")
  func anyAcceptedBytesComeBackFromTheirDecimal() {
    var generator = SeededGenerator(seed: 13)
    for index in 0..<100_000 {
      let bytes = generator.bytes(index % 60, mostly: Array("0001234567890099999-.e".utf8))
      guard let value = bytes.withUnsafeBufferPointer({ DecimalNumber(text: $0) }) else {
        continue
      }
      #expect(DecimalNumber(value.description) == value)
    }
  }
}
