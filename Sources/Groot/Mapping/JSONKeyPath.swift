/// A path of keys into nested JSON objects, such as `publisher.name`.
///
/// Keys are separated by dots; `\.` is a dot inside a key, `\\` a backslash.
struct JSONKeyPath: Equatable, Sendable, CustomStringConvertible {
  let segments: [String]

  init(_ text: String) {
    var segments: [String] = []
    var segment = ""
    var isEscaped = false
    for character in text.unicodeScalars {
      if isEscaped {
        if character != "." && character != "\\" { segment.unicodeScalars.append("\\") }
        segment.unicodeScalars.append(character)
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else if character == "." {
        segments.append(segment)
        segment = ""
      } else {
        segment.unicodeScalars.append(character)
      }
    }
    if isEscaped { segment.unicodeScalars.append("\\") }
    segments.append(segment)
    self.segments = segments
  }

  /// A path of given keys.
  init(segments: [String]) { self.segments = segments }

  /// A path of one key, whatever is in it.
  init(key: String) { segments = [key] }

  /// The position in an array that a key such as `3` stands for; nil when it stands for none.
  static func position(_ key: String) -> Int? {
    guard let number = Int(key), number >= 0, number < 4096, String(number) == key else {
      return nil
    }
    return number
  }

  /// The text of a path of one key.
  static func text(_ key: String) -> String {
    var text = ""
    for character in key.unicodeScalars {
      if character == "." || character == "\\" { text += "\\" }
      text.unicodeScalars.append(character)
    }
    return text
  }

  /// How many keys a path may have, and how many bytes.
  static let maximumLength = 256
  static let maximumSize = 4_096

  /// A path with an empty key leads nowhere, one of very many keys to JSON that nests too deep, and
  /// every entity that inherits one has it again.
  var isUsable: Bool {
    segments.count <= Self.maximumLength && segments.allSatisfy { !$0.isEmpty }
      && segments.lazy.map(\.utf8.count).reduce(0, +) <= Self.maximumSize
  }

  static func == (left: JSONKeyPath, right: JSONKeyPath) -> Bool {
    left.segments.elementsEqual(right.segments) { Name($0) == Name($1) }
  }

  var description: String { segments.map(Self.text).joined(separator: ".") }
}
