/// The objects that are being written, and the marks of written objects in rows.
///
/// This is the only file that sets the bits ``RecordState/exporting`` and ``RecordState/exported``.
/// The part may touch the headers of rows and its own buffers, and nothing else.
final class ExportFrames {
  private let graph: Graph
  @exclusivity(unchecked) private var stack: Buffer<ExportFrame>
  /// The objects written under the current top-level object, if repeats are possible.
  @exclusivity(unchecked) private var written: Buffer<ObjectKey>
  /// The number of repeats of objects without identity under the current top-level object.
  private var repeats = 0
  static let maximumRepeats = 100_000

  init(_ graph: Graph) {
    self.graph = graph
    stack = Buffer(graph.memory)
    written = Buffer(graph.memory)
  }

  deinit {
    stack.deallocate()
    written.deallocate()
  }

  /// The number of objects that are being written, each inside the one before.
  @inline(__always)
  var count: Int { stack.count }

  /// The innermost object; valid until another one begins.
  @inline(__always)
  var innermost: UnsafeMutablePointer<ExportFrame> { stack.start + (stack.count &- 1) }

  /// The innermost object as a key; nil without one.
  var current: ObjectKey? { stack.count > 0 ? innermost.pointee.object : nil }

  /// The object around the innermost one; nil for a top-level object.
  var outer: ObjectKey? { stack.count > 1 ? stack.start[stack.count &- 2].object : nil }

  /// Begins an object; one whose relationships lead back to its entity is also marked as written.
  ///
  /// - Throws: ``Status/outOfMemory``, ``Status/limitExceeded``.
  @inline(__always)
  func push(
    _ frame: ExportFrame, header: UnsafeMutablePointer<RecordHeader>, isRecursive: Bool
  ) throws {
    if isRecursive && header.pointee.state & RecordState.exported == 0 {
      try written.append(frame.object)
      header.pointee.state |= RecordState.exported
    }
    try stack.append(frame)
    header.pointee.state |= RecordState.exporting
  }

  /// Ends the innermost object.
  @inline(__always)
  func pop() {
    let object = innermost.pointee.object
    graph.tables[object.table].header(object.row).pointee.state &= ~RecordState.exporting
    stack.removeLast(to: stack.count &- 1)
  }

  /// Takes back the number of the innermost object's last member, which was left out.
  func uncountMember() {
    if stack.count > 0, innermost.pointee.memberIndex > 0 { innermost.pointee.memberIndex &-= 1 }
  }

  /// Counts the repeat of an object without identity; returns false beyond the limit.
  func countRepeat() -> Bool {
    repeats += 1
    return repeats <= Self.maximumRepeats
  }

  /// Removes all objects with their marks, including those of a failed export.
  func removeAll() {
    for index in 0..<stack.count {
      let object = stack.start[index].object
      graph.tables[object.table].header(object.row).pointee.state &= ~RecordState.exporting
    }
    stack.removeLast(to: 0)
    for index in 0..<written.count {
      let row = written.start[index]
      graph.tables[row.table].header(row.row).pointee.state &= ~RecordState.exported
    }
    written.removeLast(to: 0)
    repeats = 0
  }
}
