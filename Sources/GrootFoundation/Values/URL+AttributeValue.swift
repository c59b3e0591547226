import Foundation
import Groot

// URIs of attributes.

extension URL: FoundationValue {
  /// ``AttributeType/uri``.
  public static var attributeType: AttributeType { .uri }
  /// `about:blank`.
  public static var absent: URL {
    URL(string: "about:blank") ?? URL(fileURLWithPath: "/", isDirectory: true)
  }

  /// Makes a URL from the text of a URI; nil if the text of the URL would differ.
  ///
  /// `URL` would write a space as `%20`, for example.
  public init?(attributeValue: Value) {
    guard let text = attributeValue.stringValue, let url = URL(string: text),
      url.absoluteString == text
    else { return nil }
    self = url
  }

  /// ``Value/uri(_:)``, the whole address.
  public var attributeValue: Value { .uri(absoluteString) }
}
