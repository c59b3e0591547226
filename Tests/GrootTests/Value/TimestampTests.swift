import Testing

@testable import Groot

@Suite("Dates")
struct TimestampTests {
  static let accepted: [(String, String)] = [
    ("1970-01-01T00:00:00Z", "1970-01-01T00:00:00Z"),
    ("2016-02-07T10:30:00Z", "2016-02-07T10:30:00Z"),
    ("2016-02-07t10:30:00z", "2016-02-07T10:30:00Z"),
    ("2016-02-07 10:30:00", "2016-02-07T10:30:00Z"),
    ("2016-02-07", "2016-02-07T00:00:00Z"),
    ("20160207", "2016-02-07T00:00:00Z"),
    ("2016-02-07T10:30", "2016-02-07T10:30:00Z"),
    ("2016-02-07T10:30Z", "2016-02-07T10:30:00Z"),
    ("20160207T103059Z", "2016-02-07T10:30:59Z"),
    ("20160207T1030", "2016-02-07T10:30:00Z"),
    ("20160207T103059.5+0100", "2016-02-07T09:30:59.500Z"),
    ("2016-02-07T10:30:00.1Z", "2016-02-07T10:30:00.100Z"),
    ("2016-02-07T10:30:00,25Z", "2016-02-07T10:30:00.250Z"),
    ("2016-02-07T10:30:00.000001Z", "2016-02-07T10:30:00.000001Z"),
    ("2016-02-07T10:30:00.123456999999999999Z", "2016-02-07T10:30:00.123456Z"),
    ("1969-12-31T23:59:59.9999999Z", "1969-12-31T23:59:59.999999Z"),
    ("2016-02-07T10:30:00.000", "2016-02-07T10:30:00Z"),
    ("2016-02-07T10:30:00+01:00", "2016-02-07T09:30:00Z"),
    ("2016-02-07T10:30:00+0130", "2016-02-07T09:00:00Z"),
    ("2016-02-07T10:30:00-08", "2016-02-07T18:30:00Z"),
    ("2016-02-07T10:30:00-00:00", "2016-02-07T10:30:00Z"),
    ("2016-01-01T00:30:00+23:59", "2015-12-31T00:31:00Z"),
    ("2016-02-29", "2016-02-29T00:00:00Z"), ("2000-02-29", "2000-02-29T00:00:00Z"),
    ("0000-02-29", "0000-02-29T00:00:00Z"), ("0000-01-01", "0000-01-01T00:00:00Z"),
    ("9999-12-31T23:59:59.999999Z", "9999-12-31T23:59:59.999999Z"),
    ("2016-12-31T24:00:00Z", "2017-01-01T00:00:00Z"),
    ("2016-12-31T24:00", "2017-01-01T00:00:00Z"),
    ("2016-12-31T24:00:00.000Z", "2017-01-01T00:00:00Z"),
    ("2016-12-31T23:59:60Z", "2017-01-01T00:00:00Z"),
    ("2016-12-31T15:59:60.25-08:00", "2017-01-01T00:00:00.250Z"),
    ("9999-12-31T23:00:00-01:00", "+010000-01-01T00:00:00Z"),
    ("0000-01-01T00:00:00+01:00", "-000001-12-31T23:00:00Z"),
    ("+010000-01-01T00:00:00Z", "+010000-01-01T00:00:00Z"),
    ("-000001-02-28T00:00:00Z", "-000001-02-28T00:00:00Z"),
    ("+002016-02-07", "2016-02-07T00:00:00Z"),
  ]

  @Test("accepted forms", arguments: accepted)
  func eachFormOfADateIsRead(text: String, expected: String) {
    #expect(Timestamp(text)?.description == expected)
  }

  static let refused = [
    "", "2", "2016", "2016-02", "201602", "2016-2-7", "2016-0207", "201602-07", "16-02-07",
    "2016-00-01", "2016-13-01", "2016-01-00", "2016-01-32", "2016-04-31", "2016-06-31",
    "2016-09-31", "2016-11-31", "2015-02-29", "1900-02-29", "2100-02-29", "2016-02-30",
    "2016-02-07T", "2016-02-07T10", "2016-02-07T10:3", "2016-02-07T1030", "20160207T10:30",
    "2016-02-07T10:30:", "2016-02-07T10:30:0", "2016-02-07T10:30:00.", "2016-02-07T10:30:00.Z",
    "2016-02-07T24:00:01Z", "2016-02-07T24:01:00Z", "2016-02-07T24:00:00.001Z",
    "2016-02-07T25:00:00Z", "2016-02-07T10:60:00Z", "2016-02-07T10:30:60Z",
    "2016-02-07T10:59:61Z", "2016-02-07T10:30:00ZZ", "2016-02-07T10:30:00Z ",
    " 2016-02-07T10:30:00Z", "2016-02-07T10:30:00+", "2016-02-07T10:30:00+1",
    "2016-02-07T10:30:00+010", "2016-02-07T10:30:00+01:", "2016-02-07T10:30:00+01:0",
    "2016-02-07T10:30:00+24:00", "2016-02-07T10:30:00+01:60", "2016-02-07T10:30:00+01:000",
    "2016-02-07T10:30:00 Z", "2016-02-07Z", "2016-02-07X10:30:00Z", "2016/02/07T10:30:00Z",
    "2016-02-07T10-30-00Z", "2016-02-07T10:30.5Z", "2O16-02-07T10:30:00Z",
    "2016-02-07T10:30:0:Z", "2016-02-07T10:30:/0Z", "2016-02-07T10:30:00\0",
    "٢016-02-07T10:30:00Z", "+02016-02-07", "-000000-01-01", "+0020160207", "-2016-02-07",
    "+294248-01-01T00:00:00Z", "+999999-12-31T23:59:59Z", "-999999-01-01T00:00:00Z",
  ]

