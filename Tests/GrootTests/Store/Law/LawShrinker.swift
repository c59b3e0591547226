import Groot

/// Cuts a sequence that shows a fault down to few steps with few records.
struct LawShrinker {
  let fails: ([LawOperation]) -> Bool

  func shrink(_ operations: [LawOperation]) -> [LawOperation] {
    var operations = operations
    var size = operations.count / 2
    while size >= 1 {
      var start = 0
      while start < operations.count {
        var fewer = operations
        fewer.removeSubrange(start..<min(start + size, operations.count))
        if fails(fewer) { operations = fewer } else { start += size }
      }
      size /= 2
    }
    for index in operations.indices { shrinkRecords(index, &operations) }
    return operations
  }

  private func shrinkRecords(_ index: Int, _ operations: inout [LawOperation]) {
    switch operations[index] {
    case .importRecords(let entity, let json, let settings):
      shrink(json, index, &operations) { .importRecords(entity, $0, settings) }
    case .sync(let entity, let json, let seed):
      shrink(json, index, &operations) { .sync(entity, $0, seed) }
    case .other(let inner):
      let before = operations
      let shorter = LawShrinker { inner in
        var changed = before
        changed[index] = .other(inner)
        return fails(changed)
      }.shrink(inner)
      operations[index] = .other(shorter)
    default: break
    }
  }

  private func shrink(
    _ json: JSONValue, _ index: Int, _ operations: inout [LawOperation],
    _ make: (JSONValue) -> LawOperation
  ) {
    var json = json
    var isShorter = true
    while isShorter {
      isShorter = false
      for smaller in json.smaller {
        var changed = operations
        changed[index] = make(smaller)
        if fails(changed) {
          json = smaller
          operations = changed
          isShorter = true
          break
        }
      }
    }
  }
}

extension JSONValue {
  /// The value with one thing less, everywhere in turn.
  var smaller: [JSONValue] {
    switch self {
    case .array(let elements):
      return elements.indices.map { index in
        var fewer = elements
        fewer.remove(at: index)
        return .array(fewer)
      }
        + elements.indices.flatMap { index in
          elements[index].smaller.map { smaller in
            var changed = elements
            changed[index] = smaller
            return .array(changed)
          }
        }
    case .object(let object):
      return object.members.map { member in
        .object(JSONObject(object.members.filter { $0.key != member.key }))
      }
        + object.members.flatMap { member in
          member.value.smaller.map { smaller in
            var changed = object
            changed[member.key] = smaller
            return .object(changed)
          }
        }
    default: return []
    }
  }
}
