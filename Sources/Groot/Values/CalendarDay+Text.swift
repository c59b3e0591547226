// Days as text, such as `1968-03-01`.

extension CalendarDay {
  /// Reads `YYYY-MM-DD`, `YYYYMMDD`, or with six digits and a sign `+YYYYYY-MM-DD`; nil for any
  /// other text.
  public init?(_ text: String) {
    var text = text
    guard let day = text.withUTF8({ CalendarDay(iso8601: $0) }) else { return nil }
    self = day
  }

  /// Reads bytes as ``init(_:)-(String)``.
  ///
  /// - Parameter bytes: The text, without anything before or after the day.
  public init?(iso8601 bytes: UnsafeBufferPointer<UInt8>) {
    guard let start = bytes.baseAddress else { return nil }
    var reader = TimestampReader(next: start, end: start + bytes.count)
    guard reader.date() != nil, reader.next == reader.end else { return nil }
    self.init(daysSinceEpoch: reader.day)
  }

  /// Reads the day of a date with a time, in any form that ``Timestamp`` reads; nil for any other
  /// text.
  ///
  /// It is the written day, regardless of the zone.
  ///
  /// - Parameter isMidnight: Is set to whether the time is midnight, so that only the zone is lost.
  init?(dateTime bytes: UnsafeBufferPointer<UInt8>, isMidnight: inout Bool) {
    guard let start = bytes.baseAddress else { return nil }
    var reader = TimestampReader(next: start, end: start + bytes.count)
    guard let local = reader.microseconds(isLocal: true),
      let day = CalendarDay(daysSinceEpoch: reader.day)
    else { return nil }
    let isSameDay = CalendarDay(Timestamp(microseconds: local)) == day
    isMidnight = isSameDay && local % Self.microseconds == 0
    self = day
  }

  /// The number of bytes that ``write(into:)`` needs; bytes after the text are undefined.
  public static var textCapacity: Int { @inline(__always) get { 16 } }

  /// Writes the day, such as `1968-03-01`; years outside 0000...9999 as `+012345` and `-000001`
  /// (ISO 8601, expanded form).
  ///
  /// - Parameter target: Room for ``textCapacity`` bytes.
  /// - Returns: The length of the text.
  public func write(into target: UnsafeMutablePointer<UInt8>) -> Int {
    let civil = civil
    let yearSize = Timestamp.writeYearAndMonth(civil, target: target)
    let tens = civil.day / 10
    target[yearSize &+ 8] = UInt8(truncatingIfNeeded: 0x30 &+ tens)
    target[yearSize &+ 9] = UInt8(truncatingIfNeeded: 0x30 &+ civil.day &- tens &* 10)
    return yearSize &+ 10
  }
}

extension CalendarDay: CustomStringConvertible {
  /// The text of ``write(into:)``, such as `1968-03-01`.
  public var description: String {
    String(unsafeUninitializedCapacity: Self.textCapacity) { buffer in
      buffer.baseAddress.map { write(into: $0) } ?? 0
    }
  }
}
