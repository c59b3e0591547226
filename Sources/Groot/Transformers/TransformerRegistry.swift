/// Named functions that a model's annotations refer to.
///
/// A value: a mapping keeps the registry as it was when the mapping was made. There is no global
/// registry.
///
/// ```swift
/// var registry = TransformerRegistry()
/// registry.setBuiltin("StringToInteger", to: .integerText)
/// registry.setTransformer("Shout") { .string($0.stringValue?.uppercased() ?? "") }
/// ```
public struct TransformerRegistry: Sendable {
  /// A function from one JSON value to another; nil is "nothing".
  ///
  /// Its error comes out of the call that led to it.
  public typealias Transform = @Sendable (JSONValue) throws -> JSONValue?

  /// The same on a tape: takes the index of a value, appends the result and gives its index.
  package typealias TapeTransform = @Sendable (JSONTape, TokenIndex) throws -> TokenIndex?

  /// The function of a name.
  enum Entry: Sendable {
    case builtin(BuiltinTransformer)
    case value(forward: TapeTransform, reverse: TapeTransform?)
    case entityMapper(TapeTransform)
    case dictionary(TapeTransform)

    var kindName: String {
      switch self {
      case .builtin, .value: "a value transformer"
      case .entityMapper: "an entity mapper"
      case .dictionary: "a dictionary transformer"
      }
    }
  }

  private(set) var entries: NameMap<Entry> = [:]

  /// Makes an empty registry.
  public init() {}

  /// The names in use, in the order of their bytes.
  public var names: [String] { entries.keys }

  /// Registers a value transformer instead of what had the name.
  ///
  /// - Parameters:
  ///   - name: The name in annotations.
  ///   - reverse: For export; nil is a one-way transformer.
  ///   - forward: From JSON to what the attribute takes. JSON null never reaches it.
  public mutating func setTransformer(
    _ name: String, reverse: Transform? = nil, forward: @escaping Transform
  ) {
    entries[name] = .value(forward: Self.onTape(forward), reverse: reverse.map(Self.onTape))
  }

  /// Registers an entity mapper instead of what had the name.
  ///
  /// - Parameters:
  ///   - name: The name in annotations.
  ///   - mapper: From a JSON object to the name of a new object's entity; nil means the entity that
  ///     was asked for.
  public mutating func setEntityMapper(
    _ name: String, mapper: @escaping @Sendable (JSONValue) throws -> String?
  ) {
    entries[name] = .entityMapper(Self.onTape { try mapper($0).map(JSONValue.string) })
  }

  /// Registers a dictionary transformer instead of what had the name.
  ///
  /// - Parameters:
  ///   - name: The name in annotations.
  ///   - transform: From a JSON object to the one to read in its place; nil means the object as it
  ///     is.
  public mutating func setDictionaryTransformer(_ name: String, transform: @escaping Transform) {
    entries[name] = .dictionary(Self.onTape(transform))
  }

  /// Binds a transformer that the library brings along to a name.
  public mutating func setBuiltin(_ name: String, to builtin: BuiltinTransformer) {
    entries[name] = .builtin(builtin)
  }

  /// Removes what has the name.
  ///
  /// - Returns: Whether anything had it.
  @discardableResult
  public mutating func remove(_ name: String) -> Bool {
    entries.remove(name) != nil
  }

  /// Registers a value transformer that works on a tape.
  package mutating func setTapeTransformer(
    _ name: String, forward: @escaping TapeTransform, reverse: TapeTransform?
  ) {
    entries[name] = .value(forward: forward, reverse: reverse)
  }

  /// Registers an entity mapper that works on a tape.
  package mutating func setTapeEntityMapper(_ name: String, mapper: @escaping TapeTransform) {
    entries[name] = .entityMapper(mapper)
  }

  /// Registers a dictionary transformer that works on a tape.
  package mutating func setTapeDictionaryTransformer(
    _ name: String, transform: @escaping TapeTransform
  ) {
    entries[name] = .dictionary(transform)
  }

  private static func onTape(_ transform: @escaping Transform) -> TapeTransform {
    { tape, index in
      guard let result = try transform(JSONValue(tape, index: index)) else { return nil }
      return try result.append(to: tape)
    }
  }
}
