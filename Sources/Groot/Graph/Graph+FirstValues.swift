// The first values of attributes, in rows that are new or read from a store.
//
// They need no note in the undo log and update no index: a new row disappears as a whole with its
// savepoint, and a row of a store has no earlier value.

extension Graph {
  /// Returns whether an attribute is a part of an index, so that its value cannot be set alone.
  @inline(__always)
  func isInIndex(_ field: Field, in table: TableIndex) -> Bool {
    identityMasks[table][Int(field.number)] != 0
  }

  /// Sets the first value of an attribute.
  @inline(__always)
  func setFirst(
    _ value: StoredValue, of field: Field, in record: UnsafeMutableRawPointer, table: TableIndex
  ) {
    value.write(to: record, field, table: tables + table, arena: text)
  }

  /// Sets a first text.
  @inline(__always)
  func setFirst(
    text bytes: UnsafeBufferPointer<UInt8>, of field: Field,
    in record: UnsafeMutableRawPointer, table: TableIndex
  ) {
    guard let start = bytes.baseAddress else { return }
    TextSlot.write(start, count: bytes.count, to: record + Int(field.offset), arena: text)
    tables[table].setPresence(field, in: record, to: true)
  }

  /// Sets a first text that is a copy in the graph's memory, which other rows share.
  func setFirst(
    copy: UnsafePointer<UInt8>, of value: StoredValue, _ field: Field,
    in record: UnsafeMutableRawPointer, table: TableIndex
  ) {
    guard let start = value.start else { return }
    sharesText = true
    tables[table].setPresence(field, in: record, to: true)
    TextSlot.write(
      copyOf: start, count: value.count, at: UnsafeMutableRawPointer(mutating: copy),
      to: record + Int(field.offset))
  }

  /// Sets a first whole number or double, as its bits.
  @inline(__always)
  func setFirst(
    word: UInt64, of field: Field, in record: UnsafeMutableRawPointer, table: TableIndex
  ) {
    (record + Int(field.offset)).storeBytes(of: word, as: UInt64.self)
    tables[table].setPresence(field, in: record, to: true)
  }

  /// Sets a first truth value.
  @inline(__always)
  func setFirst(
    truth: Bool, of field: Field, in record: UnsafeMutableRawPointer, table: TableIndex
  ) {
    (record + Int(field.offset)).storeBytes(of: truth ? 1 : 0, as: UInt8.self)
    tables[table].setPresence(field, in: record, to: true)
  }

  // MARK: Comparison with plain values

  @inline(__always)
  func has(
    text bytes: UnsafeBufferPointer<UInt8>, in field: Field, of record: UnsafeRawPointer,
    table: TableIndex
  ) -> Bool {
    guard let start = bytes.baseAddress else { return false }
    return tables[table].has(field, in: record)
      && TextSlot.equals(record + Int(field.offset), other: start, count: bytes.count)
  }

  @inline(__always)
  func has(
    word: UInt64, in field: Field, of record: UnsafeRawPointer, table: TableIndex
  ) -> Bool {
    tables[table].has(field, in: record)
      && (record + Int(field.offset)).load(as: UInt64.self) == word
  }

  @inline(__always)
  func has(
    truth: Bool, in field: Field, of record: UnsafeRawPointer, table: TableIndex
  ) -> Bool {
    tables[table].has(field, in: record)
      && ((record + Int(field.offset)).load(as: UInt8.self) == 1) == truth
  }
}
