/// The records of one hierarchy, in segments that never move.
///
/// The table is flat and used only through a pointer, so that reading it does not count references.
struct ObjectTable {
  private static let segmentBytes = 64 << 10

  let number: TableIndex
  private let split: IdentifierSplit
  let stride: Int
  let presenceOffset: Int
  private let shift: UInt32
  private let mask: UInt32
  /// The presence bits and fields of a new object's record, by entity.
  private let templates: UnsafeMutableRawPointer
  private let memory: Memory
  private var segments: Segments

  /// The maximum number of rows: numbers + 1 have 32 bits.
  var maximumCount = UInt32.max - 1
  /// The upper bound of the numbers of rows in use or free.
  private(set) var count = Row(rawValue: 0)
  /// The upper bound of the numbers of rows that were ever in use.
  private(set) var everUsed = Row(rawValue: 0)
  /// The first of the free rows, which are chained through the bytes after their headers.
  private var firstFree = OptionalRow.none
  /// The first number of the rows newer than the innermost savepoint, whose changes need no log.
  var boundary = Row(rawValue: 0)
  /// The rows that are in use or free.
  var rows: Range<Row> { Row(rawValue: 0)..<count }
  /// The number of living objects.
  var liveCount = 0
  /// The serial number of each row, from the first reuse of a free row on.
  ///
  /// Until then the rows' own numbers are in the order of insertion.
  private var serials: UnsafeMutablePointer<UInt64>?
  private var serialCapacity = 0
  private var nextSerial: UInt64 = 0

  init(
    number: TableIndex, hierarchy: Hierarchy, split: IdentifierSplit, _ account: MemoryAccount
  ) {
    self.number = number
    self.split = split
    memory = Memory(account)
    stride = max(hierarchy.layout.stride, 16)
    presenceOffset = hierarchy.layout.presenceOffset
    var rows: UInt32 = 16
    var bits: UInt32 = 4
    while Int(rows) * 2 * stride <= Self.segmentBytes {
      rows *= 2
      bits += 1
    }
    shift = bits
    mask = rows - 1
    let entityCount = hierarchy.entities.count
    templates = .allocate(byteCount: entityCount * stride, alignment: 8)
    CLibrary.fill(templates, count: entityCount * stride)
    segments = Segments(size: Int(rows) * stride, account)
  }

  func deallocate() {
    segments.deallocate()
    templates.deallocate()
    memory.release(serials, count: serialCapacity)
  }

  /// Returns the record that new objects of an entity are copied from.
  func template(_ entity: UInt16) -> UnsafeMutableRawPointer {
    templates + Int(entity) &* stride
  }

  @inline(__always)
  func record(_ row: Row) -> UnsafeMutableRawPointer {
    segments[Int(row.rawValue &>> shift)] + Int(row.rawValue & mask) &* stride
  }

  /// Returns the row of a record, looked for from the segment of `near` on; nil for another table's.
  ///
  /// Complexity: O(segments), and O(1) near the given row.
  func row(of record: UnsafeRawPointer, near: Row) -> Row? {
    let first = min(Int(near.rawValue &>> shift), max(segments.count - 1, 0))
    for distance in 0..<segments.count {
      let number = (first + distance) % segments.count
      let offset = UnsafeRawPointer(segments[number]).distance(to: record)
      guard offset >= 0, offset < segments.size else { continue }
      return Row(number << Int(shift) + offset / stride)
    }
    return nil
  }

  @inline(__always)
  func header(_ row: Row) -> UnsafeMutablePointer<RecordHeader> {
    record(row).assumingMemoryBound(to: RecordHeader.self)
  }

  @inline(__always)
  func isLive(_ row: Row) -> Bool { header(row).pointee.state & RecordState.live != 0 }

  /// Returns whether an object was made since the last save, so that its changes are not marked.
  @inline(__always)
  func isNew(_ row: Row) -> Bool { header(row).pointee.state & RecordState.inserted != 0 }

  @inline(__always)
  func id(_ row: Row) -> ObjectID {
    ObjectID(table: number, generation: header(row).pointee.generation, row: row, split: split)
  }

  @inline(__always)
  func has(_ field: Field, in record: UnsafeRawPointer) -> Bool {
    has(number: field.number, in: record)
  }

  /// Returns whether a record has a value of the property with a number.
  @inline(__always)
  func has(number: UInt16, in record: UnsafeRawPointer) -> Bool {
    let bit = Int(number)
    return record.load(fromByteOffset: presenceOffset &+ (bit &>> 3), as: UInt8.self)
      & (1 &<< UInt8(truncatingIfNeeded: bit & 7)) != 0
  }

  @inline(__always)
  func setPresence(_ field: Field, in record: UnsafeMutableRawPointer, to isPresent: Bool) {
    let bit = Int(field.number)
    let byte = (record + presenceOffset + (bit &>> 3)).assumingMemoryBound(to: UInt8.self)
    let flag: UInt8 = 1 &<< UInt8(truncatingIfNeeded: bit & 7)
    byte.pointee = isPresent ? byte.pointee | flag : byte.pointee & ~flag
  }

