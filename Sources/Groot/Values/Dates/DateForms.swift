/// The formats of an attribute's dates or days in JSON: all are tried in order for reading, and the
/// first is used for writing.
struct DateForms: Sendable {
  /// The text of the annotation, such as `iso8601 | dd.MM.yyyy`.
  let text: String
  private let first: DateForm
  private let others: [DateForm]

  /// The separator of two formats, except in the quoted text of a pattern.
  private static let separator = " | "
  private static let maximumCount = 16

  /// Reads a list of formats.
  ///
  /// - Parameters:
  ///   - text: The list.
  ///   - type: The type of the attribute, ``AttributeType/date`` or ``AttributeType/day``.
  ///   - isRead: Whether the formats are used for reading, which not all patterns support.
  /// - Throws: ``Status/invalidArgument``, with a reason for a message.
  init(_ text: String, of type: AttributeType, isRead: Bool) throws {
    self.text = text
    let parts = Self.parts(text)
    guard parts.count <= Self.maximumCount else {
      throw GrootError(.invalidArgument, "there are more than \(Self.maximumCount) forms of dates")
    }
    let forms = try parts.map { part in
      let form = try DateForm(part)
      guard case .pattern(let pattern) = form else { return form }
      if type == .day && pattern.hasTime {
        throw GrootError(.invalidArgument, "the pattern '\(part)' has a time, and a day has none")
      }
      if isRead, let failure = pattern.readingFailure {
        throw GrootError(.invalidArgument, "the pattern '\(part)' \(failure)")
      }
      return form
    }
    first = forms[0]
    others = Array(forms.dropFirst())
  }

  /// Returns the parts between separators, at least one.
  private static func parts(_ text: String) -> [String] {
    var parts: [String] = []
    var part = ""
    var isQuoted = false
    var rest = text.unicodeScalars[...]
    while let next = rest.first {
      if !isQuoted && rest.starts(with: separator.unicodeScalars) {
        parts.append(part)
        part = ""
        rest = rest.dropFirst(separator.unicodeScalars.count)
        continue
      }
      if next == "'" { isQuoted.toggle() }
      part.unicodeScalars.append(next)
      rest = rest.dropFirst()
    }
    return parts + [part]
  }

  /// Whether one of the formats is a number.
  var hasNumber: Bool { first.isNumber || others.contains(where: \.isNumber) }

  /// Reads a value with the first format that fits.
  ///
  /// - Parameters:
  ///   - token: The value; for a key that is the text of a number, this number.
  ///   - text: The text for formats of text: the value, or the key.
  ///   - type: ``AttributeType/date`` or ``AttributeType/day``.
  ///   - result: The value that was read.
  func read(
    _ token: JSONToken, text: JSONToken, as type: AttributeType, into result: inout StoredValue
  ) -> ConversionFailure {
    var conversionFailure = first.read(
      first.isNumber ? token : text, as: type, into: &result)
    if conversionFailure == .none { return .none }
    for form in others {
      switch form.read(form.isNumber ? token : text, as: type, into: &result) {
      case .none: return .none
      // A wrong type is the least informative failure.
      case .type: break
      case let other: conversionFailure = other
      }
    }
    return conversionFailure
  }

  /// Writes a value of an attribute.
  ///
  /// - Parameter type: ``AttributeType/date`` or ``AttributeType/day``.
  func write(_ value: StoredValue, as type: AttributeType, writer: JSONWriter) {
    if type == .day {
      first.write(value.day, writer: writer)
    } else {
      first.write(Timestamp(microseconds: value.integer), writer: writer)
    }
  }
}
