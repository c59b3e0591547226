#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// Ends the process, so that libFuzzer keeps the bytes, unless the condition holds.
@inline(__always)
func require(
  _ condition: Bool, _ message: @autoclosure () -> String, _ bytes: UnsafeBufferPointer<UInt8>
) {
  if condition { return }
  print("\(message()): \(String(decoding: bytes, as: UTF8.self).debugDescription)")
  fflush(nil)
  abort()
}
