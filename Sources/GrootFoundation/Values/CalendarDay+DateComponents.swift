import Foundation
import Groot

// Days of attributes, which are date components in Foundation.

extension CalendarDay {
  /// Makes a day from a year, a month and a day; nil if one is missing, invalid or out of range.
  ///
  /// The components are of the Gregorian calendar, even before 1582. Other components are ignored.
  public init?(_ components: DateComponents) {
    guard let year = components.year, let month = components.month, let day = components.day else {
      return nil
    }
    self.init(year: year, month: month, day: day)
  }
}

extension DateComponents {
  /// Makes components of a year, a month and a day; years before the year 1 are 0 and less.
  public init(_ day: CalendarDay) { self.init(year: day.year, month: day.month, day: day.day) }
}
