/// Finds the locations of an element's tokens in its text: after one walk, each in constant time.
struct JSONLocationIndex {
  /// The distance of the locations that are counted in advance, in bytes.
  private static let stride = 1024

  /// By token, its offset in the element's text.
  private let offsets: [UInt32]
  /// The locations of the element's bytes 0, `stride`, 2 * `stride` and so on.
  private let locations: [JSONLocator.Location]

  /// Makes an index of the tokens from the scan of an element.
  ///
  /// `start` is the location of the element's beginning.
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

  /// Returns the offset of a token in the element's text; nil for a token that is not from the
  /// text.
  func offset(of token: TokenIndex) -> Int? {
    offsets.indices.contains(token.offset) ? Int(offsets[token]) : nil
  }

  /// Returns the line and column of a byte of the element's text.
  func location(of offset: Int, in text: UnsafeRawBufferPointer) -> JSONLocator.Location {
    let number = min(offset / Self.stride, locations.count - 1)
    let start = number * Self.stride
    let rest = UnsafeRawBufferPointer(rebasing: text[min(start, text.count)...])
    return JSONLocator.location(of: offset - start, in: rest, from: locations[number])
  }
}
