import Testing

/// The reader of statements finds what it is there for.
struct PortableSubsetTests {
  @Test(arguments: [
    "CREATE TEMP TABLE t (a bigint)", "SELECT nextval('s')", "LISTEN changes",
    "SET search_path = a", "BEGIN; SET SESSION lock_timeout = 1", "SELECT pg_advisory_lock(1)",
    "ALTER TABLE t ADD FOREIGN KEY (a) REFERENCES b DEFERRABLE", "COPY t FROM STDIN",
    "COPY t TO STDOUT (FORMAT binary)", "LOCK TABLE t", "SELECT a / 2 FROM t",
    "PREPARE p AS SELECT 1",
    "CREATE TABLE t (a bigserial)", "CREATE UNIQUE INDEX i ON t (a) NULLS NOT DISTINCT; LISTEN x",
    "SELECT * FROM t WHERE a IN (" + (1...101).map { "$\($0)" }.joined(separator: ",") + ")",
  ])
  func aStatementOutsideIsFound(sql: String) { #expect(PortableSubset.objection(to: sql) != nil) }

  @Test(arguments: [
    "SELECT \"temp\" FROM \"Listen\" WHERE a = 'DEFERRABLE; SET x'",
    "BEGIN; SET LOCAL lock_timeout = 1",
    "COPY \"t\" (a) FROM STDIN (FORMAT binary)", "DECLARE c NO SCROLL CURSOR FOR SELECT $1",
  ])
  func aStatementInsideIsNot(sql: String) { #expect(PortableSubset.objection(to: sql) == nil) }
}
