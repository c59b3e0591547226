import Groot

// Decimals in PostgreSQL's binary format of `numeric`: digits to the base of 10,000, the weight of
// the first one, the sign, and the number of decimal digits after the point.

extension PostgreSQLBuffer {
  /// Appends a decimal with its length.
  mutating func append(_ decimal: DecimalNumber) {
    var digits:
      (UInt16, UInt16, UInt16, UInt16, UInt16, UInt16, UInt16, UInt16, UInt16, UInt16, UInt16)
    digits = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    let exponent = Int(decimal.exponent)
    // Each digit stands for four decimal ones, so the exponent must be a multiple of 4.
    let shift = exponent & 3
    var rest = decimal.coefficient.magnitude
    var count = 0
    withUnsafeMutableBytes(of: &digits) { buffer in
      let places = buffer.bindMemory(to: UInt16.self)
      var power: UInt128 = [10_000, 1000, 100, 10][shift]
      var factor: UInt128 = [1, 10, 100, 1000][shift]
      while rest > 0, count < places.count {
        let (quotient, remainder) = rest.quotientAndRemainder(dividingBy: power)
        places[count] = UInt16(truncatingIfNeeded: remainder * factor)
        count += 1
        rest = quotient
        (power, factor) = (10_000, 1)
      }
    }
    append(Int32(8 + 2 * count))
    append(Int16(count))
    append(count == 0 ? 0 : Int16((exponent - shift) / 4 + count - 1))
    append(UInt16(decimal.coefficient < 0 ? 0x4000 : 0))
    append(UInt16(max(0 - exponent, 0)))
    withUnsafeBytes(of: &digits) { buffer in
      let places = buffer.bindMemory(to: UInt16.self)
      for index in (0..<count).reversed() { append(places[index]) }
    }
  }
}

extension DecimalNumber {
  /// Reads the binary format; nil for another number than this type can hold.
  init?(postgreSQL bytes: UnsafeBufferPointer<UInt8>) {
    guard bytes.count >= 8, let start = UnsafeRawPointer(bytes.baseAddress) else { return nil }
    func word(_ index: Int) -> UInt16 {
      UInt16(bigEndian: start.loadUnaligned(fromByteOffset: index * 2, as: UInt16.self))
    }
    var count = Int(word(0))
    let weight = Int(Int16(bitPattern: word(1)))
    let sign = word(2)
    guard sign == 0 || sign == 0x4000, bytes.count == 8 + 2 * count else { return nil }
    while count > 0, word(3 + count) == 0 { count -= 1 }
    var coefficient: Int128 = 0
    var exponent = 4 * (weight - count + 1)
    for index in 0..<count {
      var digit = Int128(word(4 + index))
      guard digit < 10_000 else { return nil }
      var factor: Int128 = 10_000
      if index == count - 1 {
        // Zeros at the end may be beyond the digits that a coefficient has.
        while digit > 0, digit % 10 == 0 {
          digit /= 10
          factor /= 10
          exponent += 1
        }
      }
      let (product, isOver) = coefficient.multipliedReportingOverflow(by: factor)
      let (sum, isAbove) = product.addingReportingOverflow(digit)
      guard !isOver, !isAbove else { return nil }
      coefficient = sum
    }
    self.init(
      coefficient: sign == 0 ? coefficient : 0 - coefficient, exponent: count == 0 ? 0 : exponent)
  }
}
