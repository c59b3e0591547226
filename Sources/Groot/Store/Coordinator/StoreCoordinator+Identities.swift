// Finding objects by their identity, in memory and then in the store, many in one query.

extension StoreCoordinator {
  /// Returns whether an object is not in the store yet.
  @inline(__always)
  func isUnsaved(_ row: Row, in table: TableIndex) -> Bool {
    graph.tables[table].header(row).pointee.state & RecordState.inserted != 0
  }

  /// Reads the objects that have an identity, and returns whether any may have been read.
  ///
  /// - Parameters:
  ///   - numbers: The numbers of the identity's properties.
  ///   - entities: The local indexes of the requested entities.
  func readIdentity(
    _ numbers: [Int], in table: TableIndex, entities: ClosedRange<UInt16>,
    key: UnsafePointer<StoredValue>, remembers: Bool
  ) throws -> Bool {
    guard !isAllRead[table], try hasRows(table), !isListed(numbers, in: table, key: key) else {
      return false
    }
    guard let identity = identity(numbers, in: table, entities: entities) else {
      // The store has no index for this identity, so all objects are read.
      try readAll(table)
      return true
    }
    let bytes = remembers ? encoded(numbers, in: table, key: key) : []
    if remembers, asked[table].contains(bytes) { return false }
    guard let parts = parts(numbers, in: table, key: key) else { return false }
    try readIdentities(table, identity: identity, parts: parts)
    if remembers { asked[table].insert(bytes) }
    return true
  }

  /// Returns whether an identity includes an owner whose members are all in memory.
  private func isListed(
    _ numbers: [Int], in table: TableIndex, key: UnsafePointer<StoredValue>
  ) -> Bool {
    numbers.indices.contains { position in
      let field = graph.fields[table][numbers[position]]
      guard field.isRelationship, key[position].isPresent else { return false }
      let link = graph.links[field.link]
      let list = link.field(field.side.inverse)
      guard let owner = OptionalRow(word: key[position].word0).index else { return false }
      return list.isToMany
        && !graph.isIncomplete(owner, in: link.table(field.side.inverse), field: list)
    }
  }

  /// Notes a requested identity; false if it was requested before, or no object can have it.
  func isNew(_ numbers: [Int], in table: TableIndex, key: UnsafePointer<StoredValue>) -> Bool {
    !isAllRead[table] && hasRows[table] != false
      && asked[table].insert(encoded(numbers, in: table, key: key)).inserted
  }

  /// Notes in the graph whether the store may have placeholders.
  func lookForPlaceholders() throws {
    try beginSnapshot()
    guard mayHavePlaceholders == nil else { return }
    let mayHave = try store.mayHavePlaceholders()
    mayHavePlaceholders = mayHave
    if mayHave {
      for table in graph.tableIndices { graph.hasPlaceholders[table] = true }
    }
  }

  /// Reads the objects that have one of some identities, which follow one another in `parts`.
  func readIdentities(_ table: TableIndex, identity: Int, parts: [StoredValue]) throws {
    try materializing {
      try parts.withUnsafeBufferPointer { values in
        try store.readRows(table, identity: identity, values: values) {
          try materialize($0, table: table)
        }
      }
    }
  }

  /// Notes that a program sets a property, which may belong to the identity of its object.
  func noteClaim(_ row: Row, in table: TableIndex, number: UInt16) {
    if isIdentity[table.offset][Int(number)] { claimed[table].insert(row) }
  }

  /// Notes that a program adds members: the inverse may belong to their identity.
  func noteClaims(members: some Sequence<Row>, of field: Field) {
    let link = graph.links[field.link]
    let side = field.side.inverse
    let table = link.table(side)
    if isIdentity[table.offset][Int(link.field(side).number)] { claimed[table].formUnion(members) }
  }

  /// Notes that a program sets any property of an object.
  func noteClaim(_ row: Row, in table: TableIndex) {
    if !schema.tables[table].identities.isEmpty { claimed[table].insert(row) }
  }

