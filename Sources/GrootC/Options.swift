import CGroot
import CJansson
import Groot

// Options structs of several sections of groot.h share these rules.

/// Sets options to the defaults: the size of the caller's header, then zeros.
func initialize<Options>(_ options: UnsafeMutablePointer<Options>?, size: Int) {
  guard let options, size >= MemoryLayout<Int>.size, size <= largestOptions else { return }
  let bytes = UnsafeMutableRawBufferPointer(start: options, count: size)
  bytes.initializeMemory(as: UInt8.self, repeating: 0)
  // The size is the first member of every options struct.
  bytes.storeBytes(of: size, as: Int.self)
}

/// An upper bound for the size of options structs, even of future versions.
private let largestOptions = 4096

/// Returns whether a struct of any version of the header can have this size.
func isSize<Struct>(_ size: Int, of type: Struct.Type) -> Bool {
  // A struct ends at a multiple of its alignment, so no pointer in it is cut in half.
  size >= MemoryLayout<Int>.size && size <= largestOptions
    && size % MemoryLayout<Struct>.alignment == 0
}

/// Returns the part of an options struct that both sides know; nil for NULL.
///
/// The struct of an older header is shorter, and its missing fields are 0. The struct of a newer
/// header is longer, and its unknown part must be 0.
func known<Options>(
  _ options: UnsafePointer<Options>?, size: KeyPath<Options, Int>, empty: Options
) throws -> Options? {
  guard let options else { return nil }
  let given = options.pointee[keyPath: size]
  let size = MemoryLayout<Options>.size
  guard isSize(given, of: Options.self) else {
    throw GrootError(
      .invalidArgument,
      "struct_size is \(given); begin with the INIT macro or the init function of the options")
  }
  if given > size {
    let bytes = UnsafeRawBufferPointer(start: options, count: given)
    guard bytes[size...].allSatisfy({ $0 == 0 }) else {
      throw GrootError(.unsupported, "the options are of a newer version of the library")
    }
  }
  var copy = empty
  withUnsafeMutableBytes(of: &copy) {
    $0.copyMemory(from: UnsafeRawBufferPointer(start: options, count: min(given, size)))
  }
  return copy
}

/// Fills the part of a caller's struct that both sides know.
func fill<Filled>(
  _ target: UnsafeMutablePointer<Filled>, with value: Filled, size: KeyPath<Filled, Int>
) throws {
  let given = target.pointee[keyPath: size]
  guard isSize(given, of: Filled.self) else {
    throw GrootError(.invalidArgument, "struct_size is \(given); begin with the INIT macro")
  }
  // The size, which is the first member, keeps the caller's value.
  let skipped = MemoryLayout<Int>.size
  let length = min(given, MemoryLayout<Filled>.size)
  withUnsafeBytes(of: value) {
    (UnsafeMutableRawPointer(target) + skipped).copyMemory(
      from: UnsafeRawBufferPointer(rebasing: $0[skipped..<length]).baseAddress
        ?? UnsafeRawPointer(target), byteCount: length - skipped)
  }
}

/// Refuses members that must be 0.
func requireZero(_ reserved: UInt32) throws {
  guard reserved == 0 else {
    throw GrootError(.unsupported, "the options are of a newer version of the library")
  }
}

/// Returns the choice with a number, counted from 1; nil for 0.
func choice<Choice: RawRepresentable<Int32>>(_ number: Int32, names: String) throws -> Choice? {
  number == 0 ? nil : try chosen(number, names: names)
}

/// Returns the choice with a number.
func chosen<Choice: RawRepresentable<Int32>>(_ number: Int32, names: String) throws -> Choice {
  guard let choice = Choice(rawValue: number) else {
    throw GrootError(.invalidArgument, "\(number) is not a \(names)")
  }
  return choice
}

/// Reads policies by name from the text of a JSON object.
func policies(_ text: UnsafePointer<CChar>?) throws -> NameMap<String> {
  var result: NameMap<String> = [:]
  guard let json = try JSONArgument.text(text).value(what: "policies") else { return result }
  guard case .object(let policies) = json else {
    throw GrootError(.invalidArgument, "policies is a JSON object")
  }
  for (name, value) in policies.members {
    guard let text = value.stringValue else {
      throw GrootError(.invalidArgument, "the value of the policy '\(name)' is text")
    }
    result[name] = text
  }
  return result
}

/// Returns the mapping of a handle in options; nil for NULL.
func mapping(_ handle: OpaquePointer?) throws -> Mapping? {
  try handle.map { try MappingHandle.from($0).mapping }
}

