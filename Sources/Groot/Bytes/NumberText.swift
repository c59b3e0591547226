/// Numbers as text: independent of the locale, and exact in both directions.
enum NumberText {
  /// The number of bytes that ``writeInteger(_:into:)`` and ``writeUnsigned(_:into:)`` need.
  static var integerCapacity: Int { @inline(__always) get { 32 } }
  /// The number of bytes that ``writeDouble(_:into:)`` needs.
  static var doubleCapacity: Int { @inline(__always) get { 40 } }

  /// Returns 10^exponent, exactly; 1e22 for each exponent above 22, so a table is never read beyond
  /// its end.
  @inline(__always)
  static func powerOfTen(_ exponent: Int) -> Double {
    switch exponent {
    case 0: 1
    case 1: 1e1
    case 2: 1e2
    case 3: 1e3
    case 4: 1e4
    case 5: 1e5
    case 6: 1e6
    case 7: 1e7
    case 8: 1e8
    case 9: 1e9
    case 10: 1e10
    case 11: 1e11
    case 12: 1e12
    case 13: 1e13
    case 14: 1e14
    case 15: 1e15
    case 16: 1e16
    case 17: 1e17
    case 18: 1e18
    case 19: 1e19
    case 20: 1e20
    case 21: 1e21
    default: 1e22
    }
  }

  /// Returns 5^exponent for 0...27, the powers that fit a `UInt64`; 5^27 for each greater exponent.
  static func powerOfFive(_ exponent: Int) -> UInt64 {
    switch exponent {
    case 0: 1
    case 1: 5
    case 2: 25
    case 3: 125
    case 4: 625
    case 5: 3_125
    case 6: 15_625
    case 7: 78_125
    case 8: 390_625
    case 9: 1_953_125
    case 10: 9_765_625
    case 11: 48_828_125
    case 12: 244_140_625
    case 13: 1_220_703_125
    case 14: 6_103_515_625
    case 15: 30_517_578_125
    case 16: 152_587_890_625
    case 17: 762_939_453_125
    case 18: 3_814_697_265_625
    case 19: 19_073_486_328_125
    case 20: 95_367_431_640_625
    case 21: 476_837_158_203_125
    case 22: 2_384_185_791_015_625
    case 23: 11_920_928_955_078_125
    case 24: 59_604_644_775_390_625
    case 25: 298_023_223_876_953_125
    case 26: 1_490_116_119_384_765_625
    default: 7_450_580_596_923_828_125
    }
  }
}
