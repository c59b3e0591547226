import CPostgreSQL
import Groot

/// A connection to a server, made when it is first needed and again after it was lost.
final class PostgreSQLConnection {
  let address: PostgreSQLAddress
  let library: PostgreSQLLibrary
  /// The number of statements that were sent.
  private(set) var statementCount = 0
  /// The check that ends long statements.
  var watch: (() -> Bool)?
  /// Receives the text of each statement before it is sent; nil for no log.
  var trace: ((String) -> Void)?
  private var handle: OpaquePointer?
  /// The process that connected, and that alone may use the connection: a forked child shares its
  /// socket.
  private(set) var processID = CLibrary.processID

  /// The time between two checks for cancellation, in milliseconds.
  private static let timeBetweenLooks: Int32 = 20
  /// The time that the server has to end a cancelled statement, in milliseconds.
  private static let timeToCancel: Int32 = 5_000
  /// The size of the blocks that a COPY is sent in, in bytes.
  private static let blockSize = 1 << 18

  init(_ address: PostgreSQLAddress, library: PostgreSQLLibrary) {
    self.address = address
    self.library = library
  }

  // Closing would tell the server that the parent's session ends.
  deinit { if CLibrary.processID == processID { close() } }

  var isOpen: Bool { handle != nil }

  func close() {
    if let handle { library.functions.finish(handle) }
    handle = nil
  }

  /// Returns the connection, which is made if there is none.
  func connected() throws -> OpaquePointer {
    if let handle {
      guard CLibrary.processID == processID else {
        throw GrootError(
          .storeFailed,
          "the store '\(address.shown)' was opened by the process \(processID), of which this one, "
            + "\(CLibrary.processID), was forked: open it anew here")
      }
      return handle
    }
    if isToEnd { throw Cancellation.failure }
    processID = CLibrary.processID
    let made = try connect()
    handle = made
    return made
  }

  private func connect() throws -> OpaquePointer {
    var options = address.connection
    func set(_ name: String, _ value: String, replaces: Bool) {
      let isGiven = options.contains { $0.name == name }
      guard replaces || !isGiven else { return }
      options.removeAll { $0.name == name }
      options.append((name, value))
    }
    set("client_encoding", "UTF8", replaces: true)
    set("fallback_application_name", "groot", replaces: false)
    set("connect_timeout", "10", replaces: false)
    let names = options.map { Self.copy($0.name) } + [nil]
    let values = options.map { Self.copy($0.value) } + [nil]
    defer { for text in names + values { text?.deallocate() } }
    guard
      let made = library.functions.connect(
        names.map { UnsafePointer($0) }, values.map { UnsafePointer($0) }, 0)
    else { throw GrootError(.outOfMemory, "no memory to connect to '\(address.shown)'") }
    guard library.functions.status(made) != Int32(groot_pq_bad),
      library.functions.set_nonblocking(made, 1) == 0
    else {
      let failure = PostgreSQLFailure(state: "", message: message(made))
      library.functions.finish(made)
      throw failure
    }
    withUnsafePointer(to: library.functions) { groot_pq_silence($0, made) }
    do {
      try require(made)
    } catch {
      library.functions.finish(made)
      throw error
    }
    return made
  }

  /// Refuses a server that reads texts in another way.
  private func require(_ handle: OpaquePointer) throws {
    guard parameter("server_encoding", of: handle) == "UTF8" else {
      throw GrootError(
        .unsupported,
        "the database of the store '\(address.shown)' is not in UTF-8: make one with "
          + "CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0")
    }
    guard parameter("standard_conforming_strings", of: handle) == "on" else {
      throw GrootError(
        .unsupported,
        "the server of '\(address.shown)' reads backslashes in texts: set standard_conforming_strings "
          + "to on for the role")
    }
  }

  private static func copy(_ text: String) -> UnsafeMutablePointer<CChar>? {
    let bytes = text.utf8CString
    let copy = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
    for (index, byte) in bytes.enumerated() { copy[index] = byte }
    return copy
  }

