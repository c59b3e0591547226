@testable import Groot

/// Evaluates predicates straight from their JSON, by what programs can ask an object: slow and plain.
struct NaivePredicate {
  let context: ManagedObjectContext

  func holds(_ json: JSONValue, _ object: ManagedObject) throws -> Bool {
    for (key, condition) in json.objectValue?.members ?? [] {
      let parts = condition.arrayValue ?? []
      let isTrue: Bool
      switch key {
      case "and": isTrue = try parts.allSatisfy { try holds($0, object) }
      case "or": isTrue = try parts.contains { try holds($0, object) }
      case "not": isTrue = try !holds(condition, object)
      default: isTrue = try holds(key, condition, object)
      }
      if !isTrue { return false }
    }
    return true
  }

  private func holds(
    _ path: String, _ condition: JSONValue, _ object: ManagedObject
  ) throws -> Bool {
    let (current, last) = try Self.follow(path, object)
    var operators = [(key: "==", value: condition)]
    if case .object(let object) = condition, object["a"] == nil { operators = object.members }
    let ignoresCase = condition["ignoreCase"] == true
    return try operators.allSatisfy { key, operand in
      switch key {
      case "ignoreCase": return true
      case "any": return try members(current, last).contains { try holds(operand, $0) }
      case "all": return try members(current, last).allSatisfy { try holds(operand, $0) }
      case "none": return try !members(current, last).contains { try holds(operand, $0) }
      case "count":
        let count = Value.integer(Int64(try members(current, last).count))
        let operators = operand.objectValue?.members ?? [(key: "==", value: operand)]
        return try operators.allSatisfy { try compare(count, $0.key, $0.value, .integer64, false) }
      default:
        if ["parent", "employer", "owner"].contains(last) {
          return try (current?.target(last) == nil) == (key == "==")
        }
        let value = try current?[last] ?? .null
        return try compare(value, key, operand, try type(last), ignoresCase)
      }
    }
  }

  /// The object to which all names of a path but the last lead, and the last one.
  static func follow(_ path: String, _ object: ManagedObject) throws -> (ManagedObject?, String) {
    let names = path.split(separator: ".").map(String.init)
    let end = try names.dropLast().reduce(object as ManagedObject?) { try $0?.target($1) }
    return (end, names.last ?? "")
  }

  private func members(_ object: ManagedObject?, _ name: String) throws -> [ManagedObject] {
    try object?.members(name) ?? []
  }

  private func type(_ name: String) throws -> AttributeType {
    let attributes = context.model.entities.flatMap(\.attributes)
    guard let found = attributes.first(where: { $0.name == name }) else {
      throw GrootError(.unknownProperty, "no attribute has this name", property: name)
    }
    return found.type
  }

  private func compare(
    _ value: Value, _ key: String, _ json: JSONValue, _ type: AttributeType, _ ignoresCase: Bool
  ) throws -> Bool {
    func order(_ operand: JSONValue) throws -> Int? {
      let operand = try Value(operand, as: type)
      if value.isNull || operand.isNull { return value == operand ? 0 : nil }
      return Self.order(value, operand, ignoresCase)
    }
    let elements = json.arrayValue ?? []
    switch key {
    case "==": return try order(json) == 0
    case "!=": return try order(json) != 0
    case "<": return try order(json).map { $0 < 0 } ?? false
    case "<=": return try order(json).map { $0 <= 0 } ?? false
    case ">": return try order(json).map { $0 > 0 } ?? false
    case ">=": return try order(json).map { $0 >= 0 } ?? false
    case "in": return try elements.contains { try order($0) == 0 }
    case "between":
      return try order(elements[0]).map { $0 >= 0 } ?? false
        && order(elements[1]).map { $0 <= 0 } ?? false
    default:
      guard let text = value.stringValue, let wanted = json.stringValue else { return false }
      return Self.matches(
        Array(Self.folded(text, ignoresCase).unicodeScalars), key,
        Array(Self.folded(wanted, ignoresCase).unicodeScalars))
    }
  }

  private static func folded(_ text: String, _ ignoresCase: Bool) -> String {
    guard ignoresCase else { return text }
    return String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { $0.isASCII ? Unicode.Scalar(UInt8($0.value) | lowerBit($0)) : $0 }
      ))
  }

  private static func lowerBit(_ scalar: Unicode.Scalar) -> UInt8 {
    ("A"..."Z").contains(scalar) ? 0x20 : 0
  }

  private static func matches(
    _ text: [Unicode.Scalar], _ key: String, _ wanted: [Unicode.Scalar]
  ) -> Bool {
    switch key {
    case "beginsWith": return text.starts(with: wanted)
    case "endsWith": return text.reversed().starts(with: wanted.reversed())
    case "contains":
      return (0...text.count).contains { text[$0...].starts(with: wanted) }
    default: return isLike(text[...], wanted[...])
    }
  }

  private static func isLike(
    _ text: ArraySlice<Unicode.Scalar>, _ pattern: ArraySlice<Unicode.Scalar>
  ) -> Bool {
    guard let next = pattern.first else { return text.isEmpty }
    if next == "*" {
      return isLike(text, pattern.dropFirst())
        || (!text.isEmpty && isLike(text.dropFirst(), pattern))
    }
    guard let first = text.first else { return false }
    if next == "?" { return isLike(text.dropFirst(), pattern.dropFirst()) }
    let rest = next == "\\" && pattern.count > 1 ? pattern.dropFirst() : pattern
    return rest.first == first && isLike(text.dropFirst(), rest.dropFirst())
  }

  /// Negative, zero or positive; text by its bytes.
  static func order(_ left: Value, _ right: Value, _ ignoresCase: Bool = false) -> Int {
    switch (left, right) {
    case (.null, .null): return 0
    case (.null, _): return -1
    case (_, .null): return 1
    case (.string(let left), .string(let right)):
      let (left, right) = (folded(left, ignoresCase), folded(right, ignoresCase))
      if left.utf8.elementsEqual(right.utf8) { return 0 }
      return left.utf8.lexicographicallyPrecedes(right.utf8) ? -1 : 1
    case (.boolean(let left), .boolean(let right)):
      return left == right ? 0 : left ? 1 : -1
    case (.uuid(let left), .uuid(let right)): return left < right ? -1 : left == right ? 0 : 1
    case (.binary(let left), .binary(let right)):
      return left == right ? 0 : left.lexicographicallyPrecedes(right) ? -1 : 1
    case (.json(let left), .json(let right)): return left == right ? 0 : 1
    default:
      return Value.precedes(left, right) ? -1 : Value.precedes(right, left) ? 1 : 0
    }
  }
}
