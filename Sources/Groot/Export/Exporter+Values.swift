// Attribute values as JSON.

extension Exporter {
  @inline(__always)
  func writeAttribute(
    _ step: PlanPart<StepPlan>, record: UnsafeMutableRawPointer, table: TableIndex,
    part: Int16
  ) throws {
    if step.fastFill != .none {
      writeFast(step, record: record, table: table)
      return
    }
    let value = StoredValue(record, field: step.field, table: graph.tables + table)
    if step.reverse >= 0 && value.isPresent {
      try writeThroughFunction(step, value: value, record: record, table: table, part: part)
    } else if let dateForm, step.field.type == .date, value.isPresent {
      dateForm.write(Timestamp(microseconds: value.integer), writer: writer)
    } else if step.conversion == .dateForms, value.isPresent {
      plan.dateForms[Int(step.dateForms)].write(value, as: step.field.type, writer: writer)
    } else {
      // A value of the greatest depth still fits inside an object in a list.
      if depth > 2, value.count > 2 &* (JanssonBridge.maxDepth &- depth) {
        try requireRoom(for: value, step: step, record: record, table: table)
      }
      Self.write(
        value, conversion: step.conversion, as: step.field.type, writer: writer)
    }
  }

  /// Writes a plain value directly from the record, as ``Importer`` sets it.
  @inline(__always)
  private func writeFast(
    _ step: PlanPart<StepPlan>, record: UnsafeMutableRawPointer, table: TableIndex
  ) {
    let field = step.field
    guard graph.tables[table].has(field, in: record) else {
      writer.null()
      return
    }
    let address = record + Int(field.offset)
    switch step.fastFill {
    case .none: break
    case .text: writer.string(TextSlot.bytes(address))
    case .integer: writer.integer(address.load(as: Int64.self))
    case .real: writer.real(address.load(as: Double.self))
    case .boolean: writer.boolean(address.load(as: UInt8.self) != 0)
    }
  }

  /// Writes a value in the form that an import with the same conversion reads.
  @inline(__always)
  static func write(
    _ value: StoredValue, conversion: Conversion, as type: AttributeType, writer: JSONWriter
  ) {
    guard value.isPresent else {
      writer.null()
      return
    }
    switch conversion {
    case .integerText where type.isInteger:
      writer.quoted(capacity: NumberText.integerCapacity) {
        NumberText.writeInteger(value.integer, into: $0)
      }
    case .booleanText:
      writer.string(value.word0 != 0 ? "true" : "false")
    case .integerText, .doubleText, .decimalText:
      writeNumberText(value, conversion: conversion, as: type, writer: writer)
    case .booleanInteger: writer.integer(value.integer)
    case .unixMilliseconds:
      writer.integer(floorDivide(value.integer, divisor: 1_000))
    case .unixSeconds:
      if value.integer % 1_000_000 == 0 {
        writer.integer(value.integer / 1_000_000)
      } else {
        writer.real(Double(value.integer) / 1_000_000)
      }
    case .anyDate: DateForm.iso8601.write(Timestamp(microseconds: value.integer), writer: writer)
    case .uppercaseUUID:
      let uuid = UUIDValue(high: value.word0, low: value.word1)
      writer.quoted(capacity: UUIDValue.textCapacity) { target in
        let count = uuid.write(into: target)
        for index in 0..<count where target[index] >= 0x61 { target[index] -= 0x20 }
        return count
      }
    case .jsonBytes: writeJSONBytes(value.bytes, writer: writer)
    case .jsonContainer: writer.rawValue(value.bytes)
    case .plain, .anyDay, .lowercase, .uppercase, .trim, .function, .dateForms:
      writePlain(value, as: type, writer: writer)
    }
  }

