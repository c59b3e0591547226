import Groot

// Predicates as SQL.
//
// A predicate is true or false, but SQL has NULL for a missing value. NULL counts as false, except
// below NOT. Conditions there are made exact: they are never NULL.

extension SQLQuery {
  /// The greatest number of conditions in one pair of parentheses.
  private static let chainLength = 16

  mutating func attribute(_ path: PropertyPath, scope: inout Scope) -> Attribute {
    guard let found = schema.path(path), case .attribute(let number) = found.end,
      case .attribute(let type) = schema.tables[found.table].columns[number].kind
    else {
      isPossible = false
      return Attribute(column: "NULL", type: .integer64, collated: "NULL")
    }
    let alias = follow(found.steps, scope: &scope)
    let column = "\(alias).\(layout.column(number, of: found.table))"
    return Attribute(column: column, type: type, collated: dialect.collated(column, type))
  }

  /// Returns the SQL of a predicate at its place in an expression.
  mutating func condition(
    _ predicate: Predicate, scope: inout Scope, nesting: Nesting
  ) -> String {
    conditionCount += 1
    guard nesting.depth < dialect.limits.depth, conditionCount < dialect.limits.conditions,
      isPossible
    else { return impossible() }
    switch predicate {
    case .constant(let isTrue): return dialect.constant(isTrue)
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
      return dialect.comparison(attribute, sql(comparison), operand, ignoresCase: ignoresCase)
        .map { exact($0, nesting: nesting) } ?? impossible()
    case .isOne(let path, let values, let ignoresCase):
      let attribute = attribute(path, scope: &scope)
      let marks = add(.values(values, attribute.type))
      return dialect.isOne(attribute, of: marks, ignoresCase: ignoresCase)
        .map { exact($0, nesting: nesting) } ?? impossible()
    case .text(let path, let match, let pattern, let ignoresCase):
      let attribute = attribute(path, scope: &scope)
      let dialect = dialect
      return dialect.matching(attribute, match, pattern: pattern, ignoresCase: ignoresCase) {
        add(.value(.string($0), .string))
      } ?? impossible()
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
    guard !parts.isEmpty else { return dialect.constant(joiner == " AND ") }
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

  /// Notes that the database cannot answer the query, and returns any condition.
  private mutating func impossible() -> String {
    isPossible = false
    return dialect.constant(false)
  }

  private func exact(_ condition: String, nesting: Nesting) -> String {
    nesting.isExact ? "(\(condition)) IS TRUE" : condition
  }

  private func sql(_ comparison: Predicate.Comparison) -> String {
    comparison == .equal ? "=" : comparison.rawValue
  }

  private mutating func hasValue(_ path: PropertyPath, scope: inout Scope) -> String {
    guard let found = schema.path(path) else { return impossible() }
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
    guard let found = schema.path(path) else { return impossible() }
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
    default: return impossible()
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
    guard let found = schema.path(path) else { return impossible() }
    let owner = follow(found.steps, scope: &scope)
    switch found.end {
    case .members(let table, let column):
      return "(SELECT count(*) FROM \(layout.table(table)) "
        + "WHERE \(layout.column(column, of: table)) = \(owner)._id)"
    case .links(let join, let side, _):
      return "(SELECT count(*) FROM \(quoted(layout.joins[join])) "
        + "WHERE \(side.columns.near) = \(owner)._id)"
    default: return impossible()
    }
  }
}
