import Groot

/// Changes JSON here and there: what is inside stays JSON, but need not mean anything any more.
struct JSONMutator {
  var random: SeededGenerator
  /// What is put in: parts of other documents.
  let stock: [JSONValue]

  private static let texts = [
    "", ".", "a.b", ".a", "a..b", "\\", "[a,b]", "[", "id", "name", "K", "\u{212A}", "é",
    "e\u{301}", "_", "_id", "-", " ", ",", "a:b", ":", "true", "YES", "skip", "clear", "identifier",
    "integer64", "composite", "decimal", "cascade", "deny", "0", "4095", "4096", "type", "entities",
    "JSONKeyPath", "identityAttributes", "sync.remoteKey", "groot.null", "groot.alternatives",
    "x\"\u{301} INTEGER); --", "\u{1F600}", "İ", "\u{0}",
    "@index", "@key", "@value", "@rest", "@parent", "@root", "@parent.id", "@root.id", "@other",
    "\\@key",
    "[0]", "a[0]", "a[0].b", "a[4095]", "a[4096]", "a[-1]", "a[]", "a[].b", "a[][]", "a[0][1]",
    "[].a",
    "groot.form", "array", "keyed", "grouped", "groot.discriminator", "groot.discriminatorValue",
    "groot.unknownDiscriminator", "error", "base", "groot.version", "groot.versionRule", "newer",
    "newerOrEqual", "groot.tombstone", "deleted=true", "deleted=", "groot.deletionMark",
    "groot.unknownKeys", "report", "ignore", "groot.exportNull", "omit", "write", "groot.emptyText",
    "null", "groot.exportProperties", "groot.invalid", "groot.shape", "values", "day",
    "groot.dateFormat", "iso8601", "unixSeconds | iso8601", "EEE MMM dd HH:mm:ss Z yyyy", "yyyy'",
    "|",
  ]
  private static let scalars: [JSONValue] = [
    nil, true, false, 0, 1, -1, 2, 255, 4_294_967_296, 9_223_372_036_854_775_807, 0.5, -0.0, 1e308,
    [], [:], [[]], [nil],
  ]

  /// The document after a number of changes.
  mutating func mutate(_ document: JSONValue, changes: Int) -> JSONValue {
    var document = document
    for _ in 0..<changes { document = change(document, depth: 0) }
    return document
  }

  /// Goes down to some value and changes it.
  private mutating func change(_ value: JSONValue, depth: Int) -> JSONValue {
    let stays = depth > 0 && random.below(8) == 0
    switch value {
    case .object(let object) where !object.isEmpty && !stays && depth < 40:
      if depth > 0 && random.below(5) == 0 { return .object(changeMembers(object)) }
      let key = object.members[random.below(object.count)].key
      var object = object
      object[key] = change(object[key] ?? .null, depth: depth + 1)
      return .object(object)
    case .array(var elements) where !elements.isEmpty && !stays && depth < 40:
      let position = random.below(elements.count)
      switch random.below(6) {
      case 0: elements.remove(at: position)
      case 1: elements.insert(elements[position], at: random.below(elements.count))
      default: elements[position] = change(elements[position], depth: depth + 1)
      }
      return .array(elements)
    default: return replacement(for: value)
    }
  }

  private mutating func changeMembers(_ object: JSONObject) -> JSONObject {
    var members = object.members
    let position = random.below(members.count)
    let other = random.below(members.count)
    switch random.below(7) {
    case 0: members.remove(at: position)
    case 1: members[position].key = text(like: members[position].key)
    case 2: members[position].key = members[other].key
    case 3: members.append((text(like: members[position].key), members[position].value))
    case 4:
      (members[position].value, members[other].value) = (
        members[other].value, members[position].value
      )
    case 5: members.append((text(like: members[other].key), random.pick(stock)))
    default:
      // Many members that are much alike.
      let (key, value) = members[position]
      for number in 0..<random.pick([2, 20, 200]) { members.append(("\(key)\(number)", value)) }
    }
    return JSONObject(members)
  }

  private mutating func replacement(for value: JSONValue) -> JSONValue {
    switch random.below(8) {
    case 0: return random.pick(Self.scalars)
    case 1: return random.pick(stock)
    case 2: return [value]
    case 3: return .object(["a": value])
    case 4: return nested(value, random.pick([2, 20, 100]))
    default: return .string(text(like: value.stringValue ?? "a"))
    }
  }

  private mutating func nested(_ value: JSONValue, _ depth: Int) -> JSONValue {
    let key = text(like: "a")
    return (0..<depth).reduce(value) { value, _ in .object(JSONObject([(key: key, value: value)])) }
  }

  private mutating func text(like text: String) -> String {
    let other = random.pick(Self.texts)
    switch random.below(8) {
    case 0: return text + other
    case 1: return other + text
    case 2: return String(text.unicodeScalars.dropLast(random.below(3)))
    case 3: return text.uppercased()
    case 4: return text + "." + other
    case 5: return String(repeating: text + other, count: random.pick([2, 30, 300]))
    default: return other
    }
  }
}