  /// Writes JSON bytes unchanged; other bytes, which only a program can set, become base64.
  private static func writeJSONBytes(
    _ bytes: UnsafeBufferPointer<UInt8>, writer: JSONWriter
  ) {
    if let text = String(validating: bytes, as: UTF8.self),
      let value = try? JSONValue(parsing: text)
    {
      var json = value.description
      json.withUTF8 { writer.rawValue($0) }
    } else {
      writer.quoted(capacity: Base64.encodedLength(bytes.count)) {
        Base64.encode(bytes, into: $0)
      }
    }
  }

  private static func floorDivide(_ value: Int64, divisor: Int64) -> Int64 {
    let quotient = value / divisor
    return value % divisor < 0 ? quotient - 1 : quotient
  }

  @inline(__always)
  private static func writePlain(_ value: StoredValue, as type: AttributeType, writer: JSONWriter) {
    switch type {
    case .string, .uri: writer.string(value.bytes)
    case .integer16, .integer32, .integer64: writer.integer(value.integer)
    case .double: writer.real(value.real)
    case .boolean: writer.boolean(value.word0 != 0)
    case .float: writer.real(shortened(value.real))
    case .transformable, .composite: writer.rawValue(value.bytes)
    case .date, .day, .uuid, .decimal, .binary: writeRare(value, as: type, writer: writer)
    }
  }

  /// Returns the double with the fewest digits that converts to the same binary32 number.
  private static func shortened(_ value: Double) -> Double {
    Double(Float(value).description) ?? value
  }

  private static func writeNumberText(
    _ value: StoredValue, conversion: Conversion, as type: AttributeType, writer: JSONWriter
  ) {
    if type == .decimal {
      let decimal = value.decimal
      writer.quoted(capacity: DecimalNumber.textCapacity) { decimal.write(into: $0) }
    } else if conversion == .integerText, let whole = Int64(exactly: value.real) {
      writer.quoted(capacity: NumberText.integerCapacity) {
        NumberText.writeInteger(whole, into: $0)
      }
    } else {
      let number = type == .float ? shortened(value.real) : value.real
      writer.quoted(capacity: NumberText.doubleCapacity) {
        NumberText.writeDouble(number, into: $0) ?? 0
      }
    }
  }

  private static func writeRare(
    _ value: StoredValue, as type: AttributeType, writer: JSONWriter
  ) {
    switch type {
    case .decimal:
      let decimal = value.decimal
      if decimal.exponent > 250 && decimal.double.isInfinite
        || writer.isReadAsDoubles && decimal.isRoundedByDouble
      {
        // JSON readers reject the first kind, and the reader of this text would round the second.
        writer.quoted(capacity: DecimalNumber.textCapacity) { decimal.write(into: $0) }
        return
      }
      writer.unquoted(capacity: DecimalNumber.textCapacity + 2) { target in
        let count = decimal.write(into: target)
        let digits = UnsafeBufferPointer(start: target, count: count)
        // jansson reads whole numbers beyond Int64 only as reals.
        guard decimal.int64 == nil, digits.allSatisfy({ $0 >= 0x2D && $0 <= 0x39 && $0 != 0x2E })
        else { return count }
        target[count] = UInt8(ascii: ".")
        target[count + 1] = UInt8(ascii: "0")
        return count + 2
      }
    case .date:
      let date = Timestamp(microseconds: value.integer)
      writer.quoted(capacity: Timestamp.textCapacity) { date.write(into: $0) }
    case .day:
      let day = value.day
      writer.quoted(capacity: CalendarDay.textCapacity) { day.write(into: $0) }
    case .uuid:
      let uuid = UUIDValue(high: value.word0, low: value.word1)
      writer.quoted(capacity: UUIDValue.textCapacity) { uuid.write(into: $0) }
    default:
      let bytes = value.bytes
      writer.quoted(capacity: Base64.encodedLength(bytes.count)) {
        Base64.encode(bytes, into: $0)
      }
    }
  }

