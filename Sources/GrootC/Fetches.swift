import CGroot
import CJansson
import Groot

/// Fetches objects of `entity` and its sub-entities.
@_cdecl("groot_context_fetch") @implementation
public func groot_context_fetch(
  _ context: OpaquePointer?, _ entity: UnsafePointer<CChar>?, _ length: Int,
  _ request: UnsafePointer<json_t>?, _ objects: UnsafeMutablePointer<OpaquePointer?>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  reporting(error) {
    let objects = try result(objects, zero: nil, what: "objects")
    let context = try ContextHandle.from(context).context
    let request = try fetchRequest(text(entity, length: length, what: "entity"), json: request)
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
    let count = try result(count, zero: 0, what: "count")
    let context = try ContextHandle.from(context).context
    let request = try fetchRequest(text(entity, length: length, what: "entity"), json: request)
    count.pointee = try context.count(request)
  }
}

/// A request that a caller handed over.
func fetchRequest(
  _ entity: String, json: UnsafePointer<json_t>?
) throws -> FetchRequest {
  try FetchRequest(entity, json: try json.map { try value($0, what: "request") })
}

/// Computes counts, sums, extremes and averages.
@_cdecl("groot_context_aggregate") @implementation
public func groot_context_aggregate(
  _ context: OpaquePointer?, _ entity: UnsafePointer<CChar>?, _ length: Int,
  _ request: UnsafePointer<json_t>?,
  _ result: UnsafeMutablePointer<UnsafeMutablePointer<json_t>?>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  reporting(error) {
    let target = try GrootC.result(result, zero: nil, what: "result")
    let context = try ContextHandle.from(context).context
    let request = try AggregateRequest(
      text(entity, length: length, what: "entity"),
      json: try request.map { try value($0, what: "request") })
    target.pointee = try newJSON(try context.aggregateValue(request))
  }
}

/// The distinct values of a property.
@_cdecl("groot_context_distinct") @implementation
public func groot_context_distinct(
  _ context: OpaquePointer?, _ entity: UnsafePointer<CChar>?, _ length: Int,
  _ property: UnsafePointer<CChar>?, _ propertyLength: Int, _ request: UnsafePointer<json_t>?,
  _ values: UnsafeMutablePointer<UnsafeMutablePointer<json_t>?>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  reporting(error) {
    let values = try result(values, zero: nil, what: "values")
    let context = try ContextHandle.from(context).context
    let key = FetchRequest.SortKey(
      text: try text(property, length: propertyLength, what: "property"))
    let request = try fetchRequest(text(entity, length: length, what: "entity"), json: request)
    values.pointee = try newJSON(.array(try context.distinct(key, request: request).map(\.json)))
  }
}