/// Wraps a caller's progress callback for imports; nil for NULL.
func progress(
  _ function: groot_progress_function?, userdata: UnsafeMutableRawPointer?
) -> ((ImportProgress) throws -> Bool)? {
  guard let function else { return nil }
  return { state in
    var copy = groot_progress(
      struct_size: MemoryLayout<groot_progress>.size,
      bytes: UInt64(state.bytes), records: UInt64(state.records),
      inserted: UInt64(state.inserted), updated: UInt64(state.updated),
      unchanged: UInt64(state.unchanged), operation: GROOT_OPERATION_IMPORT, reserved: 0)
    return function(userdata, &copy) == GROOT_OK
  }
}

/// Wraps a caller's progress callback for other calls and for opening a store; nil for NULL.
func callProgress(
  _ function: groot_progress_function?, userdata: UnsafeMutableRawPointer?
) -> ((CallProgress) -> Bool)? {
  guard let function else { return nil }
  return { state in
    var copy = groot_progress(
      struct_size: MemoryLayout<groot_progress>.size,
      bytes: UInt64(state.bytes), records: UInt64(state.records), inserted: 0, updated: 0,
      unchanged: 0, operation: state.operation.rawValue, reserved: 0)
    return function(userdata, &copy) == GROOT_OK
  }
}

/// The names of all flags, by bit.
private let flagNames: KeyValuePairs<UInt32, String> = [
  GROOT_DRY_RUN: "GROOT_DRY_RUN", GROOT_CHANGES: "GROOT_CHANGES",
  GROOT_LINES: "GROOT_LINES",
  GROOT_IMPORT_NO_CREATE: "GROOT_IMPORT_NO_CREATE", GROOT_IMPORT_ACCESS: "GROOT_IMPORT_ACCESS",
  GROOT_SYNC_NO_INSERT: "GROOT_SYNC_NO_INSERT", GROOT_SYNC_NO_UPDATE: "GROOT_SYNC_NO_UPDATE",
  GROOT_SYNC_NO_DELETE: "GROOT_SYNC_NO_DELETE", GROOT_SYNC_MEMBERS: "GROOT_SYNC_MEMBERS",
  GROOT_SYNC_MEMBERS_NO_INSERT: "GROOT_SYNC_MEMBERS_NO_INSERT",
  GROOT_SYNC_MEMBERS_NO_UPDATE: "GROOT_SYNC_MEMBERS_NO_UPDATE",
  GROOT_SYNC_MEMBERS_NO_DELETE: "GROOT_SYNC_MEMBERS_NO_DELETE",
  GROOT_SYNC_MARK: "GROOT_SYNC_MARK", GROOT_SYNC_NO_WITHHOLD: "GROOT_SYNC_NO_WITHHOLD",
  GROOT_SYNC_MAX_DELETIONS: "GROOT_SYNC_MAX_DELETIONS",
  GROOT_SYNC_MAX_DELETION_SHARE: "GROOT_SYNC_MAX_DELETION_SHARE",
  GROOT_EXPORT_DEPTH: "GROOT_EXPORT_DEPTH", GROOT_EXPORT_TO_MANY: "GROOT_EXPORT_TO_MANY",
  GROOT_EXPORT_SUBOBJECTS: "GROOT_EXPORT_SUBOBJECTS",
  GROOT_MAPPING_IMPLICIT: "GROOT_MAPPING_IMPLICIT",
  GROOT_STORE_NO_CREATE: "GROOT_STORE_NO_CREATE",
  GROOT_STORE_NO_MIGRATE: "GROOT_STORE_NO_MIGRATE",
  GROOT_STORE_DESTRUCTIVE: "GROOT_STORE_DESTRUCTIVE",
  GROOT_STORE_TRIGGERS: "GROOT_STORE_TRIGGERS", GROOT_STORE_VIEWS: "GROOT_STORE_VIEWS",
  GROOT_STORE_VERSIONS: "GROOT_STORE_VERSIONS",
  GROOT_STORE_NO_WRITE: "GROOT_STORE_NO_WRITE", GROOT_STORE_IMMUTABLE: "GROOT_STORE_IMMUTABLE",
  GROOT_DESCRIBE_COUNTS: "GROOT_DESCRIBE_COUNTS",
]

/// Refuses flags that a call does not have.
func requireFlags(_ flags: UInt32, among allowed: UInt32, of what: String) throws {
  let wrong = flags & ~allowed
  if wrong == 0 { return }
  let names = flagNames.filter { wrong & $0.key != 0 }.map(\.value)
  let known = flagNames.reduce(0) { $0 | $1.key }
  guard wrong & ~known == 0 else {
    throw GrootError(.unsupported, "the flags \(wrong & ~known) are not known")
  }
  throw GrootError(
    .invalidArgument,
    "\(names.joined(separator: ", ")): not flags of \(what)")
}
