@testable import Groot

/// A step of a sequence, which others can be cut out of.
///
/// What exactly it does is found when it is its turn, from its seed and the state in memory.
enum LawOperation {
  case importRecords(String, JSONValue, LawImport)
  case sync(String, JSONValue, UInt64)
  case insert(String)
  case delete(UInt64)
  case fill(UInt64)
  case change(UInt64)
  case read(UInt64)
  case save
  case rollback
  case refresh
  /// Unsaved changes are saved first when the seed is even.
  case reopen(UInt64)
  /// Another context on the store does this and saves, then this one reads it.
  case other([LawOperation])
}

extension LawOperation: Shrinkable {
  var smaller: [LawOperation] {
    switch self {
    case .importRecords(let entity, let json, let settings):
      json.smaller.map { .importRecords(entity, $0, settings) }
    case .sync(let entity, let json, let seed): json.smaller.map { .sync(entity, $0, seed) }
    case .other(let operations): operations.smaller.map { .other($0) }
    default: []
    }
  }
}

extension LawOperation {
  static func sequence(_ law: LawModel, _ count: Int, _ random: inout SeededGenerator)
    -> [LawOperation]
  {
    // Something to work with: else most of what a sequence does is done to nothing.
    let beginning = law.model.resolved.prefix(4).map { entity in
      var records = LawRecords(law: law, random: random.fork())
      var settings = LawImport(&random)
      settings.options.errorMode = .skip
      settings.options.isDryRun = false
      return LawOperation.importRecords(entity.name, records.list(entity.index), settings)
    }
    return beginning + [.save]
      + (beginning.count..<count).map { _ in one(law, &random, isInner: false) }
  }

  private static func one(
    _ law: LawModel, _ random: inout SeededGenerator, isInner: Bool
  ) -> LawOperation {
    let entities = law.model.resolved
    let entity = random.one(of: entities) ?? entities[0]
    var records = LawRecords(law: law, random: random.fork())
    switch random.below(isInner ? 72 : 100) {
    case 0..<14:
      return .importRecords(entity.name, records.list(entity.index), LawImport(&random))
    case 14..<18: return .sync(entity.name, records.list(entity.index), random.next())
    case 18..<24: return .insert(entity.name)
    case 24..<30: return .delete(random.next())
    case 30..<33: return .fill(random.next())
    case 33..<60: return .change(random.next())
    case 60..<72: return .read(random.next())
    case 72..<83: return .save
    case 83..<87: return .rollback
    case 87..<90: return .refresh
    case 90..<97: return .reopen(random.next())
    default:
      let inner = (0..<random.number(in: 1...5)).map { _ in
        one(law, &random, isInner: true)
      }
      return .other(inner)
    }
  }
}
