import GrootSQLite
import Testing

@testable import Groot

/// Each request for memory is refused in its turn: a status says so, nothing is lost, and what was
/// refused can be done afterwards.
///
/// Of all requests some are tried; `GROOT_REFUSED=first-last` in the environment tries each with
/// these numbers.
@Suite struct RefusedMemoryTests {
  private static let numbers = SeedRange.named("GROOT_REFUSED", usually: 0...Int.max)
  private static let isUsual = numbers.upperBound == .max

  private let mapping: Mapping

  init() throws { mapping = try MemoryProgram.mapping() }

  /// What a context holds after a step when no memory is refused.
  private struct Reference {
    var outcomes: [String] = []
    /// Before each step, and at the end.
    var states: [String] = []
  }

  @Test(arguments: [false, true])
  func aCallInMemoryThatIsRefusedMemoryCanBeRepeated(refusesAllThatFollow: Bool) throws {
    try refuseEach(refusesAllThatFollow) { ManagedObjectContext(mapping: mapping) }
  }

  @Test(arguments: [false, true])
  func aCallOnAStoreThatIsRefusedMemoryCanBeRepeated(refusesAllThatFollow: Bool) throws {
    var files: [StoreFile] = []
    try refuseEach(refusesAllThatFollow) {
      files = [try StoreFile()]
      return try files[0].open(mapping).context
    }
  }

  private func refuseEach(
    _ refusesAllThatFollow: Bool, make: () throws -> ManagedObjectContext
  ) throws {
    let reference = try reference(make())
    let step = Self.isUsual ? 6 : 1
    var number = Self.numbers.lowerBound + (Self.isUsual && refusesAllThatFollow ? 3 : 0)
    var (count, failures) = (0, 0)
    while number <= Self.numbers.upperBound {
      let memory: MemoryAccount
      do {
        let context = try make()
        memory = context.graph.memory
        memory.refusedRequests = number..<(refusesAllThatFollow ? .max : number + 1)
        do {
          if try run(context, reference) { failures += 1 }
        } catch {
          Issue.record("request \(number): \(error)")
          return
        }
      }
      #expect(memory.held == 0, "request \(number)")
      guard memory.requestCount > number else { break }
      count += 1
      number += step
    }
    // Without most of it something fails: what did not ask would not be refused.
    #expect(failures * 2 > count, "\(failures) of \(count) requests failed")
  }

  private func reference(_ context: ManagedObjectContext) throws -> Reference {
    var reference = Reference()
    for step in MemoryProgram.steps(withStore: context.coordinator != nil) {
      reference.states.append(try MemoryProgram.everything(context))
      reference.outcomes.append(try step.run(context))
    }
    reference.states.append(try MemoryProgram.everything(context))
    return reference
  }

  /// Runs the program; whether a step failed, which is then repeated with all memory there is.
  private func run(_ context: ManagedObjectContext, _ reference: Reference) throws -> Bool {
    let memory = context.graph.memory
    var hasFailed = false
    for (index, step) in MemoryProgram.steps(withStore: context.coordinator != nil).enumerated() {
      var outcome: String?
      // To see what a store has it would have to be read, which is what is to be refused.
      let before = context.coordinator == nil && !hasFailed ? dump(context) : nil
      do {
        outcome = try step.run(context)
      } catch let error as GrootError {
        guard error.status == .outOfMemory else { throw difference(step, "\(error)") }
        hasFailed = true
        memory.refusedRequests = 0..<0
        if let broken = context.brokenInvariants().first { throw difference(step, broken) }
        guard try MemoryProgram.everything(context) == reference.states[index],
          before == nil || before == dump(context)
        else {
          throw difference(step, "failed, and has changed something")
        }
      }
      guard memory.shortage == nil else { throw difference(step, "a shortage is not looked at") }
      guard try outcome ?? step.run(context) == reference.outcomes[index] else {
        throw difference(step, "has another outcome than with all memory")
      }
    }
    memory.refusedRequests = 0..<0
    if let broken = context.brokenInvariants().first { throw difference(nil, broken) }
    guard try MemoryProgram.everything(context) == reference.states.last else {
      throw difference(nil, "another graph than with all memory")
    }
    return hasFailed
  }

  private func difference(_ step: MemoryProgram.Step?, _ text: String) -> LawFailure {
    LawFailure("\(step?.name ?? "at the end"): \(text)")
  }
}
