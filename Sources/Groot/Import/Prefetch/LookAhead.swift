/// Reads ahead of an import, for everything that costs less when it is done for many records.
///
/// For a context on a store, it gathers the identities that the next elements name, and reads those
/// objects and the lists to be filled with few queries. For functions that get many values, it gathers
/// the values and calls the functions.
///
/// It changes nothing. An identity that it cannot determine, such as one from a transformer, is
/// left to the import, which then asks the store for that object alone.
final class LookAhead {
  /// The number of elements in one look-ahead.
  static let windowSize = 512

  /// The purposes of a look-ahead.
  struct Purposes {
    /// Whether the store is asked for identities.
    var readsStore: Bool
    /// The memo of the import for the results of functions; nil without such functions.
    var memo: BatchMemo?

    /// Whether there is nothing to look for.
    var isEmpty: Bool { !readsStore && memo == nil }
  }

  private let importer: Importer
  private let walk: RecordWalk
  private let elements: ImportElements
  private let memo: BatchMemo?
  private let readsStore: Bool
  /// The entity of the records; nil for envelopes.
  private let entity: PlanIndex?
  private let options: ImportOptions
  /// The number of elements that were read ahead and are not imported yet.
  private var ahead = 0
  private var isAtEnd = false
  /// The number of elements that may still be read ahead.
  private var rest: Int

  /// Makes a look-ahead with its own importer, on the tape of the elements.
  init(
    _ importer: Importer, of elements: ImportElements, into entity: PlanIndex?,
    for purposes: Purposes, limit: Int, options: ImportOptions
  ) {
    self.options = options
    rest = limit
    self.importer = importer
    (memo, readsStore) = (purposes.memo, purposes.readsStore)
    walk = RecordWalk(importer.resolver)
    self.entity = entity
    self.elements = elements
  }

  /// Reads ahead if needed; called before each element is imported.
  func advance() throws {
    if ahead == 0 {
      try memo?.removeAll()
      try lookAhead(Self.windowSize)
    }
    if ahead > 0 { ahead -= 1 }
  }

  /// Reads all available elements ahead; called before they are imported.
  func readAll() throws {
    try memo?.removeAll()
    repeat {
      ahead = 0
      try lookAhead(Self.windowSize)
    } while ahead == Self.windowSize
  }

  private func lookAhead(_ limit: Int) throws {
    guard !isAtEnd else { return }
    var finds = Finds(
      keys: readsStore ? importer.store.map { KeyCollector(importer.resolver, store: $0) } : nil,
      values: memo.map { ValueCollector(importer.resolver, memo: $0) })
    while ahead < limit, rest > 0 {
      do {
        guard try elements.next() else {
          isAtEnd = true
          break
        }
      } catch is JSONReader.NeedsMoreInput {
        break
      } catch {
        // The import meets the same error and reports it.
        isAtEnd = true
        break
      }
      ahead += 1
      rest -= 1
      gather(&finds)
    }
    if let store = importer.store { try finds.keys?.keys.read(importer, store: store) }
    try memo?.callFunctions()
  }

  private func gather(_ finds: inout Finds) {
    importer.beginElement()
    if let entity, options.recordsPath.isEmpty {
      importer.matcher.beginStanding()
      gather(.first, form: options.form, of: entity, &finds)
      return
    }
    let tape = importer.tape
    guard tape.count > 0, tape.tokens[0].kind == .object else { return }
    if let parts {
      importer.matcher.beginStanding()
      for part in parts {
        guard let value = part.path.value(from: .first, on: tape) else { continue }
        importer.matcher.place = Place()
        gather(value, form: part.form, of: part.plan, &finds)
      }
      return
    }
    var key = TokenIndex.first.next
    for _ in 0..<Int(clamping: tape.tokens[0].payload) {
      let name = String(decoding: tape.tokens[key].bytes, as: UTF8.self)
      if let entity = importer.mapping.planOfExternalName[name] {
        walk.walk(key.next, of: entity, visitor: &finds)
      }
      key = tape.end(of: key.next)
    }
  }

  /// The places of the records in an element; nil for the external names of an envelope.
  private var parts: [DocumentPart]? {
    guard let entity else { return importer.mapping.hasRoots ? importer.mapping.roots : nil }
    let keys = (try? JSONPointer(options.recordsPath).keys) ?? []
    return [
      DocumentPart(
        keys: keys.map { String(decoding: $0, as: UTF8.self) }, plan: entity, form: options.form)
    ]
  }

  private func gather(
    _ value: TokenIndex, form: CollectionForm, of entity: PlanIndex, _ finds: inout Finds
  ) {
    try? importer.forEachRecord(at: value, form: form, entity: entity) { record in
      walk.walk(record, of: entity, visitor: &finds)
    }
  }
}

/// The identities and values that one look-ahead gathers.
private struct Finds: RecordVisitor {
  var keys: KeyCollector?
  let values: ValueCollector?

  mutating func visit(record: TokenIndex, of number: PlanIndex) {
    keys?.visit(record: record, of: number)
    values?.visit(record: record, of: number)
  }

  mutating func visit(relationship step: PlanPart<StepPlan>, of number: PlanIndex) {
    keys?.visit(relationship: step, of: number)
  }

  mutating func visit(identifier: TokenIndex, of number: PlanIndex) {
    keys?.visit(identifier: identifier, of: number)
    values?.visit(identifier: identifier, of: number)
  }
}
