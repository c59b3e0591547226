// Taking names and paths apart by their bytes: by Characters a mark that follows a dot would hide
// it.

extension String {
  /// The parts between the bytes that separate them, such as dots; empty ones count.
  package func parts(separatedBy separator: UInt8) -> [String] {
    utf8.split(separator: separator, omittingEmptySubsequences: false).map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  /// The names of a list that commas and white space separate.
  var listedNames: [String] {
    unicodeScalars.split { $0 == "," || $0.properties.isWhitespace }.map { String($0) }
  }

  /// Without the spaces at both ends.
  var withoutOuterSpaces: String {
    var rest = utf8[...]
    while rest.first == Byte.space { rest.removeFirst() }
    while rest.last == Byte.space { rest.removeLast() }
    return String(decoding: rest, as: UTF8.self)
  }

  /// The first 60 characters, for messages.
  var shortened: String {
    // Not Characters, one of which may have any number of marks.
    let start = String(unicodeScalars.prefix(60))
    return start.utf8.count < utf8.count ? start + "..." : self
  }
}
