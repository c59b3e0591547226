import Testing

@testable import Groot

/// How deep a text may nest does not depend on where its root is: jansson says it of the whole text.
struct RootDepthTests {
  /// A value of so many levels, the innermost of which holds `inner`.
  private static func nested(_ levels: Int, _ kind: String, _ inner: String) -> String {
    var (opening, closing): ([String], [String]) = ([], [])
    for level in 0..<levels {
      let isObject = kind == "objects" || (kind == "both" && level % 2 == 0)
      opening.append(isObject ? "{\"a\": " : "[")
      closing.append(isObject ? "}" : "]")
    }
    return opening.joined() + inner + closing.reversed().joined()
  }

  /// Where the value is, with the levels around it.
  private static let places: [(name: String, around: Int, text: @Sendable (String) -> String)] = [
    ("before", 1, { "{\"x\": \($0), \"root\": [{}]}" }),
    ("behind", 1, { "{\"root\": [{}], \"x\": \($0)}" }),
    ("in an element", 3, { "{\"root\": [{}, {\"x\": \($0)}]}" }),
    ("in the root", 2, { "{\"root\": {\"x\": \($0)}}" }),
  ]

  private static func status(_ text: String, _ usesScanner: Bool) throws -> Status {
    let mapping = try Mapping(model: ManagedObjectModel(document: ["entities": ["Thing": [:]]]))
    var options = ImportOptions()
    options.rootPath = "/root"
    options.usesScanner = usesScanner
    do {
      try ManagedObjectContext(mapping: mapping).importJSON(
        .text(text), into: "Thing", options: options)
      return .ok
    } catch {
      return error.status
    }
  }

  @Test(arguments: ["arrays", "both"], ["{}", "1"])
  func theDepthOfATextIsLimitedWhereverItsRootIs(kind: String, inner: String) throws {
    for (name, around, text) in Self.places {
      for levels in 2047...2049 {
        let whole = text(Self.nested(levels - around, kind, inner))
        let expected = JanssonBridge.diagnose([], text: Array(whole.utf8)).map(\.status) ?? .ok
        for usesScanner in [true, false] {
          let status = try Self.status(whole, usesScanner)
          #expect(status == expected, "\(name), \(levels) levels of \(kind) around \(inner)")
        }
      }
    }
  }
}

extension JanssonBridge {
  fileprivate static func diagnose(_ prefix: [UInt8], text: [UInt8]) -> SyntaxError? {
    text.withUnsafeBytes { diagnose(prefix, text: $0) }
  }
}
