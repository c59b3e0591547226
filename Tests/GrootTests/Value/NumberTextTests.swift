import Testing

@testable import Groot

@Suite("Numbers as text")
struct NumberTextTests {
  static let integers: [(String, Int64?)] = [
    ("0", 0), ("-0", 0), ("+7", 7), ("007", 7), ("12", 12), ("123", 123), ("1234", 1_234),
    ("12345678", 12_345_678), ("123456789", 123_456_789), ("-99999999", -99_999_999),
    ("9223372036854775807", .max), ("9223372036854775808", nil),
    ("-9223372036854775808", .min), ("-9223372036854775809", nil),
    ("+9223372036854775807", .max), ("9999999999999999999", nil), ("10000000000000000000", nil),
    ("18446744073709551616", nil), ("00000000000000000000000000000000000000042", 42),
    ("00000000009223372036854775807", .max), ("00000000009223372036854775808", nil),
    ("", nil), ("-", nil), ("+", nil), ("--1", nil), ("1 ", nil), (" 1", nil), ("1.0", nil),
    ("1e3", nil), ("0x10", nil), ("12a", nil), ("123:", nil), ("1234567/", nil),
    ("1234567890123:5", nil), ("12345678\0", nil), ("１２３", nil),
  ]

  @Test("integers read", arguments: integers)
  func integersAreReadOrRefused(text: String, expected: Int64?) {
    #expect(NumberText.integer(text) == expected)
  }

  @Test("integers of every length read back as written")
  func integersComeBackFromTheirText() {
    var generator = SeededGenerator(seed: 3)
    let edges: [Int64] = [
      0, -1, 9, 10, 99, 100, 9_999, 10_000, 99_999_999, 100_000_000, .min, .max,
    ]
    let random = (0..<300_000).map { index in
      Int64(bitPattern: generator.next()) >> Int64(index % 64)
    }
    for value in edges + random {
      guard let text = NumberText.text(value), text == value.description,
        NumberText.integer(text) == value
      else {
        Issue.record("\(value) is written \(NumberText.text(value) ?? "not at all")")
        return
      }
    }
    #expect(written(32) { NumberText.writeUnsigned(.max, into: $0) } == UInt64.max.description)
  }

  static let doubles: [(String, Double?)] = [
    ("0", 0), ("7", 7), ("7.345", 7.345), ("-7.5e0", -7.5), ("1E5", 1e5), ("1e+5", 1e5),
    ("1e-5", 1e-5), ("1e22", 1e22), ("1e23", 1e23), ("9007199254740991", 9_007_199_254_740_991),
    ("9007199254740992", 9_007_199_254_740_992), ("9007199254740993", 9_007_199_254_740_992),
    ("9007199254740995", 9_007_199_254_740_996),
    ("9007199254740993.00000000000000000001", 9_007_199_254_740_994),
    ("18446744073709551615", 18_446_744_073_709_551_615), ("1e308", 1e308), ("1e309", nil),
    ("-1e309", nil), ("1.7976931348623157e308", .greatestFiniteMagnitude),
    ("1.7976931348623159e308", nil), ("5e-324", 5e-324), ("2e-324", 0), ("1e-400", 0),
    ("1e-99999999999999999999999", 0), ("0e99999999999999999999999", 0), ("1e99999999999", nil),
    ("2.2250738585072014e-308", .leastNormalMagnitude),
    ("2.2250738585072011e-308", 2.2250738585072011e-308),
    ("0.00000000000000000000000000000000000001", 1e-38),
    ("100000000000000000000000000000000000000", 1e38),
    ("", nil), ("-", nil), ("+1", nil), (".5", nil), ("5.", nil), ("5.e1", nil), ("01", nil),
    ("00", nil), ("-01", nil), ("1e", nil), ("1e+", nil), ("1.2.3", nil), ("1e5.0", nil),
    ("1 ", nil), (" 1", nil), ("nan", nil), ("inf", nil), ("Infinity", nil), ("0x1p3", nil),
    ("1,5", nil), ("1_000", nil), ("1\0", nil),
  ]

  @Test("doubles read", arguments: doubles)
  func doublesAreReadOrRefused(text: String, expected: Double?) {
    #expect(NumberText.double(text)?.bitPattern == expected?.bitPattern)
  }

  @Test("the sign of zero is kept")
  func theSignOfZeroIsKept() {
    for text in ["-0", "-0.0", "-0e5", "-1e-400", "-0.000000000000000000000000000"] {
      #expect(NumberText.double(text)?.bitPattern == (-0.0).bitPattern)
    }
    #expect(NumberText.text(-0.0) == "-0.0")
  }

