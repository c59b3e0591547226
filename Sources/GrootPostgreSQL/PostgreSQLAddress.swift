import CPostgreSQL
import Groot

/// The URL of a store, with the parameters of libpq and those of the store.
struct PostgreSQLAddress {
  /// The names and values for libpq, the password included.
  let connection: [(name: String, value: String)]
  /// The values of the parameters that begin with `groot.`, by the rest of their names.
  let parameters: [String: String]
  /// The address without a password, for messages.
  let shown: String

  /// The beginnings of the URLs of stores.
  static let schemes = ["postgresql://", "postgres://"]

  /// Returns whether a text is the URL of a store in PostgreSQL.
  static func isURL(_ text: String) -> Bool {
    schemes.contains { text.utf8.starts(with: $0.utf8) }
  }

  init(_ url: String, library: PostgreSQLLibrary) throws {
    guard Self.isURL(url), !url.utf8.contains(0) else {
      throw GrootError(
        .invalidArgument, "the URL of a store in PostgreSQL begins with \"postgresql://\"")
    }
    let parts = url.utf8.split(
      separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
    var own: [String: String] = [:]
    var others: [Substring.UTF8View] = []
    let query = parts.count > 1 ? parts[1].split(separator: UInt8(ascii: "&")) : []
    for parameter in query {
      guard parameter.starts(with: "groot.".utf8) else {
        others.append(parameter)
        continue
      }
      let pair = parameter.dropFirst("groot.".utf8.count)
        .split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(Substring(pair[0]))
      guard let value = Self.decoded(pair.count > 1 ? pair[1] : Substring().utf8) else {
        throw GrootError(
          .invalidArgument, "the value of 'groot.\(name)' is not valid percent-encoded UTF-8")
      }
      own[name] = value
    }
    parameters = own
    var plain = String(Substring(parts[0]))
    if !others.isEmpty {
      plain += "?" + others.map { String(Substring($0)) }.joined(separator: "&")
    }
    connection = try Self.options(plain, library: library)
    shown = Self.shown(connection)
  }

  /// Returns what libpq reads in a URL.
  private static func options(
    _ url: String, library: PostgreSQLLibrary
  ) throws -> [(name: String, value: String)] {
    var message: UnsafeMutablePointer<CChar>?
    let parsed = library.functions.parse(url, &message)
    // The message may quote a part of the password.
    if let message { library.functions.free_memory(message) }
    guard let parsed else {
      throw GrootError(
        .invalidArgument,
        "the URL of the store cannot be read: write postgresql://USER@HOST:PORT/DATABASE?NAME=VALUE, "
          + "with '%' and two digits for special characters")
    }
    defer { library.functions.free_options(parsed) }
    var options: [(name: String, value: String)] = []
    var next = parsed
    while let name = next.pointee.keyword {
      if let value = next.pointee.value {
        options.append((String(cString: name), String(cString: value)))
      }
      next += 1
    }
    return options
  }

  private static func shown(_ connection: [(name: String, value: String)]) -> String {
    func value(_ name: String) -> String? { connection.first { $0.name == name }?.value }
    var text = "postgresql://"
    if let user = value("user") { text += user + "@" }
    let host = value("host") ?? ""
    // The folder of a socket is a parameter in a URL.
    if host.utf8.first != UInt8(ascii: "/") { text += host }
    if let port = value("port") { text += ":" + port }
    return text + "/" + (value("dbname") ?? "")
  }

  /// Returns a value of a URL with the percent-encoding resolved; nil for an invalid one.
  private static func decoded(_ text: some Sequence<UInt8>) -> String? {
    func digit(_ byte: UInt8) -> UInt8? {
      switch byte {
      case 0x30...0x39: byte - 0x30
      case 0x41...0x46: byte - 0x37
      case 0x61...0x66: byte - 0x57
      default: nil
      }
    }
    var bytes: [UInt8] = []
    var rest = text.makeIterator()
    while let byte = rest.next() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = rest.next().flatMap(digit), let low = rest.next().flatMap(digit) else {
        return nil
      }
      bytes.append(high << 4 | low)
    }
    guard !bytes.contains(0) else { return nil }
    return String(validating: bytes, as: UTF8.self)
  }
}
