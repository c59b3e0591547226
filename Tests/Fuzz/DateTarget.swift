/// Reads the bytes as a date in every form there is.
///
/// What is read must be written so that it reads as the same instant. Then an instant is written by
/// a pattern made of the bytes.
///
/// Called by libFuzzer, which makes the bytes.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzDates(_ data: UnsafePointer<UInt8>?, _ size: Int) -> Int32 {
  guard let data else { return 0 }
  let bytes = UnsafeBufferPointer(start: data, count: size)
  let strict = Timestamp(iso8601: bytes)
  if let strict { writeAndRead(strict, bytes) }
  if let read = Timestamp(anyForm: bytes) {
    writeAndRead(read, bytes)
    let isISO = size > 9 && bytes[4] == UInt8(ascii: "-")
    require(!isISO || read == strict, "a date is read in two ways", bytes)
  }
  // Any number is an instant, and perhaps a time since 1970.
  var number: UInt64 = 0
  for byte in bytes.prefix(8) { number = number << 8 | UInt64(byte) }
  let instant = Timestamp(microseconds: Int64(bitPattern: number))
  writeAndRead(instant, bytes)
  for read in [
    Timestamp(sinceEpoch: Int64(bitPattern: number)),
    Timestamp(sinceEpoch: Double(bitPattern: number)),
  ] {
    if let read { writeAndRead(read, bytes) }
  }
  writeByPattern(instant, bytes.dropFirst(8))
  return 0
}

private func writeByPattern(_ instant: Timestamp, _ bytes: Slice<UnsafeBufferPointer<UInt8>>) {
  guard let form = try? DateForm(String(decoding: bytes, as: UTF8.self)) else { return }
  let writer = JSONWriter(capacity: 64)
  form.write(instant, writer: writer)
  let written = try? writer.finish()
  let text = written.map { UnsafeRawBufferPointer($0) }
  let isJSON = text.map { JanssonBridge.refusal(of: $0) == nil } ?? false
  require(isJSON, "a pattern writes what is not JSON", UnsafeBufferPointer(rebasing: bytes))
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
