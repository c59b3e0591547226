/// Reads ahead of an import into a context on a store.
///
/// It gathers the identities that the next elements name. The store then gives those objects, and
/// the lists that are to be filled, all at once.
///
/// It changes nothing, and what it cannot tell, such as what a transformer is going to make of an
/// element, it leaves to the import, which asks the store for each object then.
final class IdentityPrefetcher {
  /// How many elements are looked at in one go.
  static let windowSize = 512

  private let importer: Importer
  private let elements: ImportElements
  /// The entity of the records; nil for envelopes.
  private let entity: PlanIndex?
  private let form: CollectionForm
  /// How many elements were looked at and not imported yet.
  private var ahead = 0
  private var isAtEnd = false
  /// How many elements may be looked at yet.
  private var rest: Int

  /// Makes a prefetcher with an importer of its own, on the tape of the elements.
  init(
    _ importer: Importer, of elements: ImportElements, into entity: PlanIndex?,
    form: CollectionForm, limit: Int
  ) {
    self.form = form
    rest = limit
    self.importer = importer
    self.entity = entity
    self.elements = elements
  }

  /// Before the next element is imported.
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
        // The import finds the same error, and knows what to say of it.
        isAtEnd = true
        break
      }
      ahead += 1
      rest -= 1
      gather(&prefetchKeys)
    }
    try prefetchKeys.read(importer, store: store)
  }

  /// Before all elements that were read so far are imported.
  func prefetchAll() throws {
    repeat {
      ahead = 0
      try lookAhead(Self.windowSize)
    } while ahead == Self.windowSize
  }

  private func gather(_ prefetchKeys: inout PrefetchKeys) {
    importer.beginElement()
    if let entity {
      importer.beginStanding()
      try? importer.forEachRecord(at: .first, form: form, entity: entity) { record in
        importer.collectKeys(record, entity: entity, prefetchKeys: &prefetchKeys)
      }
      return
    }
    let tape = importer.tape
    guard tape.count > 0, tape.tokens[0].kind == .object else { return }
    if importer.mapping.hasRoots {
      for root in importer.mapping.roots {
        guard let value = root.path.value(from: .first, on: tape) else { continue }
        importer.place = Place()
        try? importer.forEachRecord(at: value, form: root.form, entity: root.plan) { record in
          importer.collectKeys(record, entity: root.plan, prefetchKeys: &prefetchKeys)
        }
      }
      return
    }
    var key = TokenIndex.first.next
    for _ in 0..<Int(clamping: tape.tokens[0].payload) {
      let name = String(decoding: tape.tokens[key].bytes, as: UTF8.self)
      if let entity = importer.mapping.planOfExternalName[name] {
        importer.collectKeys(key.next, entity: entity, prefetchKeys: &prefetchKeys)
      }
      key = tape.end(of: key.next)
    }
  }
}
