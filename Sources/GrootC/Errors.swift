import CGroot
import Groot

/// An error with its texts for C.
final class ErrorHandle: Handle {
  let error: GrootError
  let text: CText
  let issues: [(message: CText, path: CText, entity: CText, property: CText)]

  init(_ error: GrootError) {
    self.error = error
    text = CText(error.description)
    issues = error.issues.map {
      (CText($0.message), CText($0.path), CText($0.entity), CText($0.property))
    }
    super.init(.error)
  }

  deinit {
    text.deallocate()
    for issue in issues {
      issue.message.deallocate()
      issue.path.deallocate()
      issue.entity.deallocate()
      issue.property.deallocate()
    }
  }

  static func from(_ pointer: OpaquePointer?) -> ErrorHandle? {
    from(pointer, kind: .error, as: ErrorHandle.self)
  }
}

/// Runs the body of a C function: a thrown error becomes a status and an error object.
@inline(__always)
func reporting(
  _ error: UnsafeMutablePointer<OpaquePointer?>?, body: () throws -> Void
) -> groot_status {
  do {
    error?.pointee = nil
    try body()
    return GROOT_OK
  } catch let failure {
    return fail(failure, error: error)
  }
}

@inline(never)
private func fail(
  _ failure: any Error, error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  let grootError = failure as? GrootError ?? GrootError(.callbackFailed, "\(failure)")
  error?.pointee = ErrorHandle(grootError).retained()
  return grootError.status.rawValue
}

/// Returns the version of the library in use.
@_cdecl("groot_version") @implementation
public func groot_version() -> UnsafePointer<CChar>? { staticText(StaticTexts.version) }

/// Returns the GROOT_VERSION_NUMBER of the library in use.
@_cdecl("groot_version_number") @implementation
public func groot_version_number() -> Int32 { GROOT_VERSION_NUMBER }

/// Returns the GROOT_ABI_VERSION of the library in use.
@_cdecl("groot_abi_version") @implementation
public func groot_abi_version() -> Int32 { GROOT_ABI_VERSION }

/// Returns the name of a status.
@_cdecl("groot_status_name") @implementation
public func groot_status_name(_ status: groot_status) -> UnsafePointer<CChar>? {
  staticText(StaticTexts.name(status))
}

/// Returns the status of `error`.
@_cdecl("groot_error_status") @implementation
public func groot_error_status(_ error: OpaquePointer?) -> groot_status {
  ErrorHandle.from(error)?.error.status.rawValue ?? GROOT_OK
}

/// Returns all issues of `error` as text, one per line.
@_cdecl("groot_error_text") @implementation
public func groot_error_text(_ error: OpaquePointer?) -> groot_string {
  ErrorHandle.from(error)?.text.string ?? groot_string(data: nil, size: 0)
}

/// Returns the number of issues of `error`.
@_cdecl("groot_error_issue_count") @implementation
public func groot_error_issue_count(_ error: OpaquePointer?) -> Int {
  ErrorHandle.from(error)?.issues.count ?? 0
}

/// Reads issue `index` into `issue`.
@_cdecl("groot_error_issue") @implementation
public func groot_error_issue(
  _ error: OpaquePointer?, _ index: Int, _ issue: UnsafeMutablePointer<groot_issue>?
) -> groot_status {
  guard let handle = ErrorHandle.from(error), let issue, handle.issues.indices.contains(index)
  else { return GROOT_INVALID_ARGUMENT }
  let texts = handle.issues[index]
  let source = handle.error.issues[index]
  let filled = groot_issue(
    struct_size: 0, status: source.status.rawValue, severity: source.severity.rawValue,
    message: texts.message.string, path: texts.path.string, entity: texts.entity.string,
    property: texts.property.string, line: Int64(source.line), column: Int64(source.column),
    offset: Int64(source.offset))
  return reporting(nil) { try fill(issue, with: filled, size: \.struct_size) }
}

/// Returns the status of the callback that failed.
@_cdecl("groot_error_callback_status") @implementation
public func groot_error_callback_status(_ error: OpaquePointer?) -> groot_status {
  (ErrorHandle.from(error)?.error.underlying as? CallbackOutcome)?.status ?? GROOT_OK
}

/// Returns the exception that this callback left with the same `destroy`.
@_cdecl("groot_error_exception") @implementation
public func groot_error_exception(
  _ error: OpaquePointer?, _ destroy: groot_destroy_function?
) -> UnsafeMutableRawPointer? {
  let outcome = ErrorHandle.from(error)?.error.underlying as? CallbackOutcome
  return outcome?.exception?.pointer(leftWith: destroy)
}

/// Frees `error`.
@_cdecl("groot_error_free") @implementation
public func groot_error_free(_ error: OpaquePointer?) { Handle.release(error, kind: .error) }

/// Frees the bytes of `buffer` and leaves it empty.
@_cdecl("groot_buffer_free") @implementation
public func groot_buffer_free(_ buffer: UnsafeMutablePointer<groot_buffer>?) {
  guard let buffer else { return }
  CLibrary.release(buffer.pointee.data)
  buffer.pointee = groot_buffer(data: nil, size: 0)
}

/// Returns the address of static text.
func staticText(_ text: StaticString) -> UnsafePointer<CChar>? {
  UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
}

/// Static texts for C.
private enum StaticTexts {
  static var version: StaticString { "0.1.0" }

  static func name(_ status: groot_status) -> StaticString {
    switch Status(rawValue: status) {
    case .ok: "ok"
    case .invalidArgument: "invalid argument"
    case .busy: "busy"
    case .unsupported: "unsupported"
    case .cancelled: "cancelled"
    case .limitExceeded: "limit exceeded"
    case .fileError: "file error"
    case .outOfMemory: "out of memory"
    case .invalidJSON: "invalid JSON"
    case .invalidUTF8: "invalid UTF-8"
    case .invalidModel: "invalid model"
    case .invalidMapping: "invalid mapping"
    case .unknownEntity: "unknown entity"
    case .unknownProperty: "unknown property"
    case .unknownTransformer: "unknown transformer"
    case .abstractEntity: "abstract entity"
    case .wrongShape: "wrong shape"
    case .wrongType: "wrong type"
    case .outOfRange: "out of range"
    case .missingValue: "missing value"
    case .mapperFailed: "mapper failed"
    case .transformFailed: "transform failed"
    case .unknownIdentifier: "unknown identifier"
    case .unknownKey: "unknown key"
    case .identityConflict: "identity conflict"
    case .tooFew: "too few"
    case .tooMany: "too many"
    case .tooLarge: "too large"
    case .tooSmall: "too small"
    case .tooLong: "too long"
    case .tooShort: "too short"
    case .patternMismatch: "pattern mismatch"
    case .unlistedValue: "unlisted value"
    case .objectDeleted: "object deleted"
    case .unknownObject: "unknown object"
    case .deleteDenied: "delete denied"
    case .tooManyDeletions: "too many deletions"
    case .callbackFailed: "callback failed"
    case .storeInvalid: "store invalid"
    case .storeTooNew: "store too new"
    case .storeModel: "store of another model"
    case .storeReadOnly: "store read-only"
    case .storeFull: "store full"
    case .storeLocked: "store locked"
    case .storeConflict: "store conflict"
    case .storeDuplicate: "duplicate in store"
    case .storeFailed: "store failed"
    case .storeDisconnected: "store disconnected"
    case .storeValueInvalid: "invalid value in store"
    default: "unknown status"
    }
  }
}
