import CPCRE2

/// A regular expression that a whole text must match, in the syntax of PCRE2.
///
/// Patterns from files and texts from feeds are untrusted: a match uses no stack, and its memory
/// and time are bounded by the limits here.
final class Pattern: @unchecked Sendable {
  // The compiled pattern never changes, so PCRE2 can use it on several threads.
  private let code: OpaquePointer
  private let workspaces: PatternWorkspaces

  /// The reason why a pattern cannot be compiled.
  struct SyntaxError: Error {
    let status: Status
    let message: String
  }

  /// The result of comparing a text with a pattern.
  enum Outcome: Equatable {
    case matches
    case differs
    /// The match was ended by a limit, which the message names.
    case exceeds(String)
  }

  /// The greatest number of bytes of a pattern.
  static let maximumLength = 10_000
  /// The greatest depth of parentheses: compiling uses stack for each.
  static let maximumNesting: UInt32 = 200
  /// The greatest number of steps of one match.
  static let maximumSteps = 250_000
  /// The greatest number of bytes that all steps of a match read; one step may read the whole text.
  static let maximumWork = 1 << 29
  /// The greatest number of open alternatives to which a match can backtrack.
  static let maximumDepth: UInt32 = 100_000
  /// The greatest amount of memory of a match, in KiB.
  static let maximumMemory: UInt32 = 32_768

  /// Compiles a pattern; patterns with shared workspaces do not make one for each match.
  init(_ text: String, workspaces: PatternWorkspaces = PatternWorkspaces()) throws(SyntaxError) {
    var text = text
    // A typed throw cannot leave a closure of the standard library.
    let result = text.withUTF8 { Self.compile($0) }
    switch result {
    case .success(let code):
      self.code = code
      self.workspaces = workspaces
    case .failure(let error): throw error
    }
  }

  deinit { pcre2_code_free_8(code) }

  // MARK: Compiling

  /// The options of compiling: letters, digits and case are those of Unicode, as in ICU.
  ///
  /// `\C`, which splits characters, is rejected.
  private static let options: UInt32 =
    UInt32(PCRE2_UTF) | UInt32(PCRE2_UCP) | UInt32(PCRE2_ANCHORED) | UInt32(PCRE2_ENDANCHORED)
    | UInt32(PCRE2_NEVER_BACKSLASH_C)

  private static func compile(_ text: UnsafeBufferPointer<UInt8>) -> Result<
    OpaquePointer, SyntaxError
  > {
    guard text.count <= maximumLength else {
      return .failure(
        SyntaxError(
          status: .limitExceeded,
          message: "its pattern has \(text.count) bytes; a pattern has at most \(maximumLength)"))
    }
    if let offset = PatternSyntax.nestedSet(text) {
      return .failure(
        syntaxError(
          text, status: .invalidModel,
          reason: "sets within sets are not known; a '[' in a set is written '\\['", offset: offset)
      )
    }
    guard let context = pcre2_compile_context_create_8(nil) else { return .failure(noMemory) }
    defer { pcre2_compile_context_free_8(context) }
    pcre2_set_parens_nest_limit_8(context, maximumNesting)
    pcre2_set_newline_8(context, UInt32(PCRE2_NEWLINE_ANY))
    pcre2_set_bsr_8(context, UInt32(PCRE2_BSR_UNICODE))
    var (number, offset): (Int32, Int) = (0, 0)
    // PCRE2 10.42 does not accept a null pointer for an empty pattern.
    let none: [UInt8] = [0]
    let code = none.withUnsafeBufferPointer {
      pcre2_compile_8(
        text.baseAddress ?? $0.baseAddress, text.count, options, &number, &offset, context)
    }
    if let code { return .success(code) }
    let status: Status = limits.contains(number) ? .limitExceeded : .invalidModel
    return .failure(syntaxError(text, status: status, reason: message(number), offset: offset))
  }

  private static let noMemory = SyntaxError(
    status: .limitExceeded, message: "no memory to compile its pattern")

