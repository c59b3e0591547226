#if canImport(Groot)
@testable import Groot
#endif

extension JSONKeyPath {
  /// The greatest position that is tried: the arrays before it are filled with null.
  private static let greatestPosition = 20

  /// An object with a value where the path leads, or as it is where the path does not lead into it.
  func putting(_ value: JSONValue, in object: JSONValue) -> JSONValue {
    switch origin {
    case .object: Self.putting(value, at: segments[...], in: object)
    case .rest: Self.putting(value, at: [.key(Name("what no path names"))], in: object)
    case .index, .key, .value, .parent, .root: object
    }
  }

  /// The same from some segment on; recursion is bounded by the length of paths.
  private static func putting(
    _ value: JSONValue, at path: ArraySlice<Segment>, in whole: JSONValue
  ) -> JSONValue {
    guard let segment = path.first else { return value }
    let rest = path.dropFirst()
    switch segment {
    case .key(let key):
      var members = whole.objectValue ?? JSONObject()
      members[key.text] = putting(value, at: rest, in: members[key.text] ?? .null)
      return .object(members)
    case .position(let position):
      guard position <= greatestPosition else { return whole }
      var elements = whole.arrayValue ?? []
      while elements.count <= position { elements.append(.null) }
      elements[position] = putting(value, at: rest, in: elements[position])
      return .array(elements)
    case .elements:
      let given = value.arrayValue ?? [value]
      var elements = whole.arrayValue ?? []
      while elements.count < given.count { elements.append(.null) }
      for (position, one) in given.enumerated() {
        elements[position] = putting(one, at: rest, in: elements[position])
      }
      return .array(elements)
    }
  }
}
