/// Random numbers that are the same in every run (SplitMix64, Steele, Lea and Flood 2014).
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
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
