import CGroot
import CJansson
import Groot
import GrootSQLite

/// Makes a context that a file keeps.
@_cdecl("groot_store_open") @implementation
public func groot_store_open(
  _ mapping: OpaquePointer?, _ path: UnsafePointer<CChar>?, _ options: UnsafePointer<json_t>?,
  _ context: UnsafeMutablePointer<OpaquePointer?>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  reporting(error) {
    let context = try result(context, zero: nil, what: "context")
    let mapping = try MappingHandle.from(mapping).mapping
    let path = try text(path, length: -1, what: "path")
    let options = try SQLiteStoreOptions(try options.map { try value($0, what: "options") })
    let made = try ManagedObjectContext(mapping: mapping, storePath: path, options: options)
    context.pointee = ContextHandle(made).retained()
  }
}