  private static func syntaxError(
    _ text: UnsafeBufferPointer<UInt8>, status: Status, reason: String, offset: Int
  ) -> SyntaxError {
    let shown = shortened(text)
    let kind = status == .limitExceeded ? "is too large" : "is not a regular expression"
    return SyntaxError(
      status: status, message: "its pattern '\(shown)' \(kind): \(reason), at offset \(offset)")
  }

  /// The errors that depend on the size of a pattern.
  private static let limits: Set<Int32> = Set(
    [
      PCRE2_ERROR_PARENTHESES_NEST_TOO_DEEP, PCRE2_ERROR_PATTERN_TOO_LARGE,
      PCRE2_ERROR_HEAP_FAILED, PCRE2_ERROR_LOOKBEHIND_TOO_COMPLICATED,
      PCRE2_ERROR_TOO_MANY_NAMED_SUBPATTERNS, PCRE2_ERROR_INTERNAL_PARSED_OVERFLOW,
      PCRE2_ERROR_QUERY_BARJX_NEST_TOO_DEEP, PCRE2_ERROR_PATTERN_TOO_COMPLICATED,
      PCRE2_ERROR_LOOKBEHIND_TOO_LONG, PCRE2_ERROR_PATTERN_STRING_TOO_LONG,
      PCRE2_ERROR_TOO_MANY_CAPTURES,
    ].map { Int32($0) })

  private static func message(_ number: Int32) -> String {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 256) { room in
      let count = pcre2_get_error_message_8(number, room.baseAddress, room.count)
      guard count > 0 else { return "error \(number) of PCRE2" }
      return String(decoding: room.prefix(Int(count)), as: UTF8.self)
    }
  }

  // MARK: Matching

  /// Compares a whole text with the pattern.
  ///
  /// It works on the heap, without recursion, and usually does not allocate memory.
  func outcome(_ text: UnsafeBufferPointer<UInt8>) -> Outcome {
    guard let workspace = workspaces.take() else { return .exceeds("there is no memory for it") }
    let steps = min(Self.maximumSteps, Self.maximumWork / max(text.count, 1))
    pcre2_set_match_limit_8(workspace.pointee.context, UInt32(clamping: max(steps, 1)))
    var empty: UInt8 = 0
    let result = withUnsafePointer(to: &empty) {
      pcre2_match_8(
        code, text.baseAddress ?? $0, text.count, 0, 0, workspace.pointee.data,
        workspace.pointee.context)
    }
    switch result {
    case Int32(PCRE2_ERROR_MATCHLIMIT):
      workspaces.give(workspace)
      return .exceeds("a text of \(text.count) bytes may take \(steps) steps")
    case Int32(PCRE2_ERROR_DEPTHLIMIT):
      workspaces.release(workspace)
      return .exceeds("\(Self.maximumDepth) ways may be open at once")
    case Int32(PCRE2_ERROR_HEAPLIMIT), Int32(PCRE2_ERROR_NOMEMORY):
      workspaces.release(workspace)
      return .exceeds("it may take \(Self.maximumMemory / 1024) MiB of memory")
    case Int32(PCRE2_ERROR_RECURSELOOP):
      workspaces.give(workspace)
      return .exceeds("it calls itself without end")
    default:
      // The memory of a workspace grows with the text.
      if text.count > Self.maximumLength {
        workspaces.release(workspace)
      } else {
        workspaces.give(workspace)
      }
      return result >= 0 ? .matches : .differs
    }
  }

  /// Returns the beginning of a text, for a message.
  static func shortened(_ text: UnsafeBufferPointer<UInt8>) -> String {
    let start = String(decoding: text.prefix(400), as: UTF8.self).unicodeScalars.prefix(60)
    let isWhole = start.count < 60 || start.reduce(0) { $0 + UTF8.width($1) } == text.count
    return String(String.UnicodeScalarView(start)) + (isWhole ? "" : "...")
  }
}
