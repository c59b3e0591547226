import CGroot
import CJansson
import Groot

/// A registered callback of a caller, whose data is destroyed exactly once.
///
/// The functions may run on any thread that uses the mapping. The contract of
/// groot_transform_function requires this of the caller, hence `@unchecked`.
final class Callback: @unchecked Sendable {
  private let userdata: UnsafeMutableRawPointer?
  private let destroy: groot_destroy_function?

  init(_ userdata: UnsafeMutableRawPointer?, destroy: groot_destroy_function?) {
    self.userdata = userdata
    self.destroy = destroy
  }

  deinit { destroy?(userdata) }

  /// Wraps a C function on text as a function on a tape.
  ///
  /// The result keeps the callback's data alive.
  func onTape(_ function: groot_transform_function) -> TransformerRegistry.TapeTransform {
    { tape, index in
      let call = CallHandle.kept(by: tape)
      let text = try call.text(of: index)
      let start = UnsafeRawPointer(text.baseAddress)?.assumingMemoryBound(to: CChar.self)
      let status = withExtendedLifetime(call) {
        function(self.userdata, start, text.count, call.pointer)
      }
      try call.end(status)
      do {
        return try call.takeResult()
      } catch let error as GrootError {
        throw GrootError(
          .callbackFailed, "its result is not JSON: \(error.issues.first?.message ?? "")")
      }
    }
  }

  /// Wraps a C function on json_t as a function on a tape.
  func onTape(_ function: groot_transform_json_function) -> TransformerRegistry.TapeTransform {
    { tape, index in try self.call(function, on: tape, index: index) }
  }

  private func call(
    _ function: groot_transform_json_function, on tape: JSONTape, index: TokenIndex
  ) throws -> TokenIndex? {
    let input = try JanssonBridge.share(tape, index: index)
    defer { groot_json_release(input) }
    let call = CallHandle.kept(by: tape)
    var output: UnsafeMutablePointer<json_t>?
    let status = withExtendedLifetime(call) { function(userdata, input, &output, call.pointer) }
    defer { if let output { groot_json_release(output) } }
    try call.end(status)
    guard let output else { return nil }
    return try JanssonBridge.takeBack(output, onto: tape)
  }
}
