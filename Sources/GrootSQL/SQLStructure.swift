import Groot

/// The description that a store has of its schema, which reveals a store of another model.
package struct SQLStructure {
  private let schema: StoreSchema
  private let layout: SQLLayout
  /// The name of the store in messages.
  private let store: String

  /// The tables of a store that was made for another model, or in another format.
  package struct Described {
    /// The schema, without identities.
    package let schema: StoreSchema
    /// The names in its tables.
    package let layout: SQLLayout
    /// The statements that made the tables and indexes, those of identities included.
    package let statements: [String]
  }

  /// Describes a schema for a store of a name.
  package init(_ schema: StoreSchema, layout: SQLLayout, store: String) {
    self.schema = schema
    self.layout = layout
    self.store = store
  }

  /// The statements that make the tables of the schema.
  package var statements: [String] {
    SQLDefinition(schema: schema, layout: layout).statements
  }

  /// The tables of the schema, as those of a store in this form.
  package var tables: Described {
    Described(schema: schema, layout: layout, statements: statements)
  }

  /// The schema in lines.
  package var text: String {
    (statements + schema.lines).map(Self.line).map(Name.init).sorted().map(\.text)
      .joined(separator: "\n")
  }

  /// Reads the description of a store that was made for another model.
  ///
  /// - Throws: ``Status/storeInvalid`` when the model and the structure do not fit together.
  package func described(model: String, structure: String) throws -> Described {
    guard let document = try? JSONValue(parsing: model),
      let old = try? StoreSchema(document: document)
    else { throw damaged("its model cannot be read") }
    let names = SQLLayout(old, dialect: layout.dialect)
    let statements = SQLDefinition(schema: old, layout: names).statements
    let lines = Set(Self.lines(structure).map(Name.init))
    let known = Set((statements + old.lines).map(Name.init))
    // Identities belong to a mapping, which the store does not keep.
    let identities = lines.subtracting(known)
    guard known.isSubset(of: lines),
      identities.allSatisfy({ $0.text.utf8.starts(with: SQLDefinition.uniqueIndex.utf8) })
    else { throw damaged("its model and its structure do not fit together") }
    return Described(schema: old, layout: names, statements: statements + identities.map(\.text))
  }

  /// Returns an error with the additional and the missing parts of a store of another model.
  package func differences(_ found: String) -> GrootError {
    let lines = Set(Self.lines(text).map(Name.init))
    let old = Set(Self.lines(found).map(Name.init))
    let issues =
      old.subtracting(lines).sorted().map { "the store has: \($0.text)" }
      + lines.subtracting(old).sorted().map { "the model needs: \($0.text)" }
    let first = GrootIssue(
      .storeModel, "the store '\(store)' was made for another model; it is not changed")
    return GrootError(.storeModel, [first] + issues.map { GrootIssue(.storeModel, $0) })
  }

  /// Returns an error for a store that is not as it was written.
  package func damaged(_ message: String) -> GrootError {
    GrootError(.storeInvalid, "the store '\(store)' is damaged: \(message)")
  }

  // MARK: Lines

  /// Returns a text as one line, with escaped line ends.
  private static func line(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 == newline || $0 == backslash }) else { return text }
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case newline: bytes += [backslash, UInt8(ascii: "n")]
      case backslash: bytes += [backslash, backslash]
      default: bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the texts of lines, with unescaped line ends.
  private static func lines(_ structure: String) -> [String] {
    structure.utf8.split(separator: newline).map { line in
      var bytes: [UInt8] = []
      var isEscaped = false
      for byte in line {
        if isEscaped {
          bytes.append(byte == UInt8(ascii: "n") ? newline : byte)
          isEscaped = false
        } else if byte == backslash {
          isEscaped = true
        } else {
          bytes.append(byte)
        }
      }
      return String(decoding: bytes, as: UTF8.self)
    }
  }

  private static let newline = UInt8(ascii: "\n")
  private static let backslash = UInt8(ascii: "\\")
}
