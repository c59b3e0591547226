import CGroot
import CJansson
import Groot

/// Fetches objects of `entity` and its sub-entities.
@_cdecl("groot_context_fetch") @implementation
public func groot_context_fetch(
  _ context: OpaquePointer?, _ entity: UnsafePointer<CChar>?, _ request: UnsafePointer<CChar>?,
  _ objects: UnsafeMutablePointer<OpaquePointer?>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  FetchCall(context: context, entity: entity, request: .text(request), error: error).fetch(objects)
}

/// Fetches objects of `entity` and its sub-entities, with a json_t request.
@_cdecl("groot_context_fetch_json") @implementation
public func groot_context_fetch_json(
  _ context: OpaquePointer?, _ entity: UnsafePointer<CChar>?, _ request: UnsafePointer<json_t>?,
  _ objects: UnsafeMutablePointer<OpaquePointer?>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  FetchCall(context: context, entity: entity, request: .jansson(request), error: error)
    .fetch(objects)
}

/// Counts the objects that groot_context_fetch would return.
@_cdecl("groot_context_count") @implementation
public func groot_context_count(
  _ context: OpaquePointer?, _ entity: UnsafePointer<CChar>?, _ request: UnsafePointer<CChar>?,
  _ count: UnsafeMutablePointer<Int>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  FetchCall(context: context, entity: entity, request: .text(request), error: error).count(count)
}

/// Counts the objects that groot_context_fetch_json would return.
@_cdecl("groot_context_count_json") @implementation
public func groot_context_count_json(
  _ context: OpaquePointer?, _ entity: UnsafePointer<CChar>?, _ request: UnsafePointer<json_t>?,
  _ count: UnsafeMutablePointer<Int>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  FetchCall(context: context, entity: entity, request: .jansson(request), error: error)
    .count(count)
}

/// Writes the distinct values of a property.
@_cdecl("groot_context_distinct") @implementation
public func groot_context_distinct(
  _ context: OpaquePointer?, _ entity: UnsafePointer<CChar>?, _ property: UnsafePointer<CChar>?,
  _ request: UnsafePointer<CChar>?, _ values: UnsafeMutablePointer<groot_buffer>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  FetchCall(context: context, entity: entity, request: .text(request), error: error)
    .distinct(property, into: values)
}

/// Reads the distinct values of a property, with json_t.
@_cdecl("groot_context_distinct_json") @implementation
public func groot_context_distinct_json(
  _ context: OpaquePointer?, _ entity: UnsafePointer<CChar>?, _ property: UnsafePointer<CChar>?,
  _ request: UnsafePointer<json_t>?,
  _ values: UnsafeMutablePointer<UnsafeMutablePointer<json_t>?>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  FetchCall(context: context, entity: entity, request: .jansson(request), error: error)
    .distinct(property, into: values)
}

/// Computes counts, sums, minima, maxima and averages.
@_cdecl("groot_context_aggregate") @implementation
public func groot_context_aggregate(
  _ context: OpaquePointer?, _ entity: UnsafePointer<CChar>?, _ request: UnsafePointer<CChar>?,
  _ result: UnsafeMutablePointer<groot_buffer>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  FetchCall(context: context, entity: entity, request: .text(request), error: error)
    .aggregate(into: result)
}

/// Computes counts, sums, minima, maxima and averages, with json_t.
@_cdecl("groot_context_aggregate_json") @implementation
public func groot_context_aggregate_json(
  _ context: OpaquePointer?, _ entity: UnsafePointer<CChar>?, _ request: UnsafePointer<json_t>?,
  _ result: UnsafeMutablePointer<UnsafeMutablePointer<json_t>?>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  FetchCall(context: context, entity: entity, request: .jansson(request), error: error)
    .aggregate(into: result)
}

/// Reads a caller's request.
func fetchRequest(
  _ entity: UnsafePointer<CChar>?, _ request: JSONArgument
) throws -> FetchRequest {
  try FetchRequest(name(entity, what: "entity"), json: request.value(what: "request"))
}

/// The arguments of a call that reads objects or computes values of them.
private struct FetchCall {
  let context: OpaquePointer?
  let entity: UnsafePointer<CChar>?
  let request: JSONArgument
  let error: UnsafeMutablePointer<OpaquePointer?>?

  func fetch(_ objects: UnsafeMutablePointer<OpaquePointer?>?) -> groot_status {
    reporting(error) {
      let objects = try result(objects, zero: nil, what: "objects")
      let context = try ContextHandle.from(context).context
      objects.pointee = try ObjectsHandle(
        context.fetchIDs(fetchRequest(entity, request))
      ).retained()
    }
  }

  func count(_ count: UnsafeMutablePointer<Int>?) -> groot_status {
    reporting(error) {
      let count = try result(count, zero: 0, what: "count")
      let context = try ContextHandle.from(context).context
      count.pointee = try context.count(fetchRequest(entity, request))
    }
  }

  func distinct<Target: JSONTarget>(
    _ property: UnsafePointer<CChar>?, into values: UnsafeMutablePointer<Target>?
  ) -> groot_status {
    giving(values, what: "values", error: error) {
      let context = try ContextHandle.from(context).context
      let key = FetchRequest.SortKey(text: try name(property, what: "property"))
      return .array(
        try context.distinct(key, request: fetchRequest(entity, request)).map(\.json))
    }
  }

  func aggregate<Target: JSONTarget>(
    into result: UnsafeMutablePointer<Target>?
  ) -> groot_status {
    giving(result, what: "result", error: error) {
      let context = try ContextHandle.from(context).context
      return try context.aggregateValue(
        AggregateRequest(
          name(entity, what: "entity"), json: request.value(what: "request")))
    }
  }
}
