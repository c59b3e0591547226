import CGroot
import Groot

// Reading whose result is the value itself. What cannot be read so, the caller asks again for with
// groot_object_get.

/// Reads an integer, a date, a truth value or the object of a to-one relationship.
@_cdecl("groot_object_integer") @implementation
public func groot_object_integer(
  _ context: OpaquePointer?, _ low: UInt32, _ high: UInt32, _ property: groot_property
) -> Int64 {
  guard let reading = shortReading(context, low: low, high: high, property: property) else {
    return .min
  }
  switch reading.kind {
  case .integer, .boolean, .date, .object: return Int64(bitPattern: reading.word)
  default: return .min
  }
}

/// Reads a real.
@_cdecl("groot_object_real") @implementation
public func groot_object_real(
  _ context: OpaquePointer?, _ low: UInt32, _ high: UInt32, _ property: groot_property
) -> Double {
  guard let reading = shortReading(context, low: low, high: high, property: property),
    reading.kind == .real
  else {
    return .nan
  }
  return Double(bitPattern: reading.word)
}

/// Reads short text.
@_cdecl("groot_object_text") @implementation
public func groot_object_text(
  _ context: OpaquePointer?, _ low: UInt32, _ high: UInt32, _ property: groot_property
) -> UnsafePointer<CChar>? {
  guard let handle = try? ContextHandle.from(context),
    let reading = shortReading(context, low: low, high: high, property: property),
    reading.kind == .string || reading.kind == .uri,
    reading.count < ContextHandle.shortTextSize
  else { return nil }
  let copy = handle.shortText
  if let start = reading.start {
    for index in 0..<reading.count {
      if start[index] == 0 { return nil }
      copy[index] = start[index]
    }
  }
  copy[reading.count] = 0
  return UnsafeRawPointer(copy).assumingMemoryBound(to: CChar.self)
}

/// Tells which kind of value there is.
@_cdecl("groot_object_kind") @implementation
public func groot_object_kind(
  _ context: OpaquePointer?, _ low: UInt32, _ high: UInt32, _ property: groot_property
) -> Int32 {
  shortReading(context, low: low, high: high, property: property)?.kind.rawValue ?? -1
}

@inline(__always)
private func shortReading(
  _ context: OpaquePointer?, low: UInt32, high: UInt32, property: groot_property
) -> PropertyReading? {
  let object = ObjectID(rawValue: UInt64(high) << 32 | UInt64(low))
  guard let handle = try? ContextHandle.from(context) else { return nil }
  return try? handle.context.read(object, number: property, scratch: handle.shortText)
}
