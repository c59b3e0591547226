/// One thing that was found wrong: where it is, what it is about, and what would mend it.
public struct GrootIssue: Sendable, Hashable {
  /// How bad an issue is.
  public enum Severity: Int32, Sendable {
    /// The call goes on.
    case warning = 1
    /// The call, or the record, fails.
    case error = 2
  }

  /// The kind of failure.
  public var status: Status
  /// Whether it fails the call.
  public var severity: Severity
  /// Says what was found and what was expected.
  public var message: String
  /// Where in the JSON, as `$.powers[2].id`; empty when no JSON is concerned.
  public var path: String
  /// The entity concerned; empty when none is.
  public var entity: String
  /// The property concerned; empty when none is.
  public var property: String
  /// Line in the text, from 1; 0 when there is no text.
  public var line: Int
  /// Column in that line in characters, from 1; 0 when there is no text.
  public var column: Int
  /// Byte offset in the text, from 0; -1 when there is no text.
  public var offset: Int

  /// Makes an issue; unknown parts are left out.
  ///
  /// - Parameters:
  ///   - status: The kind of failure.
  ///   - message: The value that was found, and the expected one.
  ///   - severity: Whether it fails the call.
  ///   - path: Where in the JSON.
  ///   - entity: The entity concerned.
  ///   - property: The property concerned.
  ///   - line: The line in the text, from 1.
  ///   - column: The column in that line in characters, from 1.
  ///   - offset: The byte offset in the text, from 0.
  public init(
    _ status: Status, _ message: String, severity: Severity = .error, path: String = "",
    entity: String = "", property: String = "", line: Int = 0, column: Int = 0, offset: Int = -1
  ) {
    self.status = status
    self.severity = severity
    self.message = message
    self.path = path
    self.entity = entity
    self.property = property
    self.line = line
    self.column = column
    self.offset = offset
  }
}

extension GrootIssue: CustomStringConvertible {
  /// The message with its location: `Character.name: a value is required - at $[3].name, line 9`.
  public var description: String {
    var text = ""
    if !entity.isEmpty {
      text += property.isEmpty ? "\(entity): " : "\(entity).\(property): "
    }
    text += message
    if !path.isEmpty { text += " - at \(path)" }
    if line > 0 { text += path.isEmpty ? " - at line \(line)" : ", line \(line)" }
    if line > 0 && column > 0 { text += ", column \(column)" }
    return text
  }
}
