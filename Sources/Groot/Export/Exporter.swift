/// Writes objects as JSON by the outputs of a plan.
///
/// It leads through the outputs of each object, with a stack of frames instead of recursion, and its
/// parts write. The output ends for every graph, by these rules:
/// - The inverse of the current relationship is left out.
/// - An object that is an ancestor in the output is written as its identity.
/// - So is an object already written under the same top-level object, if the relationship can lead
///   back to itself.
/// - An object without an identity is written for each relationship to it, up to a limit. Beyond
///   the limit the whole relationship is left out, since an import would take a part for the whole.
package final class Exporter {
  let rules: ExportRules
  let graph: Graph
  let plan: Plan
  let mapping: Mapping
  let text: ExportText
  let writer: JSONWriter
  let values: ExportValues
  let texts: RepeatedTexts
  let frames: ExportFrames
  let lists: ArrangedLists
  let keys: ExportKeys
  let standIns: StandIns
  let shapes: ShapedObjects
  let rest: ExportRest
  let members: MemberValues
  let named: PlaceholderOutputs
  let collection: ExportCollection
  /// The reader of objects from the store; nil for objects in memory only.
  let reader: ExportReader?
  /// The options for the outputs of top-level objects; nil if all are written.
  @exclusivity(unchecked) private(set) var filter: OutputFilter?

  /// Makes an exporter.
  ///
  /// - Throws: ``Status/invalidArgument`` for a form that the mapping cannot write.
  init(
    graph: Graph, store: StoreCoordinator?, mapping: Mapping, writer: JSONWriter,
    options: ExportOptions
  ) throws {
    rules = ExportRules(
      graph: graph, plan: mapping.plan, variant: try mapping.variant(options.style),
      omitsNull: (options.nulls ?? mapping.nulls) == .omit,
      depthLimit: options.depth.map { max($0, 0) } ?? Int.max)
    self.graph = graph
    plan = mapping.plan
    self.mapping = mapping
    self.writer = writer
    text = ExportText(writer)
    texts = RepeatedTexts(writer, graph.memory)
    filter = OutputFilter(options)
    frames = ExportFrames(graph)
    let attributeTape = AttributeTape(graph.memory)
    values = try ExportValues(rules, text: text, attributeTape: attributeTape, options: options)
    keys = ExportKeys(rules, writer: writer, values: values)
    lists = ArrangedLists(rules, keys: keys)
    standIns = StandIns(rules, text: text, values: values, frames: frames)
    shapes = ShapedObjects(rules, text: text, values: values, standIns: standIns)
    members = MemberValues(rules, text: text, values: values)
    rest = ExportRest(
      rules, text: text, attributeTape: attributeTape, values: values, members: members)
    named = PlaceholderOutputs(rules)
    collection = try ExportCollection(rules, text: text, keys: keys, options: options)
    reader = ExportReader(rules, store: store)
  }

  /// Writes objects as an array, or as lines.
  package func write(_ objects: UnsafeBufferPointer<ObjectID>) throws {
    collection.begin()
    if collection.form == .grouped {
      let grouped = try collection.grouped(objects) { try reader?.read(objects, at: $0) }
      try grouped.withUnsafeBufferPointer { try writeElements($0) }
    } else {
      try writeElements(objects)
    }
    collection.end()
  }

  /// Writes objects as elements of the open array, or as lines.
  func writeElements(_ objects: UnsafeBufferPointer<ObjectID>) throws {
    collection.beginElements()
    for index in objects.indices {
      if let reader, try reader.read(objects, at: index) { texts.removeAll() }
      _ = try graph.record(objects[index])
      let object = ObjectKey(table: objects[index].table, row: objects[index].row)
      let isKeyed = try collection.beginElement(object)
      try write(object, isKeyed: isKeyed, isElement: true)
      try collection.endElement()
    }
  }

  /// Writes one object with its relationships.
  package func write(_ object: ObjectID) throws {
    try reader?.read([object])
    _ = try graph.record(object)
    try write(ObjectKey(table: object.table, row: object.row), isKeyed: false, isElement: false)
  }

  /// Writes a top-level object; an element of an array can have no key but that of a collection.
  private func write(_ object: ObjectKey, isKeyed: Bool, isElement: Bool) throws {
    try graph.listener.count(bytes: writer.count)
    let number = rules.planNumber(of: object)
    try filter?.choose(plan, number: number, variant: rules.variant, in: mapping.model)
    if plan.needsKeys, isElement, collection.form == .array { try keys.requireKey(number) }
    let header = graph.tables[object.table].header(object.row)
    if header.pointee.state & RecordState.placeholder != 0, collection.form == .array,
      try standIns.writeOfUnknownKind(object, number: number)
    {
      return
    }
    if plan.entities[number].valueStep >= 0,
      let step = rules.scalarStep(number, object: object),
      try shapes.writeScalar(step, of: object, isUnderKey: collection.form == .keyed)
    {
      return
    }
    defer { forget() }
    try push(
      object, number: number, range: rules.outputRange(number), arrivedBy: .none, from: -1,
      isKeyed: isKeyed)
    while frames.count > 0 {
      try graph.cancellationMark.check()
      try advance(frames.innermost)
    }
  }

  /// Removes all marks and lists, including those of a failed export.
  private func forget() {
    frames.removeAll()
    lists.removeAll()
  }
}
