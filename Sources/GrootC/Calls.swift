import CGroot
import CJansson
import Groot

/// One call of a callback: the things it may ask, and the error it leaves.
///
/// Made once for a tape, whose functions run one after another.
final class CallHandle: Handle {
  private unowned let tape: JSONTape
  /// Room for the value's text, and for the text of what is made of it.
  private let writer = JSONWriter(capacity: 256)
  private let resultTape = JSONTape()
  fileprivate var message = ""
  /// The given text; an empty one is invalid JSON, and different from a missing one.
  fileprivate var result: [UInt8]?
  fileprivate var exception: CallbackException?
  private var texts: [CText] = []

  private init(_ tape: JSONTape) {
    self.tape = tape
    super.init(.call)
  }

  deinit { for text in texts { text.deallocate() } }

  /// The handle of a tape, with nothing left of the call before.
  static func kept(by tape: JSONTape) -> CallHandle {
    guard let kept = tape.callbackCache as? CallHandle else {
      let made = CallHandle(tape)
      tape.callbackCache = made
      return made
    }
    if !kept.message.isEmpty { kept.message = "" }
    if kept.result != nil { kept.result = nil }
    if kept.exception != nil { kept.exception = nil }
    if !kept.texts.isEmpty { kept.forgetTexts() }
    return kept
  }

  private func forgetTexts() {
    for text in texts { text.deallocate() }
    texts = []
  }

  var pointer: OpaquePointer { OpaquePointer(Unmanaged.passUnretained(self).toOpaque()) }

  var userdata: UnsafeMutableRawPointer? {
    UnsafeMutableRawPointer(bitPattern: tape.describer?.callbackUserdata ?? 0)
  }

  /// One of the texts that say what the call is for; it stays until the next call.
  func text(_ part: KeyPath<CallDescription, String>) -> groot_string {
    guard let described = tape.describer?.describeCall()[keyPath: part], !described.isEmpty
    else { return groot_string(data: nil, size: 0) }
    let text = CText(described)
    texts.append(text)
    return text.string
  }

  /// A value of the tape as text with a NUL after it, which stays until the next call.
  func text(of index: TokenIndex) throws -> UnsafeBufferPointer<UInt8> {
    writer.reset()
    writer.value(tape, index: index, keepsReals: true)
    writer.endText()
    let whole = try writer.finish()
    return UnsafeBufferPointer(rebasing: whole.dropLast())
  }

  /// Puts what the function made of a value onto the tape; nil when that is nothing.
  func takeResult() throws -> TokenIndex? {
    guard let result else { return nil }
    resultTape.reset()
    return try result.withUnsafeBufferPointer { bytes in
      try resultTape.load(bytes)
      if resultTape.tokens[TokenIndex.first].kind == .null { return nil }
      return try tape.append(.first, of: resultTape)
    }
  }

  /// Ends the call by what the function returned; an exception goes with the failure, or now.
  func end(_ status: groot_status) throws {
    defer { if exception != nil { exception = nil } }
    guard status != GROOT_OK else { return }
    let outcome = CallbackOutcome(status: status, exception: exception)
    throw GrootError(
      GrootIssue(
        .callbackFailed, message.isEmpty ? "the callback returned status \(status)" : message),
      underlying: outcome)
  }

  static func from(_ pointer: OpaquePointer?) -> CallHandle? {
    from(pointer, kind: .call, as: CallHandle.self)
  }
}

/// A callback's object for the receiver of the error, given back exactly once.
///
/// Only the program's own functions look at it: on which threads, is theirs to know.
final class CallbackException: @unchecked Sendable {
  private let pointer: UnsafeMutableRawPointer?
  private let destroy: groot_destroy_function?

  init(_ pointer: UnsafeMutableRawPointer?, destroy: groot_destroy_function?) {
    self.pointer = pointer
    self.destroy = destroy
  }

  deinit { destroy?(pointer) }

  /// The exception, for who would have destroyed it in the same way.
  func pointer(leftWith other: groot_destroy_function?) -> UnsafeMutableRawPointer? {
    func address(_ function: groot_destroy_function?) -> UnsafeRawPointer? {
      unsafeBitCast(function, to: UnsafeRawPointer?.self)
    }
    return address(destroy) == address(other) ? pointer : nil
  }
}

/// How a callback failed, beside the issue that says so.
struct CallbackOutcome: Error {
  let status: groot_status
  let exception: CallbackException?
}

/// Gives what the callback makes, as JSON text.
@_cdecl("groot_call_set_result") @implementation
public func groot_call_set_result(
  _ call: OpaquePointer?, _ text: UnsafePointer<CChar>?, _ length: Int
) -> groot_status {
  guard let handle = CallHandle.from(call),
    let bytes = try? copiedBytes(text, length: length, what: "text")
  else { return GROOT_INVALID_ARGUMENT }
  handle.result = Array(bytes)
  return GROOT_OK
}

/// Gives the reason why a callback fails; the text is copied.
@_cdecl("groot_call_set_message") @implementation
public func groot_call_set_message(
  _ call: OpaquePointer?, _ message: UnsafePointer<CChar>?, _ length: Int
) {
  guard let handle = CallHandle.from(call),
    let bytes = try? copiedBytes(message, length: length, what: "message")
  else { return }
  handle.message = String(decoding: bytes, as: UTF8.self)
}

/// Leaves an exception for whoever gets the error.
@_cdecl("groot_call_set_exception") @implementation
public func groot_call_set_exception(
  _ call: OpaquePointer?, _ exception: UnsafeMutableRawPointer?,
  _ destroy: groot_destroy_function?
) {
  let left = CallbackException(exception, destroy: destroy)
  CallHandle.from(call)?.exception = left
}

/// The userdata of the options of the call that led here.
@_cdecl("groot_call_userdata") @implementation
public func groot_call_userdata(_ call: OpaquePointer?) -> UnsafeMutableRawPointer? {
  CallHandle.from(call)?.userdata
}

/// The entity that the callback is called for.
@_cdecl("groot_call_entity") @implementation
public func groot_call_entity(_ call: OpaquePointer?) -> groot_string {
  CallHandle.from(call)?.text(\.entity) ?? groot_string(data: nil, size: 0)
}

/// The property that it is called for.
@_cdecl("groot_call_property") @implementation
public func groot_call_property(_ call: OpaquePointer?) -> groot_string {
  CallHandle.from(call)?.text(\.property) ?? groot_string(data: nil, size: 0)
}

/// Where in the JSON the value is.
@_cdecl("groot_call_path") @implementation
public func groot_call_path(_ call: OpaquePointer?) -> groot_string {
  CallHandle.from(call)?.text(\.path) ?? groot_string(data: nil, size: 0)
}
