/// One mistake: its place, its subject, and the expected value.
public struct GrootIssue: Sendable, Hashable {
  /// The severity of an issue.
  public enum Severity: Int32, Sendable {
    /// The call continues.
    case warning = 1
    /// The call, or the record, fails.
    case error = 2
  }

  /// The kind of failure.
  public var status: Status
  /// Whether it fails the call.
  public var severity: Severity
  /// The message, with the value that was found and the expected one.
  public var message: String
  /// The path in the JSON, such as `$.powers[2].id`; empty without JSON.
  public var path: String
  /// The entity; empty without one.
  public var entity: String
  /// The property; empty without one.
  public var property: String
  /// The line in the text, from 1; 0 without a text.
  public var line: Int
  /// The column in that line in characters, from 1; 0 without a text.
  public var column: Int
  /// The byte offset in the text, from 0; -1 without a text.
  public var offset: Int

  /// Makes an issue; unknown parts may be omitted.
  ///
  /// - Parameters:
  ///   - status: The kind of failure.
  ///   - message: The value that was found, and the expected one.
  ///   - severity: Whether it fails the call.
  ///   - path: The path in the JSON.
  ///   - entity: The entity.
  ///   - property: The property.
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
  /// The message with its location.
  ///
  /// Such as `Character.name: a value is required - at $[3].name, line 9`.
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
