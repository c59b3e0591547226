/// A map by names, which are compared and ordered by their bytes.
///
/// Unlike in a `Dictionary` of strings, `"é"` and `"e\u{301}"` are two names.
///
/// ```swift
/// var notes: NameMap<String> = ["JSONKeyPath": "id"]
/// notes["groot.null"] = "keep"
/// ```
public struct NameMap<Content> {
  private var contents: [Name: Content] = [:]

  /// Makes an empty map.
  public init() {}

  /// The content under a name; nil without one.
  public subscript(name: String) -> Content? {
    get { contents[Name(name)] }
    set { contents[Name(name)] = newValue }
  }

  /// The number of names.
  public var count: Int { contents.count }
  /// Whether there are no names.
  public var isEmpty: Bool { contents.isEmpty }
  /// The names in the order of their bytes.
  ///
  /// Complexity: O(n log n).
  public var keys: [String] { contents.keys.sorted().map(\.text) }

  /// Removes a name.
  ///
  /// - Returns: The previous content.
  @discardableResult
  package mutating func remove(_ name: String) -> Content? {
    contents.removeValue(forKey: Name(name))
  }
}

extension NameMap: Sequence {
  /// Returns the names with their contents, in the order of the names' bytes.
  ///
  /// Complexity: O(n log n).
  public func makeIterator() -> IndexingIterator<[(key: String, value: Content)]> {
    contents.sorted { $0.key < $1.key }.map { (key: $0.key.text, value: $0.value) }.makeIterator()
  }
}

extension NameMap: ExpressibleByDictionaryLiteral {
  /// Makes a map of a literal's names; of duplicate names the last counts.
  public init(dictionaryLiteral elements: (String, Content)...) {
    for (name, content) in elements { self[name] = content }
  }
}

extension NameMap: Sendable where Content: Sendable {}
extension NameMap: Equatable where Content: Equatable {}
extension NameMap: Hashable where Content: Hashable {}
