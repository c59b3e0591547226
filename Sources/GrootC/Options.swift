import CGroot
import CJansson
import Groot

// What the options structs of several sections have in common.

/// The part of an options struct that both sides know; nil for NULL.
///
/// A caller with an older header has a shorter struct; what it lacks is 0. One with a newer header
/// has a longer one, whose unknown part must be 0.
func known<Options>(
  _ options: UnsafePointer<Options>?, size: KeyPath<Options, Int>, empty: Options
) throws -> Options? {
  guard let options else { return nil }
  let given = options.pointee[keyPath: size]
  let size = MemoryLayout<Options>.size
  // A struct ends at a multiple of its alignment: so never inside of a pointer, half of which would
  // be followed.
  guard given >= MemoryLayout<Int>.size, given <= 4096,
    given % MemoryLayout<Options>.alignment == 0
  else {
    throw GrootError(
      .invalidArgument, "struct_size is \(given); begin with the INIT macro of the options")
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

/// Refuses flags beyond those that are known.
func requireKnown(_ flags: UInt32, known: UInt32) throws {
  guard flags & ~known == 0 else {
    throw GrootError(.unsupported, "the flags \(flags & ~known) are not known")
  }
}

/// The mapping of a handle in options; nil for NULL.
func mapping(_ handle: OpaquePointer?) throws -> Mapping? {
  try handle.map { try MappingHandle.from($0).mapping }
}

/// Strings that a caller handed over as a JSON list; nil for NULL.
func strings(_ json: UnsafePointer<json_t>?, what: String) throws -> [String]? {
  guard json != nil else { return nil }
  let list = try value(json, what: what).arrayValue
  guard let list, case let texts = list.compactMap(\.stringValue), texts.count == list.count else {
    throw GrootError(.invalidArgument, "\(what) is a list of strings")
  }
  return texts
}

/// A caller's progress callback; nil for NULL.
func progress(
  _ function: groot_progress_function?, userdata: UnsafeMutableRawPointer?
) -> ((ImportProgress) throws -> Bool)? {
  guard let function else { return nil }
  return { state in
    var copy = groot_progress(
      bytes: UInt64(state.bytes), records: UInt64(state.records),
      inserted: UInt64(state.inserted), updated: UInt64(state.updated),
      unchanged: UInt64(state.unchanged))
    return function(userdata, &copy) == GROOT_OK
  }
}
