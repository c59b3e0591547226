// Writing instants as ISO 8601 text.

extension Timestamp {
  /// The number of bytes that ``write(into:)`` needs; bytes after the text are undefined.
  public static var textCapacity: Int { @inline(__always) get { 32 } }

  /// Writes the instant in UTC, such as `2016-02-07T10:30:00Z`, with a fraction such as `.250` or
  /// `.250001`.
  ///
  /// Years outside 0000...9999 are written as `+012345` and `-000001` (ISO 8601, expanded form).
  ///
  /// - Parameter target: Room for ``textCapacity`` bytes.
  /// - Returns: The length of the text.
  public func write(into target: UnsafeMutablePointer<UInt8>) -> Int {
    var seconds = microseconds / 1_000_000
    var fraction = microseconds &- seconds &* 1_000_000
    if fraction < 0 {
      fraction &+= 1_000_000
      seconds &-= 1
    }
    // The shift by 2^28 days keeps the dividend positive, so that division rounds down.
    let shifted = UInt64(truncatingIfNeeded: seconds &+ 86_400 &<< 28)
    let shiftedDays = shifted / 86_400
    let secondOfDay = UInt32(truncatingIfNeeded: shifted &- shiftedDays &* 86_400)
    let date = Self.civilDay(
      daysSinceEpoch: Int64(truncatingIfNeeded: shiftedDays) &- 1 &<< 28)

    let yearSize = Self.writeYearAndMonth(date, target: target)
    let text = target + yearSize
    let hour = secondOfDay / 3_600
    let ofHour = secondOfDay &- hour &* 3_600
    let minute = ofHour / 60
    let times = UInt64(date.day) | (UInt64(hour) &<< 24) | (UInt64(minute) &<< 48)
    ByteLanes.store8(
      ByteLanes.digitValues(ofPairs: times, tens: 0x000F_0000_0F00_000F)
        | 0x3030_3A30_3054_3030, into: text + 8)
    let second = UInt64(ofHour &- minute &* 60) &<< 8
    let ending = ByteLanes.digitValues(ofPairs: second, tens: 0x0F00)
    ByteLanes.store4(UInt32(truncatingIfNeeded: ending) | 0x5A30_303A, into: text + 16)
    guard fraction != 0 else { return yearSize &+ 20 }
    return yearSize &+ Self.writeFraction(UInt64(truncatingIfNeeded: fraction), target: text + 19)
  }

  /// Writes `YYYY-MM-`, or the year with a sign and six digits, and returns the number of bytes
  /// beyond eight.
  @inline(__always)
  static func writeYearAndMonth(_ date: CivilDay, target: UnsafeMutablePointer<UInt8>) -> Int {
    let isPlainYear = UInt32(bitPattern: date.year) < 10_000
    let yearSize = isPlainYear ? 0 : writeLongYear(date.year, target: target)
    let text = target + yearSize
    let year = UInt64(date.year.magnitude % 10_000)
    let century = year / 100
    let dates = century | ((year &- century &* 100) &<< 16) | (UInt64(date.month) &<< 40)
    if isPlainYear {
      ByteLanes.store8(
        ByteLanes.digitValues(ofPairs: dates, tens: 0x0000_0F00_000F_000F)
          | 0x2D30_302D_3030_3030, into: text)
    } else {
      // A long year is already written: only `-MM-` is missing.
      let lanes = ByteLanes.digitValues(ofPairs: dates, tens: 0x0000_0F00_0000_0000)
      ByteLanes.store4(UInt32(truncatingIfNeeded: lanes &>> 32) | 0x2D30_302D, into: text + 4)
    }
    return yearSize
  }

  /// Writes `.ddd` or `.dddddd` and `Z`; returns the length from the beginning of the date.
  @inline(__always)
  private static func writeFraction(
    _ fraction: UInt64, target: UnsafeMutablePointer<UInt8>
  ) -> Int {
    // The first two of the eight digits are 0: one is dropped, and the point replaces the other.
    let digits = (ByteLanes.digitValues(of: fraction) | ByteLanes.zeros) &>> 8
    let point = UInt64(UInt8(ascii: ".")) | UInt64(UInt8(ascii: "Z")) &<< 56
    ByteLanes.store8((digits & ~0xFF) | point, into: target)
    guard fraction % 1_000 == 0 else { return 27 }
    target[4] = UInt8(ascii: "Z")
    return 24
  }

  /// Writes a sign and six digits and returns the number of bytes beyond those of `YYYY`.
  private static func writeLongYear(_ year: Int32, target: UnsafeMutablePointer<UInt8>) -> Int {
    let digits = ByteLanes.digitValues(of: UInt64(year.magnitude)) | ByteLanes.zeros
    // The first two of the eight digits are 0; the sign replaces the second.
    ByteLanes.store8(digits &>> 8, into: target)
    target[0] = year < 0 ? UInt8(ascii: "-") : UInt8(ascii: "+")
    return 3
  }
}
