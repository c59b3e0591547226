import CGroot
import CJansson
import Groot

/// An import in pieces, with the target of its report.
final class StreamHandle: Handle {
  let stream: ImportStream
  let report: ReportTarget?
  /// Memory for the objects of the import.
  let room: ObjectsRoom

  init(_ stream: ImportStream, report: ReportTarget?, room: ObjectsRoom) {
    self.stream = stream
    self.report = report
    self.room = room
    super.init(.stream)
  }

  static func from(_ pointer: OpaquePointer?) throws -> StreamHandle {
    guard let handle = from(pointer, kind: .stream, as: StreamHandle.self) else {
      throw notA("groot_stream")
    }
    return handle
  }
}

/// Begins an import of JSON text that arrives in pieces.
@_cdecl("groot_stream_begin") @implementation
public func groot_stream_begin(
  _ context: OpaquePointer?, _ entity: UnsafePointer<CChar>?,
  _ options: UnsafePointer<groot_import_options>?, _ stream: UnsafeMutablePointer<OpaquePointer?>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  reporting(error) {
    let target = try result(stream, zero: nil, what: "stream")
    var (settings, report) = try read(options)
    let context = try ContextHandle.from(context).context
    let room = ObjectsRoom()
    settings.willAccept = room.reserve
    let begun = try context.beginImport(
      into: entityOfRecords(entity), options: settings)
    target.pointee = StreamHandle(begun, report: report, room: room).retained()
  }
}

/// Adds the next piece of the text.
@_cdecl("groot_stream_write") @implementation
public func groot_stream_write(
  _ stream: OpaquePointer?, _ data: UnsafePointer<CChar>?, _ size: Int,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  reporting(error) {
    let handle = try StreamHandle.from(stream)
    guard size >= 0 else { throw GrootError(.invalidArgument, "the size is invalid") }
    try handle.stream.write(try bytes(data, length: size, what: "data"))
  }
}

/// Ends the text and the import, and frees the stream.
@_cdecl("groot_stream_finish") @implementation
public func groot_stream_finish(
  _ stream: OpaquePointer?, _ objects: UnsafeMutablePointer<OpaquePointer?>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> groot_status {
  objects?.pointee = nil
  return reporting(error) {
    let handle = try StreamHandle.from(stream)
    try handle.stream.beginUse()
    defer {
      handle.stream.cancelInUse()
      handle.stream.endUse()
      Handle.release(stream, kind: .stream)
    }
    let done = try handle.stream.finishInUse()
    try handle.report?.take(done.report)
    objects?.pointee = try ObjectsHandle(done.ids, in: handle.room).retained()
  }
}

/// Undoes the import and frees the stream.
@_cdecl("groot_stream_cancel") @implementation
public func groot_stream_cancel(_ stream: OpaquePointer?) {
  guard let handle = try? StreamHandle.from(stream) else { return }
  // A running call undoes the import itself, and must not find the stream freed.
  if handle.stream.cancel() { Handle.release(stream, kind: .stream) }
}
