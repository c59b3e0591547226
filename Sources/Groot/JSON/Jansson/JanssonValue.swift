import CJansson

/// Owns a reference to a jansson value and releases it in `deinit`.
///
/// Only as thread-safe as jansson's reference counts.
package final class JanssonValue {
  /// The value; borrowed, valid as long as this object.
  ///
  /// Swift may release this object right after its last use: to keep using the pointer, call
  /// ``borrow(_:)``.
  package let json: UnsafeMutablePointer<json_t>

  /// Takes over the caller's reference.
  package init(owning json: UnsafeMutablePointer<json_t>) { self.json = json }

  /// Calls `body` with the value, which stays valid until `body` ends.
  package func borrow<Result>(
    _ body: (UnsafeMutablePointer<json_t>) throws -> Result
  ) rethrows -> Result {
    try withExtendedLifetime(self) { try body(json) }
  }

  deinit { groot_json_release(json) }
}
