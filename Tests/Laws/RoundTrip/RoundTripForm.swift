import CJansson

import Groot

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The ways in which an export leaves a context and comes back into one.
struct RoundTripForm {
  let name: String
  let entity: String
  let options: ExportOptions

  func export(_ context: ManagedObjectContext, _ objects: [ObjectID]) throws -> [UInt8] {
    switch name {
    case "chunks":
      var bytes: [UInt8] = []
      try context.export(objects, options: options) { bytes.append(contentsOf: $0) }
      return bytes
    case "file":
      let path = "/tmp/groot-roundtrip-\(getpid())-\(UInt32.random(in: 0 ... .max)).json"
      defer { unlink(path) }
      try context.export(objects, toFile: path, options: options)
      guard let file = fopen(path, "r") else { throw RoundTripScene.Unusable() }
      defer { fclose(file) }
      var bytes = [UInt8](repeating: 0, count: 1 << 20)
      bytes.removeLast(bytes.count - fread(&bytes, 1, bytes.count, file))
      return bytes
    default: return try context.exportBytes(objects, options: options)
    }
  }

  func load(_ text: [UInt8], into context: ManagedObjectContext) throws -> ImportResult {
    var options = ImportOptions()
    let string = String(decoding: text, as: UTF8.self)
    switch name {
    case "lines":
      options.format = .jsonLines
      return try context.importJSON(.text(string), into: entity, options: options)
    case "value":
      return try context.importJSON(.value(JSONValue(parsing: string)), into: entity)
    case "jansson":
      guard let json = json_loadb(string, text.count, 0, nil) else {
        throw GrootError(.invalidJSON, "jansson does not take the export")
      }
      defer { groot_json_release(json) }
      return try context.importJSON(.jansson(json), into: entity, options: options)
    default: return try context.importJSON(.text(string), into: entity, options: options)
    }
  }
}