  @Test("refused forms", arguments: refused)
  func textOfAnotherFormIsRefused(text: String) {
    #expect(Timestamp(text) == nil)
  }

  @Test("no changed byte of the common form gets through unless it still is a date")
  func aChangedByteIsRefusedUnlessItStillWritesADate() {
    let text = Array("2016-02-07T10:30:00Z".utf8)
    for position in text.indices {
      for byte in UInt8.min...UInt8.max {
        var changed = text
        changed[position] = byte
        let value = changed.withUnsafeBufferPointer { Timestamp(iso8601: $0) }
        guard let value else { continue }
        let isDigit = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        #expect(isDigit || "tTzZ ".utf8.contains(byte) || byte == text[position])
        if isDigit && position < 19 {
          #expect(value.description.utf8.elementsEqual(changed))
        }
      }
    }
  }

  @Test("every day of 0000 to 9999 in order, with the right length of month and year")
  func everyDayOfTenThousandYearsHasItsNumber() {
    var days = Timestamp.daysSinceEpoch(year: 0, month: 1, day: 1) ?? 0
    #expect(days == -719_528)
    for year in Int64(0)...9_999 {
      let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
      let lengths: [UInt32] = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
      for (month, length) in zip(UInt32(1)..., lengths) {
        for day in 1...length {
          guard Timestamp.daysSinceEpoch(year: year, month: month, day: day) == days,
            Timestamp.civilDay(daysSinceEpoch: days)
              == CivilDay(year: Int32(year), month: month, day: day)
          else {
            Issue.record("\(year)-\(month)-\(day) is not day \(days)")
            return
          }
          days += 1
        }
        #expect(Timestamp.daysSinceEpoch(year: year, month: month, day: length + 1) == nil)
      }
    }
  }

  @Test("what is written reads back: years 0000 to 9999, and the whole range")
  func anyDateComesBackFromItsText() {
    var generator = SeededGenerator(seed: 1)
    let first: Int64 = -62_167_219_200_000_000
    let last: Int64 = 253_402_300_799_999_999
    for index in 0..<400_000 {
      var microseconds = Int64.random(in: first...last, using: &generator)
      switch index % 4 {
      case 0: microseconds -= microseconds % 1_000_000
      case 1: microseconds -= microseconds % 1_000
      case 2: microseconds = Int64(bitPattern: generator.next())
      default: break
      }
      let value = Timestamp(microseconds: microseconds)
      guard Timestamp(value.description) == value else {
        Issue.record("\(microseconds) is written \(value)")
        return
      }
    }
  }

  @Test("the ends of the range")
  func theFirstAndLastDatesAreReadAndWritten() {
    let least = Timestamp(microseconds: .min)
    let greatest = Timestamp(microseconds: .max)
    #expect(least.description == "-290308-12-21T19:59:05.224192Z")
    #expect(greatest.description == "+294247-01-10T04:00:54.775807Z")
    #expect(Timestamp(least.description) == least)
    #expect(Timestamp(greatest.description) == greatest)
    #expect(Timestamp("-290308-12-21T19:59:05.224191Z") == nil)
    #expect(Timestamp("+294247-01-10T04:00:54.775808Z") == nil)
    #expect(least < greatest)
  }

  @Test("no bytes trap, and what is accepted reads back")
  func anyAcceptedBytesComeBackFromTheirDate() {
    var generator = SeededGenerator(seed: 2)
    for length in 0..<40 {
      for _ in 0..<5_000 {
        let bytes = generator.bytes(length, mostly: Array("0123456789012-:TZ+. ".utf8))
        guard let value = bytes.withUnsafeBufferPointer({ Timestamp(iso8601: $0) }) else {
          continue
        }
        #expect(Timestamp(value.description) == value)
      }
    }
  }
}