  /// Marks a property as changed; returns false if it was already marked.
  func setChanged(_ number: UInt16, in record: UnsafeMutableRawPointer, to isChanged: Bool) -> Bool
  {
    let byte = (record + RecordLayout.changedOffset + Int(number >> 3))
      .assumingMemoryBound(to: UInt8.self)
    let flag: UInt8 = 1 &<< UInt8(truncatingIfNeeded: number & 7)
    let was = byte.pointee & flag != 0
    byte.pointee = isChanged ? byte.pointee | flag : byte.pointee & ~flag
    return was != isChanged
  }

  func isChanged(_ number: UInt16, in record: UnsafeRawPointer) -> Bool {
    record.load(fromByteOffset: RecordLayout.changedOffset + Int(number >> 3), as: UInt8.self)
      & (1 &<< UInt8(truncatingIfNeeded: number & 7)) != 0
  }

  /// Removes all marks of changes in the record.
  func clearChanged(_ record: UnsafeMutableRawPointer) {
    CLibrary.fill(
      record + RecordLayout.changedOffset, count: presenceOffset - RecordLayout.changedOffset)
  }

  /// Takes a free row, or a new one; returns nil after 2^32 - 2 rows, or without memory.
  ///
  /// The result's `isNew` is true for a row after the boundary.
  @inline(__always)
  mutating func insert(_ entity: UInt16) -> (row: Row, isNew: Bool)? {
    var row: Row
    var isNew = true
    if let free = firstFree.index {
      guard makeRoomForSerials() else { return nil }
      row = free
      firstFree = (record(row) + RecordHeader.size).load(as: OptionalRow.self)
      isNew = false
      number(row)
    } else {
      repeat {
        guard count.rawValue < maximumCount else { return nil }
        if Int(count.rawValue &>> shift) >= segments.count, !segments.add() { return nil }
        if serials != nil, !makeRoomForSerials() { return nil }
        row = count
        count = count.advanced(by: 1)
        if count > everUsed {
          everUsed = count
          header(row).pointee.generation = 0
        }
      } while header(row).pointee.generation == split.lastGeneration
      if serials != nil { number(row) }
    }
    let record = record(row)
    let header = record.assumingMemoryBound(to: RecordHeader.self)
    let generation = header.pointee.generation
    CLibrary.copy(stride, from: template(entity), to: record)
    header.pointee.generation = generation
    header.pointee.entity = entity
    header.pointee.state = RecordState.live | RecordState.inserted
    liveCount &+= 1
    return (row, isNew)
  }

  /// Reserves the serial number of the next row to be taken; returns false without memory.
  @inline(never)
  private mutating func makeRoomForSerials() -> Bool {
    let first = serials == nil ? 0 : serialCapacity
    guard first <= count.offset else { return true }
    let capacity = max(count.offset + 1, serialCapacity * 2, 64)
    let larger =
      if let serials {
        memory.resize(serials, from: serialCapacity, to: capacity)
      } else {
        memory.allocate(UInt64.self, count: capacity)
      }
    guard let larger else { return false }
    if serials == nil { nextSerial = UInt64(count.rawValue) }
    for row in first..<capacity { (larger + row).initialize(to: UInt64(row)) }
    serials = larger
    serialCapacity = capacity
    return true
  }

  /// Gives the next serial number to a row that is taken.
  private mutating func number(_ row: Row) {
    serials?[row] = nextSerial
    nextSerial &+= 1
  }

  /// Returns whether an object was inserted before another.
  @inline(__always)
  func isOlder(_ row: Row, _ other: Row) -> Bool {
    guard let serials else { return row < other }
    return serials[row] < serials[other]
  }

  /// Sorts rows that are in the order of their numbers by the order of insertion.
  func sortByAge(_ rows: inout [Row]) {
    guard serials != nil else { return }
    rows.sort { isOlder($0, $1) }
  }

  /// Sorts rows by the ages of ``setAge(_:to:)`` from now on; rows without an age come last.
  mutating func orderByAge() {
    guard serials == nil, count.rawValue == 0 else { return }
    serialCapacity = 64
    let ages = memory.allocateFew(UInt64.self, count: serialCapacity)
    ages.initialize(repeating: 0, count: serialCapacity)
    serials = ages
    nextSerial = 1 << 62
  }

  /// Sets the position of a row in the order of objects.
  func setAge(_ row: Row, to age: UInt64) { serials?[row] = age }

  /// Resets the record of a living row to that of a new object; its header stays.
  func resetToTemplate(_ row: Row) {
    let record = record(row)
    let start = RecordHeader.size
    CLibrary.copy(
      stride - start, from: template(header(row).pointee.entity) + start, to: record + start)
  }

  /// Frees a row permanently: its ids answer "deleted" from now on.
  ///
  /// A row without further generations is not taken again.
  mutating func release(_ row: Row) {
    let header = header(row)
    header.pointee.state = 0
    header.pointee.generation += 1
    guard header.pointee.generation < split.lastGeneration else { return }
    (record(row) + RecordHeader.size).storeBytes(of: firstFree, as: OptionalRow.self)
    firstFree = OptionalRow(row)
  }

  /// Removes all rows from `first` on, whose objects were never saved; they must be unlinked.
  mutating func removeRows(from first: Row) {
    for row in first..<max(count, first) {
      let header = header(row)
      header.pointee.state = 0
      if header.pointee.generation < split.lastGeneration { header.pointee.generation += 1 }
    }
    count = first
  }
}
