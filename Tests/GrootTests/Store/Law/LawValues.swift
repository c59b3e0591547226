@testable import Groot

/// Values and JSON at random, of few kinds, so that the same ones come again.
enum LawValues {
  static func value(_ type: AttributeType, _ random: inout SeededGenerator) -> Value {
    let number = Int64.random(in: 0..<8, using: &random)
    let isRare = Int.random(in: 0..<10, using: &random) == 0
    switch type {
    case .integer16: return .integer(isRare ? -32768 : number)
    case .integer32: return .integer(isRare ? 2_147_483_647 : number)
    case .integer64: return .integer(isRare ? .min : number)
    case .decimal:
      return .decimal(
        DecimalNumber(
          isRare ? "-12345678901234567890.0\(number + 1)" : ["0.5", "10", "1e-7", "7"][number & 3])
          ?? DecimalNumber(number))
    case .double: return .real(isRare ? -0.0 : [0, 0.1, -2.5, 1e300][number & 3])
    case .float: return .real(isRare ? -0.0 : [0, 0.5, -2.5, 1024][number & 3])
    case .string: return .string(isRare ? longText(number) : texts[Int(number)])
    case .boolean: return .boolean(number & 1 == 0)
    case .date: return .date(Timestamp(microseconds: number * 86_400_000_000 - (isRare ? 1 : 0)))
    case .day:
      return CalendarDay(daysSinceEpoch: isRare ? -800_000 : number).map(Value.day) ?? .null
    case .binary: return .binary(Array(repeating: UInt8(number), count: isRare ? 40 : Int(number)))
    case .uuid:
      return (try? Value(.string("7d444840-9dc0-11d1-b245-5ffdce74fad\(number)"), as: .uuid))
        ?? .null
    case .uri: return .uri("https://example.org/\(isRare ? longText(number) : "\(number)")")
    case .transformable: return .json([.integer(number), ["a": .boolean(isRare)], "x"])
    case .composite: return .json(["one": .integer(number), "two": .string(texts[Int(number)])])
    }
  }

  private static let texts = ["", "Ada", "ada", "Zoë", "a_b%c", "x\n\"y\"", "日本語", "ZOË"]

  private static func longText(_ number: Int64) -> String {
    String(repeating: "long text \(number) ", count: 5)
  }

  /// What an import gives one attribute: a value mostly, null or nothing fitting now and then.
  static func json(_ property: Property, _ random: inout SeededGenerator) -> JSONValue {
    switch Int.random(in: 0..<150, using: &random) {
    case 0...15: return .null
    case 16: return [.integer(1)]
    default: return value(property.attribute?.type ?? .string, &random).json
    }
  }
}

extension [Double] {
  fileprivate subscript(number: Int64) -> Double { self[Int(number)] }
}

extension [String] {
  fileprivate subscript(number: Int64) -> String { self[Int(number)] }
}

/// Makes records for imports.
struct LawRecords {
  let law: LawModel
  var random: SeededGenerator

  mutating func list(_ entity: EntityIndex) -> JSONValue {
    let count = Int.random(in: 1...6, using: &random)
    return .array((0..<count).map { _ in record(entity, Bool.random(using: &random) ? 1 : 3) })
  }

  mutating func record(_ entity: EntityIndex, _ depth: Int) -> JSONValue {
    var object = JSONObject()
    for property in law.attributes(of: entity) {
      let isIdentity = law.mapping.plan.identityNumbers[entity].contains(property.number)
      let rate = isIdentity ? 2 : 40
      if Int.random(in: 0..<100, using: &random) < rate { continue }
      put(LawValues.json(property, &random), property, &object)
    }
    for property in law.relationships(of: entity) {
      guard let relationship = property.relationship,
        Int.random(in: 0..<100, using: &random) < 15 + depth * 15
      else { continue }
      put(linked(relationship, depth), property, &object)
    }
    return .object(object)
  }

  private mutating func linked(
    _ relationship: RelationshipDescription, _ depth: Int
  ) -> JSONValue {
    switch Int.random(in: 0..<100, using: &random) {
    case 0...9: return .null
    case 10: return "no object"
    default: break
    }
    guard let destination = try? law.model.index(of: relationship.destination) else { return .null }
    if !relationship.isToMany { return one(destination, depth) }
    let count = Int.random(in: 0...3, using: &random)
    return .array((0..<count).map { _ in one(destination, depth) })
  }

  /// An identifier where there can be one, or an object.
  private mutating func one(_ entity: EntityIndex, _ depth: Int) -> JSONValue {
    let identity = law.mapping.plan.identityNumbers[entity]
    let properties = law.model.hierarchies[law.model.resolved[entity].hierarchy].properties
    if identity.count == 1, let attribute = properties[identity[0]].attribute,
      depth == 0 || Int.random(in: 0..<3, using: &random) == 0
    {
      return LawValues.value(attribute.type, &random).json
    }
    return depth == 0 ? .object([:]) : record(entity, depth - 1)
  }

  private func put(_ value: JSONValue, _ property: Property, _ object: inout JSONObject) {
    let keys = (property.userInfo["JSONKeyPath"] ?? "").split(separator: ".").map(String.init)
    if !keys.isEmpty { put(value, keys[...], &object) }
  }

  private func put(_ value: JSONValue, _ keys: ArraySlice<String>, _ object: inout JSONObject) {
    guard let first = keys.first else { return }
    if keys.count == 1 {
      object[first] = value
    } else {
      var inner = object[first]?.objectValue ?? [:]
      put(value, keys.dropFirst(), &inner)
      object[first] = .object(inner)
    }
  }
}
