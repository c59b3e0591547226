// Makes each model of the types that were written for it, and compares it with that of its document.
import Groot

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

func readFile(_ path: String) throws -> String {
  guard let file = fopen(path, "rb") else { throw GrootError(.fileError, "no file \(path)") }
  defer { fclose(file) }
  var bytes: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: 1 << 16)
  while true {
    let count = fread(&chunk, 1, chunk.count, file)
    guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
    bytes += chunk[..<count]
  }
}

/// The types are in the order of their names, whatever that of the document is, and a model says in
/// which order entities and properties come.
func sorted(_ json: JSONValue) -> JSONValue {
  switch json {
  case .object(let object):
    let members = object.members.sorted {
      $0.key.unicodeScalars.lexicographicallyPrecedes($1.key.unicodeScalars)
    }
    return .object(JSONObject(members.map { (key: $0.key, value: sorted($0.value)) }))
  case .array(let list): return .array(list.map(sorted))
  default: return json
  }
}

/// Where two documents differ, with what is there.
func differences(_ found: JSONValue?, _ expected: JSONValue?, at path: String = "") -> [String] {
  if found == expected { return [] }
  guard case .object(let left)? = found, case .object(let right)? = expected else {
    let texts = [found, expected].map { $0?.description ?? "nothing" }
    return ["\(path): \(texts[0]), not \(texts[1])"]
  }
  let keys = left.members.map(\.key) + right.members.map(\.key).filter { left[$0] == nil }
  return keys.flatMap { differences(left[$0], right[$0], at: "\(path).\($0)") }
}

guard CommandLine.arguments.count == 2 else {
  throw GrootError(.invalidArgument, "usage: Generated FOLDER")
}
var failed = 0
for (name, entities) in generated {
  let text = try readFile("\(CommandLine.arguments[1])/\(name).json")
  let document = sorted(try JSONValue(parsing: text))
  do {
    let expected = try ManagedObjectModel(document: document).document
    let found = try ManagedObjectModel(entities).document
    if found == expected { continue }
    print("\(name): ", differences(found, expected).joined(separator: "\n  "))
  } catch {
    print("\(name): \(error)")
  }
  failed += 1
}
print("\(generated.count - failed) passed, \(failed) failed")
exit(failed == 0 ? 0 : 1)
