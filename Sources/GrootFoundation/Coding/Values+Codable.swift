import Groot

// Groot's values as members of Codable types, in their JSON form.

/// A value that is text in JSON.
private protocol CodedText: Codable, CustomStringConvertible {
  init?(_ text: String)
}

extension CodedText {
  fileprivate init(text decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let value = Self(text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "'\(text)' is not a \(Self.self)")
    }
    self = value
  }

  fileprivate func encodeText(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

extension Timestamp: CodedText {
  /// Reads ISO 8601 text.
  ///
  /// - Throws: the decoder's error, including that for another kind of value.
  public init(from decoder: any Decoder) throws { try self.init(text: decoder) }
  /// Writes ISO 8601 text.
  ///
  /// - Throws: the encoder's error.
  public func encode(to encoder: any Encoder) throws { try encodeText(to: encoder) }
}

extension CalendarDay: CodedText {
  /// Reads text such as `1968-03-01`.
  ///
  /// - Throws: the decoder's error, including that for another kind of value.
  public init(from decoder: any Decoder) throws { try self.init(text: decoder) }
  /// Writes text such as `1968-03-01`.
  ///
  /// - Throws: the encoder's error.
  public func encode(to encoder: any Encoder) throws { try encodeText(to: encoder) }
}

extension UUIDValue: CodedText {
  /// Reads the 36 characters of a UUID.
  ///
  /// - Throws: the decoder's error, including that for another kind of value.
  public init(from decoder: any Decoder) throws { try self.init(text: decoder) }
  /// Writes the 36 characters of a UUID.
  ///
  /// - Throws: the encoder's error.
  public func encode(to encoder: any Encoder) throws { try encodeText(to: encoder) }
}

extension DecimalNumber: CodedText {
  /// Reads a number or its text; a Double of the decoder becomes its shortest decimal.
  ///
  /// - Throws: the decoder's error, including that for another kind of value.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let number = try? container.decode(Int64.self) {
      self.init(number)
    } else if let number = (try? container.decode(Double.self)).flatMap(Self.init(shortest:)) {
      self = number
    } else {
      try self.init(text: decoder)
    }
  }

  /// Writes a number if it keeps all digits, else its text.
  ///
  /// - Throws: the encoder's error.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch json {
    case .integer(let number): try container.encode(number)
    case .real(let number): try container.encode(number)
    default: try encodeText(to: encoder)
    }
  }
}

extension JSONValue: Codable {
  // Each level uses the thread's stack.
  private static let maximumCodedLevels = 512

  /// Reads any JSON; the decoder determines the order of members.
  ///
  /// - Throws: the decoder's error, also for values other than JSON; `DecodingError.dataCorrupted`
  ///   for more than 512 levels.
  public init(from decoder: any Decoder) throws {
    guard decoder.codingPath.count < Self.maximumCodedLevels else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: decoder.codingPath,
          debugDescription: "JSON is decoded to \(Self.maximumCodedLevels) levels at most"))
    }
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let truth = try? container.decode(Bool.self) {
      self = .boolean(truth)
    } else if let number = try? container.decode(Int64.self) {
      self = .integer(number)
    } else if let number = try? container.decode(Double.self) {
      self = .real(number)
    } else if let text = try? container.decode(String.self) {
      self = .string(text)
    } else if let members = try? decoder.container(keyedBy: PositionKey.self) {
      self = .object(
        JSONObject(
          try members.allKeys.map { key in
            (key: key.stringValue, value: try members.decode(JSONValue.self, forKey: key))
          }))
    } else {
      self = .array(try container.decode([JSONValue].self))
    }
  }

  /// Writes the JSON; a number that is too large for an encoder is text.
  ///
  /// - Throws: the encoder's error; `EncodingError.invalidValue` for more than 512 levels, as many
  ///   as Foundation decodes.
  public func encode(to encoder: any Encoder) throws {
    guard encoder.codingPath.count < Self.maximumCodedLevels else {
      throw EncodingError.invalidValue(
        self,
        EncodingError.Context(
          codingPath: encoder.codingPath,
          debugDescription: "JSON is encoded to \(Self.maximumCodedLevels) levels at most"))
    }
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .boolean(let truth): try container.encode(truth)
    case .integer(let number): try container.encode(number)
    case .real(let number): try container.encode(number)
    case .largeNumber(let number): try container.encode(number.text)
    case .string(let text): try container.encode(text)
    case .array(let array): try container.encode(array.elements)
    case .object(let object):
      var members = encoder.container(keyedBy: PositionKey.self)
      for (key, value) in object.members {
        try members.encode(value, forKey: PositionKey(stringValue: key))
      }
    }
  }
}
