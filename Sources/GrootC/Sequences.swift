import CGroot
import CJansson
import Groot

/// Returns the number of objects; 0 for NULL.
@_cdecl("groot_objects_count") @implementation
public func groot_objects_count(_ objects: OpaquePointer?) -> Int {
  ObjectsHandle.from(objects)?.objects.count ?? 0
}

/// Returns the objects as an array.
@_cdecl("groot_objects_data") @implementation
public func groot_objects_data(_ objects: OpaquePointer?) -> UnsafePointer<groot_object_id>? {
  guard let handle = ObjectsHandle.from(objects), !handle.objects.isEmpty else { return nil }
  return handle.objects.baseAddress
}

/// Returns the object at `index`.
@_cdecl("groot_objects_at") @implementation
public func groot_objects_at(_ objects: OpaquePointer?, _ index: Int) -> groot_object_id {
  guard let handle = ObjectsHandle.from(objects), handle.objects.indices.contains(index) else {
    return 0
  }
  return handle.objects[index]
}

/// Frees the sequence, not the objects.
@_cdecl("groot_objects_free") @implementation
public func groot_objects_free(_ objects: OpaquePointer?) {
  Handle.release(objects, kind: .objects)
}
