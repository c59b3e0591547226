#if canImport(Groot)
@testable import Groot
#endif

extension SeededGenerator {
  /// A value of a type, of few kinds, so that the same ones come again; a rare one now and then.
  mutating func value(of type: AttributeType) -> Value {
    let number = number(in: Int64(0)...7)
    let isRare = once(in: 10)
    let texts = ["", "Ada", "ada", "Zoë", "a_b%c", "x\n\"y\"", "日本語", "ZOË"]
    let long = String(repeating: "long text \(number) ", count: 5)
    let (index, quarter) = (Int(number), Int(number & 3))
    switch type {
    case .integer16: return .integer(isRare ? -32768 : number)
    case .integer32: return .integer(isRare ? 2_147_483_647 : number)
    case .integer64: return .integer(isRare ? .min : number)
    case .decimal:
      let text =
        isRare ? "-12345678901234567890.0\(number + 1)" : ["0.5", "10", "1e-7", "7"][quarter]
      return .decimal(DecimalNumber(text) ?? DecimalNumber(number))
    case .double: return .real(isRare ? -0.0 : [0, 0.1, -2.5, 1e300][quarter])
    case .float: return .real(isRare ? -0.0 : [0, 0.5, -2.5, 1024][quarter])
    case .string: return .string(isRare ? long : texts[index])
    case .boolean: return .boolean(number & 1 == 0)
    case .date: return .date(Timestamp(microseconds: number * 86_400_000_000 - (isRare ? 1 : 0)))
    case .day:
      return CalendarDay(daysSinceEpoch: isRare ? -800_000 : number).map(Value.day) ?? .null
    case .binary: return .binary(Array(repeating: UInt8(number), count: isRare ? 40 : index))
    case .uuid:
      return .uuid(
        UUIDValue(high: 0x7d44_4840_9dc0_11d1, low: 0xb245_5ffd_ce74_fad0 + UInt64(number)))
    case .uri: return .uri("https://example.org/\(isRare ? long : "\(number)")")
    case .transformable: return .json([.integer(number), ["a": .boolean(isRare)], "x"])
    case .composite: return .json(["one": .integer(number), "two": .string(texts[index])])
    }
  }

  /// A value of a type from its edges, which comparisons in a store may get wrong.
  mutating func edge(of type: AttributeType) -> Value {
    switch type {
    case .integer16: return .integer(pick([-3, 0, 1, 2, 7]))
    case .integer32, .integer64: return .integer(pick([.min, -1, 0, 5, 10, 20, .max]))
    case .double: return .real(pick([-0.0, 0.0, 1.5, -2, 1e300, 5e-324]))
    case .float: return .real(pick([-0.0, 0.5, -2]))
    case .boolean: return .boolean(pick([true, false]))
    case .decimal:
      let text = pick(["0", "1.5", "-1.5", "1e20", "1e-20", "12345678901234567890.01", "10", "9"])
      return DecimalNumber(text).map(Value.decimal) ?? .null
    case .string:
      return .string(
        pick(["", "a", "A", "ab", "aB", "ä", "Ä", "a\0b", "a\0C", "%", "x*y?", "'\"", "\\", "日本"]))
    case .uri: return .uri(pick(["http://a.b", "HTTP://A.B", "file:///x"]))
    case .date: return .date(Timestamp(microseconds: pick([-1, 0, 1_500_000, 1_000_000_000_000])))
    case .day:
      let days: Int64 = pick([-4_400_000, -720_000, -719_528, -1, 0, 19_800, 2_932_896, 2_932_897])
      return CalendarDay(daysSinceEpoch: days).map(Value.day) ?? .null
    case .uuid:
      return .uuid(UUIDValue(high: pick([1, .max, 0xAB00_0000_0000_0000]), low: pick([0, .max])))
    case .binary: return .binary(pick([[], [0], [1], [0, 1], [255]]))
    case .transformable, .composite: return .json(pick([["a": 1, "b": [2.5]], [1], "x", true]))
    }
  }

  /// JSON of any kind, in which some keys come again and again.
  mutating func json(_ depth: Int, keys: [String]) -> JSONValue {
    switch below(depth > 0 ? 10 : 6) {
    case 0: return .null
    case 1: return .boolean(flip())
    case 2: return .integer(pick([0, 1, 5, -3]))
    case 3: return .real(pick([0.5, 1.25]))
    case 4: return .string(pick(["", "a", "b", "1"]))
    case 5: return flip() ? [:] : []
    case 6, 7: return .object(object(depth - 1, keys: keys))
    default: return .array((0..<below(4)).map { _ in json(depth - 1, keys: keys) })
    }
  }

  mutating func object(_ depth: Int, keys: [String]) -> JSONObject {
    var object = JSONObject()
    for _ in 0..<below(5) { object[pick(keys)] = json(depth, keys: keys) }
    return object
  }

  /// A condition on the number of members.
  mutating func countCondition(_ count: JSONValue) -> JSONValue {
    ["count": pick([count, ["<": count], [">=": count], ["!=": count], ["in": [count, 1]]])]
  }

  /// A condition on nothing being there.
  mutating func nullCondition() -> JSONValue { pick([nil, ["!=": nil]]) }
}
