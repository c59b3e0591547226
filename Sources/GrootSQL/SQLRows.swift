import Groot

/// The rows of a schema's tables, as statements select them and as a store reads them.
package struct SQLRows: Sendable {
  /// By table, the local indexes of entities by the bytes of their names.
  private let entityNumbers: [[[UInt8]: Int]]
  /// By table, the types of columns.
  package let types: [[AttributeType]]
  private let schema: StoreSchema
  private let layout: SQLLayout
  private let store: String

  /// Describes the rows of a store, whose name errors have.
  package init(_ schema: StoreSchema, layout: SQLLayout, store: String) {
    self.schema = schema
    self.layout = layout
    self.store = store
    entityNumbers = schema.tables.map { table in
      Dictionary(
        table.entities.enumerated().map { (Array($1.utf8), $0) }, uniquingKeysWith: { $1 })
    }
    types = schema.tables.map { table in
      table.columns.map { column in
        if case .attribute(let type) = column.kind { type } else { .integer64 }
      }
    }
  }

  /// The number of columns of a link.
  package static let linkWidth = 5

  /// Returns the columns of a statement that selects objects of a table, which may have an alias.
  package func object(_ table: TableIndex, alias: String = "") -> String {
    let front = alias.isEmpty ? "" : alias + "."
    return (["_id", "_entity", "_version"] + layout.columns(of: table))
      .map { front + $0 }.joined(separator: ", ")
  }

  /// Returns the columns of a link; for a symmetric relationship, also whether its twin exists.
  ///
  /// The statement calls the table of the join `link`.
  package func link(_ join: Int) -> String {
    let columns = "link.source, link.target, link.source_order, link.target_order"
    guard schema.joins[join].isSymmetric else { return columns }
    return columns + ", EXISTS (SELECT 1 FROM \(quoted(layout.joins[join])) AS twin "
      + "WHERE twin.source = link.target AND twin.target = link.source)"
  }

  /// Returns the link of a row that selects ``link(_:)``.
  ///
  /// - Throws: ``Status/storeInvalid`` when the row lacks a value, or its twin.
  package func link(
    _ join: Int, source: Int64?, target: Int64?, sourcePosition: Int64?, targetPosition: Int64?,
    hasTwin: @autoclosure () -> Bool
  ) throws -> StoreLink {
    let join = schema.joins[join]
    guard let source, let target, let sourcePosition, let targetPosition else {
      throw damaged("a link of '\(join.entity).\(join.property)' lacks a key or a position")
    }
    guard !join.isSymmetric || hasTwin() else {
      throw damaged(
        "'\(join.entity).\(join.property)' leads from the object \(source) to \(target), but not back"
      )
    }
    return StoreLink(
      source: source, target: target, sourcePosition: sourcePosition,
      targetPosition: targetPosition)
  }

  /// Returns the local index of an entity.
  ///
  /// - Parameter key: The key of its object.
  /// - Throws: ``Status/storeInvalid`` for a name that the table does not have.
  package func entity(_ name: [UInt8], of table: TableIndex, key: Int64) throws -> Int {
    guard let number = entityNumbers[table][name] else {
      throw damaged(
        "the object \(key) of '\(schema.tables[table].name)' has an unknown entity, "
          + "'\(String(decoding: name, as: UTF8.self))'")
    }
    return number
  }

  /// Returns the error of a value that is not of its column's type.
  package func failure(of value: UnreadableValue, table: TableIndex, key: Int64) -> GrootError {
    let (description, column) = (schema.tables[table], schema.tables[table].columns[value.column])
    return GrootError(
      .storeValueInvalid,
      "the store '\(store)': the object \(key) of '\(description.name)' has \(value.literal) in its "
        + "column '\(layout.tables[table].columns[value.column])', instead of "
        + "\(Self.form(types[table][value.column])): set the property, or delete the object",
      entity: description.name, property: column.property)
  }

  /// Returns the form that the values of a type have in a store.
  private static func form(_ type: AttributeType) -> String {
    switch type {
    case .boolean: "0 or 1"
    case .integer16: "a whole number of 16 bits"
    case .integer32: "a whole number of 32 bits"
    case .integer64: "a whole number"
    case .date: "the microseconds since 1970, a whole number"
    case .double, .float: "a number"
    case .string, .uri: "text in UTF-8"
    case .transformable, .composite: "the text of JSON"
    case .binary: "a blob"
    case .decimal: "the text of a decimal, such as '1.50'"
    case .day: "the text of a day, such as '1968-03-01'"
    case .uuid: "the text of a UUID"
    }
  }

  /// Returns the error of a selected value that is not of its type.
  package func failure(
    of literal: String, table: TableIndex, path: PropertyPath, type: AttributeType
  ) -> GrootError {
    GrootError(
      .storeValueInvalid,
      "the store '\(store)': an object of '\(schema.tables[table].name)' has \(literal) in "
        + "'\(path.text)', instead of \(Self.form(type)): a check of the store names it",
      entity: schema.tables[table].name, property: path.text)
  }

  /// Returns the error of a store that is not as it was written.
  package func damaged(_ message: String) -> GrootError {
    SQLStructure(schema, layout: layout, store: store).damaged(message)
  }
}

extension [Int64] {
  /// The numbers in order and without duplicates.
  package var distinct: [Int64] {
    guard count > 1 else { return self }
    var distinct: [Int64] = []
    distinct.reserveCapacity(count)
    for number in sorted() where number != distinct.last { distinct.append(number) }
    return distinct
  }
}
