import Foundation
import Groot

// Dates of attributes, which are whole microseconds.

extension Timestamp {
  /// Makes the nearest microsecond to a date; nil for NaN and for a date out of range.
  ///
  /// The range is the years -290308 to 294247.
  public init?(_ date: Date) {
    let seconds = date.timeIntervalSinceReferenceDate
    // Whole seconds and the fraction are separate, since a Double has too few digits for both.
    let whole = seconds.rounded(.down)
    guard let wholeSeconds = Int64(exactly: whole) else { return nil }
    let (since1970, isTooFar) = wholeSeconds.addingReportingOverflow(Self.referenceSeconds)
    let (scaled, isTooLarge) = since1970.multipliedReportingOverflow(by: 1_000_000)
    let fraction = Int64(((seconds - whole) * 1_000_000).rounded())
    let (microseconds, isBeyond) = scaled.addingReportingOverflow(fraction)
    if isTooFar || isTooLarge || isBeyond { return nil }
    self.init(microseconds: microseconds)
  }

  /// The seconds from 1970, the origin of timestamps, to 2001, the origin of dates.
  fileprivate static var referenceSeconds: Int64 { 978_307_200 }
}

extension Date {
  /// Makes the nearest date to a timestamp.
  ///
  /// A date is a Double: exact to the microsecond from 1729 to 2273, and always to the second.
  public init(_ timestamp: Timestamp) {
    var (whole, fraction) = timestamp.microseconds.quotientAndRemainder(dividingBy: 1_000_000)
    whole -= Timestamp.referenceSeconds
    self.init(timeIntervalSinceReferenceDate: Double(whole) + Double(fraction) / 1_000_000)
  }
}

extension Date: FoundationValue {
  /// ``AttributeType/date``.
  public static var attributeType: AttributeType { .date }
  /// 1970-01-01T00:00:00Z.
  public static var absent: Date { Date(timeIntervalSince1970: 0) }

  /// Makes a date from a date value; nil for other values.
  public init?(attributeValue: Value) {
    guard case .date(let timestamp) = attributeValue else { return nil }
    self.init(timestamp)
  }

  /// ``Value/date(_:)``; for a date out of range, a string that no date attribute accepts.
  public var attributeValue: Value {
    Timestamp(self).map(Value.date)
      ?? .string("\(timeIntervalSinceReferenceDate) seconds since 2001, which is out of range")
  }
}