  private func parameter(_ name: String, of handle: OpaquePointer) -> String? {
    library.functions.parameter(handle, name).map { String(cString: $0) }
  }

  private func message(_ handle: OpaquePointer) -> String {
    guard let text = library.functions.message(handle) else { return "the connection failed" }
    return Self.oneLine(String(cString: text))
  }

  private static func oneLine(_ text: String) -> String {
    text.split(whereSeparator: \.isNewline).joined(separator: "; ")
  }

  // MARK: Statements

  /// Runs statements without parameters, and returns the result of the last one that is not the end
  /// of a transaction; its rows are text.
  @discardableResult
  func run(_ sql: String) throws -> PostgreSQLResult {
    let results = try runAll(sql)
    return results.last { $0.count > 0 } ?? results[results.count - 1]
  }

  /// Runs statements without parameters, and returns their results, at least one.
  func runAll(_ sql: String) throws -> [PostgreSQLResult] {
    let handle = try connected()
    note(sql)
    guard library.functions.send(handle, sql) == 1 else { throw lost(handle) }
    return try finish(handle)
  }

  /// Runs one statement with parameters; its rows are binary.
  @discardableResult
  func run(
    _ sql: String, _ parameters: borrowing PostgreSQLParameters
  ) throws -> PostgreSQLResult {
    let handle = try connected()
    note(sql)
    let bytes = parameters.buffer.bytes
    let values = parameters.offsets.map { offset -> UnsafePointer<CChar>? in
      guard let offset, let start = bytes.baseAddress else { return nil }
      return UnsafeRawPointer(start + offset).assumingMemoryBound(to: CChar.self)
    }
    let isSent = library.functions.send_parameters(
      handle, sql, Int32(truncatingIfNeeded: values.count), parameters.types, values,
      parameters.lengths, parameters.formats, 1)
    guard isSent == 1 else { throw lost(handle) }
    return try finish(handle)[0]
  }

  private func note(_ sql: String) {
    statementCount += 1
    trace?(sql)
  }

  /// Sends what is left, and returns the results of the statements, at least one.
  private func finish(_ handle: OpaquePointer) throws -> [PostgreSQLResult] {
    var results: [PostgreSQLResult] = []
    var failure: PostgreSQLFailure?
    while let result = try next(handle) {
      let status = Int(library.functions.result_status(result))
      switch status {
      case groot_pq_done, groot_pq_rows, groot_pq_empty, groot_pq_copy_in:
        let isCopy = status == groot_pq_copy_in
        let made = PostgreSQLResult(result, library: library)
        // A COPY goes on with its rows.
        if isCopy { return [made] }
        results.append(made)
      default:
        if failure == nil { failure = self.failure(result, handle) }
        library.functions.clear(result)
      }
    }
    if let failure {
      if failure.isDisconnection { close() }
      throw failure.state == "57014" && isToEnd ? Cancellation.failure : failure
    }
    guard !results.isEmpty else { throw lost(handle) }
    return results
  }

  private func failure(_ result: OpaquePointer, _ handle: OpaquePointer) -> PostgreSQLFailure {
    func field(_ code: Character) -> String {
      let number = Int32(code.asciiValue ?? 0)
      return library.functions.field(result, number).map { String(cString: $0) } ?? ""
    }
    let primary = field("M")
    let detail = field("D")
    var text = primary.isEmpty ? message(handle) : primary
    // The detail of a violation has values of rows, which do not belong into a log.
    if !detail.isEmpty && !field("C").hasPrefix("23") { text += " (\(detail))" }
    return PostgreSQLFailure(state: field("C"), message: Self.oneLine(text), context: field("W"))
  }

  private var isToEnd: Bool { watch?() ?? false }

