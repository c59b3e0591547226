import Groot

/// The SQL of one database: all that differs between the databases of stores.
///
/// A query or a definition asks for it once; rows never do. A dialect for PostgreSQL gives:
///
/// - names: `longestName` is 63, and `compared` gives the bytes themselves. Reserved are `ctid`,
///   `xmin`, `xmax`, `cmin`, `cmax`, `tableoid`, `oid` and the empty name, which an unnamed
///   relationship has, and which SQLite alone accepts.
/// - tables: `keyType` is "bigint", and types are such as "bigint" or `text COLLATE "C"`. It sets
///   `namesConstraints`, and has no `joinOptions`.
/// - parameters: each has one mark "$n", and values and keys are bound as an array. `isOne` writes
///   "= ANY ($n)", and `differs` writes "<> ALL ($n)".
/// - order: `ordered` adds NULLS FIRST or NULLS LAST, `unlimited` is nil, and
///   `distinctOrdersByOthers` is false.
///
/// In the tables that a store makes for itself, names of constraints begin with two `_`: no name of
/// a layout does.
package protocol SQLDialect: Sendable {
  // MARK: Names

  /// The greatest length of a name in bytes; nil for any length.
  var longestName: Int? { get }
  /// Returns the form of a name in which equal names are equal; the name is not too long.
  func compared(_ name: String) -> [UInt8]
  /// Whether no table and no column may have this name; names that begin with `_` never reach this.
  func isReserved(_ name: String) -> Bool

  // MARK: Tables

  /// The type of the column with the keys; without `namesConstraints` it makes the primary key.
  var keyType: String { get }
  /// Returns the type of a column for an attribute, with its collation; empty for no type.
  ///
  /// References, positions and versions have that of ``AttributeType/integer64``, names of
  /// entities that of ``AttributeType/string``.
  func type(_ attribute: AttributeType) -> String
  /// Whether primary keys have names, and references become named constraints when all tables exist;
  /// otherwise each table says what its columns refer to.
  var namesConstraints: Bool { get }
  /// Whether tables without `namesConstraints` name their references, for programs that read schemas;
  /// otherwise each column says what it refers to.
  var namesReferences: Bool { get }
  /// Whether rows of other programs need not say their version, nor their entity where that is the
  /// root.
  var hasDefaults: Bool { get }
  /// Whether the index of an identity that only one entity has names the entity nevertheless.
  var indexesSingleEntities: Bool { get }
  /// The end of the SQL that makes the table of a join, after its columns.
  var joinOptions: String { get }
  /// Returns SQL for the value of a column with these tables in a column of another type, or of the
  /// same one, during a migration.
  func converted(_ column: String, from old: AttributeType, to new: AttributeType) -> String
  /// Returns SQL that inserts selected rows, except for those whose key is there.
  ///
  /// - Parameters:
  ///   - table: The name of the table and of its columns.
  ///   - selection: The statement that selects the rows.
  func insertNew(into table: String, _ selection: String) -> String

  // MARK: Queries

  /// The limits of a query.
  var limits: SQLQuery.Limits { get }
  /// Returns the marks of a parameter, of which the first is the given one, from 1.
  ///
  /// A list of values may have a mark for each value, and then binds one after the other.
  func marks(_ parameter: SQLQuery.Parameter, first: Int) -> [String]
  /// Returns a condition that is always true or always false.
  func constant(_ isTrue: Bool) -> String
  /// Returns a column in the form whose order and equality are those of its type.
  func collated(_ column: String, _ type: AttributeType) -> String
  /// Returns SQL that compares an attribute with a parameter; nil if the database cannot.
  func comparison(
    _ attribute: SQLQuery.Attribute, _ sign: String, _ mark: String, ignoresCase: Bool
  ) -> String?
  /// Returns SQL for whether an attribute is one of the values; nil if the database cannot.
  func isOne(_ attribute: SQLQuery.Attribute, of marks: String, ignoresCase: Bool) -> String?
  /// Returns SQL that is true when a key differs from each of the keys in a parameter.
  func differs(_ key: String, from mark: String) -> String
  /// Returns SQL for whether a text matches; nil if the database cannot.
  ///
  /// The condition is false without a text, and never NULL.
  ///
  /// - Parameter bind: Adds a text as a parameter, and returns its mark, which must come next.
  func matching(
    _ attribute: SQLQuery.Attribute, _ match: TextMatch, pattern: String, ignoresCase: Bool,
    bind: (String) -> String
  ) -> String?
  /// Returns a sort key; a missing value comes before all others.
  func ordered(_ collated: String, isAscending: Bool) -> String
  /// The limit that stands for none; nil when an offset needs no limit.
  var unlimited: Int64? { get }
  /// Whether distinct rows can be in the order of columns that are not selected.
  var distinctOrdersByOthers: Bool { get }

  // MARK: Views

  /// Returns a column as a person reads it.
  func readable(_ column: String, _ type: AttributeType) -> String
  /// Returns a value as text.
  func asText(_ value: String) -> String
  /// Returns the texts of all rows, with commas between them.
  func joined(_ text: String) -> String
}
