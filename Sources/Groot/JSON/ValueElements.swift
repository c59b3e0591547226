import CJansson

/// A json_t that a program lends for a call.
package typealias BorrowedJansson = UnsafeMutablePointer<json_t>

/// The elements of a value, one after the other: those of an array, or the one object.
struct ValueElements {
  /// Puts an element on a tape.
  typealias Append = (_ position: Int, _ tape: JSONTape) throws -> Void

  private let count: Int
  private let path: String
  private let isArray: Bool
  private let append: Append
  private var next = 0
  /// The position of the last element in an array; -1 when there is no array, or none yet.
  var index: Int { isArray ? next - 1 : -1 }
  /// Where an array is that has no elements; nil when there is something to read.
  var emptyArrayPath: String? { isArray && count == 0 ? path : nil }
  /// Whether the one element is the whole value.
  var isWholeDocument: Bool { !isArray && path == "$" }

  /// The elements of a json_t, or of what a root path leads to in it.
  ///
  /// - Throws: the error of the path; ``Status/wrongShape`` for a single value.
  init(of json: BorrowedJansson, at pointer: JSONPointer) throws {
    let (root, path) = try pointer.root(of: json)
    let isArray = root.pointee.type == JSON_ARRAY
    guard isArray || root.pointee.type == JSON_OBJECT else { throw pointer.noDocument }
    self.init(count: isArray ? json_array_size(root) : 1, path, isArray: isArray) {
      position, tape in
      if let element = isArray ? json_array_get(root, position) : root {
        try JanssonBridge.flatten(element, onto: tape)
      }
    }
  }

  /// The same for a JSON value.
  init(of json: JSONValue, at pointer: JSONPointer) throws {
    let (root, path) = try pointer.root(of: json)
    switch root {
    case .array(let list):
      self.init(count: list.count, path, isArray: true) { _ = try list[$0].append(to: $1) }
    case .object: self.init(count: 1, path, isArray: false) { _ = try root.append(to: $1) }
    default: throw pointer.noDocument
    }
  }

  /// A json_t as the one element, whatever it is.
  init(whole json: BorrowedJansson) {
    self.init(count: 1, "$", isArray: false) { try JanssonBridge.flatten(json, onto: $1) }
  }

  /// The same for a JSON value.
  init(whole json: JSONValue) {
    self.init(count: 1, "$", isArray: false) { _ = try json.append(to: $1) }
  }

  private init(count: Int, _ path: String, isArray: Bool, append: @escaping Append) {
    self.count = count
    self.path = path
    self.isArray = isArray
    self.append = append
  }

  /// Puts the next element on a tape; its path, nil at the end.
  mutating func next(onto tape: JSONTape) throws -> String? {
    guard next < count else { return nil }
    tape.reset()
    try append(next, tape)
    defer { next += 1 }
    return isArray ? path + JSONPath.element(next) : path
  }
}

extension JSONPointer {
  /// As in text, only an object or an array is allowed at the top level.
  fileprivate var noDocument: GrootError {
    guard keys.isEmpty else { return leadsToScalar }
    return GrootError(
      GrootIssue(
        .wrongShape, "an import takes an object or an array, not a single value", path: "$"))
  }
}
