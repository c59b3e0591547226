/// The values that the database of a store can hold.
package struct ValueLimits {
  /// Whether a text cannot have a NUL in it.
  private let refusesNUL: Bool
  /// The greatest number of bytes of a text, a binary or a JSON value.
  private let longest: Int
  /// The first date in microseconds, and the first day, from 1970.
  package let firstInstant: Int64
  private let firstDay: Int64

  package init(refusesNUL: Bool, longest: Int, firstInstant: Int64, firstDay: Int64) {
    self.refusesNUL = refusesNUL
    self.longest = longest
    self.firstInstant = firstInstant
    self.firstDay = firstDay
  }

  /// The limits of a database that can hold every value.
  package static let none = ValueLimits(
    refusesNUL: false, longest: .max, firstInstant: .min, firstDay: .min)

  /// Returns whether a value is within the limits.
  @inline(__always)
  package func hold(_ value: StoredValue, as type: AttributeType) -> Bool {
    guard value.isPresent else { return true }
    switch type {
    case .date: return value.integer >= firstInstant
    case .day: return value.integer >= firstDay
    case .string, .uri: return hold(text: value.bytes)
    case .binary, .transformable, .composite: return value.count <= longest
    default: return true
    }
  }

  /// Returns whether a text is within the limits.
  @inline(__always)
  package func hold(text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard refusesNUL || text.count > longest else { return true }
    guard text.count <= longest, let start = text.baseAddress else { return text.isEmpty }
    return CLibrary.find(0, in: start, count: text.count) == nil
  }
}
