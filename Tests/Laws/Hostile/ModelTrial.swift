#if canImport(Groot)
import Groot
#endif

/// A model, and what may go with it, of which nobody knows whether it is any good.
///
/// Making a model and its mappings is either refused or gives something that works: it imports a
/// small feed and exports what that made. Tests/Fuzz compiles this file into its targets, too.
struct ModelTrial {
  var model: JSONValue
  /// The rules of the dialect `kvc`; nil where that is not tried.
  var rules: JSONValue?
  var isImplicit = false
  var registry = TransformerRegistry()

  /// What came of it.
  struct Outcome {
    /// What should never be; empty when all is well.
    var faults: [String] = []
    var models = 0
    var mappings = 0
    var imports = 0
    var exports = 0
  }

  /// Tries all dialects.
  func run(seed: UInt64) -> Outcome {
    var outcome = Outcome()
    let made: ManagedObjectModel
    do {
      made = try ManagedObjectModel(document: model)
    } catch {
      outcome.check(error, in: "a model", allowed: [.invalidModel, .limitExceeded])
      return outcome
    }
    outcome.models += 1
    if let again = try? ManagedObjectModel(document: made.document) {
      if again.document != made.document { outcome.faults.append("a model's document is another") }
    } else {
      outcome.faults.append("a model's own document makes no model")
    }
    for dialect in Mapping.Dialect.allCases where dialect != .kvc || rules != nil {
      do {
        let mapping = try Mapping(
          model: made, registry: registry, dialect: dialect,
          isImplicit: isImplicit && dialect != .hyper, rules: dialect == .kvc ? rules : nil)
        outcome.mappings += 1
        exercise(mapping, seed, &outcome)
      } catch {
        outcome.check(
          error, in: "a mapping", allowed: [.invalidMapping, .unknownTransformer, .limitExceeded])
      }
    }
    return outcome
  }

  /// Imports feeds, which may be refused, and exports what is there, which may not.
  private func exercise(_ mapping: Mapping, _ seed: UInt64, _ outcome: inout Outcome) {
    var feed = SmallFeed(mapping: mapping, seed: seed)
    let context = ManagedObjectContext(mapping: mapping)
    var isImported = false
    for (entity, records) in feed.feeds() {
      do {
        _ = try context.importJSON(.value(records), into: entity)
        isImported = true
      } catch {
        if error.status == .invalidModel || error.status == .invalidMapping {
          outcome.faults.append("an import fails late: \(error)")
        }
      } catch {
        outcome.faults.append("an import fails with \(error)")
      }
    }
    if isImported { outcome.imports += 1 }
    let broken = context.brokenInvariants()
    if !broken.isEmpty { outcome.faults.append("the graph is broken: \(broken.prefix(3))") }
    for entity in mapping.model.entities.prefix(SmallFeed.maximumEntities) {
      do {
        let objects = try context.fetch(FetchRequest(entity.name))
        let value = try context.exportValue(objects)
        _ = try JSONValue(parsing: value.description)
        outcome.exports += objects.isEmpty ? 0 : 1
      } catch {
        // The functions of a registry may refuse; so do exports that could not be read again, since
        // objects lack the keys under which they stand.
        let isAboutKeys =
          error.issues.allSatisfy { $0.message.contains("key") }
        outcome.check(
          error, in: "an export",
          allowed: isAboutKeys
            ? [.transformFailed, .invalidArgument, .missingValue] : [.transformFailed])
      }
    }
  }
}

extension ModelTrial.Outcome {
  /// Notes a failure that is not one of the expected ones, or says nothing.
  fileprivate mutating func check(_ error: any Error, in place: String, allowed: [Status]) {
    guard let error = error as? GrootError else {
      faults.append("\(place) fails with \(error)")
      return
    }
    if !allowed.contains(error.status) { faults.append("\(place) fails with \(error)") }
    if error.issues.contains(where: { $0.message.isEmpty }) {
      faults.append("\(place) fails without a word")
    }
  }
}
