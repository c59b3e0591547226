import CGroot
import CJansson
import Groot

/// The number of objects; 0 for NULL.
@_cdecl("groot_objects_count") @implementation
public func groot_objects_count(_ objects: OpaquePointer?) -> Int {
  ObjectsHandle.from(objects)?.objects.count ?? 0
}

/// The objects as an array.
@_cdecl("groot_objects_data") @implementation
public func groot_objects_data(_ objects: OpaquePointer?) -> UnsafePointer<groot_object_id>? {
  guard let handle = ObjectsHandle.from(objects), !handle.objects.isEmpty else { return nil }
  return UnsafePointer(handle.objects.baseAddress)
}

/// The object at `index`.
@_cdecl("groot_objects_at") @implementation
public func groot_objects_at(_ objects: OpaquePointer?, _ index: Int) -> groot_object_id {
  guard let handle = ObjectsHandle.from(objects), handle.objects.indices.contains(index) else {
    return 0
  }
  return handle.objects[index]
}

/// Frees the sequence, not the objects.
@_cdecl("groot_objects_free") @implementation
public func groot_objects_free(_ objects: OpaquePointer?) { Handle.release(objects, .objects) }

/// Fetches objects of `entity` and its sub-entities.
@_cdecl("groot_context_fetch") @implementation
public func groot_context_fetch(
  _ context: OpaquePointer?, _ entity: UnsafePointer<CChar>?, _ length: Int,
  _ request: UnsafePointer<json_t>?, _ objects: UnsafeMutablePointer<OpaquePointer?>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  reporting(error) {
    let objects = try result(objects, nil, "objects")
    let context = try ContextHandle.from(context).context
    let request = try fetchRequest(text(entity, length, "entity"), request, context)
    objects.pointee = ObjectsHandle(try context.fetchIDs(request)).retained()
  }
}

/// The number of objects that groot_context_fetch would give.
@_cdecl("groot_context_count") @implementation
public func groot_context_count(
  _ context: OpaquePointer?, _ entity: UnsafePointer<CChar>?, _ length: Int,
  _ request: UnsafePointer<json_t>?, _ count: UnsafeMutablePointer<Int>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  reporting(error) {
    let count = try result(count, 0, "count")
    let context = try ContextHandle.from(context).context
    let request = try fetchRequest(text(entity, length, "entity"), request, context)
    count.pointee = try context.count(request)
  }
}

private func fetchRequest(
  _ entity: String, _ json: UnsafePointer<json_t>?, _ context: ManagedObjectContext
) throws -> FetchRequest {
  try FetchRequest(entity, try json.map { try value($0, "request") }, context.model)
}
