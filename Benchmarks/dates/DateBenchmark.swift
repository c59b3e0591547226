#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// Reads dates, one a line, with the library's readers; prints what that took as a JSON object.
///
/// usage: dates ROW MODEL.json DATES COUNT, or: dates list
@main
struct DateBenchmark {
  /// As in the other programs that read dates: a list is read so many times.
  private static let passes = 20
  private static let rows = ["dates", "dates_iso8601"]

  private let dates: [UnsafeBufferPointer<UInt8>]
  /// Of all microseconds since 1970, as the last line says.
  private let sum: UInt64

  static func main() {
    let arguments = CommandLine.arguments
    if arguments.dropFirst() == ["list"] { return print(rows.joined(separator: "\n")) }
    guard arguments.count == 5, rows.contains(arguments[1]), let count = Int(arguments[4]) else {
      return fail("usage: \(arguments[0]) ROW MODEL.json DATES COUNT")
    }
    guard let benchmark = DateBenchmark(path: arguments[3], count: count) else {
      return fail("dates: not as many dates as expected")
    }
    benchmark.run(arguments[1])
  }

  private init?(path: String, count: Int) {
    guard let file = fopen(path, "rb"), fseek(file, 0, SEEK_END) == 0 else { return nil }
    let text = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: ftell(file))
    rewind(file)
    guard fread(text.baseAddress, 1, text.count, file) == text.count else { return nil }
    fclose(file)
    let lines = text.split(separator: UInt8(ascii: "\n"))
    guard lines.count == count + 1, let last = lines.last,
      let sum = UInt64(String(decoding: last, as: UTF8.self))
    else { return nil }
    dates = lines.dropLast().map {
      UnsafeBufferPointer(UnsafeMutableBufferPointer(rebasing: $0))
    }
    self.sum = sum
  }

  private func run(_ row: String) {
    let wall = Self.seconds(CLOCK_MONOTONIC)
    let cpu = Self.seconds(CLOCK_PROCESS_CPUTIME_ID)
    let found = row == "dates" ? readAnyForm() : readISO8601()
    let cpuTaken = Self.seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu
    let wallTaken = Self.seconds(CLOCK_MONOTONIC) - wall
    guard found == sum &* UInt64(Self.passes) else {
      return Self.fail("dates: a date is not read, or as another")
    }
    let operations = dates.count * Self.passes
    print(
      """
      {"wall": \(wallTaken), "cpu": \(cpuTaken), "operations": \(operations), \
      "peak": \(Self.highestMemory())}
      """)
  }

  /// As the library reads dates of feeds, which may be numbers as well.
  @inline(never)
  private func readAnyForm() -> UInt64 {
    var sum: UInt64 = 0
    for _ in 0..<Self.passes {
      for date in dates {
        guard let read = Timestamp(anyForm: date) else { return 0 }
        sum &+= UInt64(bitPattern: read.microseconds)
      }
    }
    return sum
  }

  @inline(never)
  private func readISO8601() -> UInt64 {
    var sum: UInt64 = 0
    for _ in 0..<Self.passes {
      for date in dates {
        guard let read = Timestamp(iso8601: date) else { return 0 }
        sum &+= UInt64(bitPattern: read.microseconds)
      }
    }
    return sum
  }

  private static func seconds(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }

  /// The most memory in bytes that the process had so far; 0 where the system does not say.
  private static func highestMemory() -> Int {
    guard let file = fopen("/proc/self/status", "r") else { return 0 }
    defer { fclose(file) }
    var kilobytes = 0
    var line = [CChar](repeating: 0, count: 256)
    while fgets(&line, Int32(line.count), file) != nil {
      if strncmp(line, "VmHWM:", 6) == 0 { kilobytes = strtol(Array(line[6...]), nil, 10) }
    }
    return kilobytes * 1_024
  }

  private static func fail(_ message: String) {
    _ = (message + "\n").withCString { write(2, $0, strlen($0)) }
    exit(1)
  }
}
