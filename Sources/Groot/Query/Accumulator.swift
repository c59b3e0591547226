/// Computes one aggregate of values that come one after the other.
struct Accumulator {
  private let aggregate: AggregateRequest.Aggregate
  private let type: AttributeType
  /// The values, or the objects when no attribute is named.
  private var count: Int64 = 0
  private var integers: Int128 = 0
  private var reals = ExactSum()
  private var decimals: DecimalNumber? = .zero
  private var extreme = StoredValue.none
  /// The text or bytes of `extreme`: where they came from they may be gone by now.
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
      // So many values that 128 bits would not do cannot be in memory.
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

  /// The result; nil when it does not fit its type.
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
