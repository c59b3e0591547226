import Foundation
import Groot

/// A node being encoded: a value of JSON, or a container that is not complete yet.
final class EncodedNode {
  private enum Content {
    case empty
    case value(JSONValue)
    case list([EncodedNode])
    case members([(key: String, value: EncodedNode)])
  }

  private var content = Content.empty

  /// Makes the node a list, if it is empty.
  func beginList() { if case .empty = content { content = .list([]) } }

  /// Makes the node an object, if it is empty.
  func beginMembers() { if case .empty = content { content = .members([]) } }

  /// The number of elements of a list.
  var count: Int { if case .list(let nodes) = content { nodes.count } else { 0 } }

  func set(_ value: JSONValue) { content = .value(value) }

  /// Adds an element to a list.
  func append() -> EncodedNode {
    let node = EncodedNode()
    if case .list(var nodes) = content {
      // The array needs a single owner, or each append would copy it.
      content = .empty
      nodes.append(node)
      content = .list(nodes)
    }
    return node
  }

  /// Adds a member to an object; a later member of the same key replaces it.
  func member(_ key: String) -> EncodedNode {
    let node = EncodedNode()
    if case .members(var members) = content {
      content = .empty
      members.append((key, node))
      content = .members(members)
    }
    return node
  }

  /// The value, at most ``DecodingRun/maximumLevels`` deep.
  ///
  /// A node that has encoded nothing is an empty object, as in `JSONEncoder`.
  var json: JSONValue {
    switch content {
    case .empty: .object(JSONObject())
    case .value(let value): value
    case .list(let nodes): .array(nodes.map(\.json))
    case .members(let members):
      .object(JSONObject(members.lazy.map { (key: $0.key, value: $0.value.json) }))
    }
  }
}
