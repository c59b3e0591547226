import CGroot
import Groot

// These functions return the value itself. For any other value the caller uses groot_object_get, also
// for one that would have to come from another machine: the caller may hold a lock meanwhile.

/// Reads an integer, a date, a day, a boolean or the object of a to-one relationship.
@_cdecl("groot_object_integer") @implementation
public func groot_object_integer(
  _ context: OpaquePointer?, _ low: UInt32, _ high: UInt32, _ property: groot_property
) -> Int64 {
  shortReading(context, low: low, high: high, property: property) { reading, _ in
    switch reading.kind {
    case .integer, .boolean, .date, .day, .object: Int64(bitPattern: reading.word)
    default: .min
    }
  } ?? .min
}

/// Reads a real.
@_cdecl("groot_object_real") @implementation
public func groot_object_real(
  _ context: OpaquePointer?, _ low: UInt32, _ high: UInt32, _ property: groot_property
) -> Double {
  shortReading(context, low: low, high: high, property: property) { reading, _ in
    reading.kind == .real ? Double(bitPattern: reading.word) : .nan
  } ?? .nan
}

/// Reads short text.
@_cdecl("groot_object_text") @implementation
public func groot_object_text(
  _ context: OpaquePointer?, _ low: UInt32, _ high: UInt32, _ property: groot_property
) -> UnsafePointer<CChar>? {
  shortReading(context, low: low, high: high, property: property) { reading, handle in
    reading.kind == .string || reading.kind == .uri ? handle.shortCopy(of: reading) : nil
  } ?? nil
}

/// Returns the kind of a property's value.
@_cdecl("groot_object_kind") @implementation
public func groot_object_kind(
  _ context: OpaquePointer?, _ low: UInt32, _ high: UInt32, _ property: groot_property
) -> Int32 {
  shortReading(context, low: low, high: high, property: property) { reading, _ in
    reading.kind.rawValue
  } ?? -1
}

/// Writes text as units of one width.
@_cdecl("groot_text_units") @implementation
public func groot_text_units(
  _ text: UnsafeRawPointer?, _ size: Int, _ greatest: UInt32, _ units: UnsafeMutableRawPointer?,
  _ count: UnsafeMutablePointer<Int>?
) -> Int {
  count?.pointee = 0
  guard let text, let units, let count, size > 0, let unit = UTF8Text.Unit(rawValue: greatest)
  else { return 0 }
  let bytes = text.assumingMemoryBound(to: UInt8.self)
  let written = UTF8Text.write(bytes, count: size, as: unit, to: units)
  count.pointee = written.units
  return written.bytes
}

/// Returns the result of `body` for a property's value; nil when the value cannot be read.
@inline(__always)
private func shortReading<Result>(
  _ context: OpaquePointer?, low: UInt32, high: UInt32, property: groot_property,
  body: (PropertyReading, ContextHandle) -> Result
) -> Result? {
  let object = ObjectID(rawValue: UInt64(high) << 32 | UInt64(low))
  guard let handle = try? ContextHandle.from(context) else { return nil }
  return try? handle.context.exclusively {
    if handle.context.isFarFault(object) { return nil }
    return body(
      try handle.context.readInUse(object, number: property, scratch: handle.shortText), handle)
  }
}

extension ContextHandle {
  /// Copies text and adds a NUL; nil when the text is too long or contains a NUL.
  fileprivate func shortCopy(of reading: PropertyReading) -> UnsafePointer<CChar>? {
    guard reading.count < Self.shortTextSize else { return nil }
    if let start = reading.start {
      for index in 0..<reading.count {
        if start[index] == 0 { return nil }
        shortText[index] = start[index]
      }
    }
    shortText[reading.count] = 0
    return UnsafeRawPointer(shortText).assumingMemoryBound(to: CChar.self)
  }
}
