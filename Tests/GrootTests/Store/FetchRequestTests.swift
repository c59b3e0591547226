import Testing

import Groot

/// Requests that a program makes, and what is wrong with them.
struct FetchRequestTests {
  private func context(_ file: StoreFile? = nil) throws -> ManagedObjectContext {
    guard let file else { return try Generated.context() }
    let mapping = try Mapping(model: ManagedObjectModel(document: Generated.document))
    return try ManagedObjectContext(mapping: mapping, storePath: file.path)
  }

  @Test func valuesAreOfTheirAttributes() throws {
    let context = try context()
    try context.importJSON(#"[{"key": 1, "name": "Ada"}, {"key": 2}]"#, into: "Person")
    #expect(try context.fetch(FetchRequest("Person", where: ["name": "Ada"])).count == 1)
    #expect(try context.fetch(FetchRequest("Person", where: ["name": .null])).count == 1)
    let error = #expect(throws: GrootError.self) {
      try context.fetch(FetchRequest("Person", where: ["name": 5]))
    }
    #expect(error?.status == .wrongType)
    #expect(error?.issues.first?.path == "$.where.name")
    #expect(error?.issues.first?.property == "name")
  }

  @Test func distinctValuesHaveAnOrderOfTheirOwn() throws {
    let context = try context()
    try context.importJSON(#"[{"key": 1}, {"key": 2}]"#, into: "Person")
    let request = FetchRequest("Person", sort: [.ascending("name")])
    let error = #expect(throws: GrootError.self) {
      try context.distinct(FetchRequest.SortKey("key"), request: request)
    }
    #expect(error?.status == .invalidArgument)
    #expect(error?.issues.first?.path == "$.sort")
  }
}
