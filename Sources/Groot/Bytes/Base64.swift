/// Binary data as text (RFC 4648).
enum Base64 {
  /// Returns the number of bytes that ``decode(_:into:)`` needs: a few more than the result can
  /// have.
  @inline(__always)
  static func decodedCapacity(_ textLength: Int) -> Int {
    textLength / 4 &* 3 &+ 8
  }

  /// Returns the exact length of the text of `count` bytes, which ``encode(_:into:)`` needs.
  @inline(__always)
  static func encodedLength(_ count: Int) -> Int {
    (count &+ 2) / 3 &* 4
  }

  /// Decodes the standard alphabet (`+`, `/`) and the one for URLs (`-`, `_`).
  ///
  /// Padding may be missing, but must not be incomplete. White space and unused bits other than 0
  /// are rejected: apart from alphabet and padding, the accepted text of some bytes is unique.
  ///
  /// - Parameter target: Room for ``decodedCapacity(_:)`` bytes; bytes after the data are
  ///   undefined.
  /// - Returns: The number of bytes; nil for any other text.
  static func decode(
    _ text: UnsafeBufferPointer<UInt8>, into target: UnsafeMutablePointer<UInt8>
  ) -> Int? {
    guard var next = text.baseAddress, text.count > 0 else { return 0 }
    var left = text.count
    if left & 3 == 0 && next[left &- 1] == UInt8(ascii: "=") {
      left &-= next[left &- 2] == UInt8(ascii: "=") ? 2 : 1
    }
    guard left & 3 != 1 else { return nil }
    var length = 0
    while left >= 8 {
      guard let bits = sextets(ByteLanes.load8(next)) else { return nil }
      ByteLanes.store8(bits.bigEndianLanes, into: target + length)
      next += 8
      left &-= 8
      length &+= 6
    }
    guard left > 0 else { return length }
    // The rest, padded with `A`, which means zero bits.
    var lanes = ByteLanes.fill(UInt8(ascii: "A"))
    for index in 0..<left {
      let shift = UInt64(truncatingIfNeeded: index &* 8)
      lanes ^= UInt64(next[index] ^ UInt8(ascii: "A")) &<< shift
    }
    guard let bits = sextets(lanes) else { return nil }
    let added = left &* 3 / 4
    guard bits &<< UInt64(truncatingIfNeeded: 16 &+ added &* 8) == 0 else { return nil }
    ByteLanes.store8(bits.bigEndianLanes, into: target + length)
    return length &+ added
  }

  /// Returns the 48 bits of eight characters; nil if one is in neither alphabet.
  @inline(__always)
  private static func sextets(_ lanes: UInt64) -> UInt64? {
    guard lanes & ByteLanes.highBits == 0 else { return nil }
    let upper = ByteLanes.within(lanes, low: UInt8(ascii: "A"), high: UInt8(ascii: "Z"))
    let lower = ByteLanes.within(lanes, low: UInt8(ascii: "a"), high: UInt8(ascii: "z"))
    let digit = ByteLanes.within(lanes, low: UInt8(ascii: "0"), high: UInt8(ascii: "9"))
    let plus = ByteLanes.within(lanes, low: UInt8(ascii: "+"), high: UInt8(ascii: "+"))
    let hyphen = ByteLanes.within(lanes, low: UInt8(ascii: "-"), high: UInt8(ascii: "-"))
    let slash = ByteLanes.within(lanes, low: UInt8(ascii: "/"), high: UInt8(ascii: "/"))
    let underscore = ByteLanes.within(lanes, low: UInt8(ascii: "_"), high: UInt8(ascii: "_"))
    guard upper | lower | digit | plus | hyphen | slash | underscore == ByteLanes.highBits else {
      return nil
    }
    // The difference between a character and its value; each lane stays in 0...127.
    let raised =
      lanes &+ ByteLanes.spread(digit, amount: 4) &+ ByteLanes.spread(plus, amount: 19)
      &+ ByteLanes.spread(hyphen, amount: 17) &+ ByteLanes.spread(slash, amount: 16)
    let values =
      raised &- ByteLanes.spread(upper, amount: 65) &- ByteLanes.spread(lower, amount: 71)
      &- ByteLanes.spread(underscore, amount: 32)
    let twelves = (values & 0x003F_003F_003F_003F) &<< 6 | (values &>> 8 & 0x003F_003F_003F_003F)
    let halves = (twelves & 0x0000_0FFF_0000_0FFF) &<< 12 | (twelves &>> 16 & 0x0000_0FFF_0000_0FFF)
    return (halves & 0xFF_FFFF) &<< 24 | halves &>> 32
  }
}

