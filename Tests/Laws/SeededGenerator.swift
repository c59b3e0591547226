/// The only source of chance: random numbers that are the same in every run (SplitMix64, Steele, Lea
/// and Flood 2014).
///
/// Seeds that found something once are kept in the laws: a draw stays as it is, and so does the order
/// of draws.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }
  init(seed: Int) { state = UInt64(seed) }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// Another generator, which draws nothing from this one afterwards.
  mutating func fork() -> SeededGenerator { SeededGenerator(seed: next()) }

  // MARK: Draws

  mutating func below(_ count: Int) -> Int { Int.random(in: 0..<count, using: &self) }

  mutating func number<Number: FixedWidthInteger>(in range: ClosedRange<Number>) -> Number {
    Number.random(in: range, using: &self)
  }

  mutating func flip() -> Bool { Bool.random(using: &self) }

  /// True in so many cases of a hundred.
  mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

  /// True once in so many cases.
  mutating func once(in count: Int) -> Bool { below(count) == 0 }

  /// One of several, of which there must be one.
  mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }

  /// One of several; nil where there is none.
  mutating func one<Elements: Collection>(of elements: Elements) -> Elements.Element? {
    elements.randomElement(using: &self)
  }

  /// Random bytes; most of them drawn from `alphabet`, when there is one, so that parsers get far.
  mutating func bytes(_ count: Int, mostly alphabet: [UInt8] = []) -> [UInt8] {
    (0..<count).map { _ in
      let bits = next()
      let isFree = alphabet.isEmpty || bits >> 60 == 0
      return isFree ? UInt8(truncatingIfNeeded: bits) : alphabet[Int(bits % UInt64(alphabet.count))]
    }
  }
}
