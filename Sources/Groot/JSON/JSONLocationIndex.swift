/// Finds where many tokens of one element are in its text: after one walk, each in constant time.
struct JSONLocationIndex {
  /// How far apart the locations are that are counted beforehand, in bytes.
  private static let stride = 1024

  /// By token, its offset in the element's text.
  private let offsets: [UInt32]
  /// The locations of the element's bytes 0, `stride`, 2 * `stride` and so on.
  private let locations: [JSONLocator.Location]

  /// Makes an index of the tokens that the scan of an element put on the tape.
  ///
  /// `start` is the location where the element begins.
  init(_ text: UnsafeRawBufferPointer, count: Int, from start: JSONLocator.Location) {
    offsets = JSONLocator.offsets(count: count, in: text)
    var locations = [start]
    var position = 0
    while position + Self.stride < text.count {
      let piece = UnsafeRawBufferPointer(rebasing: text[position..<position + Self.stride])
      locations.append(
        JSONLocator.location(of: Self.stride, in: piece, from: locations[locations.count - 1]))
      position += Self.stride
    }
    self.locations = locations
  }

  /// Where a token is in the element's text; nil for one that the text does not have.
  func offset(of token: TokenIndex) -> Int? {
    offsets.indices.contains(token.offset) ? Int(offsets[token]) : nil
  }

  /// The line and column of a byte of the element's text.
  func location(of offset: Int, in text: UnsafeRawBufferPointer) -> JSONLocator.Location {
    let number = min(offset / Self.stride, locations.count - 1)
    let start = number * Self.stride
    let rest = UnsafeRawBufferPointer(rebasing: text[min(start, text.count)...])
    return JSONLocator.location(of: offset - start, in: rest, from: locations[number])
  }
}
