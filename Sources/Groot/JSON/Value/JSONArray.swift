/// The elements of a JSON array in their order.
///
/// It is a collection like `Array`; copies share their elements until one of them changes.
///
/// ```swift
/// var powers: JSONArray = ["Wealth", "Insanity"]
/// powers.append("Flight")
/// powers.elements   // as an Array
/// ```
public struct JSONArray: Sendable {
  private var content: JSONElements

  /// Makes an array of elements in their order.
  ///
  /// Complexity: O(1) for an `Array`, O(elements) for other sequences.
  public init(_ elements: some Sequence<JSONValue>) { content = JSONElements(Array(elements)) }

  /// Makes an array without elements.
  public init() { content = JSONElements([]) }

  /// The elements as an `Array`.
  ///
  /// Complexity: O(1).
  public var elements: [JSONValue] { content.elements }

  private mutating func makeUnique() {
    if !isKnownUniquelyReferenced(&content) { content = JSONElements(content.elements) }
  }

  /// The storage of the elements.
  var container: JSONContainer { content }
}

extension JSONArray: RandomAccessCollection, MutableCollection {
  /// The position of the first element.
  public var startIndex: Int { 0 }
  /// The position after the last element.
  public var endIndex: Int { content.elements.count }

  /// The element at a position.
  public subscript(position: Int) -> JSONValue {
    get { content.elements[position] }
    set {
      makeUnique()
      content.elements[position] = newValue
    }
  }
}

extension JSONArray: RangeReplaceableCollection {
  /// Replaces a range of elements.
  public mutating func replaceSubrange(
    _ range: Range<Int>, with values: some Collection<JSONValue>
  ) {
    makeUnique()
    content.elements.replaceSubrange(range, with: values)
  }
}

extension JSONArray: ExpressibleByArrayLiteral {
  /// Makes an array of a literal's elements.
  public init(arrayLiteral elements: JSONValue...) { self.init(elements) }
}

extension JSONArray: Hashable {
  /// Returns whether two arrays have equal elements in the same order.
  public static func == (left: JSONArray, right: JSONArray) -> Bool {
    JSONValue.array(left) == .array(right)
  }

  /// Hashes the elements.
  public func hash(into hasher: inout Hasher) { JSONValue.array(self).hash(into: &hasher) }
}
