import Groot

/// Imports a feed in many orders and ways, and compares what comes of it.
struct OrderRun {
  let model: OrderModel
  let policy: String?
  let skipsWrong: Bool
  let seed: Int

  /// How two orders differ; nil when all agree.
  func difference(_ records: [JSONValue]) -> String? {
    var random = SeededGenerator(seed: UInt64(seed) &+ 7)
    let orders = orders(records, &random)
    guard let first = orders.first else { return nil }
    let expected = outcome { try run([first], context(nil)) }
    for order in orders.dropFirst() {
      let found = outcome { try run([order], context(nil)) }
      if found != expected { return text("in this order", first, expected, [order], found) }
    }
    for order in orders.prefix(1) {
      let found = outcome { try inStore([order]) }
      if found != expected { return text("in a store", first, expected, [order], found) }
    }
    return splitDifference(orders, expected, &random)
  }

  /// What is left out, or may not stay, when it is not there cannot come later.
  private func splitDifference(
    _ orders: [[JSONValue]], _ expected: OrderOutcome, _ random: inout SeededGenerator
  ) -> String? {
    let isLost = model.isAbstract || model.requiresAuthor || model.dialect == .hyper
    guard !isLost, policy == nil || policy == "placeholder", !skipsWrong else { return nil }
    for (number, order) in orders.shuffled(using: &random).prefix(4).enumerated() {
      var parts: [[JSONValue]] = [[]]
      for record in order {
        if random.flip() { parts.append([]) }
        parts[parts.count - 1].append(record)
      }
      let isStored = number.isMultiple(of: 4)
      let found = outcome { isStored ? try inStore(parts) : try run(parts, context(nil)) }
      if found.graph != expected.graph || found.failure != expected.failure {
        return text(
          "split, \(isStored ? "in a store" : "in memory")", orders[0], expected, parts, found)
      }
    }
    return nil
  }

  private func text(
    _ what: String, _ first: [JSONValue], _ expected: OrderOutcome, _ parts: [[JSONValue]],
    _ found: OrderOutcome
  ) -> String {
    """
    \(JSONValue.array(first)) gives
      \(expected)
    \(what) \(parts.map { JSONValue.array($0).description }.joined(separator: "; then ")) gives
      \(found)
    """
  }

  /// All orders of few records, some of many.
  private func orders(
    _ records: [JSONValue], _ random: inout SeededGenerator
  ) -> [[JSONValue]] {
    if records.count <= 3 { return Self.permutations(records) }
    return [records, records.reversed()] + (0..<6).map { _ in records.shuffled(using: &random) }
  }

  private static func permutations(_ records: [JSONValue]) -> [[JSONValue]] {
    guard records.count > 1 else { return [records] }
    return records.indices.flatMap { index -> [[JSONValue]] in
      var rest = records
      let first = rest.remove(at: index)
      return permutations(rest).map { [first] + $0 }
    }
  }

  // MARK: Running

  private func context(_ place: (any StorePlace)?) throws -> ManagedObjectContext {
    guard let place else { return ManagedObjectContext(mapping: model.mapping) }
    return try place.context(model.mapping)
  }

  private func outcome(_ body: () throws -> OrderOutcome) -> OrderOutcome {
    do {
      return try body()
    } catch let error as GrootError {
      return OrderOutcome(error)
    } catch {
      return OrderOutcome(GrootError(.storeInvalid, "\(error)"))
    }
  }

  private func options() -> ImportOptions {
    var options = ImportOptions()
    options.errorMode = skipsWrong ? .skip : .collect
    if let policy { options.policies["unknownIdentifier"] = policy }
    return options
  }

  private func run(
    _ parts: [[JSONValue]], _ context: ManagedObjectContext
  ) throws -> OrderOutcome {
    var report = ImportReport()
    for part in parts {
      report = try context.importJSON(.value(.array(part)), into: "Thing", options: options())
        .report
      let faults = context.brokenInvariants()
      guard faults.isEmpty else { throw GrootError(.storeInvalid, "\(faults)") }
    }
    return try OrderOutcome(context, report)
  }

  /// Each part into a new context on the store; what cannot be saved stays in the first one.
  private func inStore(_ parts: [[JSONValue]]) throws -> OrderOutcome {
    let place = try StoreKind.present[seed % StoreKind.present.count].place()
    var context = try context(place)
    var outcome: OrderOutcome?
    for part in parts {
      outcome = try run([part], context)
      try? context.save()
      if try context.changes == ChangeCounts() { context = try self.context(place) }
    }
    guard var outcome else { return try OrderOutcome(context, ImportReport()) }
    outcome.graph = try OrderOutcome.graph(context)
    let faults = context.brokenInvariants()
    guard faults.isEmpty else { throw GrootError(.storeInvalid, "\(faults)") }
    return outcome
  }
}
