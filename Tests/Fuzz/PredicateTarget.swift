#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// Reads the bytes as a predicate, and asks the objects of a small graph.
///
/// What is refused must be refused with a status; what is taken must hold for the objects for which
/// a plain reading of its JSON says so.
///
/// Called by libFuzzer, which makes the bytes.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzPredicates(_ data: UnsafePointer<UInt8>?, _ size: Int) -> Int32 {
  guard let data, let world else { return 0 }
  let bytes = UnsafeBufferPointer(start: data, count: size)
  let text = String(decoding: bytes, as: UTF8.self)
  guard let json = try? JSONValue(parsing: text) else { return 0 }
  let reader = PredicateReader(model: world.context.model)
  let predicate: Predicate
  do {
    predicate = try reader.read(json, entity: EntityIndex(0), at: "$")
  } catch let error as GrootError {
    require(!error.issues[0].message.isEmpty, "an error without a message", bytes)
    return 0
  } catch {
    require(false, "\(error)", bytes)
    return 0
  }
  let program = PredicateProgram(predicate, graph: world.context.graph)
  let comparable = PlainPredicate.isPlain(bytes)
  let naive = NaivePredicate(context: world.context)
  for object in world.objects {
    let (row, table) = (object.id.row, object.id.table)
    let holds = program.holds(row, in: table)
    require(program.holds(row, in: table) == holds, "two answers to one question", bytes)
    guard comparable, let expected = try? naive.holds(json, object) else { continue }
    require(holds == expected, "\(holds), but \(expected) for the object \(object.id)", bytes)
  }
  return 0
}

/// Which predicates the slow reading of them is asked about.
private enum PlainPredicate {
  /// It tries every way, and does not know objects as values.
  static func isPlain(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var (levels, stars) = (0, 0)
    for (place, byte) in bytes.enumerated() {
      if byte == UInt8(ascii: "*") { stars += 1 }
      for word in ["any", "all", "none", "json", "\\u"]
      where bytes[place...].starts(with: word.utf8) {
        levels += word.utf8.count > 3 || word == "\\u" ? (word == "none" ? 1 : 100) : 1
      }
    }
    return levels <= 3 && stars <= 4
  }
}

/// The objects that are asked.
private struct World {
  let context: ManagedObjectContext
  let objects: [ManagedObject]

  init() throws {
    context = ManagedObjectContext(mapping: try QueryModel.mapping())
    var driver = QueryModel.Driver([context], seed: 7)
    for _ in 0..<24 { try driver.insert() }
    for _ in 0..<24 { try driver.change() }
    objects = try context.fetch(FetchRequest("Node"))
  }
}

// Made once, by whoever comes first; libFuzzer calls on one thread.
nonisolated(unsafe) private let world: World? = {
  do {
    return try World()
  } catch {
    print("\(error)")
    abort()
  }
}()
