/// Named functions that a model's annotations refer to.
///
/// A registry is a value: a mapping keeps a copy from when it was made. There is no global
/// registry.
///
/// ```swift
/// var registry = TransformerRegistry()
/// registry.setBuiltin("StringToInteger", to: .integerText)
/// registry.setTransformer("Shout") { .string($0.stringValue?.uppercased() ?? "") }
/// ```
public struct TransformerRegistry: Sendable {
  /// A function from one JSON value to another; nil means no result.
  ///
  /// The call that runs the function throws its error.
  public typealias Transform = @Sendable (JSONValue) throws -> JSONValue?

  /// A function from JSON values to as many results in the same order; nil in it means no result.
  ///
  /// The call that runs the function throws its error.
  public typealias BatchTransform = @Sendable ([JSONValue]) throws -> [JSONValue?]

  /// The same function on a tape: it receives the index of a value, appends the result and returns
  /// its index.
  package typealias TapeTransform = @Sendable (JSONTape, TokenIndex) throws -> TokenIndex?

  /// A registered function.
  enum Entry: Sendable {
    case builtin(BuiltinTransformer)
    case value(forward: TapeTransform, reverse: TapeTransform?)
    case batch(forward: BatchFunction, reverse: BatchFunction?)
    case entityMapper(TapeTransform)
    case dictionary(TapeTransform)

    var kindName: String {
      switch self {
      case .builtin, .value, .batch: "a value transformer"
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

  /// Registers a value transformer, and replaces an entry of the same name.
  ///
  /// - Parameters:
  ///   - name: The name in annotations.
  ///   - reverse: The function for exports; nil for a one-way transformer.
  ///   - forward: The function from JSON to the attribute's value. It never receives null.
  public mutating func setTransformer(
    _ name: String, reverse: Transform? = nil, forward: @escaping Transform
  ) {
    entries[name] = .value(forward: Self.onTape(forward), reverse: reverse.map(Self.onTape))
  }

  /// Registers a value transformer that gets many values in one call, and replaces an entry of the
  /// same name.
  ///
  /// An import reads ahead, and calls `forward` once with the different values of several hundred
  /// elements, among them values that it turns out not to need. The result must depend on the value
  /// alone. When such a call fails, the import calls the function again with one value at a time, so
  /// that the error names the value. Input that cannot be read ahead has calls with one value too.
  /// An export looks ahead in the same way at the objects of an entity.
  ///
  /// - Parameters:
  ///   - name: The name in annotations.
  ///   - reverse: The function for exports; nil for a one-way transformer.
  ///   - forward: The function from JSON to the attribute's values. It never receives null.
  public mutating func setBatchTransformer(
    _ name: String, reverse: BatchTransform? = nil, forward: @escaping BatchTransform
  ) {
    entries[name] = .batch(
      forward: BatchFunction(forward), reverse: reverse.map { BatchFunction($0) })
  }

  /// Registers an entity mapper, and replaces an entry of the same name.
  ///
  /// - Parameters:
  ///   - name: The name in annotations.
  ///   - mapper: The function from a JSON object to the name of a new object's entity; nil means
  ///     the imported entity.
  public mutating func setEntityMapper(
    _ name: String, mapper: @escaping @Sendable (JSONValue) throws -> String?
  ) {
    entries[name] = .entityMapper(Self.onTape { try mapper($0).map(JSONValue.string) })
  }

  /// Registers a dictionary transformer, and replaces an entry of the same name.
  ///
  /// - Parameters:
  ///   - name: The name in annotations.
  ///   - transform: The function from a JSON object to the one that is read instead; nil means the
  ///     object itself.
  public mutating func setDictionaryTransformer(_ name: String, transform: @escaping Transform) {
    entries[name] = .dictionary(Self.onTape(transform))
  }

  /// Binds a transformer of the library to a name.
  public mutating func setBuiltin(_ name: String, to builtin: BuiltinTransformer) {
    entries[name] = .builtin(builtin)
  }

  /// Removes the entry of a name.
  ///
  /// - Returns: Whether there was an entry.
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

  /// Registers a value transformer whose functions get and give an array on a tape.
  package mutating func setTapeBatchTransformer(
    _ name: String, forward: @escaping TapeTransform, reverse: TapeTransform?
  ) {
    entries[name] = .batch(
      forward: BatchFunction(onTape: forward), reverse: reverse.map { BatchFunction(onTape: $0) })
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
