import Foundation
import Testing

import Groot

/// Models and rules that were changed at random: each is refused or works, in bounded time.
///
/// `GROOT_HOSTILE=first-last` in the environment makes other mutations than usual, `GROOT_HOSTILE=17`
/// one.
struct HostileModelTests {
  private static let blocks = 8

  private static let seeds = SeedRange.named("GROOT_HOSTILE", usually: 0...399)

  /// A model of the tests with all that goes with it.
  private struct Sample {
    let name: String
    let model: JSONValue
    let rules: [JSONValue]
    let isImplicit: Bool
    let registry: TransformerRegistry
  }

  private static let samples: [Sample] = {
    CaseTests.names.compactMap { try? sample($0) } + converted
  }()

  private static func sample(_ name: String) throws -> Sample? {
    let test = try CaseTests.json(name)
    guard let model = test["model"] else { return nil }
    let named = try model.stringValue.map { try CaseTests.json("models/\($0).json") } ?? model
    let further = test["mappings"]?.objectValue?.members.map(\.value) ?? []
    return Sample(
      name: name, model: CaseComparison.patched(named, test["change"] ?? [:]),
      rules: ([test["mappingOptions"]].compactMap(\.self) + further).compactMap { $0["rules"] },
      isImplicit: test["mappingOptions"]?["implicit"] == true,
      registry: try CaseRegistry.make(test))
  }

  /// The models of Tests/Models as documents, which are seeds of the fuzzer.
  private static let converted: [Sample] = {
    let folder = CaseTests.folder.deletingLastPathComponent().appendingPathComponent(
      "Fuzz/corpus/models")
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return files.sorted().compactMap { file in
      let text = try? String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
      guard let text, let json = try? JSONValue(parsing: text), let model = json["model"] else {
        return nil
      }
      return Sample(
        name: file, model: model, rules: [json["rules"]].compactMap(\.self), isImplicit: true,
        registry: TransformerRegistry())
    }
  }()

  /// All values inside the models and rules, for grafting.
  private static let stock: [JSONValue] = {
    var values: [JSONValue] = []
    for sample in samples {
      for value in [sample.model] + sample.rules {
        let inner = value["entities"]?.objectValue ?? value.objectValue ?? JSONObject()
        values += inner.members.map(\.value)
        for (_, entity) in inner.members {
          values += entity.objectValue?.members.map(\.value) ?? []
          values += entity["attributes"]?.objectValue?.members.map(\.value) ?? []
          values += entity["relationships"]?.objectValue?.members.map(\.value) ?? []
        }
      }
    }
    return values
  }()

  @Test func theSamplesThemselvesWork() {
    var total = ModelTrial.Outcome()
    for sample in Self.samples {
      for rules in sample.rules.isEmpty ? [nil] : sample.rules.map(Optional.some) {
        let trial = ModelTrial(
          model: sample.model, rules: rules, isImplicit: sample.isImplicit,
          registry: sample.registry)
        total.add(trial.run(seed: 1), sample.name)
      }
    }
    #expect(total.faults == [])
    // A trial that works with nothing would find nothing.
    #expect(total.models > 100 && total.mappings > 200)
    #expect(total.imports > 150 && total.exports > 250)
  }

  // The limit of time is a watchdog: usually a block takes seconds.
  @Test(.timeLimit(.minutes(60)), arguments: 0..<blocks)
  func aChangedModelIsRefusedOrWorks(block: Int) { Self.run(block, "changes", Self.trial) }

  // The limit of time is a watchdog: usually a block takes seconds.
  @Test(.timeLimit(.minutes(60)), arguments: 0..<blocks)
  func furtherAnnotationsAreRefusedOrWork(block: Int) {
    Self.run(block, "annotations") { seed in
      var mutator = AnnotationMutator(random: SeededGenerator(seed: seed))
      let sample = mutator.random.pick(Self.samples)
      let count = mutator.random.number(in: 1...6)
      return ModelTrial(
        model: mutator.annotate(sample.model, count: count),
        rules: mutator.random.one(of: sample.rules), isImplicit: sample.isImplicit,
        registry: sample.registry)
    }
  }

  private static func run(_ block: Int, _ name: String, _ trial: (Int) -> ModelTrial) {
    var total = ModelTrial.Outcome()
    for seed in seeds.block(block, of: blocks) {
      total.add(trial(seed).run(seed: UInt64(seed)), "\(name), GROOT_HOSTILE=\(seed)")
    }
    #expect(total.faults == [])
    if seeds.count >= 400 {
      #expect(total.models > 0 && total.mappings > 0 && total.exports > 0)
    }
    if seeds.count > 1_000 {
      print(
        "\(name), block \(block): \(total.models) models, \(total.mappings) mappings, "
          + "\(total.imports) imports, \(total.exports) exports")
    }
  }

  private static func trial(_ seed: Int) -> ModelTrial {
    var mutator = JSONMutator(random: SeededGenerator(seed: seed), stock: stock)
    let sample = mutator.random.pick(samples)
    let count = mutator.random.number(in: 1...4)
    var rules = mutator.random.one(of: sample.rules)
    var model = sample.model
    // Rules come to their right where the model is sound.
    if rules != nil, mutator.random.flip() {
      rules = rules.map { mutator.mutate($0, changes: count) }
    } else {
      model = mutator.mutate(model, changes: count)
    }
    return ModelTrial(
      model: model, rules: rules, isImplicit: mutator.random.flip(),
      registry: sample.registry)
  }
}

extension ModelTrial.Outcome {
  fileprivate mutating func add(_ other: Self, _ name: String) {
    faults += other.faults.map { "\(name): \($0)" }
    models += other.models
    mappings += other.mappings
    imports += other.imports
    exports += other.exports
  }
}
