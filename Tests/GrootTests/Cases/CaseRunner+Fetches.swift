import Testing

import Groot

// Steps that fetch and compute.

extension CaseRunner {
  private func part(_ step: JSONValue, _ keys: [String]) -> JSONValue {
    var request = JSONObject()
    for key in keys { request[key] = step[key] }
    return .object(request)
  }

  func runFetch(_ step: JSONValue, _ entity: String) throws {
    let json = part(step, ["where", "sort", "limit", "offset"])
    let found = try checkFailure(step["expect"], hasPlace: false) {
      try context.fetch(FetchRequest(entity, json: json))
    }
    guard let found else { return }
    if let expected = step["exportEquals"] {
      try runExport(step, expected) { try context.exportValue(found, options: $0) }
    }
    if let expected = step["gives"] {
      let property = try property(step)
      expectEqual(.array(try found.map { shown(try $0[property]) }), expected)
      #expect(try context.count(FetchRequest(entity, json: json)) == found.count, place)
    }
  }

  func runDistinct(_ step: JSONValue, _ entity: String) throws {
    let key = FetchRequest.SortKey(text: try property(step))
    let found = try checkFailure(step["expect"], hasPlace: false) {
      try context.distinct(
        key, request: FetchRequest(entity, json: part(step, ["where", "limit", "offset"])))
    }
    if let found { expectEqual(.array(found.map(\.json)), step["equals"]) }
  }

  func runAggregate(_ step: JSONValue, _ entity: String) throws {
    let found = try checkFailure(step["expect"], hasPlace: false) {
      try context.aggregateValue(
        AggregateRequest(entity, json: part(step, ["values", "by", "where"])))
    }
    if let found { expectEqual(found, step["equals"]) }
  }
}
