public struct JSONObject: Hashable, Sendable {
  public var members: [(key: String, value: JSONValue)] = []
  public init() {}
  public subscript(_ k: String) -> JSONValue? { get { nil } set {} }
  public static func == (a: Self, b: Self) -> Bool { true }
  public func hash(into hasher: inout Hasher) {}
}
public indirect enum JSONValue: Hashable, Sendable, ExpressibleByDictionaryLiteral, CustomStringConvertible { case null, boolean(Bool), integer(Int64), real(Double), string(String), array([JSONValue]), object(JSONObject)
  public init(dictionaryLiteral elements: (String, JSONValue)...) { self = .null }
  public var description: String { "" }
  public var stringValue: String? { nil }
  public init(parsing: String) throws { self = .null }
  package init(_ t: JSONTape, _ i: Int) { self = .null }
  package func append(to: JSONTape) throws -> Int { 0 }
}
package final class JSONWriter {
  package init(sink: ((UnsafeRawBufferPointer) throws -> Void)? = nil) {}
  package func byte(_ b: UInt8) {}
  package func raw(_ b: UnsafeBufferPointer<UInt8>) {}
  package func string(_ b: UnsafeBufferPointer<UInt8>) {}
  package func integer(_ i: Int64) {}
  package func real(_ i: Double) {}
  package func boolean(_ i: Bool) {}
  package func null() {}
  package func write(_ t: JSONTape, _ i: Int) {}
  package func append(capacity: Int, _ body: (UnsafeMutablePointer<UInt8>) -> Int) {}
  package func flush() throws {}
  package func takeBytes() -> (UnsafeMutablePointer<UInt8>, Int) { (.allocate(capacity: 1), 0) }
  package func flushIfFull() throws {}
  package var bytes: UnsafeBufferPointer<UInt8> { .init(start: nil, count: 0) }
}
extension JSONWriter { static func canonical(_ t: JSONTape, _ i: Int) -> UnsafeBufferPointer<UInt8> { .init(start: nil, count: 0) } }
extension JSONValue { init(storedText: UnsafeBufferPointer<UInt8>) { self = .null }
 var canonicalText: String { "" } }
extension Base64 { static func text(_ b: [UInt8]) -> String { "" } }