  /// Notes the new objects with a default in their identity, which no import has searched for.
  private func claimDefaults() {
    guard identityDefaults.contains(where: { !$0.isEmpty }) else { return }
    graph.forEachInserted { table, row in
      let values = graph.tables + table
      let entity = values.pointee.header(row).pointee.entity
      let record = values.pointee.record(row)
      let template = values.pointee.template(entity)
      let isDefault = identityDefaults[table.offset].contains { field in
        field.belongs(to: entity)
          && StoredValue(record, field: field, table: values).equals(
            StoredValue(template, field: field, table: values), storage: field.storage)
      }
      if isDefault { claimed[table].insert(row) }
    }
  }

  func forgetClaims() {
    for table in claimed.indices { claimed[table].removeAll() }
  }

  /// Reads the objects that have an identity which a program has set.
  ///
  /// The graph then finds identities that several objects have. An import searches for its own.
  func readClaimed() throws {
    let hasPolicy = store.conflictPolicy != .error
    if !hasPolicy { claimDefaults() }
    for table in graph.tableIndices where !claimed[table].isEmpty {
      guard !isAllRead[table], try hasRows(table) else { continue }
      let columns = schema.tables[table].columns
      // With a policy, an object inserted here is merged with the one inserted by others.
      let rows = claimed[table].filter {
        graph.tables[table].isLive($0) && (!hasPolicy || !isUnsaved($0, in: table))
      }.sorted()
      for (position, identity) in schema.tables[table].identities.enumerated() {
        let numbers = identity.columns.map { columns[$0].number }
        let fields = numbers.map { graph.fields[table][$0] }
        var values: [StoredValue] = []
        for row in rows where !graph.isFault(row, in: table) {
          let entity = graph.tables[table].header(row).pointee.entity
          guard identity.entities.contains(Int(entity)) else { continue }
          let record = graph.tables[table].record(row)
          let key = fields.map { StoredValue(record, field: $0, table: graph.tables + table) }
          guard key.allSatisfy(\.isPresent), let parts = parts(numbers, in: table, key: key) else {
            continue
          }
          values += parts
        }
        if !values.isEmpty {
          try readIdentities(table, identity: position, parts: values)
        }
      }
    }
  }

  /// Returns the store's identity of these properties, if all objects of the entities have it.
  func identity(_ numbers: [Int], in table: TableIndex, entities: ClosedRange<UInt16>) -> Int? {
    let columns = schema.tables[table].columns
    return schema.tables[table].identities.firstIndex { identity in
      identity.columns.elementsEqual(numbers) { columns[$0].number == $1 }
        && entities.allSatisfy { identity.entities.contains(Int($0)) }
    }
  }

  /// Returns an identity in the store's form; nil when the store cannot have it.
  private func parts(
    _ numbers: [Int], in table: TableIndex, key: UnsafePointer<StoredValue>
  ) -> [StoredValue]? {
    var parts: [StoredValue] = []
    for (position, number) in numbers.enumerated() {
      let field = graph.fields[table][number]
      guard field.isRelationship, key[position].isPresent else {
        parts.append(key[position])
        continue
      }
      // A part that is an object is its key; a new object has none.
      let row = OptionalRow(word: key[position].word0).index
      guard let entry = row.map({ keys[graph.destination(field)][$0] }), entry.key != 0 else {
        return nil
      }
      parts.append(StoredValue(word: UInt64(bitPattern: entry.key)))
    }
    return parts
  }

  /// Returns bytes that are equal only for equal identities.
  func encoded(
    _ numbers: [Int], in table: TableIndex, key: UnsafePointer<StoredValue>
  ) -> [UInt8] {
    var bytes: [UInt8] = []
    for (position, number) in numbers.enumerated() {
      if position == 0 { bytes.append(UInt8(truncatingIfNeeded: number)) }
      key[position].encode(graph.fields[table][number].storage, to: &bytes)
    }
    return bytes
  }
}

extension StoredValue {
  /// Appends the value in a form that distinguishes it from all others.
  func encode(_ storage: FieldStorage, to bytes: inout [UInt8]) {
    bytes.append(isPresent ? 1 : 0)
    guard isPresent else { return }
    func append(_ word: UInt64) {
      withUnsafeBytes(of: word) { bytes.append(contentsOf: $0) }
    }
    switch storage {
    case .text:
      append(UInt64(count))
      bytes.append(contentsOf: UnsafeBufferPointer(start: start, count: count))
    case .decimal:
      append(word0)
      append(word1)
      append(word2)
    case .uuid:
      append(word0)
      append(word1)
    default: append(word0)
    }
  }
}
