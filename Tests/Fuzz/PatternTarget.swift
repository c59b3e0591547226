/// Reads the first line of the bytes as a pattern, and compares the rest with it.
///
/// What is taken must be answered within the limits and twice alike; what is refused must say why in
/// few words. The text itself, quoted, is a pattern that matches it.
///
/// Called by libFuzzer, which makes the bytes.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzPatterns(_ data: UnsafePointer<UInt8>?, _ size: Int) -> Int32 {
  guard let data else { return 0 }
  let bytes = UnsafeBufferPointer(start: data, count: size)
  let end = bytes.firstIndex(of: Byte.newline) ?? bytes.count
  let line = UnsafeBufferPointer(rebasing: bytes[..<end])
  let text = UnsafeBufferPointer(rebasing: bytes[min(end + 1, bytes.count)...])
  if let pattern = compiled(String(decoding: line, as: UTF8.self), bytes) {
    let outcome = pattern.outcome(text)
    require(pattern.outcome(text) == outcome, "two answers to one question", bytes)
    // Longer texts have fewer steps and reach the other limits.
    let many = Array(repeatElement(text, count: 40).joined())
    _ = many.withUnsafeBufferPointer { pattern.outcome($0) }
  }
  matchesItself(text, bytes)
  return 0
}

private let workspaces = PatternWorkspaces()

private func compiled(_ text: String, _ bytes: UnsafeBufferPointer<UInt8>) -> Pattern? {
  do throws(Pattern.SyntaxError) {
    return try Pattern(text, workspaces: workspaces)
  } catch {
    let isKnown = error.status == .invalidModel || error.status == .limitExceeded
    require(isKnown, "the status \(error.status.rawValue)", bytes)
    require(error.message.utf8.count < 600, "a long message", bytes)
    return nil
  }
}

private func matchesItself(
  _ text: UnsafeBufferPointer<UInt8>, _ bytes: UnsafeBufferPointer<UInt8>
) {
  guard let start = text.baseAddress, UTF8Text.isValid(start, count: text.count) else { return }
  let quoted = text.split(separator: Byte.backslash, omittingEmptySubsequences: false)
    .map { "\\Q" + String(decoding: $0, as: UTF8.self) + "\\E" }.joined(separator: "\\\\")
  let outcome = compiled(quoted, bytes)?.outcome(text)
  require(outcome == .matches, "a text does not match itself", bytes)
}
