// The validation of values and of numbers of members against the constraints of a property.

extension Property {
  /// Whether values of the property can violate a constraint.
  var hasLimits: Bool {
    guard let attribute else { return false }
    return attribute.constraints != AttributeDescription.Constraints()
      || (attribute.type == .composite && !attribute.elements.isEmpty)
  }

  /// Whether the number of members is limited.
  var hasCounts: Bool {
    guard let relationship else { return false }
    return relationship.minimumCount > 0 || relationship.maximumCount > 0
  }

  /// Returns the violated constraint of a value, as a status and a message; nil for a valid value.
  func validationFailure(of value: StoredValue) -> (Status, String)? {
    guard value.isPresent, let attribute else { return nil }
    if attribute.type == .composite {
      let json = (try? JSONValue(keepingDigits: value.bytes)) ?? .null
      return attribute.elementFailure(json)
    }
    let failure =
      attribute.type.isText
      ? lengthFailure(of: value.bytes, attribute) ?? patternFailure(of: value.bytes)
      : rangeFailure(of: value, attribute)
    return failure ?? listFailure(of: value, attribute)
  }

  private func listFailure(
    of value: StoredValue, _ attribute: AttributeDescription
  ) -> (Status, String)? {
    guard let values else { return nil }
    let value = Value(value, as: attribute.type)
    if values.contains(value) { return nil }
    let most = 16
    let listed = attribute.constraints.values.prefix(most).map(\.json.description.shortened)
    let more = attribute.constraints.values.count > most ? ", ..." : ""
    return (
      .unlistedValue,
      "\(value.json.description.shortened) is not one of the values "
        + listed.joined(separator: ", ") + more
    )
  }

  private func rangeFailure(
    of value: StoredValue, _ attribute: AttributeDescription
  ) -> (Status, String)? {
    guard attribute.type.isOrderable else { return nil }
    let value = Value(value, as: attribute.type)
    if Value.precedes(value, attribute.constraints.minimum) {
      return (
        .tooSmall, "\(value.json) is below the minimum \(attribute.constraints.minimum.json)"
      )
    }
    if Value.precedes(attribute.constraints.maximum, value) {
      return (
        .tooLarge, "\(value.json) is above the maximum \(attribute.constraints.maximum.json)"
      )
    }
    return nil
  }

  private func lengthFailure(
    of bytes: UnsafeBufferPointer<UInt8>, _ attribute: AttributeDescription
  ) -> (Status, String)? {
    let limits = attribute.constraints
    guard limits.minimumLength != nil || limits.maximumLength != nil else { return nil }
    // Characters are Unicode scalars: each byte that is not a continuation begins one.
    let length = attribute.type == .binary ? bytes.count : bytes.count { $0 & 0xC0 != 0x80 }
    if let minimum = limits.minimumLength, length < minimum {
      return (.tooShort, "a length of \(length) is below the minimum \(minimum)")
    }
    if let maximum = limits.maximumLength, length > maximum {
      return (.tooLong, "a length of \(length) is above the maximum \(maximum)")
    }
    return nil
  }

  private func patternFailure(of bytes: UnsafeBufferPointer<UInt8>) -> (Status, String)? {
    guard let pattern, var text = attribute?.constraints.pattern else { return nil }
    let outcome = pattern.outcome(bytes)
    guard outcome != .matches else { return nil }
    let shown = JSONValue.string(Pattern.shortened(bytes)).description
    let expected = text.withUTF8 { Pattern.shortened($0) }
    if case .exceeds(let limit) = outcome {
      return (
        .limitExceeded, "comparing \(shown) with the pattern \(expected) was abandoned: \(limit)"
      )
    }
    return (.patternMismatch, "\(shown) does not match the pattern \(expected)")
  }
}

extension RelationshipDescription {
  /// Returns the violated constraint of a number of members; nil for a valid number.
  func validationFailure(ofCount count: Int) -> (Status, String)? {
    if count == 0 { return isOptional ? nil : (.missingValue, "a member is required") }
    if count < minimumCount {
      return (.tooFew, "\(count) members; at least \(minimumCount) are required")
    }
    if isToMany && maximumCount > 0 && count > maximumCount {
      return (.tooMany, "\(count) members; at most \(maximumCount) are allowed")
    }
    return nil
  }
}

extension AttributeDescription {
  /// Returns the error of a composite attribute's value; recursion is bounded by the model.
  fileprivate func elementFailure(_ json: JSONValue) -> (Status, String)? {
    guard !elements.isEmpty, case .object(let object) = json else { return nil }
    // A few elements are compared one by one; many are found by hashing.
    var positions: NameMap<Int> = [:]
    if elements.count > 16 {
      for (position, element) in elements.enumerated() { positions[element.name] = position }
    }
    for (name, value) in object.members {
      let position =
        positions.isEmpty
        ? elements.firstIndex { Name($0.name) == Name(name) } : positions[name]
      guard let element = position.map({ elements[$0] }) else {
        return (.wrongType, "the composite has no element '\(name)'")
      }
      if value.isNull { continue }
      guard (try? Value(value, as: element.type)) != nil else {
        return (
          .wrongType, "the element '\(name)' is \(value), not of the type \(element.type.rawValue)"
        )
      }
      if let found = element.elementFailure(value) { return found }
    }
    for element in elements where !element.isOptional && element.defaultValue.isNull {
      if object[element.name]?.isNull != false {
        return (.missingValue, "the element '\(element.name)' is required")
      }
    }
    return nil
  }
}
