// Setting the properties of an object that was found or made.

extension Importer {
  func fill(_ frame: ImportFrame) throws {
    let entity = plan.entities + Int(frame.plan)
    let table = Int(entity.pointee.table)
    let changes = graph.log.pointee.count
    let first = plan.steps + Int(entity.pointee.firstStep)
    for position in 0..<Int(entity.pointee.stepCount) {
      let step = first + position
      if step.pointee.isIdentity && frame.hasIdentity { continue }
      let token = slot(step, Int(frame.slots))
      if step.pointee.destination < 0 {
        try fillAttribute(frame, table, step, token)
      } else if step.pointee.field.isToMany {
        try fillToMany(frame, table, step, token)
      } else {
        try fillToOne(frame, table, step, token)
      }
    }
    if !frame.isNew && graph.log.pointee.count != changes { updatedCount &+= 1 }
  }

  @inline(__always)
  func fillAttribute(
    _ frame: ImportFrame, _ table: Int, _ step: UnsafeMutablePointer<StepPlan>, _ token: Int32
  ) throws {
    let record = graph.tables[table].record(frame.row)
    let field = step.pointee.field
    var value = StoredValue.none
    if token >= 0 {
      if tape.tokens[Int(token)].rawKind != JSONKind.null.rawValue {
        if try read(step, Int(token), frame.plan, &value) {
          if step.pointee.hasConstraints {
            try validate(value, step, Int(token), frame.plan)
          }
          if frame.isNew && graph.identityMasks[table][Int(field.number)] == 0 {
            value.write(to: record, field, graph.tables + table, graph.text)
          } else {
            graph.set(table, frame.row, field, value)
          }
          return
        }
      } else if step.pointee.policies.null == .keep {
        try requireValue(frame, table, step, token)
        return
      }
      graph.set(table, frame.row, field, value)
    } else if step.pointee.policies.missing == .clear {
      graph.set(table, frame.row, field, value)
    }
    if !field.isOptional && !graph.tables[table].has(field, record) {
      throw missing(frame, step, token)
    }
  }

  func requireValue(
    _ frame: ImportFrame, _ table: Int, _ step: UnsafeMutablePointer<StepPlan>, _ token: Int32
  ) throws {
    let field = step.pointee.field
    if field.isOptional { return }
    let hasValue: Bool
    if field.isToMany {
      hasValue = graph.memberCount(table, frame.row, field) > 0
    } else if field.isRelationship {
      hasValue = graph.target(graph.links[Int(field.link)], field.side, frame.row) != 0
    } else {
      hasValue = graph.tables[table].has(field, graph.tables[table].record(frame.row))
    }
    if !hasValue { throw missing(frame, step, token) }
  }

  func fillToOne(
    _ frame: ImportFrame, _ table: Int, _ step: UnsafeMutablePointer<StepPlan>, _ token: Int32
  ) throws {
    let field = step.pointee.field
    if token >= 0 {
      let kind = tape.tokens[Int(token)].kind
      if kind == .array {
        throw failure(
          .wrongShape, "an array stands where the to-one relationship takes one object",
          Int(token), entity: frame.plan, property: field)
      }
      if kind != .null || step.pointee.policies.null == .clear {
        let target = try resolve(Int(token), step.pointee.destination)
        graph.setTarget(Int(field.link), field.side, frame.row, target)
      }
    } else if step.pointee.policies.missing == .clear {
      graph.setTarget(Int(field.link), field.side, frame.row, 0)
    }
    try requireValue(frame, table, step, token)
  }

  func fillToMany(
    _ frame: ImportFrame, _ table: Int, _ step: UnsafeMutablePointer<StepPlan>, _ token: Int32
  ) throws {
    let field = step.pointee.field
    let base = members.count
    defer { members.removeLast(to: base) }
    guard token >= 0 else {
      if step.pointee.policies.missing == .clear {
        graph.removeAllMembers(table, frame.row, field)
      }
      return try requireValue(frame, table, step, token)
    }
    let kind = tape.tokens[Int(token)].kind
    if kind == .array {
      let count = Int(truncatingIfNeeded: tape.tokens[Int(token)].payload)
      var element = Int(token) &+ 1
      for _ in 0..<count {
        let end = tape.tokens[element].end(at: element)
        let member = try resolve(element, step.pointee.destination)
        if member != 0 { members.append(member &- 1) }
        element = end
      }
    } else if kind == .null {
      if step.pointee.policies.null == .keep {
        return try requireValue(frame, table, step, token)
      }
    } else if step.pointee.policies.shape == .box {
      let member = try resolve(Int(token), step.pointee.destination)
      if member != 0 { members.append(member &- 1) }
    } else {
      throw failure(
        .wrongShape,
        "\(shown(Int(token))) stands where the to-many relationship takes an array", Int(token),
        entity: frame.plan, property: field)
    }
    let listed = UnsafeBufferPointer(start: members.start + base, count: members.count &- base)
    if step.pointee.policies.assignment == .union {
      for member in listed { try graph.add(table, frame.row, field, member) }
    } else {
      try graph.setMembers(table, frame.row, field, listed)
    }
    try checkCount(frame, table, step, Int(token))
  }

  @inline(__always)
  func checkCount(
    _ frame: ImportFrame, _ table: Int, _ step: UnsafeMutablePointer<StepPlan>, _ token: Int
  ) throws {
    let field = step.pointee.field
    if field.isOptional && step.pointee.minimumCount == 0 && step.pointee.maximumCount == 0 {
      return
    }
    let count = Int(graph.memberCount(table, frame.row, field))
    if count == 0 {
      if field.isOptional { return }
      throw missing(frame, step, Int32(truncatingIfNeeded: token))
    }
    if count < Int(step.pointee.minimumCount) {
      throw failure(
        .tooFew, "\(count) members; at least \(step.pointee.minimumCount) are required", token,
        entity: frame.plan, property: field)
    }
    if step.pointee.maximumCount > 0 && count > Int(step.pointee.maximumCount) {
      throw failure(
        .tooMany, "\(count) members; at most \(step.pointee.maximumCount) are allowed", token,
        entity: frame.plan, property: field)
    }
  }
}
