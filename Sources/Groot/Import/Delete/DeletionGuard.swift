/// The guard of a synchronization against the deletion of too many objects.
struct DeletionGuard {
  let limit: SyncOptions.DeletionLimit
  /// The entity of the synchronization.
  let entity: String
  /// The objects that were in the scope before the call.
  let scope: [ObjectID]
  /// The objects that the call marked, and those without an entry that already had the mark.
  private var marked: Set<ObjectID> = []
  private var markedBefore: Set<ObjectID> = []

  /// Makes the guard; throws if the limit is invalid.
  init(_ limit: SyncOptions.DeletionLimit, entity: String, scope: [ObjectID]) throws {
    (self.limit, self.entity, self.scope) = (limit, entity, scope)
    let isValid =
      switch limit {
      case .count(let count): count >= 0
      case .share(let share): share >= 0 && share <= 1
      }
    guard isValid else {
      throw GrootError(
        .invalidArgument,
        "max_deletions is the \(limit); a count is at least 0, and a share is from 0.0 to 1.0",
        entity: entity)
    }
  }

  /// Notes an object with the deletion mark, which the call sets or which was there before.
  mutating func note(_ object: ObjectID, isMarkedNow: Bool) {
    if isMarkedNow {
      marked.insert(object)
    } else if !marked.contains(object) {
      markedBefore.insert(object)
    }
  }

  /// Returns the error if the objects without an entry are too many alone.
  ///
  /// It takes the place of the error of a rule that denies one of their deletions.
  func refusal(unlisted: Int) -> GrootError? {
    switch limit {
    case .count(let maximum) where unlisted > maximum:
      refusal(of: "at least \(Self.objects(unlisted))")
    case .share(let share) where Double(unlisted) / Double(scope.count) > share:
      refusal(of: "\(unlisted) of the \(scope.count) objects in the scope")
    default: nil
    }
  }

  /// Throws if the call deleted and marked more objects than the limit allows.
  ///
  /// - Parameters:
  ///   - graph: The graph after all deletions.
  ///   - deleted: The number of objects of all entities that the call deleted.
  func check(_ graph: Graph, deleted: Int) throws {
    var found: String
    switch limit {
    case .count(let maximum):
      let count = marked.reduce(deleted) { $0 + (isOlder($1, graph) ? 1 : 0) }
      if count <= maximum { return }
      found = Self.objects(count)
    case .share(let share):
      var (count, size) = (0, scope.count)
      for object in scope {
        if marked.contains(object) || !graph.isLive(object) {
          count += 1
        } else if markedBefore.contains(object) {
          size -= 1
        }
      }
      // The quotient is rounded like the number in a program, so that 0.29 allows 29 of 100.
      guard Double(count) / Double(size) > share else { return }
      found = "\(count) of the \(size) objects in the scope"
    }
    throw refusal(of: found)
  }

  private static func objects(_ count: Int) -> String {
    count == 1 ? "1 object" : "\(count) objects"
  }

  private func refusal(of found: String) -> GrootError {
    GrootError(
      .tooManyDeletions,
      "the synchronization would delete or mark \(found), and max_deletions allows the \(limit): "
        + "raise it if the entries are complete, or look at a dry run without it",
      entity: entity)
  }

  /// Returns whether an object is there, and was before the call.
  private func isOlder(_ object: ObjectID, _ graph: Graph) -> Bool {
    guard graph.isLive(object) else { return false }
    let header = graph.tables[object.table].header(object.row)
    return header.pointee.epoch != graph.epoch || header.pointee.marks != ImportMark.inserted
  }
}

extension SyncOptions.DeletionLimit: CustomStringConvertible {
  /// The limit as text, such as `share 0.5`.
  public var description: String {
    switch self {
    case .count(let count): "count \(count)"
    case .share(let share): "share \(share)"
    }
  }
}
