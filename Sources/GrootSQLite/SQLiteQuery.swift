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

// Predicates as SQL.
//
// A predicate is true or false, but SQL has NULL for a missing value. NULL counts as false, except
// below NOT. Conditions there are made exact: they are never NULL.

extension SQLiteQuery {
  /// An attribute of an object in SQL.
  struct Attribute {
    let column: String
    let type: AttributeType

    /// The column with the collation of its type, if that differs from SQLite's.
    var collated: String { column + SQLiteFunctions.collation(type) }
  }

  /// The greatest nesting of operators: SQLite's parser has room for 100 symbols.
  private static let maximumDepth = 64
  /// The greatest number of conditions: SQLite compares each with all others.
  private static let maximumConditions = 1000
  /// The greatest number of conditions in one pair of parentheses.
  private static let chainLength = 16

  mutating func attribute(_ path: PropertyPath, scope: inout Scope) -> Attribute {
    guard let found = schema.path(path), case .attribute(let number) = found.end,
      case .attribute(let type) = schema.tables[found.table].columns[number].kind
    else {
      isPossible = false
      return Attribute(column: "NULL", type: .integer64)
    }
    let alias = follow(found.steps, scope: &scope)
    return Attribute(column: "\(alias).\(layout.column(number, of: found.table))", type: type)
  }

  /// Returns the SQL of a predicate at its place in an expression.
  mutating func condition(
    _ predicate: Predicate, scope: inout Scope, nesting: Nesting
  ) -> String {
    conditionCount += 1
    guard nesting.depth < Self.maximumDepth, conditionCount < Self.maximumConditions, isPossible
    else {
      isPossible = false
      return "0"
    }
    switch predicate {
    case .constant(let isTrue): return isTrue ? "1" : "0"
    case .and(let parts):
      return list(parts[...], joiner: " AND ", scope: &scope, nesting: nesting)
    case .or(let parts):
      return list(parts[...], joiner: " OR ", scope: &scope, nesting: nesting)
    case .not(let part):
      return
        "NOT (\(condition(part, scope: &scope, nesting: Nesting(isExact: true, depth: nesting.depth + 2))))"
    case .hasValue(let path): return hasValue(path, scope: &scope)
    case .compare(let path, let comparison, let value, let ignoresCase):
      let attribute = attribute(path, scope: &scope)
      let operand = add(.value(value, attribute.type))
      let left = compared(attribute, ignoresCase: ignoresCase)
      return exact("\(left) \(sql(comparison)) \(operand)", nesting: nesting)
    case .isOne(let path, let values, let ignoresCase):
      let attribute = attribute(path, scope: &scope)
      guard parameters.count + values.count <= Self.maximumParameters else {
        isPossible = false
        return "0"
      }
      let list = values.map { add(.value($0, attribute.type)) }.joined(separator: ", ")
      return exact(
        "\(compared(attribute, ignoresCase: ignoresCase)) IN (\(list))", nesting: nesting)
    case .text(let path, let match, let pattern, let ignoresCase):
      let attribute = attribute(path, scope: &scope)
      return SQLiteFunctions.matching(
        attribute.column, pattern: add(.value(.string(pattern), .string)), kind: match,
        ignoresCase: ignoresCase)
    case .any(let path, let part):
      return any(path, part: part, scope: &scope, nesting: nesting)
    case .count(let path, let comparison, let number):
      return "\(count(path, scope: &scope)) \(sql(comparison)) \(add(.integer(number)))"
    }
  }

  /// Joins the parts in small groups in parentheses, so that no expression is too deep.
  private mutating func list(
    _ parts: ArraySlice<Predicate>, joiner: String, scope: inout Scope, nesting: Nesting
  ) -> String {
    guard !parts.isEmpty else { return joiner == " AND " ? "1" : "0" }
    var texts: [String] = []
    if parts.count <= Self.chainLength {
      for part in parts {
        texts.append(condition(part, scope: &scope, nesting: nesting.deeper(by: 3)))
      }
    } else {
      let size = (parts.count + Self.chainLength - 1) / Self.chainLength
      var rest = parts
      while !rest.isEmpty {
        texts.append(
          list(rest.prefix(size), joiner: joiner, scope: &scope, nesting: nesting.deeper(by: 3))
        )
        rest = rest.dropFirst(size)
      }
    }
    return "(" + texts.joined(separator: joiner) + ")"
  }

  private func exact(_ condition: String, nesting: Nesting) -> String {
    nesting.isExact ? "(\(condition)) IS TRUE" : condition
  }

  private func compared(_ attribute: Attribute, ignoresCase: Bool) -> String {
    ignoresCase ? attribute.column + SQLiteFunctions.ignoringCase : attribute.collated
  }

  private func sql(_ comparison: Predicate.Comparison) -> String {
    comparison == .equal ? "=" : comparison.rawValue
  }

  private mutating func hasValue(_ path: PropertyPath, scope: inout Scope) -> String {
    guard let found = schema.path(path) else {
      isPossible = false
      return "0"
    }
    if case .toOne(let step) = found.end {
      if step.isInverse { return "\(follow(found.steps + [step], scope: &scope))._id IS NOT NULL" }
      let owner = follow(found.steps, scope: &scope)
      return "\(owner).\(layout.column(step.column, of: step.table)) IS NOT NULL"
    }
    return "\(attribute(path, scope: &scope).column) IS NOT NULL"
  }

  // MARK: Members

  /// Returns SQL that finds the owners of all matching members once, not once for each object.
  private mutating func any(
    _ path: PropertyPath, part: Predicate, scope: inout Scope, nesting: Nesting
  ) -> String {
    guard let found = schema.path(path) else {
      isPossible = false
      return "0"
    }
    let owner = follow(found.steps, scope: &scope)
    var inner: Scope
    let owners: String
    switch found.end {
    case .members(let table, let column):
      inner = self.scope(table)
      owners = "\(inner.root).\(layout.column(column, of: table))"
    case .links(let join, let side, let table):
      inner = self.scope(table)
      let alias = newAlias()
      let (near, far) = side.columns
      inner.from =
        "\(quoted(layout.joins[join])) AS \(alias) JOIN \(inner.from) "
        + "ON \(inner.root)._id = \(alias).\(far)"
      owners = "\(alias).\(near)"
    default:
      isPossible = false
      return "0"
    }
    let condition = condition(
      part, scope: &inner, nesting: Nesting(isExact: false, depth: nesting.depth + 12))
    // With a NULL among the owners, the result for other objects would be NULL instead of false.
    return exact(
      "\(owner)._id IN (SELECT \(owners) FROM \(inner.from) "
        + "WHERE \(owners) IS NOT NULL AND \(condition))", nesting: nesting)
  }

  /// Returns SQL for the number of members, 0 when there is no owner.
  private mutating func count(_ path: PropertyPath, scope: inout Scope) -> String {
    guard let found = schema.path(path) else {
      isPossible = false
      return "0"
    }
    let owner = follow(found.steps, scope: &scope)
    switch found.end {
    case .members(let table, let column):
      return "(SELECT count(*) FROM \(layout.table(table)) "
        + "WHERE \(layout.column(column, of: table)) = \(owner)._id)"
    case .links(let join, let side, _):
      return "(SELECT count(*) FROM \(quoted(layout.joins[join])) "
        + "WHERE \(side.columns.near) = \(owner)._id)"
    default:
      isPossible = false
      return "0"
    }
  }
}
