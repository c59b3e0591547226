import Testing

@testable import Groot

@Suite("Patterns of dates")
struct DatePatternTests {
  /// Each has all of a day, and is read as it was written.
  private static let patterns = [
    "EEE MMM dd HH:mm:ss Z yyyy", "yyyy-MM-dd", "yyyy/M/d H:m:s", "dd.MM.yyyy HH:mm",
    "EEEE, MMMM d, y 'at' h:mm:ss a", "yyyyMMdd'T'HHmmssSSSXX", "y-MM-dd'T'HH:mm:ss.SSSSSSXXX",
    "MMM d, y hh:mma", "EEE, dd MMM yyyy HH:mm:ss 'GMT'", "dd-MMMM-yyyy HH.mm.ss.S ZZZZZ",
    "M/d/yy h a", "'the' dd'th of' MMMM''yyyy", "yy yyyy MMM MM dd d EEEE HH h a X Z", "dMMMy",
    "yyyy-MM-ddX", "d M y'é'",
  ]

  /// Instants of the years that a text of the pattern can say.
  private static func instants(_ pattern: String) -> [Timestamp] {
    var random = SeededGenerator(seed: UInt64(pattern.utf8.count))
    let year: Int64 = 31_556_952_000_000
    let years: ClosedRange<Int64> =
      if pattern.contains("yy") && !pattern.contains("yyyy") {
        0...98
      } else if pattern.hasPrefix("yyyyMM") {
        -1900...8000
      } else {
        -290_000...290_000
      }
    return (0..<300).map { number in
      // Half of them near to us.
      let range = number % 2 == 0 ? years.clamped(to: -80...80) : years
      let start = Int64.random(in: range, using: &random) * year
      return Timestamp(microseconds: start + Int64.random(in: 0..<year, using: &random))
    }
  }

  private static func read(_ pattern: DatePattern, _ text: String) -> Timestamp? {
    var text = text
    return text.withUTF8 { pattern.date($0) }
  }

