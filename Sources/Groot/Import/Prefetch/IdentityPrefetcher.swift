/// Reads ahead of an import into a context on a store.
///
/// It gathers the identities that the next elements name, and reads those objects and the lists to
/// be filled with few queries.
///
/// It changes nothing. An identity that it cannot determine, such as one from a transformer, is
/// left to the import, which then asks the store for that object alone.
final class IdentityPrefetcher {
  /// The number of elements in one look-ahead.
  static let windowSize = 512

  private let importer: Importer
  private let collector: KeyCollector
  private let elements: ImportElements
  /// The entity of the records; nil for envelopes.
  private let entity: PlanIndex?
  private let form: CollectionForm
  /// The number of elements that were read ahead and are not imported yet.
  private var ahead = 0
  private var isAtEnd = false
  /// The number of elements that may still be read ahead.
  private var rest: Int

  /// Makes a prefetcher with its own importer, on the tape of the elements.
  init(
    _ importer: Importer, of elements: ImportElements, into entity: PlanIndex?,
    form: CollectionForm, limit: Int
  ) {
    self.form = form
    rest = limit
    self.importer = importer
    collector = KeyCollector(importer.resolver)
    self.entity = entity
    self.elements = elements
  }

  /// Reads ahead if needed; called before each element is imported.
  func advance() throws {
    if ahead == 0 { try lookAhead(Self.windowSize) }
    if ahead > 0 { ahead -= 1 }
  }

  private func lookAhead(_ limit: Int) throws {
    guard !isAtEnd, let store = importer.store else { return }
    var prefetchKeys = PrefetchKeys(importer.graph.memory)
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
      gather(&prefetchKeys)
    }
    try prefetchKeys.read(importer, store: store)
  }

  /// Reads all available elements ahead; called before they are imported.
  func prefetchAll() throws {
    repeat {
      ahead = 0
      try lookAhead(Self.windowSize)
    } while ahead == Self.windowSize
  }

  private func gather(_ prefetchKeys: inout PrefetchKeys) {
    importer.beginElement()
    if let entity {
      importer.matcher.beginStanding()
      try? importer.forEachRecord(at: .first, form: form, entity: entity) { record in
        collector.collectKeys(record, entity: entity, prefetchKeys: &prefetchKeys)
      }
      return
    }
    let tape = importer.tape
    guard tape.count > 0, tape.tokens[0].kind == .object else { return }
    if importer.mapping.hasRoots {
      for root in importer.mapping.roots {
        guard let value = root.path.value(from: .first, on: tape) else { continue }
        importer.matcher.place = Place()
        try? importer.forEachRecord(at: value, form: root.form, entity: root.plan) { record in
          collector.collectKeys(record, entity: root.plan, prefetchKeys: &prefetchKeys)
        }
      }
      return
    }
    var key = TokenIndex.first.next
    for _ in 0..<Int(clamping: tape.tokens[0].payload) {
      let name = String(decoding: tape.tokens[key].bytes, as: UTF8.self)
      if let entity = importer.mapping.planOfExternalName[name] {
        collector.collectKeys(key.next, entity: entity, prefetchKeys: &prefetchKeys)
      }
      key = tape.end(of: key.next)
    }
  }
}
