import Testing

@testable import Groot

/// What hashes must tell apart: each bit, the length and what came before.
struct HashTests {
  private let hash = Hash()

  private func value(_ bytes: [UInt8], after start: UInt64 = 0) -> UInt64 {
    bytes.withUnsafeBufferPointer { hash.bytes($0.baseAddress, count: $0.count, from: start) }
  }

  @Test func everyBitOfBytesCounts() {
    var random = SeededGenerator(seed: 3)
    for length in 0..<70 {
      let bytes = (0..<length).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      var seen: Set<UInt64> = [value(bytes)]
      for bit in 0..<(8 * length) {
        var other = bytes
        other[bit / 8] ^= 1 << UInt8(bit % 8)
        seen.insert(value(other))
      }
      #expect(seen.count == 1 + 8 * length, "of \(length) bytes")
      let starts = Set((0..<64).map { value(bytes, after: 1 << UInt64($0)) })
      #expect(starts.count == 64)
    }
  }

  @Test func theLengthCounts() {
    let zeros = Set((0..<70).map { value(Array(repeating: 0, count: $0)) })
    #expect(zeros.count == 70)
  }

  @Test func everyBitOfWordsCounts() {
    for word in [1, 0x0123_4567_89AB_CDEF, UInt64.max - 1] {
      var seen: Set<UInt64> = [hash.mix(word), hash.none(0), hash.none(word)]
      for bit in 0..<64 {
        seen.insert(hash.mix(word ^ 1 << UInt64(bit)))
        seen.insert(hash.mix(word, start: 1 << UInt64(bit)))
      }
      #expect(seen.count == 3 + 128)
    }
  }

  /// Wherever in memory bytes are, also where words are not aligned.
  @Test func equalBytesHaveTheSameHash() {
    let bytes = (0..<40).map { UInt8($0) }
    let shifted = [0xFF] + bytes
    for length in 1...40 {
      let other = shifted[1...length].withUnsafeBufferPointer {
        hash.bytes($0.baseAddress, count: $0.count)
      }
      #expect(value(Array(bytes[..<length])) == other)
    }
  }
}
