import Groot

/// A failure of the server or of the connection.
struct PostgreSQLFailure: Error {
  /// The five characters of SQLSTATE; empty when the server did not answer.
  let state: String
  let message: String
  /// The detail and the context of the server, such as the line of a COPY.
  var context = ""

  /// Whether the connection is lost.
  var isDisconnection: Bool {
    state.isEmpty || state.hasPrefix("08") || ["57P01", "57P02", "57P03", "25P03"].contains(state)
  }

  /// Whether the transaction was a victim of others, and may succeed if it is run again.
  var isTransient: Bool { ["40001", "40P01"].contains(state) }

  /// The number of the row that a COPY stopped at, from 1; nil for another statement.
  var line: Int? {
    // The server writes `COPY hero, line 3` in its own language; the number is at the end.
    let first = context.utf8.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: ":") }
    let digits = first.reversed().prefix { (0x30...0x39).contains($0) }.reversed()
    return Int(String(decoding: Array(digits), as: UTF8.self))
  }

  var status: Status {
    if isDisconnection { return .storeDisconnected }
    switch state {
    case "23505": return .storeDuplicate
    case "23503", "40001", "40P01": return .storeConflict
    case "25006": return .storeReadOnly
    case "53100": return .storeFull
    case "55P03": return .storeLocked
    case "53200", "54000", "54001", "54011", "54023": return .limitExceeded
    case "53300": return .storeDisconnected
    default: return .storeFailed
    }
  }

  /// Returns the error for programs.
  func error(store: String) -> GrootError {
    let reason: String
    switch state {
    case "23503":
      reason = "a relationship leads to an object that was deleted in the store meanwhile"
    case "40001", "40P01":
      reason = "others wrote the same objects at the same time; save again (\(message))"
    case "25006": reason = "the server can only be read: it is a standby, or set so"
    default: reason = message
    }
    let ending = isDisconnection ? "; the next call connects again" : ""
    return GrootError(status, "the store '\(store)': \(reason)\(ending)")
  }
}
