/// The steps to one value on a tape: a ``JSONKeyPath`` in the form to follow.
struct TapeSteps: Sendable {
  enum Step: Sendable {
    case key([UInt8])
    case position(Int)
  }

  let origin: JSONKeyPath.Origin
  private let steps: [Step]

  init(_ path: JSONKeyPath) {
    origin = path.origin
    steps = path.segments.compactMap { segment in
      switch segment {
      case .key(let key): .key(Array(key.text.utf8))
      case .position(let position): .position(position)
      case .elements: nil
      }
    }
  }

  /// Returns the value at the path; nil without one.
  func value(from start: TokenIndex, on tape: JSONTape) -> TokenIndex? {
    var value = start
    for step in steps {
      let next =
        switch step {
        case .key(let key):
          key.withUnsafeBufferPointer { tape.value(forKey: $0, inObject: value) }
            ?? JSONPointer.position(key).flatMap { tape.element(at: $0, inArray: value) }
        case .position(let position): tape.element(at: position, inArray: value)
        }
      guard let next else { return nil }
      value = tape.resolved(next)
    }
    return value
  }
}
