/// The array, the object or the lines around the elements of an export.
///
/// It may touch the text, and keeps the form, the keys of the elements and the open group.
final class ExportCollection {
  private let rules: ExportRules
  private let text: ExportText
  private let writer: JSONWriter
  private let keys: ExportKeys
  private let writesLines: Bool
  /// The arrangement of the elements.
  private(set) var form: CollectionForm
  /// The number of arrays and objects around an element.
  private var elementDepth: Int
  /// The key of the current group.
  private var openGroup: [UInt8]?
  /// The keys of the elements so far, if two could be the same.
  private let seen: KeyTable

  /// - Throws: ``Status/invalidArgument`` for lines in another form than an array.
  init(_ rules: ExportRules, text: ExportText, keys: ExportKeys, options: ExportOptions) throws {
    if options.writesLines && options.form != .array {
      throw GrootError(.invalidArgument, "JSON Lines output cannot be keyed or grouped")
    }
    self.rules = rules
    self.text = text
    writer = text.writer
    self.keys = keys
    writesLines = options.writesLines
    form = options.form
    elementDepth = options.writesLines ? 0 : options.form == .grouped ? 2 : 1
    seen = options.keys ?? KeyTable(rules.graph.memory)
  }

  /// Begins the array or the object of the elements, if there is one.
  func begin() {
    if writesLines { return }
    text.begin(isPositional: form == .array)
  }

  func end() {
    if writesLines { return }
    if openGroup != nil { text.endArray() }
    openGroup = nil
    text.end(isPositional: form == .array)
  }

  /// Begins some elements, at their depth.
  func beginElements() { text.beginElement(depth: elementDepth) }

  /// Begins an element, under its key or in its group where it has one.
  ///
  /// - Returns: Whether the element is written under its key.
  /// - Throws: ``Status/missingValue`` without a key; ``Status/invalidArgument`` if another element
  ///   has the same key in a keyed collection.
  @inline(__always)
  func beginElement(_ object: ObjectKey) throws -> Bool {
    switch form {
    case .array: return false
    case .grouped:
      try beginInGroup(object)
      return false
    case .keyed:
      try writeKey(of: object)
      return true
    }
  }

  /// Ends an element, and passes text on where there is much of it.
  @inline(__always)
  func endElement() throws {
    if writesLines { writer.endLine() }
    try writer.checkpoint()
  }

  private func beginInGroup(_ object: ObjectKey) throws {
    let start = writer.position
    try keys.writeRequired(keyOf: object)
    if let openGroup, openGroup.elementsEqual(writer.bytes(from: start)) {
      return writer.truncate(to: start)
    }
    let key = Array(writer.bytes(from: start))
    if openGroup != nil {
      writer.truncate(to: start)
      text.endArray()
      key.withUnsafeBufferPointer { writer.raw($0) }
    }
    openGroup = key
    text.beginArray()
    text.beginElement(depth: elementDepth)
  }

  private func writeKey(of object: ObjectKey) throws {
    let start = writer.position
    try keys.writeRequired(keyOf: object)
    if try !seen.insert(writer.bytes(from: start)).isNew {
      let number = rules.planNumber(of: object)
      throw try keys.sameKey(object, entity: rules.plan.entities + number)
    }
  }

  /// Returns objects sorted by group, in the order in which the groups first occur.
  ///
  /// The objects of a store are read by `prepare`, which gets the index of each.
  func grouped(
    _ objects: UnsafeBufferPointer<ObjectID>, prepare: (Int) throws -> Void
  ) throws -> [ObjectID] {
    keys.beginList()
    var order: [(group: Int32, offset: Int)] = []
    order.reserveCapacity(objects.count)
    for index in objects.indices {
      try prepare(index)
      let object = objects[index]
      _ = try rules.graph.record(object)
      let key = ObjectKey(table: object.table, row: object.row)
      let entity = rules.plan.entities + rules.planNumber(of: key)
      order.append((try keys.number(of: key, entity: entity).number, index))
    }
    return order.sorted(by: <).map { objects[$0.offset] }
  }

  // MARK: Documents

  /// Throws for options that ask for a form, which a document has already.
  ///
  /// - Throws: ``Status/invalidArgument``.
  func requireDocument() throws {
    guard form == .array && !writesLines else {
      throw GrootError(
        .invalidArgument,
        "the roots of the mapping have the forms of a document, so its export takes no form")
    }
  }

  /// Moves to a root of a document: the following elements have a form and a level of their own.
  func move(to form: CollectionForm, level: Int) {
    self.form = form
    elementDepth = level + (form == .grouped ? 2 : 1)
    seen.removeAll()
  }
}