  static let shortest: [(Double, String?)] = [
    (0, "0.0"), (7, "7.0"), (-7, "-7.0"), (0.1, "0.1"), (7.345, "7.345"), (0.0001, "0.0001"),
    (0.00001, "1e-05"), (1e-7, "1e-07"), (0.00012345678, "0.00012345678"), (1e6, "1000000.0"),
    (1e7, "10000000.0"), (1e12, "1000000000000.0"), (1e15, "1000000000000000.0"), (1e16, "1e+16"),
    (9_007_199_254_740_991, "9007199254740991.0"), (5e-324, "5e-324"), (1e308, "1e+308"),
    (0.1 + 0.2, "0.30000000000000004"), (9_999_999.99999999, "9999999.99999999"),
    (99_999_999.125, "99999999.125"), (.nan, nil), (.infinity, nil), (-.infinity, nil),
  ]

  @Test("doubles written", arguments: shortest)
  func doublesAreWrittenInTheirShortestForm(value: Double, expected: String?) {
    #expect(NumberText.text(value) == expected)
  }

  @Test("a million decimals are written as the standard library writes them")
  func doublesAreWrittenLikeTheStandardLibraryDoes() {
    var generator = SeededGenerator(seed: 4)
    let scales: [Double] = [1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e8, 1e10, 1e12]
    for index in 0..<1_200_000 {
      let bits = generator.next()
      let whole = Double(bits >> (8 + bits % 56))
      var value = whole / scales[index % scales.count]
      // Neighbours of short decimals have 16 or 17 digits and must not pass for the short one.
      if index % 7 == 0 { value = value.nextUp }
      if index % 11 == 0 { value = -value }
      let text = written(NumberText.doubleCapacity) { NumberText.writeDouble(value, into: $0) }
      guard text == value.description else {
        Issue.record("\(value) is written \(text ?? "not at all")")
        return
      }
    }
  }

  @Test("doubles of any bits read back as written")
  func doublesOfAnyBitsComeBackFromTheirText() {
    var generator = SeededGenerator(seed: 5)
    for _ in 0..<300_000 {
      let value = Double(bitPattern: generator.next())
      let text = NumberText.text(value)
      guard value.isFinite else {
        #expect(text == nil)
        continue
      }
      guard let text, NumberText.double(text)?.bitPattern == value.bitPattern else {
        Issue.record("\(value) is written \(text ?? "not at all")")
        return
      }
    }
  }

  @Test("digits and exponents at random read as the standard library reads them")
  func doublesAreReadLikeTheStandardLibraryDoes() {
    var generator = SeededGenerator(seed: 6)
    for index in 0..<400_000 {
      let digits = generator.next() >> (generator.next() % 64)
      let exponent = Int.random(in: -30...30, using: &generator)
      let text = "\(digits)\(index % 3 == 0 ? ".\(generator.next() % 1_000)" : "")e\(exponent)"
      guard NumberText.double(text) == Double(text) else {
        Issue.record("\(text) is read as \(NumberText.double(text) ?? .nan)")
        return
      }
    }
  }

  @Test("half way between two doubles, and one digit to each side")
  func textHalfwayBetweenTwoDoublesIsRoundedCorrectly() {
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<100_000 {
      // 54 significant bits with the lowest set: exactly between two doubles.
      let middle = (generator.next() >> 10) | 1 << 53 | 1
      for digits in [middle * 512 - 1, middle * 512, middle * 512 + 1] {
        for exponent in ["", "e3", "e-3", "e-27", "e27"] {
          let text = "\(digits)\(exponent)"
          guard NumberText.double(text) == Double(text) else {
            Issue.record("\(text) is read as \(NumberText.double(text) ?? .nan)")
            return
          }
        }
      }
    }
  }

  @Test("no bytes trap, and JSON numbers are what the grammar says")
  func onlyNumbersOfTheJSONGrammarAreRead() throws {
    var generator = SeededGenerator(seed: 8)
    let grammar = try Regex("-?(0|[1-9][0-9]*)([.][0-9]+)?([eE][-+]?[0-9]+)?")
    for index in 0..<100_000 {
      let bytes = generator.bytes(index % 12, mostly: Array("00112345678900--.+eE".utf8))
      let value = bytes.withUnsafeBufferPointer { NumberText.parseDouble($0) }
      _ = bytes.withUnsafeBufferPointer { NumberText.parseInteger($0) }
      guard let text = String(validating: bytes, as: UTF8.self) else {
        #expect(value == nil)
        continue
      }
      let isNumber = text.wholeMatch(of: grammar) != nil
      if isNumber {
        #expect(value == Double(text).flatMap { $0.isFinite ? $0 : nil })
      } else {
        #expect(value == nil)
      }
    }
  }
}
