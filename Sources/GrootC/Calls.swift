import CGroot
import CJansson
import Groot

/// One call of a callback, with its result or its failure.
///
/// A tape has one handle, because its functions run one after another.
final class CallHandle: Handle {
  private unowned let tape: JSONTape
  /// Buffers for the text of the value and for the parsed result.
  private let writer = JSONWriter(capacity: 256)
  private let resultTape = JSONTape()
  fileprivate var message = ""
  /// The text of the result, nil when there is none; empty text is invalid JSON.
  fileprivate var result: [UInt8]?
  fileprivate var exception: CallbackException?
  private var texts: [CText] = []

  private init(_ tape: JSONTape) {
    self.tape = tape
    super.init(.call)
  }

  deinit { for text in texts { text.deallocate() } }

  /// Returns the handle of a tape, cleared of the previous call.
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

  /// Returns a part of the call's description, valid until the next call.
  func text(_ part: KeyPath<CallDescription, String>) -> groot_string {
    guard let described = tape.describer?.describeCall()[keyPath: part], !described.isEmpty
    else { return groot_string(data: nil, size: 0) }
    let text = CText(described)
    texts.append(text)
    return text.string
  }

  /// Returns a value of the tape as text, followed by a NUL and valid until the next call.
  func text(of index: TokenIndex) throws -> UnsafeBufferPointer<UInt8> {
    writer.reset()
    writer.value(tape, index: index, keepsReals: true)
    writer.endText()
    let whole = try writer.finish()
    return UnsafeBufferPointer(rebasing: whole.dropLast())
  }

  /// Appends the function's result to the tape; nil when there is none.
  func takeResult() throws -> TokenIndex? {
    guard let result else { return nil }
    resultTape.reset()
    return try result.withUnsafeBufferPointer { bytes in
      try resultTape.load(bytes)
      if resultTape.tokens[TokenIndex.first].kind == .null { return nil }
      return try tape.append(.first, of: resultTape)
    }
  }

  /// Ends the call by the function's status; only a failure keeps the exception.
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

/// A callback's exception for the receiver of the error, destroyed exactly once.
///
/// Only functions of the program use the pointer, and they are responsible for its threads.
final class CallbackException: @unchecked Sendable {
  private let pointer: UnsafeMutableRawPointer?
  private let destroy: groot_destroy_function?

  init(_ pointer: UnsafeMutableRawPointer?, destroy: groot_destroy_function?) {
    self.pointer = pointer
    self.destroy = destroy
  }

  deinit { destroy?(pointer) }

  /// Returns the exception if it was left with the same destroy function, else nil.
  func pointer(leftWith other: groot_destroy_function?) -> UnsafeMutableRawPointer? {
    func address(_ function: groot_destroy_function?) -> UnsafeRawPointer? {
      unsafeBitCast(function, to: UnsafeRawPointer?.self)
    }
    return address(destroy) == address(other) ? pointer : nil
  }
}

/// The failure of a callback, in addition to its issue.
struct CallbackOutcome: Error {
  let status: groot_status
  let exception: CallbackException?
}

/// Sets the callback's result to JSON text, which is copied.
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

/// Sets the reason why a callback fails; the text is copied.
@_cdecl("groot_call_set_message") @implementation
public func groot_call_set_message(
  _ call: OpaquePointer?, _ message: UnsafePointer<CChar>?, _ length: Int
) {
  guard let handle = CallHandle.from(call),
    let bytes = try? copiedBytes(message, length: length, what: "message")
  else { return }
  handle.message = String(decoding: bytes, as: UTF8.self)
}

/// Adds an exception to the error of the call that runs the callback.
@_cdecl("groot_call_set_exception") @implementation
public func groot_call_set_exception(
  _ call: OpaquePointer?, _ exception: UnsafeMutableRawPointer?,
  _ destroy: groot_destroy_function?
) {
  let left = CallbackException(exception, destroy: destroy)
  CallHandle.from(call)?.exception = left
}

/// Returns `callback_userdata` of the import, synchronization or export options.
@_cdecl("groot_call_userdata") @implementation
public func groot_call_userdata(_ call: OpaquePointer?) -> UnsafeMutableRawPointer? {
  CallHandle.from(call)?.userdata
}

/// Returns the entity of the value.
@_cdecl("groot_call_entity") @implementation
public func groot_call_entity(_ call: OpaquePointer?) -> groot_string {
  CallHandle.from(call)?.text(\.entity) ?? groot_string(data: nil, size: 0)
}

/// Returns the property of the value.
@_cdecl("groot_call_property") @implementation
public func groot_call_property(_ call: OpaquePointer?) -> groot_string {
  CallHandle.from(call)?.text(\.property) ?? groot_string(data: nil, size: 0)
}

/// Returns the place of the value in the JSON.
@_cdecl("groot_call_path") @implementation
public func groot_call_path(_ call: OpaquePointer?) -> groot_string {
  CallHandle.from(call)?.text(\.path) ?? groot_string(data: nil, size: 0)
}
