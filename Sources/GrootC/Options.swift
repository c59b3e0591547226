import CGroot
import CJansson
import Groot

// The common rules of the options structs of several sections.

/// Sets options to the defaults: all 0 but the size, which is that of the caller's header.
func initialize<Options>(_ options: UnsafeMutablePointer<Options>?, size: Int) {
  guard let options, size >= MemoryLayout<Int>.size, size <= largestOptions else { return }
  let bytes = UnsafeMutableRawBufferPointer(start: options, count: size)
  bytes.initializeMemory(as: UInt8.self, repeating: 0)
  // The size is the first member of each of them.
  bytes.storeBytes(of: size, as: Int.self)
}

/// More bytes than any options struct will have.
private let largestOptions = 4096

/// Whether a struct of some version of the header can have so many bytes.
func isSize<Struct>(_ size: Int, of type: Struct.Type) -> Bool {
  // A struct ends at a multiple of its alignment: so never inside a pointer, half of which would
  // be followed.
  size >= MemoryLayout<Int>.size && size <= largestOptions
    && size % MemoryLayout<Struct>.alignment == 0
}

/// The part of an options struct that both sides know; nil for NULL.
///
/// A caller with an older header has a shorter struct; the fields that it lacks are 0. One with a
/// newer header has a longer one, whose unknown part must be 0.
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

/// Fills as much of a caller's struct as that has.
func fill<Filled>(
  _ target: UnsafeMutablePointer<Filled>, with value: Filled, size: KeyPath<Filled, Int>
) throws {
  let given = target.pointee[keyPath: size]
  guard isSize(given, of: Filled.self) else {
    throw GrootError(.invalidArgument, "struct_size is \(given); begin with the INIT macro")
  }
  // The size, which comes first, stays the caller's.
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

/// One of the choices that numbers from 1 stand for; nil for 0.
func choice<Choice: RawRepresentable<Int32>>(_ number: Int32, names: String) throws -> Choice? {
  number == 0 ? nil : try chosen(number, names: names)
}

/// One of the choices that numbers stand for.
func chosen<Choice: RawRepresentable<Int32>>(_ number: Int32, names: String) throws -> Choice {
  guard let choice = Choice(rawValue: number) else {
    throw GrootError(.invalidArgument, "\(number) is no \(names)")
  }
  return choice
}

/// Policies by name, from the text of a JSON object.
func policies(_ text: UnsafePointer<CChar>?) throws -> NameMap<String> {
  var result: NameMap<String> = [:]
  guard let json = try JSONArgument.text(text).value(what: "policies") else { return result }
  guard case .object(let policies) = json else {
    throw GrootError(.invalidArgument, "policies is a JSON object")
  }
  for (name, value) in policies.members {
    guard let text = value.stringValue else {
      throw GrootError(.invalidArgument, "the policy '\(name)' is the name of a value")
    }
    result[name] = text
  }
  return result
}

/// The mapping of a handle in options; nil for NULL.
func mapping(_ handle: OpaquePointer?) throws -> Mapping? {
  try handle.map { try MappingHandle.from($0).mapping }
}

/// A caller's progress callback; nil for NULL.
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

/// The same for any call of a context, and for opening a store.
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
