import Foundation
import Groot

// Days of attributes, which Foundation has as components of a date.

extension CalendarDay {
  /// The day of components that have a year, a month and a day; nil where one of them is missing,
  /// the calendar has no such day, or it is out of range.
  ///
  /// They count in the Gregorian calendar, also before 1582; other components do not matter.
  public init?(_ components: DateComponents) {
    guard let year = components.year, let month = components.month, let day = components.day else {
      return nil
    }
    self.init(year: year, month: month, day: day)
  }
}

extension DateComponents {
  /// The year, the month and the day; 0 and less are the years before the year 1.
  public init(_ day: CalendarDay) { self.init(year: day.year, month: day.month, day: day.day) }
}
