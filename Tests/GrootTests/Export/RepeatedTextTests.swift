import GrootSQLite
import Testing

@testable import Groot

/// An export that copies the texts of repeated objects is that of each object by itself.
struct RepeatedTextTests {
  private static let document = """
    {"entities": {
      "Post": {"userInfo": {"identityAttributes": "id"},
        "attributes": {
          "id": {"type": "integer64", "userInfo": {"JSONKeyPath": "id"}},
          "x": {"type": "integer64", "optional": true,
            "userInfo": {"JSONKeyPath": "place.x", "groot.nulls": "omit"}},
          "y": {"type": "integer64", "optional": true,
            "userInfo": {"JSONKeyPath": "place.y", "groot.nulls": "omit"}}},
        "relationships": {
          "author": {"destination": "Person", "optional": true, "inverse": "posts",
            "userInfo": {"JSONKeyPath": "author"}},
          "editor": {"destination": "Person", "optional": true, "inverse": "edited",
            "userInfo": {"JSONKeyPath": "editor", "groot.nulls": "omit"}},
          "tags": {"destination": "Tag", "toMany": true, "optional": true, "ordered": true,
            "inverse": "posts", "userInfo": {"JSONKeyPath": "tags"}},
          "answers": {"destination": "Post", "toMany": true, "optional": true, "ordered": true,
            "inverse": "question", "userInfo": {"JSONKeyPath": "answers"}},
          "question": {"destination": "Post", "optional": true, "inverse": "answers"}}},
      "Person": {"userInfo": {"identityAttributes": "id"},
        "attributes": {
          "id": {"type": "integer64", "userInfo": {"JSONKeyPath": "id"}},
          "name": {"type": "string", "optional": true, "userInfo": {"JSONKeyPath": "name"}},
          "rank": {"type": "double", "optional": true,
            "userInfo": {"JSONKeyPath": "rank", "groot.nulls": "omit"}}},
        "relationships": {
          "posts": {"destination": "Post", "toMany": true, "optional": true, "inverse": "author"},
          "edited": {"destination": "Post", "toMany": true, "optional": true, "inverse": "editor"}}},
      "Tag": {"userInfo": {"identityAttributes": "name"},
        "attributes": {
          "name": {"type": "string", "userInfo": {"JSONKeyPath": "name"}},
          "isHot": {"type": "boolean", "optional": true, "userInfo": {"JSONKeyPath": "hot"}}},
        "relationships": {
          "posts": {"destination": "Post", "toMany": true, "optional": true,
            "inverse": "tags"}}}}}
    """

  private static let names = ["", "Ünï", "a \"quoted\" name", "a name of more than sixteen bytes"]

  /// Posts with authors and tags of pools, some of them without values.
  private func records(_ poolSize: Int, _ random: inout SeededGenerator) -> [JSONValue] {
    func person() -> JSONValue {
      let id = random.below(poolSize)
      var members = ["id": JSONValue.integer(Int64(id))]
      if id % 3 != 0 { members["name"] = .string("\(id) \(Self.names[id % Self.names.count])") }
      if id % 2 == 0 { members["rank"] = .real(Double(id) / 8) }
      return .object(JSONObject(members))
    }
    func post(_ id: Int, answers: Int) -> JSONValue {
      var members: [String: JSONValue] = ["id": .integer(Int64(id))]
      if random.chance(80) { members["author"] = person() }
      if random.chance(30) { members["editor"] = person() }
      if random.chance(40) { members["place"] = ["x": .integer(Int64(random.below(9)))] }
      let tags = Set((0..<random.below(4)).map { _ in random.below(poolSize) }).sorted()
      members["tags"] = .array(
        tags.map {
          ["name": .string("tag \($0)"), "hot": $0 % 5 == 0 ? .null : .boolean($0 % 2 == 0)]
        }
      )
      members["answers"] = .array((0..<answers).map { post(id * 10 + $0 + 1, answers: 0) })
      return .object(JSONObject(members))
    }
    return (1...500).map { post($0 * 100, answers: random.chance(20) ? random.below(4) : 0) }
  }

