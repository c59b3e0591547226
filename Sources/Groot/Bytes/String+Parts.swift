// Splitting names and paths by their bytes: by Characters, a combining mark after a dot would hide
// the dot.

extension String {
  /// Returns the parts between separators, such as dots; parts may be empty.
  package func parts(separatedBy separator: UInt8) -> [String] {
    utf8.split(separator: separator, omittingEmptySubsequences: false).map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  /// The names of a list, separated by commas and white space.
  var listedNames: [String] {
    unicodeScalars.split { $0 == "," || $0.properties.isWhitespace }.map { String($0) }
  }

  /// The text without the spaces at both ends.
  var withoutOuterSpaces: String {
    var rest = utf8[...]
    while rest.first == Byte.space { rest.removeFirst() }
    while rest.last == Byte.space { rest.removeLast() }
    return String(decoding: rest, as: UTF8.self)
  }

  /// The first 60 characters, for messages.
  var shortened: String {
    // Not Characters, because one may have any number of marks.
    let start = String(unicodeScalars.prefix(60))
    return start.utf8.count < utf8.count ? start + "..." : self
  }
}
