// Conversions between values and their form in records.

extension Value {
  /// Makes a value from the form of records, for an attribute of `type`.
  init(_ raw: StoredValue, as type: AttributeType) {
    guard raw.isPresent else {
      self = .null
      return
    }
    switch type {
    case .integer16, .integer32, .integer64: self = .integer(raw.integer)
    case .double, .float: self = .real(raw.real)
    case .boolean: self = .boolean(raw.word0 != 0)
    case .date: self = .date(Timestamp(microseconds: raw.integer))
    case .day: self = .day(raw.day)
    case .decimal: self = .decimal(raw.decimal)
    case .uuid: self = .uuid(UUIDValue(high: raw.word0, low: raw.word1))
    case .string: self = .string(String(decoding: raw.bytes, as: UTF8.self))
    case .uri: self = .uri(String(decoding: raw.bytes, as: UTF8.self))
    case .binary: self = .binary(Array(raw.bytes))
    case .transformable, .composite: self = .json(JSONValue(storedText: raw.bytes))
    }
  }

  /// Calls `body` with the value in the form of records; the value must fit the type
  /// (``fitted(to:)``).
  package func withStored<Result>(_ type: AttributeType, body: (StoredValue) throws -> Result)
    rethrows
    -> Result
  {
    switch self {
    case .null: return try body(.none)
    case .integer(let number): return try body(StoredValue(word: UInt64(bitPattern: number)))
    case .real(let number): return try body(StoredValue(word: number.bitPattern))
    case .boolean(let truth): return try body(StoredValue(word: truth ? 1 : 0))
    case .date(let date): return try body(StoredValue(word: UInt64(bitPattern: date.microseconds)))
    case .day(let day): return try body(StoredValue(day))
    case .decimal(let decimal): return try body(StoredValue(decimal))
    case .uuid(let uuid): return try body(StoredValue(word: uuid.high, uuid.low))
    case .string(let text), .uri(let text): return try Self.withBytes(Array(text.utf8), body: body)
    case .binary(let bytes): return try Self.withBytes(bytes, body: body)
    case .json(let json): return try Self.withBytes(Array(json.canonicalText.utf8), body: body)
    }
  }

  private static func withBytes<Result>(
    _ bytes: [UInt8], body: (StoredValue) throws -> Result
  ) rethrows -> Result {
    try bytes.withUnsafeBufferPointer { try body(StoredValue(bytes: $0)) }
  }

  /// Makes a value of an attribute of `type` from JSON, as an import without a transformer.
  package init(_ json: JSONValue, as type: AttributeType) throws {
    switch (json, type) {
    case (.null, _):
      self = .null
      return
    case (.string(let text), .string):
      self = .string(text)
      return
    case (.integer(let number), .integer64):
      self = .integer(number)
      return
    default: break
    }
    let tape = JSONTape()
    let index = try json.append(to: tape)
    var raw = StoredValue.none
    let conversionFailure = Conversion.read(.plain, as: type, on: tape, index: index, into: &raw)
    if conversionFailure == .depth { throw Self.tooDeep() }
    guard conversionFailure == .none else {
      throw GrootError(
        conversionFailure == .range ? .outOfRange : .wrongType,
        "\(json) does not fit the type \(type.rawValue)")
    }
    self = Value(raw, as: type)
  }
}

extension Value {
  /// The JSON of the value, as in an export without a transformer.
  public var json: JSONValue {
    switch self {
    case .null: .null
    case .integer(let number): .integer(number)
    case .real(let number): .real(number)
    case .boolean(let truth): .boolean(truth)
    case .string(let text), .uri(let text): .string(text)
    case .decimal(let decimal): .string(decimal.description)
    case .date(let date): .string(date.description)
    case .day(let day): .string(day.description)
    case .uuid(let uuid): .string(uuid.description)
    case .binary(let bytes): .string(Base64.text(bytes))
    case .json(let json): json
    }
  }
}
