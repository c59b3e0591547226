import Groot

// The errors of Codable, as failures of Groot.

extension GrootError {
  /// The failure of coding: an error of Codable's own, with the path to the value.
  ///
  /// - Parameter entity: The entity of the object that was decoded; empty for none.
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

  /// A path as issues have it: `$.powers[2].name`.
  private static func text(of path: [any CodingKey]) -> String {
    path.reduce(into: "$") { text, key in
      text += key.intValue.map { "[\($0)]" } ?? ".\(key.stringValue)"
    }
  }
}