  /// Throws for JSON that would nest deeper than an import can read.
  @inline(never)
  private func requireRoom(
    for value: StoredValue, step: PlanPart<StepPlan>, record: UnsafeRawPointer, table: TableIndex
  ) throws {
    guard ValueKind(step.field.type) == .json || step.conversion == .jsonBytes,
      JSONNesting.isDeeper(value.bytes, than: JanssonBridge.maxDepth - depth)
    else { return }
    // Bytes that are not JSON are written as base64.
    if step.conversion == .jsonBytes, (try? JSONValue(parsing: value.bytes)) == nil { return }
    throw tooDeep(
      JSONNesting.count(value.bytes), property: Int(step.field.number), record: record, table: table
    )
  }

  /// Throws if a value with too many levels has been written.
  func requireRoom(
    forLevels levels: Int, property: Int, record: UnsafeRawPointer, table: TableIndex
  ) throws {
    guard levels > JanssonBridge.maxDepth - depth else { return }
    throw tooDeep(levels, property: property, record: record, table: table)
  }

  private func tooDeep(
    _ levels: Int, property: Int, record: UnsafeRawPointer, table: TableIndex
  ) -> GrootError {
    GrootError(
      .limitExceeded,
      "the value has \(levels) levels, and \(depth) are around it: an import reads "
        + "\(JanssonBridge.maxDepth) in all; limit the depth of the export",
      entity: graph.entityName(record, in: table),
      property: graph.model.hierarchies[table].properties[property].name)
  }

  /// Passes a value to the reverse function in its JSON form.
  private func writeThroughFunction(
    _ step: PlanPart<StepPlan>, value: StoredValue, record: UnsafeRawPointer,
    table: TableIndex, part: Int16
  ) throws {
    tape.reset()
    let input = try put(value, as: step.field.type)
    // Functions are not called with null, which a JSON value may be.
    if tape.tokens[input].kind == .null { return writer.null() }
    tape.limitGrowth(by: CallbackRunner.synthesizedValues)
    call = (record, table, Int(step.field.number))
    do {
      guard let result = try plan.functions[Int(step.reverse)](tape, input) else {
        writer.null()
        return
      }
      let levels =
        part >= 0 ? writeElement(Int(part), of: result) : writer.value(tape, index: result)
      try requireRoom(
        forLevels: levels, property: Int(step.field.number), record: record, table: table)
    } catch let error as GrootError where error.issues.first?.property.isEmpty == false {
      throw error
    } catch {
      let property = graph.model.hierarchies[table].properties[Int(step.field.number)]
      if let error = error as? JanssonBridge.TooLarge {
        throw GrootError(
          GrootIssue(
            .outOfRange,
            "\(error.message), for the reverse of '\(plan.functionNames[Int(step.reverse)])'",
            entity: graph.entityName(record, in: table), property: property.name))
      }
      let cause = error as? GrootError
      let isRefusal = cause != nil && cause?.status != .callbackFailed
      throw GrootError(
        GrootIssue(
          isRefusal ? .transformFailed : .callbackFailed,
          "the reverse of '\(plan.functionNames[Int(step.reverse)])' failed: "
            + (cause?.issues.first?.message ?? "\(error)"),
          entity: graph.entityName(record, in: table),
          property: property.name), underlying: cause == nil ? error : cause?.underlying)
    }
  }

  /// Puts a value onto the empty tape in its JSON form.
  private func put(_ value: StoredValue, as type: AttributeType) throws -> TokenIndex {
    guard ValueKind(type) == .json, value.isPresent else {
      return try Value(value, as: type).json.append(to: tape)
    }
    // The text itself may have digits that a JSONValue cannot represent.
    try tape.load(UnsafeBufferPointer(start: value.start, count: value.count))
    return .first
  }

  /// Writes an element of a reverse function's result, and returns its number of levels.
  ///
  /// The element is null if the result is not a list or is too short.
  private func writeElement(_ position: Int, of list: TokenIndex) -> Int {
    let token = tape.tokens[list]
    guard token.kind == .array, UInt64(position) < token.payload else {
      writer.null()
      return 1
    }
    var element = list.next
    for _ in 0..<position { element = tape.end(of: element) }
    return writer.value(tape, index: element)
  }
}
