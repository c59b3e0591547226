import CGroot
import CJansson
import Groot

/// Makes an empty context in memory.
@_cdecl("groot_context_create") @implementation
public func groot_context_create(
  _ mapping: OpaquePointer?, _ context: UnsafeMutablePointer<OpaquePointer?>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  reporting(error) {
    let context = try result(context, zero: nil, what: "context")
    let mapping = try MappingHandle.from(mapping).mapping
    context.pointee = ContextHandle(ManagedObjectContext(mapping: mapping)).retained()
  }
}

/// Frees the context and all its objects.
@_cdecl("groot_context_free") @implementation
public func groot_context_free(_ context: OpaquePointer?) {
  Handle.release(context, kind: .context)
}

/// Saves all changes since the last save.
@_cdecl("groot_context_save") @implementation
public func groot_context_save(
  _ context: OpaquePointer?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  reporting(error) { try ContextHandle.from(context).context.save() }
}

/// Writes the conflicts that the last save resolved.
@_cdecl("groot_context_conflicts") @implementation
public func groot_context_conflicts(
  _ context: OpaquePointer?, _ conflicts: UnsafeMutablePointer<groot_buffer>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  giving(conflicts, what: "conflicts", error: error) { try conflictsOf(context) }
}

/// Makes the conflicts that the last save resolved as a json_t.
@_cdecl("groot_context_conflicts_json") @implementation
public func groot_context_conflicts_json(
  _ context: OpaquePointer?, _ conflicts: UnsafeMutablePointer<UnsafeMutablePointer<json_t>?>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  giving(conflicts, what: "conflicts", error: error) { try conflictsOf(context) }
}

private func conflictsOf(_ context: OpaquePointer?) throws -> JSONValue {
  let context = try ContextHandle.from(context).context
  return .array(try context.exclusively { context.conflicts }.map(\.json))
}

/// Undoes all changes since the last save.
@_cdecl("groot_context_rollback") @implementation
public func groot_context_rollback(
  _ context: OpaquePointer?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  reporting(error) { try ContextHandle.from(context).context.rollback() }
}

/// Undoes all changes since the last save, and reads the changes of others from the store.
@_cdecl("groot_context_refresh") @implementation
public func groot_context_refresh(
  _ context: OpaquePointer?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  reporting(error) { try ContextHandle.from(context).context.refresh() }
}

/// Cancels the running call of the context, on any thread.
@_cdecl("groot_context_cancel") @implementation
public func groot_context_cancel(_ context: OpaquePointer?) {
  (try? ContextHandle.from(context))?.context.cancellation.cancel()
}

/// Sets the progress function of the context.
@_cdecl("groot_context_set_progress") @implementation
public func groot_context_set_progress(
  _ context: OpaquePointer?, _ progress: groot_progress_function?,
  _ userdata: UnsafeMutableRawPointer?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  reporting(error) {
    let context = try ContextHandle.from(context).context
    try context.exclusively { context.progress = callProgress(progress, userdata: userdata) }
  }
}

/// Limits the memory of the context; 0 means no limit.
@_cdecl("groot_context_set_memory_limit") @implementation
public func groot_context_set_memory_limit(
  _ context: OpaquePointer?, _ bytes: UInt64, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  reporting(error) {
    let context = try ContextHandle.from(context).context
    try context.exclusively { context.memoryLimit = bytes == 0 ? nil : Int(clamping: bytes) }
  }
}

/// Reads the number of bytes that the context holds.
@_cdecl("groot_context_memory") @implementation
public func groot_context_memory(
  _ context: OpaquePointer?, _ bytes: UnsafeMutablePointer<UInt64>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  reporting(error) {
    let bytes = try result(bytes, zero: 0, what: "bytes")
    let context = try ContextHandle.from(context).context
    bytes.pointee = UInt64(try context.exclusively { context.memoryInUse })
  }
}

/// Counts the changes since the last save.
@_cdecl("groot_context_changes") @implementation
public func groot_context_changes(
  _ context: OpaquePointer?, _ changes: UnsafeMutablePointer<groot_buffer>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  giving(changes, what: "changes", error: error) { try changesOf(context) }
}

/// Counts the changes since the last save, as a json_t.
@_cdecl("groot_context_changes_json") @implementation
public func groot_context_changes_json(
  _ context: OpaquePointer?, _ changes: UnsafeMutablePointer<UnsafeMutablePointer<json_t>?>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  giving(changes, what: "changes", error: error) { try changesOf(context) }
}

private func changesOf(_ context: OpaquePointer?) throws -> JSONValue {
  let counts = try ContextHandle.from(context).context.changes
  return [
    "inserted": .integer(Int64(counts.inserted)), "updated": .integer(Int64(counts.updated)),
    "deleted": .integer(Int64(counts.deleted)),
  ]
}

/// Checks every invariant of the graph, for tests.
@_cdecl("groot_context_check") @implementation
public func groot_context_check(
  _ context: OpaquePointer?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  reporting(error) {
    let context = try ContextHandle.from(context).context
    let broken = try context.exclusively { context.brokenInvariants() }
    guard broken.isEmpty else {
      throw GrootError(.invalidArgument, broken.map { GrootIssue(.invalidArgument, $0) })
    }
    let faults = try context.storeFaults()
    if let first = faults.first { throw GrootError(first.status, faults) }
  }
}

/// Inserts an object with its defaults.
@_cdecl("groot_object_insert") @implementation
public func groot_object_insert(
  _ context: OpaquePointer?, _ entity: UnsafePointer<CChar>?,
  _ object: UnsafeMutablePointer<groot_object_id>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  reporting(error) {
    let object = try result(object, zero: 0, what: "object")
    let context = try ContextHandle.from(context).context
    object.pointee = try context.insert(name(entity, what: "entity")).id.rawValue
  }
}

/// Deletes an object by the delete rules of its relationships.
@_cdecl("groot_object_delete") @implementation
public func groot_object_delete(
  _ context: OpaquePointer?, _ object: groot_object_id,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  reporting(error) {
    try ContextHandle.from(context).context.delete(ObjectID(rawValue: object))
  }
}

/// Returns GROOT_OK for a living object, else GROOT_OBJECT_DELETED or GROOT_UNKNOWN_OBJECT.
@_cdecl("groot_object_status") @implementation
public func groot_object_status(
  _ context: OpaquePointer?, _ object: groot_object_id
) -> groot_status {
  guard let handle = try? ContextHandle.from(context) else { return GROOT_INVALID_ARGUMENT }
  return handle.context.status(of: ObjectID(rawValue: object)).rawValue
}

/// Reads the name of the object's entity.
@_cdecl("groot_object_entity") @implementation
public func groot_object_entity(
  _ context: OpaquePointer?, _ object: groot_object_id,
  _ entity: UnsafeMutablePointer<groot_string>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  reporting(error) {
    let entity = try result(entity, zero: groot_string(data: nil, size: 0), what: "entity")
    let handle = try ContextHandle.from(context)
    let description = try handle.context.entity(of: ObjectID(rawValue: object))
    entity.pointee = try handle.context.exclusively { handle.name(description.name).string }
  }
}
