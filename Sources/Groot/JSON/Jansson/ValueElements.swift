import CJansson

/// A json_t that a program lends for a call.
package typealias BorrowedJansson = UnsafeMutablePointer<json_t>

/// The elements of a value, one by one: those of an array, or a single object.
struct ValueElements {
  /// A function that puts an element on a tape.
  typealias Append = (_ position: Int, _ tape: JSONTape) throws -> Void

  private let count: Int
  private let path: String
  private let isArray: Bool
  private let append: Append
  private var next = 0
  /// The position of the current element in an array; -1 before the first, or without an array.
  var index: Int { isArray ? next - 1 : -1 }
  /// The path of an empty array; nil if there is an element.
  var emptyArrayPath: String? { isArray && count == 0 ? path : nil }
  /// Whether the only element is the whole value.
  var isWholeDocument: Bool { !isArray && path == "$" }

  /// Makes the elements of a json_t, or of the value at a root path in it.
  ///
  /// - Throws: The error of the path; ``Status/wrongShape`` for a single value.
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

  /// Makes the elements of a JSON value, or of the value at a root path in it.
  init(of json: JSONValue, at pointer: JSONPointer) throws {
    let (root, path) = try pointer.root(of: json)
    switch root {
    case .array(let list):
      self.init(count: list.count, path, isArray: true) { _ = try list[$0].append(to: $1) }
    case .object: self.init(count: 1, path, isArray: false) { _ = try root.append(to: $1) }
    default: throw pointer.noDocument
    }
  }

  /// Makes a json_t of any kind the only element.
  init(whole json: BorrowedJansson) {
    self.init(count: 1, "$", isArray: false) { try JanssonBridge.flatten(json, onto: $1) }
  }

  /// Makes a JSON value of any kind the only element.
  init(whole json: JSONValue) {
    self.init(count: 1, "$", isArray: false) { _ = try json.append(to: $1) }
  }

  private init(count: Int, _ path: String, isArray: Bool, append: @escaping Append) {
    self.count = count
    self.path = path
    self.isArray = isArray
    self.append = append
  }

  /// Puts the next element on a tape and returns its path; nil at the end.
  mutating func next(onto tape: JSONTape) throws -> String? {
    guard next < count else { return nil }
    tape.reset()
    try append(next, tape)
    defer { next += 1 }
    return isArray ? path + MessagePath.element(next) : path
  }
}

extension JSONPointer {
  /// The error of a top-level value that is neither an object nor an array.
  fileprivate var noDocument: GrootError {
    guard keys.isEmpty else { return leadsToScalar }
    return GrootError(
      GrootIssue(
        .wrongShape, "an import takes an object or an array, not a single value", path: "$"))
  }
}
