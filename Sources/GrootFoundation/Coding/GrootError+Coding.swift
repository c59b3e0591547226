import Groot

// Errors of Codable as errors of Groot.

extension GrootError {
  /// Makes an error from an error of Codable, with the path to the value.
  ///
  /// - Parameter entity: The entity of the decoded object; empty for none.
  init(coding error: any Error, entity: String = "") {
    let (status, message, path): (Status, String, [any CodingKey])
    switch error {
    case let error as GrootError:
      self = error
      return
    case DecodingError.keyNotFound(let key, let context):
      status = .missingValue
      (message, path) = (context.debugDescription, context.codingPath + [key])
    case DecodingError.valueNotFound(_, let context):
      (status, message, path) = (.missingValue, context.debugDescription, context.codingPath)
    case DecodingError.typeMismatch(_, let context), DecodingError.dataCorrupted(let context):
      (status, message, path) = (.wrongType, context.debugDescription, context.codingPath)
    case EncodingError.invalidValue(_, let context):
      (status, message, path) = (.outOfRange, context.debugDescription, context.codingPath)
    default:
      self.init(GrootIssue(.callbackFailed, "\(error)", entity: entity), underlying: error)
      return
    }
    let issue = GrootIssue(status, message, path: Self.text(of: path), entity: entity)
    self.init(issue, underlying: error)
  }

  /// Returns a path in the form of issues, such as `$.powers[2].name`.
  private static func text(of path: [any CodingKey]) -> String {
    path.reduce(into: "$") { text, key in
      text += key.intValue.map { "[\($0)]" } ?? ".\(key.stringValue)"
    }
  }
}
