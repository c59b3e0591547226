/// Reads the bytes as a date; what is read must be written so that it reads as the same instant.
///
/// Called by libFuzzer, which makes the bytes.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzDates(_ data: UnsafePointer<UInt8>?, _ size: Int) -> Int32 {
  guard let data else { return 0 }
  let bytes = UnsafeBufferPointer(start: data, count: size)
  if let read = Timestamp(iso8601: bytes) { writeAndRead(read, bytes) }
  // Any number is an instant.
  var number: UInt64 = 0
  for byte in bytes.prefix(8) { number = number << 8 | UInt64(byte) }
  writeAndRead(Timestamp(microseconds: Int64(bitPattern: number)), bytes)
  return 0
}

private func writeAndRead(_ instant: Timestamp, _ bytes: UnsafeBufferPointer<UInt8>) {
  withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Timestamp.textCapacity) { room in
    guard let start = room.baseAddress else { return }
    let count = instant.write(into: start)
    require(count <= Timestamp.textCapacity, "the text is longer than its room", bytes)
    let text = UnsafeBufferPointer(start: UnsafePointer(start), count: count)
    let again = Timestamp(iso8601: text)
    require(again == instant, "\(instant.microseconds) is written as \(instant)", bytes)
  }
}
