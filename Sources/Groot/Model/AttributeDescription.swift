/// An attribute of an entity: its type, the constraints on its values, and its annotations.
public struct AttributeDescription: Sendable, Hashable {
  /// The name, unique among the properties of the entity, its ancestors and descendants.
  public var name: String
  /// The type of the values.
  public var type: AttributeType
  /// Whether an object may be without a value.
  public var isOptional: Bool
  /// The value of a new object; ``Value/null`` for none.
  public var defaultValue: Value
  /// The constraints on values beyond the type.
  public var constraints: Constraints
  /// Whether a store omits the attribute.
  public var isTransient: Bool
  /// The parts of a composite attribute; empty for other types.
  public var elements: [AttributeDescription]
  /// The name of the attribute in an earlier version of the model.
  public var renamingIdentifier: String?
  /// The annotations.
  public var userInfo: NameMap<String>

  /// Limits on the values of an attribute; nil means no limit.
  public struct Constraints: Sendable, Hashable {
    /// The smallest number or earliest date.
    public var minimum: Value
    /// The largest number or latest date.
    public var maximum: Value
    /// The least number of characters of a string.
    public var minimumLength: Int?
    /// The greatest number of characters of a string.
    public var maximumLength: Int?
    /// A regular expression that the whole string must match.
    public var pattern: String?
    /// The allowed values; none means no limit.
    public var values: [Value]

    /// Makes constraints; omitted ones do not limit.
    ///
    /// - Parameters:
    ///   - minimum: The smallest number or earliest date.
    ///   - maximum: The largest number or latest date.
    ///   - minimumLength: The least number of characters of a string.
    ///   - maximumLength: The greatest number of characters of a string.
    ///   - pattern: A regular expression that the whole string must match.
    ///   - values: The allowed values; none means no limit.
    public init(
      minimum: Value = .null, maximum: Value = .null, minimumLength: Int? = nil,
      maximumLength: Int? = nil, pattern: String? = nil, values: [Value] = []
    ) {
      self.minimum = minimum
      self.maximum = maximum
      self.minimumLength = minimumLength
      self.maximumLength = maximumLength
      self.pattern = pattern
      self.values = values
    }
  }

  /// Makes an attribute; as in Core Data, it is required unless `isOptional` is set.
  ///
  /// - Parameters:
  ///   - name: Its name.
  ///   - type: The type of the values.
  ///   - isOptional: Whether an object may be without a value.
  ///   - defaultValue: The value of a new object.
  ///   - constraints: The constraints on values beyond the type.
  ///   - isTransient: Whether a store omits the attribute.
  ///   - elements: The parts of a composite attribute.
  ///   - renamingIdentifier: The name in an earlier version of the model.
  ///   - userInfo: The annotations.
  public init(
    _ name: String, _ type: AttributeType, isOptional: Bool = false, defaultValue: Value = .null,
    constraints: Constraints = Constraints(), isTransient: Bool = false,
    elements: [AttributeDescription] = [], renamingIdentifier: String? = nil,
    userInfo: NameMap<String> = [:]
  ) {
    self.name = name
    self.type = type
    self.isOptional = isOptional
    self.defaultValue = defaultValue
    self.constraints = constraints
    self.isTransient = isTransient
    self.elements = elements
    self.renamingIdentifier = renamingIdentifier
    self.userInfo = userInfo
  }
}