extension UInt64 {
  /// The 48 bits as lanes, most significant byte first.
  fileprivate var bigEndianLanes: UInt64 {
    @inline(__always) get { (self &<< 16).byteSwapped }
  }
}

// Writing bytes as base64.

extension Base64 {
  /// Encodes bytes in the standard alphabet, with padding.
  ///
  /// - Parameter target: Room for ``encodedLength(_:)`` bytes.
  /// - Returns: The length of the text: ``encodedLength(_:)``.
  static func encode(
    _ bytes: UnsafeBufferPointer<UInt8>, into target: UnsafeMutablePointer<UInt8>
  ) -> Int {
    guard var next = bytes.baseAddress else { return 0 }
    var left = bytes.count
    var length = 0
    while left >= 8 {
      let bits = ByteLanes.load8(next).byteSwapped &>> 16
      ByteLanes.store8(characters(bits), into: target + length)
      next += 6
      left &-= 6
      length &+= 8
    }
    while left > 0 {
      // One group: the next bytes, at most three, as the first 24 of 48 bits.
      let taken = left < 3 ? left : 3
      var bits: UInt64 = 0
      for index in 0..<taken {
        bits |= UInt64(next[index]) &<< UInt64(truncatingIfNeeded: 40 &- index &* 8)
      }
      ByteLanes.store4(UInt32(truncatingIfNeeded: characters(bits)), into: target + length)
      if taken < 3 { target[length &+ 3] = UInt8(ascii: "=") }
      if taken < 2 { target[length &+ 2] = UInt8(ascii: "=") }
      next += taken
      left &-= taken
      length &+= 4
    }
    return length
  }

  /// Returns the eight characters of 48 bits.
  @inline(__always)
  private static func characters(_ bits: UInt64) -> UInt64 {
    let halves = bits &>> 24 | (bits & 0xFF_FFFF) &<< 32
    let twelves = (halves &>> 12 & 0x0000_0FFF_0000_0FFF) | (halves & 0x0000_0FFF_0000_0FFF) &<< 16
    let values = (twelves &>> 6 & 0x003F_003F_003F_003F) | (twelves & 0x003F_003F_003F_003F) &<< 8
    let fromLower = ByteLanes.within(values, low: 26, high: 63)
    let fromDigits = ByteLanes.within(values, low: 52, high: 63)
    let fromPlus = ByteLanes.within(values, low: 62, high: 63)
    let isSlash = ByteLanes.within(values, low: 63, high: 63)
    // Each step is the gap between two ranges of the alphabet; each lane stays in 0...255.
    let raised =
      values &+ ByteLanes.fill(65) &+ ByteLanes.spread(fromLower, amount: 6)
      &+ ByteLanes.spread(isSlash, amount: 3)
    return raised &- ByteLanes.spread(fromDigits, amount: 75)
      &- ByteLanes.spread(fromPlus, amount: 15)
  }

  /// Returns the text of bytes.
  static func text(_ bytes: [UInt8]) -> String {
    String(unsafeUninitializedCapacity: encodedLength(bytes.count)) { target in
      guard let start = target.baseAddress else { return 0 }
      return bytes.withUnsafeBufferPointer { encode($0, into: start) }
    }
  }
}
