import Foundation
import Groot

// UUIDs of attributes.

extension UUIDValue {
  /// Makes a UUID of the same 16 bytes.
  public init(_ uuid: UUID) {
    let (high, low) = withUnsafeBytes(of: uuid.uuid) {
      ($0.loadUnaligned(as: UInt64.self), $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    }
    self.init(high: UInt64(bigEndian: high), low: UInt64(bigEndian: low))
  }
}

extension UUID {
  /// Makes a UUID of the same 16 bytes.
  public init(_ value: UUIDValue) {
    var bytes: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    withUnsafeMutableBytes(of: &bytes) {
      $0.storeBytes(of: value.high.bigEndian, as: UInt64.self)
      $0.storeBytes(of: value.low.bigEndian, toByteOffset: 8, as: UInt64.self)
    }
    self.init(uuid: bytes)
  }
}

extension UUID: FoundationValue {
  /// ``AttributeType/uuid``.
  public static var attributeType: AttributeType { .uuid }
  /// The UUID whose bits are all 0.
  public static var absent: UUID { UUID(UUIDValue.absent) }

  /// Makes a UUID from a UUID value; nil for other values.
  public init?(attributeValue: Value) {
    guard case .uuid(let value) = attributeValue else { return nil }
    self.init(value)
  }

  /// ``Value/uuid(_:)``.
  public var attributeValue: Value { .uuid(UUIDValue(self)) }
}
