// Whether values keep to the limits that an attribute declares.

extension AttributeDescription {
  /// Which limit a value breaks, in the form of a status and a message; nil when it breaks none.
  func violation(of value: StoredValue) -> (Status, String)? {
    guard value.isPresent else { return nil }
    if type.isText { return lengthViolation(of: value.bytes) }
    guard type.isOrderable else { return nil }
    let value = Value(value, type)
    if Value.precedes(value, constraints.minimum) {
      return (.tooSmall, "\(value) is below the minimum \(constraints.minimum)")
    }
    if Value.precedes(constraints.maximum, value) {
      return (.tooLarge, "\(value) is above the maximum \(constraints.maximum)")
    }
    return nil
  }

  private func lengthViolation(of bytes: UnsafeBufferPointer<UInt8>) -> (Status, String)? {
    guard constraints.minimumLength != nil || constraints.maximumLength != nil else { return nil }
    // Characters are Unicode scalars: every byte but the continuations starts one.
    let length = type == .binary ? bytes.count : bytes.count { $0 & 0xC0 != 0x80 }
    if let minimum = constraints.minimumLength, length < minimum {
      return (.tooShort, "a length of \(length) is below the minimum \(minimum)")
    }
    if let maximum = constraints.maximumLength, length > maximum {
      return (.tooLong, "a length of \(length) is above the maximum \(maximum)")
    }
    return nil
  }
}
