// The values that fit an attribute's type, and their stored form.

extension AttributeType {
  /// Whether the values are numbers.
  var isNumber: Bool {
    switch self {
    case .integer16, .integer32, .integer64, .decimal, .double, .float: true
    default: false
    }
  }

  /// Whether the values are ordered: numbers, dates and days.
  var isOrderable: Bool { isNumber || self == .date || self == .day }
}

extension Value {
  /// Returns the value in the form of an attribute of `type`; nil if it does not fit.
  ///
  /// A whole number becomes a real or a decimal if that is exact; null always fits.
  func fitted(to type: AttributeType) -> Value? {
    switch (type, self) {
    case (_, .null): return .null
    case (.integer16, .integer(let number)), (.integer32, .integer(let number)),
      (.integer64, .integer(let number)):
      return type.integerRange?.contains(number) == true ? self : nil
    case (.double, .integer(let number)): return Double(exactly: number).map(Value.real)
    case (.double, .real(let number)): return number.isFinite ? self : nil
    case (.float, .integer(let number)): return Float(exactly: number).map { .real(Double($0)) }
    case (.float, .real(let number)):
      let rounded = Float(number)
      return rounded.isFinite ? .real(Double(rounded)) : nil
    case (.decimal, .integer(let number)): return .decimal(DecimalNumber(number))
    case (.string, .string), (.boolean, .boolean), (.decimal, .decimal), (.date, .date),
      (.day, .day), (.binary, .binary), (.uuid, .uuid), (.uri, .uri), (.transformable, .json):
      return self
    case (.uri, .string(let text)): return .uri(text)
    case (.composite, .json(let json)):
      if case .object = json { return self }
      return nil
    default: return nil
    }
  }

  /// Returns the reason why the value does not fit an attribute of `type`; nil if it fits.
  func conversionFailure(of type: AttributeType) -> String? {
    guard fitted(to: type) == nil else { return nil }
    if case .integer(let number) = self, let range = type.integerRange {
      return "\(number) is not from \(range.lowerBound) to \(range.upperBound)"
    }
    return "is \(kindName) and does not fit the type \(type.rawValue)"
  }

  /// Returns whether the value is a number that is out of the range of the type.
  func isOutOfRange(of type: AttributeType) -> Bool {
    switch self {
    case .integer: type.isNumber && fitted(to: type) == nil
    case .real: (type == .double || type == .float) && fitted(to: type) == nil
    default: false
    }
  }

  /// Returns whether `left` is before `right` in the order of their type; false for unordered
  /// types.
  static func precedes(_ left: Value, _ right: Value) -> Bool {
    switch (left, right) {
    case (.integer(let left), .integer(let right)): left < right
    case (.real(let left), .real(let right)): left < right
    case (.integer(let left), .real(let right)): Double(left) < right
    case (.real(let left), .integer(let right)): left < Double(right)
    case (.decimal(let left), .decimal(let right)): left < right
    case (.integer(let left), .decimal(let right)): DecimalNumber(left) < right
    case (.decimal(let left), .integer(let right)): left < DecimalNumber(right)
    case (.date(let left), .date(let right)): left < right
    case (.day(let left), .day(let right)): left < right
    default: false
    }
  }
}
