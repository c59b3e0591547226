import Foundation
import Groot

// Bytes of attributes.

extension Data: FoundationValue {
  /// ``AttributeType/binary``.
  public static var attributeType: AttributeType { .binary }
  /// Empty data.
  public static var absent: Data { Data() }

  /// Makes data from a binary value; nil for other values.
  public init?(attributeValue: Value) {
    guard case .binary(let bytes) = attributeValue else { return nil }
    self.init(bytes)
  }

  /// ``Value/binary(_:)``.
  public var attributeValue: Value { .binary([UInt8](self)) }
}