  private static var options: [ExportOptions] {
    get throws {
      var all = [
        ExportOptions(), ExportOptions(depth: 1), ExportOptions(properties: ["tags", "x"]),
      ]
      var lines = ExportOptions()
      lines.writesLines = true
      all.append(lines)
      for nulls in [NullStyle.omit, .write] {
        var options = ExportOptions()
        options.nulls = nulls
        all.append(options)
      }
      return all
    }
  }

  @Test(arguments: [(seed: 1, poolSize: 4), (2, 300), (3, 9_000)], [false, true])
  func copiedTextsAreThoseOfTheObjects(drawn: (seed: Int, poolSize: Int), isStored: Bool) throws {
    var random = SeededGenerator(seed: drawn.seed)
    let model = try ManagedObjectModel(document: JSONValue(parsing: Self.document))
    let mapping = try Mapping(model: model)
    let file = try StoreFile()
    let memory = ManagedObjectContext(mapping: mapping)
    let records = records(drawn.poolSize, &random)
    try memory.importJSON(.value(.array(records)), into: "Post")
    var context = memory
    if isStored {
      let stored = try file.context(mapping)
      try stored.importJSON(.value(.array(records)), into: "Post")
      try stored.save()
      context = try file.context(mapping)
    }
    for change in 0..<2 {
      let request = FetchRequest("Post", sort: [.ascending("id")])
      let ids = try context.fetch(request).map(\.id)
      for options in try Self.options {
        let expected = try memory.fetch(request).map { try memory.exportText($0, options: options) }
        let whole =
          options.writesLines
          ? expected.map { $0 + "\n" }.joined() : "[\(expected.joined(separator: ","))]"
        let text = String(decoding: try context.exportBytes(ids, options: options), as: UTF8.self)
        #expect(text == whole)
        var pieces: [UInt8] = []
        try context.export(request, options: options) { pieces += $0 }
        #expect(String(decoding: pieces, as: UTF8.self) == whole)
      }
      if change > 0 { break }
      for each in isStored ? [memory, context] : [memory] {
        let first = try each.fetch(FetchRequest("Tag", sort: [.ascending("name")]))[0]
        try first.set("isHot", to: .boolean(true))
      }
    }
  }

  @Test func aTextIsWrittenAgainWhenTheOutputHasGone() throws {
    let account = MemoryAccount()
    let writer = JSONWriter(account: account)
    let texts = RepeatedTexts(writer, account)
    func write(_ number: UInt64, _ text: String) -> Bool {
      if texts.write(number) { return true }
      let start = writer.position
      writer.string(text)
      texts.note(number, from: start)
      return false
    }
    for number in 0..<300 { #expect(!write(UInt64(number), "first \(number)")) }
    #expect(write(299, "first 299"))
    let start = writer.position
    #expect(!write(1008, "eighth"))
    writer.truncate(to: start)
    writer.string("something else in the place")
    #expect(write(1008, "eighth"))
    writer.reset()
    #expect(write(1008, "eighth"))
    // A number with other texts.
    texts.removeAll()
    #expect(!write(1008, "ninth"))
    #expect(write(1008, "ninth"))
    // A text that is too long to be kept, and texts that take the place of all before.
    let long = String(repeating: "x", count: RecentBytes.maximumCount)
    #expect(!write(7, long))
    #expect(!write(7, long))
    for number in UInt64(2_000)..<2_200 { #expect(!write(number, String(long.dropFirst(10)))) }
    #expect(!write(1008, "ninth"))
    writer.reset()
    #expect(write(2_199, String(long.dropFirst(10))))
    #expect(write(1008, "ninth"))
    let text = String(decoding: writer.bytes, as: UTF8.self)
    #expect(text == "\"\(long.dropFirst(10))\",\"ninth\",")
  }

  @Test func aLookWithoutRepetitionsEnds() throws {
    let account = MemoryAccount()
    let writer = JSONWriter(account: account)
    let texts = RepeatedTexts(writer, account)
    for number in 0..<20_000 { #expect(!texts.write(UInt64(number))) }
    #expect(!texts.rate.isWorthwhile)
  }
}