  /// Returns the next result of the statements that were sent; nil after the last one.
  private func next(_ handle: OpaquePointer) throws -> OpaquePointer? {
    let functions = library.functions
    // The time without an answer since the server was asked to end the statement.
    var silence: Int32?
    while true {
      let unsent = functions.flush(handle)
      guard unsent >= 0 else { throw lost(handle) }
      if unsent == 0, functions.is_busy(handle) == 0 { return functions.result(handle) }
      let event = groot_pq_wait(functions.socket(handle), unsent, Self.timeBetweenLooks)
      guard functions.consume(handle) == 1 else { throw lost(handle) }
      if let silent = silence {
        silence = event == 0 ? silent + Self.timeBetweenLooks : silent
        guard silent < Self.timeToCancel else {
          close()
          throw Cancellation.failure
        }
      } else if functions.is_busy(handle) != 0, isToEnd {
        cancel(handle)
        silence = 0
      }
    }
  }

  /// Asks the server to end the running statement.
  private func cancel(_ handle: OpaquePointer) {
    guard let request = library.functions.make_cancel(handle) else { return }
    withUnsafePointer(to: library.functions) { groot_pq_cancel_aside($0, request) }
  }

  private func lost(_ handle: OpaquePointer) -> PostgreSQLFailure {
    // The server may have said why before it closed the connection.
    var failure = PostgreSQLFailure(state: "", message: message(handle))
    while let result = library.functions.result(handle) {
      let said = self.failure(result, handle)
      if !said.state.isEmpty { failure = PostgreSQLFailure(state: "08006", message: said.message) }
      library.functions.clear(result)
    }
    close()
    return failure
  }

  // MARK: Copying

  /// Copies rows into a table.
  ///
  /// - Parameters:
  ///   - sql: A `COPY … FROM STDIN (FORMAT binary)`.
  ///   - rows: Appends the next row; false after the last one.
  func copy(_ sql: String, rows: (inout PostgreSQLBuffer) throws -> Bool) throws {
    let handle = try connected()
    note(sql)
    guard library.functions.send(handle, sql) == 1 else { throw lost(handle) }
    _ = try finish(handle)
    do {
      var buffer = PostgreSQLBuffer(capacity: Self.blockSize + 4096)
      // The signature of the format, flags, and the length of an extension.
      for byte in Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0] { buffer.append(byte) }
      buffer.append(Int64(0))
      while try rows(&buffer) {
        guard buffer.count >= Self.blockSize else { continue }
        try send(buffer, handle)
        buffer.removeAll()
        if isToEnd { throw Cancellation.failure }
      }
      buffer.append(Int16(-1))
      try send(buffer, handle)
    } catch {
      if self.handle != nil {
        _ = library.functions.end_copy(handle, "the client cancelled it")
        _ = try? finish(handle)
      }
      throw error
    }
    while true {
      let ended = library.functions.end_copy(handle, nil)
      guard ended >= 0 else { throw lost(handle) }
      if ended == 1 { break }
      _ = groot_pq_wait(library.functions.socket(handle), 1, Self.timeBetweenLooks)
    }
    _ = try finish(handle)
  }

  private func send(_ buffer: borrowing PostgreSQLBuffer, _ handle: OpaquePointer) throws {
    let functions = library.functions
    let bytes = buffer.bytes
    guard let start = UnsafeRawPointer(bytes.baseAddress) else { return }
    var offset = 0
    while offset < bytes.count {
      let size = min(bytes.count - offset, 1 << 20)
      let piece = (start + offset).assumingMemoryBound(to: CChar.self)
      let isTaken = functions.put(handle, piece, Int32(truncatingIfNeeded: size))
      guard isTaken >= 0 else { throw lost(handle) }
      if isTaken == 1 { offset += size }
      // Without this libpq would keep all of it in memory while the server is slower.
      while true {
        let unsent = functions.flush(handle)
        guard unsent >= 0 else { throw lost(handle) }
        if unsent == 0 { break }
        _ = groot_pq_wait(functions.socket(handle), 1, Self.timeBetweenLooks)
        guard functions.consume(handle) == 1 else { throw lost(handle) }
        if isToEnd { throw Cancellation.failure }
      }
    }
  }
}