  @Test(arguments: patterns)
  func writtenDatesAreReadAsTheSame(text: String) throws {
    let pattern = try DatePattern(text)
    #expect(pattern.readingFailure == nil)
    for instant in Self.instants(text) {
      let written = pattern.text(instant)
      let read = try #require(Self.read(pattern, written), "\(written)")
      // What the pattern does not say is cut, at most a day.
      #expect(pattern.text(read) == written)
      #expect(read <= instant && instant.microseconds - read.microseconds < 86_400_000_000)
      if text.contains("SSSSSS") { #expect(read == instant) }
      if text.contains("ss") && text.contains("H") {
        #expect(instant.microseconds - read.microseconds < 1_000_000)
      }
    }
  }

  @Test(arguments: patterns)
  func daysAreReadAsTheSame(text: String) throws {
    let pattern = try DatePattern(text)
    for instant in Self.instants(text) {
      let day = CalendarDay(instant)
      var written = pattern.text(day)
      #expect(written.withUTF8 { pattern.day($0) } == day)
    }
  }

  /// A text one byte away from one of the pattern is refused or is another date.
  @Test(arguments: patterns)
  func changedBytesAreNotPassedOver(text: String) throws {
    let pattern = try DatePattern(text)
    let instant = try #require(Timestamp("2012-09-24T13:35:21.123456Z"))
    let written = pattern.text(instant)
    for position in written.utf8.indices {
      for byte in UInt8(0x20)..<0x7F {
        var bytes = Array(written.utf8)
        let before = bytes[written.utf8.distance(from: written.startIndex, to: position)]
        bytes[written.utf8.distance(from: written.startIndex, to: position)] = byte
        guard let read = bytes.withUnsafeBufferPointer({ pattern.date($0) }) else { continue }
        let isCapital = byte ^ before == 0x20 && Byte.isDigit(byte) == false
        let isSame = read == Self.read(pattern, written)
        #expect(byte == before || isCapital || !isSame || "+-Z ".utf8.contains(before), "\(bytes)")
      }
    }
    for cut in 0..<written.utf8.count {
      let part = String(decoding: written.utf8.prefix(cut), as: UTF8.self)
      // What is left may be a shorter number, or a zone of hours alone.
      if !part.hasSuffix("+00"), let read = Self.read(pattern, part) {
        #expect(pattern.text(read) != written)
      }
    }
    #expect(Self.read(pattern, written + " ") == nil)
    #expect(Self.read(pattern, " " + written) == nil)
    #expect(Self.read(pattern, written + "\0") == nil)
  }

  @Test(
    arguments: [
      ("yyyy-MM-dd", "12012-01-31", "+012012-01-31T00:00:00Z"),
      ("yyyy-MM-dd", "-0044-03-15", "-000044-03-15T00:00:00Z"),
      ("yyyy-MM-dd", "294247-01-10", "+294247-01-10T00:00:00Z"), ("yyyy-MM-dd", "02012-01-31", nil),
      ("yyyy-MM-dd", "294247-01-11", nil), ("yyyy-MM-dd", "999999-12-31", nil),
      ("yyyy-MM-dd", "9999999-12-31", nil), ("yyyy-MM-dd", "-0000-01-01", nil),
      ("yyyy-MM-dd", "+2012-01-01", nil), ("yyyy-MM-dd", "2012-02-30", nil),
      ("yyyyMMdd", "120120131", nil), ("yyyyMMdd", "-20120131", "-002012-01-31T00:00:00Z"),
      ("d.M.y", "1.2.3", "0003-02-01T00:00:00Z"), ("d.M.y", "1.2.-3", "-000003-02-01T00:00:00Z"),
      ("d.M.y", "001.2.3", nil), ("dd.MM.yy", "01.02.69", "1969-02-01T00:00:00Z"),
      ("dd.MM.yy", "01.02.68", "2068-02-01T00:00:00Z"), ("dd.MM.yy", "01.02.1968", nil),
      ("y yy-MM-dd", "1968 68-01-01", "1968-01-01T00:00:00Z"), ("y yy-MM-dd", "1968 69-01-01", nil),
      ("y-MM-dd M", "1968-01-02 1", "1968-01-02T00:00:00Z"), ("y-MM-dd M", "1968-01-02 2", nil),
      ("y-MM-dd HH h a", "1968-01-02 13 1 PM", "1968-01-02T13:00:00Z"),
      ("y-MM-dd HH h a", "1968-01-02 13 1 AM", nil), ("y-MM-dd HH a", "1968-01-02 13 AM", nil),
      ("y-MM-dd h a", "1968-01-02 12 am", "1968-01-02T00:00:00Z"),
      ("y-MM-dd h a", "1968-01-02 12 pm", "1968-01-02T12:00:00Z"),
      ("y-MM-dd h a", "1968-01-02 0 am", nil), ("y-MM-dd h a", "1968-01-02 13 pm", nil),
      ("y-MM-dd HH:mm:ss", "2016-12-31 23:59:60", "2017-01-01T00:00:00Z"),
      ("y-MM-dd HH:mm:ss", "2016-12-31 23:58:60", nil),
      ("y-MM-dd HH:mmX", "2016-12-31 23:30-0045", "2017-01-01T00:15:00Z"),
      ("y-MM-dd HH:mmZ", "2016-12-31 23:30Z", "2016-12-31T23:30:00Z"),
      ("y-MM-dd HH:mmXXX", "2016-12-31 23:30+01", "2016-12-31T22:30:00Z"),
      ("y-MM-dd HH:mmZ", "2016-12-31 23:30+24:00", nil),
      ("y-MM-dd HH:mmZ", "2016-12-31 23:30+01:60", nil),
      ("y-MM-dd HH:mmZ", "2016-12-31 23:30", nil),
      ("EEE y-MM-dd HHX", "Sat 2016-12-31 23-05", "2017-01-01T04:00:00Z"),
      ("EEE y-MM-dd HHX", "Sun 2016-12-31 23-05", nil),
      ("y MMMM d", "2016 May 1", "2016-05-01T00:00:00Z"),
      ("y MMM d", "2016 June 1", nil), ("y MMMM d", "2016 Jun 1", nil),
      (
        "y-MM-dd'T'HH:mm:ss.SSSSSSX", "-290308-12-21T19:59:05.224192Z",
        "-290308-12-21T19:59:05.224192Z"
      ),
      ("y-MM-dd'T'HH:mm:ss.SSSSSSX", "-290308-12-21T19:59:05.224191Z", nil),
      (
        "y-MM-dd'T'HH:mm:ss.SSSSSSX", "294247-01-10T04:00:54.775807Z",
        "+294247-01-10T04:00:54.775807Z"
      ),
      ("y-MM-dd'T'HH:mm:ss.SSSSSSX", "294247-01-10T04:00:54.775808Z", nil),
    ] as [(String, String, String?)])
  func aPatternReadsTextOfItsForm(pattern: String, text: String, expected: String?) throws {
    #expect(Self.read(try DatePattern(pattern), text)?.description == expected)
  }

  @Test(
    arguments: [
      ("yyyy", "lacks a year, a month or a day"), ("MM-dd", "lacks a year, a month or a day"),
      ("yyyy-MM", "lacks a year, a month or a day"), ("HH:mm", "lacks a year, a month or a day"),
      ("yyyy-MM-dd h", "'a' does not tell"), ("yyyy-MM-dd a", "'a' without an hour"),
      ("yMMdd", "after 'y'"), ("yyyyMd", "after 'M'"), ("yyyyMMdHH", "after 'd'"),
      ("yyyy-MM-dd Hmm", "after 'H'"), ("yyyy-MM-dd HH:ms", "after 'm'"),
      ("yyyy-MM-dd HH:mm:sSSS", "after 's'"), ("dd.MM.y0", "after 'y'"), ("y'7'MMdd", "after 'y'"),
    ])
  func aPatternThatTellsNoInstantIsForWritingOnly(pattern: String, reason: String) throws {
    let failure = try DatePattern(pattern).readingFailure
    #expect(failure?.contains(reason) == true, "\(failure ?? "none")")
  }

  @Test func formsAreTriedInTheirOrder() throws {
    let forms = try DateForms("yyyy-dd-MM | iso8601 | ' | ' | unixMillis", of: .date, isRead: false)
    func read(_ json: JSONValue) throws -> Value {
      let tape = JSONTape()
      let index = try json.append(to: tape)
      var value = StoredValue.none
      let failure = forms.read(
        tape.tokens[index], text: tape.tokens[index], as: .date, into: &value)
      #expect((failure == .none) == value.isPresent)
      return Value(value, as: .date)
    }
    #expect(try read("2012-02-01") == .date(#require(Timestamp("2012-01-02"))))
    #expect(try read("2012-02-13") == .date(#require(Timestamp("2012-02-13"))))
    #expect(try read(1_500) == .date(Timestamp(microseconds: 1_500_000)))
    #expect(try read(" | ") == .null)
    #expect(try read(true) == .null)
  }

  @Test func thereAreNotManyForms() throws {
    let many = Array(repeating: "iso8601", count: 17)
    #expect(throws: GrootError.self) {
      try DateForms(many.joined(separator: " | "), of: .date, isRead: true)
    }
    _ = try DateForms(many.dropFirst().joined(separator: " | "), of: .date, isRead: true)
  }
}
