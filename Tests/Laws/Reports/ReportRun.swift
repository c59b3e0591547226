@testable import Groot

/// Carries out a sequence on a context, and compares each report with what really differs.
final class ReportRun {
  private let subject: ReportSubject
  /// Where the context keeps its objects; nil in memory.
  private let file: StoreFile?
  private var context: ManagedObjectContext
  /// The state at the last save.
  private var saved: ReportSnapshot
  private(set) var history: [String] = []

  init(_ subject: ReportSubject, isStored: Bool) throws {
    self.subject = subject
    file = isStored ? try StoreFile() : nil
    context = try Self.context(subject, file)
    saved = try ReportSnapshot(context)
  }

  private static func context(
    _ subject: ReportSubject, _ file: StoreFile?
  ) throws -> ManagedObjectContext {
    try file?.open(subject.mapping).context ?? ManagedObjectContext(mapping: subject.mapping)
  }

  func run(_ operations: [LawOperation]) throws {
    for operation in operations { try perform(operation) }
  }

  private func perform(_ operation: LawOperation) throws {
    history.append("\(operation)")
    switch operation {
    case .importRecords(let entity, let json, let settings):
      try check(settings.options) { try self.load(entity, json, settings, $0) }
    case .sync(let entity, let json, let seed):
      var random = SeededGenerator(seed: seed)
      var options = SyncOptions()
      options.inserts = !random.once(in: 8)
      options.updates = !random.once(in: 8)
      options.memberDeletes = random.pick([nil, true, false])
      options.listsChanges = true
      var asked = ImportOptions()
      asked.isDryRun = random.once(in: 6)
      try check(asked) { asked in
        options.isDryRun = asked.isDryRun
        return try self.context.sync(entity, with: .value(json), options: options).report
      }
    case .fill(let seed):
      guard let object = try object(seed) else { return }
      let json = subject.record(
        try context.entityIndex(of: object), seed)
      var options = ImportOptions()
      options.listsChanges = true
      try check(options) { try self.context.fill(object, from: .value(json), options: $0) }
    case .delete(let seed):
      guard let object = try object(seed) else { return }
      try? context.delete(object)
      try checkPending()
    case .save: save()
    case .rollback:
      try context.rollback()
      try checkPending()
    case .reopen:
      save()
      try context.rollback()
      if file != nil { context = try Self.context(subject, file) }
      saved = try ReportSnapshot(context)
    case .insert, .change, .read, .refresh, .other: break
    }
  }

  private func save() {
    do {
      try context.save()
      saved = try ReportSnapshot(context)
    } catch {
      history.append("not saved: \(error)")
    }
  }

  private func object(_ seed: UInt64) throws -> ObjectID? {
    var random = SeededGenerator(seed: seed)
    let all = try ReportSnapshot(context).objects.keys.sorted { $0.rawValue < $1.rawValue }
    return random.one(of: all)
  }

  private func load(
    _ entity: String, _ json: JSONValue, _ settings: LawImport, _ options: ImportOptions
  ) throws -> ImportReport {
    guard settings.form == .pieces else {
      return try context.importJSON(.value(json), into: entity, options: options).report
    }
    let stream = try context.beginImport(into: entity, options: options)
    try stream.write(json.description)
    return try stream.finish().report
  }

  // MARK: Checks

  private func check(
    _ options: ImportOptions, _ body: (ImportOptions) throws -> ImportReport
  ) throws {
    let before = try ReportSnapshot(context)
    var foreseen: ImportReport?
    if options.isDryRun {
      foreseen = try? body(options)
      try expectNothing(before, "a dry run")
    }
    var real = options
    real.isDryRun = false
    let report: ImportReport
    do {
      report = try body(real)
    } catch {
      history.append("fails: \(error)")
      if foreseen != nil { throw LawFailure("the dry run did not fail") }
      return try expectNothing(before, "a failure")
    }
    let difference = ReportDifference(before, try ReportSnapshot(context))
    if let fault = difference.fault(in: report) { throw LawFailure(fault) }
    if options.isDryRun {
      let (one, other) = (foreseen.map(Self.describe), Self.describe(report))
      guard one == other else {
        throw LawFailure("a dry run foresees \(one ?? "nothing"), but it is \(other)")
      }
    }
    try context.checkInvariants()
    try checkPending()
  }

  /// A report as text, in which new objects have no ids.
  private static func describe(_ report: ImportReport) -> String {
    var text = report.json.description
    let new = report.changes.filter { $0.kind == .inserted }.map(\.object)
    for (position, object) in new.enumerated() {
      text = text.split(separator: "\(Int64(bitPattern: object.rawValue))")
        .joined(separator: "new\(position)")
    }
    return text
  }

  private func expectNothing(_ before: ReportSnapshot, _ what: String) throws {
    let counts = ReportDifference(before, try ReportSnapshot(context)).counts
    guard counts == ChangeCounts() else {
      throw LawFailure("\(what) changes objects: \(counts)")
    }
    try checkPending()
  }

  /// What is pending is what differs from the last save.
  private func checkPending() throws {
    let now = try ReportSnapshot(context)
    let expected = ReportDifference(saved, now).counts
    let pending = try context.changes
    guard pending == expected else {
      throw LawFailure("\(pending) is pending, what differs is \(expected)")
    }
  }
}
