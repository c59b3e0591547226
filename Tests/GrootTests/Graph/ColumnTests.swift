import Testing

import Groot

/// Columns against reading the objects one by one.
@Suite struct ColumnTests {
  @Test(arguments: [0, 1, 8, 9, 500]) func columnsHaveWhatTheObjectsHave(count: Int) throws {
    let model = try ManagedObjectModel(
      document: """
        {"entities": {"Thing": {"attributes": {
          "number": {"type": "integer64", "optional": true},
          "exact": {"type": "decimal", "optional": true},
          "text": {"type": "string", "optional": true}},
          "relationships": {"owner": {"destination": "Thing", "optional": true}}}}}
        """)
    let mapping = try Mapping(model: model)
    let context = ManagedObjectContext(mapping: mapping)
    var random = SeededGenerator(seed: UInt64(count))
    var objects: [ObjectID] = []
    for _ in 0..<count {
      let id = try context.insert("Thing").id
      let draw = random.next()
      if draw & 1 != 0 {
        try context.setValue(.integer(Int64(bitPattern: draw)), for: "number", of: id)
      }
      if draw & 2 != 0 {
        let text = String(repeating: "é", count: Int(draw >> 8 & 31))
        try context.setValue(.string(text), for: "text", of: id)
      }
      if draw & 4 != 0, let decimal = DecimalNumber("\(draw >> 20).5") {
        try context.setValue(.decimal(decimal), for: "exact", of: id)
      }
      if draw & 8 != 0, let owner = objects.last {
        try context.setTarget(owner, for: "owner", of: id)
      }
      objects.append(id)
    }
    objects.shuffle(using: &random)
    let numbers = try context.column("number", of: "Thing", objects: objects)
    let texts = try context.column("text", of: "Thing", objects: objects)
    let exact = try context.column("exact", of: "Thing", objects: objects)
    let owners = try context.column("owner", of: "Thing", objects: objects)
    #expect(numbers.kind == .integer && texts.kind == .string && owners.kind == .object)
    for (index, id) in objects.enumerated() {
      let number = numbers.has(index) ? Value.integer(numbers.word(index)) : .null
      #expect(try context.value("number", of: id) == number)
      #expect(try context.value("text", of: id) == (texts.text(index).map { .string($0) } ?? .null))
      let decimal = exact.text(index).flatMap { DecimalNumber($0) }
      #expect(try context.value("exact", of: id) == (decimal.map { .decimal($0) } ?? .null))
      let owner = UInt64(bitPattern: owners.word(index))
      #expect(try context.target("owner", of: id)?.rawValue ?? 0 == owner)
    }
    let missing = objects.indices.count { !texts.has($0) }
    #expect(texts.nullCount == missing)
    #expect((texts.validity == nil) == (missing == 0))
  }
}

extension Column {
  fileprivate func has(_ index: Int) -> Bool {
    validity.map { $0[index / 8] >> UInt8(index % 8) & 1 == 1 } ?? true
  }

  fileprivate func word(_ index: Int) -> Int64 {
    values.loadUnaligned(fromByteOffset: index * 8, as: Int64.self)
  }

  fileprivate func text(_ index: Int) -> String? {
    guard has(index), let offsets else { return nil }
    return String(decoding: values[Int(offsets[index])..<Int(offsets[index + 1])], as: UTF8.self)
  }
}
