import Testing

@testable import Groot

@Suite("Days")
struct CalendarDayTests {
  @Test(
    "accepted forms",
    arguments: [
      ("1970-01-01", "1970-01-01", 0), ("1968-03-01", "1968-03-01", -671),
      ("19680301", "1968-03-01", -671), ("+001968-03-01", "1968-03-01", -671),
      ("0000-02-29", "0000-02-29", -719_469), ("-000001-12-31", "-000001-12-31", -719_529),
      ("9999-12-31", "9999-12-31", 2_932_896), ("+010000-01-01", "+010000-01-01", 2_932_897),
      ("+294247-01-10", "+294247-01-10", 106_751_991),
      ("-290308-12-21", "-290308-12-21", -106_751_992),
    ])
  func eachFormOfADayIsRead(text: String, written: String, days: Int64) {
    let day = CalendarDay(text)
    #expect(day?.description == written)
    #expect(day == CalendarDay(daysSinceEpoch: days))
    #expect(day.map { Int64($0.daysSinceEpoch) } == days)
  }

  @Test(
    "refused forms",
    arguments: [
      "", "1968", "1968-03", "1968-3-1", "1968-03-1", "68-03-01", "1968-13-01", "1968-00-01",
      "1968-01-00", "1968-04-31", "1967-02-29", "1900-02-29", "1968-0301", "196803-01",
      "1968-03-01T", "1968-03-01T00:00:00Z", "1968-03-01Z", "1968-03-01 ", " 1968-03-01",
      "1968/03/01", "1968-03-01\0", "+01968-03-01", "-000000-01-01", "-1968-03-01",
      "+294247-01-11", "-290308-12-20", "+999999-12-31", "-999999-01-01", "٢968-03-01",
    ])
  func textOfAnotherFormIsRefused(text: String) {
    #expect(CalendarDay(text) == nil)
  }

  /// Every 7th day of the years -9999 to 9999, and so each day of the week and each of the year.
  @Test func daysComeBackFromTheirTextInOrder() throws {
    let first = try #require(CalendarDay(year: -9999, month: 1, day: 1))
    let last = try #require(CalendarDay(year: 9999, month: 12, day: 31))
    #expect(first.description == "-009999-01-01" && last.description == "9999-12-31")
    var previous: CalendarDay?
    for days in stride(
      from: Int64(first.daysSinceEpoch), through: Int64(last.daysSinceEpoch), by: 7)
    {
      let day = try #require(CalendarDay(daysSinceEpoch: days))
      #expect(CalendarDay(day.description) == day)
      #expect(CalendarDay(year: day.year, month: day.month, day: day.day) == day)
      if let previous {
        #expect(previous < day)
        #expect((previous.year, previous.month, previous.day) < (day.year, day.month, day.day))
      }
      previous = day
    }
  }

  /// Counts up the calendar day by day, with no arithmetic but the lengths of months.
  @Test func numbersOfDaysFollowTheCalendar() throws {
    let lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    var days = try Int64(#require(CalendarDay(year: 1600, month: 1, day: 1)).daysSinceEpoch)
    for year in 1600...2000 {
      let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
      for (month, length) in lengths.enumerated() {
        for day in 1...(length + (isLeap && month == 1 ? 1 : 0)) {
          let found = CalendarDay(year: year, month: month + 1, day: day)
          #expect(found.map { Int64($0.daysSinceEpoch) } == days)
          days += 1
        }
      }
    }
  }

  @Test func theDayOfAnInstantIsThatInUTC() throws {
    let day: Int64 = 86_400_000_000
    for (microseconds, days) in [
      (0, 0), (-1, -1), (day - 1, 0), (day, 1), (-day, -1), (-day - 1, -2),
      (.max, 106_751_991), (.min, -106_751_992),
    ] as [(Int64, Int32)] {
      #expect(CalendarDay(Timestamp(microseconds: microseconds)).daysSinceEpoch == days)
    }
  }

  @Test func daysOutsideTheCalendarAreRefused() {
    #expect(CalendarDay(daysSinceEpoch: 106_751_992) == nil)
    #expect(CalendarDay(daysSinceEpoch: -106_751_993) == nil)
    #expect(CalendarDay(daysSinceEpoch: .max) == nil)
    #expect(CalendarDay(daysSinceEpoch: .min) == nil)
    for (year, month, day) in [
      (1900, 2, 29), (1968, 0, 1), (1968, 13, 1), (1968, 1, 0), (1968, 1, 32), (1968, -1, 1),
      (.max, 1, 1), (.min, 1, 1), (1968, .min, 1), (1968, 1, .max), (300_001, 1, 1),
      (294_247, 1, 11), (-290_308, 12, 20),
    ] {
      #expect(CalendarDay(year: year, month: month, day: day) == nil)
    }
    #expect(CalendarDay(year: -290_308, month: 12, day: 21)?.daysSinceEpoch == -106_751_992)
  }

  @Test(
    arguments: [
      ("1968-03-01T00:00:00Z", true), ("1968-03-01T00:00:00+14:00", true),
      ("1968-03-01 00:00", true), ("1968-03-01", true), ("1968-03-01T24:00:00", false),
      ("1968-03-01T23:59:59-12:00", false), ("1968-03-01T00:00:00.000001", false),
    ])
  func theDayOfATimeIsTheWrittenOne(text: String, isAtMidnight: Bool) {
    var text = text
    var isMidnight = !isAtMidnight
    let day = text.withUTF8 { CalendarDay(dateTime: $0, isMidnight: &isMidnight) }
    #expect(day?.description == "1968-03-01")
    #expect(isMidnight == isAtMidnight)
  }
}
