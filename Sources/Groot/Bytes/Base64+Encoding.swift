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
