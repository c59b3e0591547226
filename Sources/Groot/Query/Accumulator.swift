/// Computes one aggregate of values, one by one.
struct Accumulator {
  private let aggregate: AggregateRequest.Aggregate
  private let type: AttributeType
  /// The number of values, or of objects without an attribute.
  private var count: Int64 = 0
  private var integers: Int128 = 0
  private var reals = ExactSum()
  private var decimals: DecimalNumber? = .zero
  private var extreme = StoredValue.none
  /// A copy of the text or bytes of `extreme`, which were borrowed.
  private var extremeBytes: [UInt8] = []

  init(_ aggregate: AggregateRequest.Aggregate, as type: AttributeType) {
    self.aggregate = aggregate
    self.type = type
  }

  mutating func addObject() { count += 1 }

  mutating func add(_ value: StoredValue) {
    guard value.isPresent else { return }
    count += 1
    switch aggregate {
    case .count, .countOf: break
    case .minimum: if count == 1 || order(value) < 0 { keep(value) }
    case .maximum: if count == 1 || order(value) > 0 { keep(value) }
    case .sum, .average:
      switch type {
      // 128 bits suffice for all values that fit memory.
      case .integer16, .integer32, .integer64: integers &+= Int128(value.integer)
      case .decimal: decimals = decimals?.adding(value.decimal)
      default: reals.add(value.real)
      }
    }
  }

  private var isText: Bool {
    switch type {
    case .string, .uri, .binary, .transformable, .composite: true
    default: false
    }
  }

  private func order(_ value: StoredValue) -> Int {
    guard isText else { return value.order(extreme, as: type) }
    return extremeBytes.withUnsafeBufferPointer { value.order(StoredValue(bytes: $0), as: type) }
  }

  private mutating func keep(_ value: StoredValue) {
    extreme = value
    if isText {
      extremeBytes.removeAll(keepingCapacity: true)
      extremeBytes.append(contentsOf: value.bytes)
    }
  }

  /// The result; nil if it does not fit its type.
  var result: Value? {
    switch aggregate {
    case .count, .countOf: return .integer(count)
    case .minimum, .maximum:
      guard isText, extreme.isPresent else {
        return Value(extreme.withoutNegativeZero(type), as: type)
      }
      return extremeBytes.withUnsafeBufferPointer { Value(StoredValue(bytes: $0), as: type) }
    case .sum:
      switch type {
      case .integer16, .integer32, .integer64: return Int64(exactly: integers).map(Value.integer)
      case .decimal: return decimals.map(Value.decimal)
      default: return reals.rounded.map(Value.real)
      }
    case .average:
      if count == 0 { return .null }
      let sum: Double?
      switch type {
      case .integer16, .integer32, .integer64: sum = Double(integers)
      case .decimal: sum = decimals?.double
      default: sum = reals.rounded
      }
      return sum.map { .real($0 / Double(count)) }
    }
  }
}
