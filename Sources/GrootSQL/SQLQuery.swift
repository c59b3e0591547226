import Groot

/// A query in SQL, with parameters for all values.
package struct SQLQuery {
  /// A value bound to a parameter in the text.
  package enum Parameter {
    /// A value of an attribute.
    case value(Value, AttributeType)
    /// A number of objects or members.
    case integer(Int64)
    /// Values that an attribute is compared with.
    case values([Value], AttributeType)
    /// Keys of objects, of which there may be more than a statement has parameters.
    case keys([Int64])
  }

  /// The limits of a query, beyond which the database is not asked.
  package struct Limits: Sendable {
    /// The greatest number of parameters of a statement.
    package let parameters: Int
    /// The greatest number of joins.
    package let joins: Int
    /// The greatest nesting of operators.
    package let depth: Int
    /// The greatest number of conditions.
    package let conditions: Int

    /// Makes limits.
    package init(parameters: Int, joins: Int, depth: Int, conditions: Int) {
      self.parameters = parameters
      self.joins = joins
      self.depth = depth
      self.conditions = conditions
    }
  }

  /// An attribute of an object in SQL.
  package struct Attribute {
    /// The column.
    package let column: String
    /// The type of its values.
    package let type: AttributeType
    /// The column in the form whose order and equality are those of its type.
    package let collated: String
  }

  /// The tables of one SELECT: the first table, and the tables joined through to-ones.
  struct Scope {
    /// The way from one table to another.
    struct Way: Hashable {
      let from: String
      let step: JoinedProperty.Step
    }

    var from: String
    let root: String
    var aliases: [Way: String] = [:]
  }

  /// The place of a condition in an expression.
  struct Nesting {
    /// Whether the condition must not be NULL.
    let isExact: Bool
    /// The depth of the expression, as a parser counts it.
    let depth: Int

    func deeper(by levels: Int) -> Nesting { Nesting(isExact: isExact, depth: depth + levels) }
  }

  /// The schema of the store.
  let schema: StoreSchema
  /// The names in the store.
  let layout: SQLLayout
  /// The SQL of the database.
  let dialect: any SQLDialect
  /// The statement.
  package private(set) var text = ""
  /// The parameters, in the order of their marks.
  package private(set) var parameters: [Parameter] = []
  /// Whether the database can answer the query; if not, the text is meaningless.
  package internal(set) var isPossible = true
  /// The number of conditions in the text.
  var conditionCount = 0
  private var markCount = 0
  private var aliasCount = 0

  /// Makes a query of the tables of a schema.
  package init(_ schema: StoreSchema, layout: SQLLayout) {
    self.schema = schema
    self.layout = layout
    dialect = layout.dialect
  }

  // MARK: Statements

  /// Selects the objects.
  ///
  /// - Parameter columns: Returns the list of all columns of the table with this alias.
  package mutating func fetch(_ query: StoreQuery, columns: (String) -> String) {
    var scope = scope(query.table)
    let conditions = conditions(query, scope: &scope)
    let order = order(query, scope: &scope).map(\.sql) + ["\(scope.root)._id"]
    finish(
      "SELECT \(columns(scope.root)) FROM \(scope.from)\(conditions)", order: order, query: query)
  }

  /// Counts the objects.
  package mutating func count(_ query: StoreQuery) {
    var scope = scope(query.table)
    let conditions = conditions(query, scope: &scope)
    text = "SELECT count(*) FROM \(scope.from)\(conditions)"
  }

  /// Selects the values of attributes; the type of an attribute that is not kept is nil.
  package mutating func select(
    _ query: StoreQuery, paths: [PropertyPath], isDistinct: Bool
  ) -> [AttributeType] {
    var scope = scope(query.table)
    let values = paths.map { attribute($0, scope: &scope) }
    let conditions = conditions(query, scope: &scope)
    let keys = order(query, scope: &scope)
    if isDistinct && !dialect.distinctOrdersByOthers {
      let selected = Set(values.map(\.collated))
      if !keys.allSatisfy({ selected.contains($0.collated) }) { isPossible = false }
    }
    let order = keys.map(\.sql) + (isDistinct ? [] : ["\(scope.root)._id"])
    // Without values the statement still returns a row for each object.
    let columns =
      values.isEmpty
      ? "NULL" : values.map { isDistinct ? $0.collated : $0.column }.joined(separator: ", ")
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
      if let limit = query.limit.map(Int64.init) ?? dialect.unlimited {
        text += " LIMIT \(add(.integer(limit)))"
      }
      text += " OFFSET \(add(.integer(Int64(query.offset))))"
    }
  }

  private mutating func order(
    _ query: StoreQuery, scope: inout Scope
  ) -> [(collated: String, sql: String)] {
    query.order.map { key in
      let collated = attribute(key.path, scope: &scope).collated
      return (collated, dialect.ordered(collated, isAscending: key.isAscending))
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
      parts.append(dialect.differs("\(scope.root)._id", from: add(.keys(query.leftOut))))
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
    let marks = dialect.marks(parameter, first: markCount + 1)
    parameters.append(parameter)
    markCount += marks.count
    guard markCount <= dialect.limits.parameters else {
      isPossible = false
      return ""
    }
    return marks.joined(separator: ", ")
  }

  /// Joins the table at the end of to-one steps; its columns are NULL if a step has no member.
  mutating func follow(_ steps: [JoinedProperty.Step], scope: inout Scope) -> String {
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
      if scope.aliases.count > dialect.limits.joins { isPossible = false }
      current = alias
    }
    return current
  }
}
