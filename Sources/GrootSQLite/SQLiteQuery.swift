import Groot

/// A query in SQL, with parameters for all values.
struct SQLiteQuery {
  /// A value bound to a parameter in the text.
  enum Parameter {
    case value(Value, AttributeType)
    case integer(Int64)
  }

  /// The tables of one SELECT: the first table, and the tables joined through to-ones.
  struct Scope {
    /// The way from one table to another.
    struct Way: Hashable {
      let from: String
      let step: StorePath.Step
    }

    var from: String
    let root: String
    var aliases: [Way: String] = [:]
  }

  /// The place of a condition in an expression.
  struct Nesting {
    /// Whether the condition must not be NULL.
    let isExact: Bool
    /// The depth of SQLite's parser in the expression.
    let depth: Int

    func deeper(by levels: Int) -> Nesting { Nesting(isExact: isExact, depth: depth + levels) }
  }

  /// The greatest number of parameters that SQLite accepts in a statement.
  static let maximumParameters = 32_766
  /// The greatest number of joins; SQLite joins at most 64 tables.
  static let maximumJoins = 50

  let schema: StoreSchema
  let layout: SQLiteLayout
  private(set) var text = ""
  var parameters: [Parameter] = []
  /// Whether SQLite can answer the query; if not, the text is meaningless.
  var isPossible = true
  var conditionCount = 0
  private var aliasCount = 0

  init(_ schema: StoreSchema, layout: SQLiteLayout) {
    self.schema = schema
    self.layout = layout
  }

  // MARK: Statements

  /// Selects all columns of the objects, as ``SQLiteStore/rowColumns(_:alias:)`` lists them.
  mutating func fetch(_ query: StoreQuery, columns: (String) -> String) {
    var scope = scope(query.table)
    let conditions = conditions(query, scope: &scope)
    let order = order(query, scope: &scope) + ["\(scope.root)._id"]
    finish(
      "SELECT \(columns(scope.root)) FROM \(scope.from)\(conditions)", order: order, query: query)
  }

  mutating func count(_ query: StoreQuery) {
    var scope = scope(query.table)
    let conditions = conditions(query, scope: &scope)
    text = "SELECT count(*) FROM \(scope.from)\(conditions)"
  }

  /// Selects the values of attributes; the type of an attribute that is not kept is nil.
  mutating func select(
    _ query: StoreQuery, paths: [PropertyPath], isDistinct: Bool
  ) -> [AttributeType] {
    var scope = scope(query.table)
    let values = paths.map { attribute($0, scope: &scope) }
    let conditions = conditions(query, scope: &scope)
    let order = order(query, scope: &scope) + (isDistinct ? [] : ["\(scope.root)._id"])
    // Without values the statement still returns a row for each object.
    let columns = values.isEmpty ? "NULL" : values.map(\.collated).joined(separator: ", ")
    finish(
      "SELECT \(isDistinct ? "DISTINCT " : "")\(columns) FROM \(scope.from)\(conditions)",
      order: order,
      query: query)
    return values.map(\.type)
  }

  private mutating func finish(_ select: String, order: [String], query: StoreQuery) {
    text = select
    if !order.isEmpty { text += " ORDER BY " + order.joined(separator: ", ") }
    if query.limit != nil || query.offset != 0 {
      text += " LIMIT \(add(.integer(Int64(query.limit ?? -1)))) "
      text += "OFFSET \(add(.integer(Int64(query.offset))))"
    }
    if parameters.count > Self.maximumParameters { isPossible = false }
  }

  private mutating func order(_ query: StoreQuery, scope: inout Scope) -> [String] {
    query.order.map { key in
      attribute(key.path, scope: &scope).collated + (key.isAscending ? "" : " DESC")
    }
  }

  private mutating func conditions(_ query: StoreQuery, scope: inout Scope) -> String {
    var parts: [String] = []
    let entities = schema.tables[query.table].entities
    if query.entities != 0...(entities.count - 1) {
      let names = query.entities.map { quotedText(entities[$0]) }.joined(separator: ", ")
      parts.append("\(scope.root)._entity IN (\(names))")
    }
    if !query.leftOut.isEmpty {
      // The keys are one text, since there may be more than a statement has parameters.
      let keys = "[" + query.leftOut.map(String.init).joined(separator: ",") + "]"
      let list = add(.value(.string(keys), .string))
      parts.append("\(scope.root)._id NOT IN (SELECT value FROM json_each(\(list)))")
    }
    if case .constant(true) = query.predicate {
    } else {
      parts.append(
        condition(query.predicate, scope: &scope, nesting: Nesting(isExact: false, depth: 0)))
    }
    return parts.isEmpty ? "" : " WHERE " + parts.joined(separator: " AND ")
  }

  // MARK: Paths

  mutating func scope(_ number: TableIndex) -> Scope {
    let alias = newAlias()
    return Scope(from: "\(layout.table(number)) AS \(alias)", root: alias)
  }

  mutating func newAlias() -> String {
    aliasCount += 1
    return "t\(aliasCount)"
  }

  /// Adds a parameter, and returns its SQL, which must come next in the text.
  mutating func add(_ parameter: Parameter) -> String {
    parameters.append(parameter)
    return "?"
  }

  /// Joins the table at the end of to-one steps; its columns are NULL if a step has no member.
  mutating func follow(_ steps: [StorePath.Step], scope: inout Scope) -> String {
    var current = scope.root
    for step in steps {
      let way = Scope.Way(from: current, step: step)
      if let known = scope.aliases[way] {
        current = known
        continue
      }
      let alias = newAlias()
      let reference = layout.column(step.column, of: step.table)
      scope.from += " LEFT JOIN \(layout.table(step.destination)) AS \(alias) ON "
      scope.from +=
        step.isInverse
        ? "\(alias).\(reference) = \(current)._id" : "\(alias)._id = \(current).\(reference)"
      scope.aliases[way] = alias
      if scope.aliases.count > Self.maximumJoins { isPossible = false }
      current = alias
    }
    return current
  }
}
