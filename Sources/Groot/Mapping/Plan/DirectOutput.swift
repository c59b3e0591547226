/// The kinds of outputs that an export copies from the record to text, without a look at the step.
enum DirectOutput: UInt8 {
  case none, text, integer, real, boolean
  /// An integer inside quotes.
  case integerText

  /// Returns the kind of an output; `none` without a step, and if the step needs more than a copy.
  init(_ kind: OutputOperation.Kind, step: StepPlan?, wrapCount: Int32) {
    self = .none
    guard kind == .value, let step, step.destination.isNone, step.reverse < 0, wrapCount == 0
    else { return }
    switch step.conversion {
    case .integerText where step.field.type.isInteger: self = .integerText
    case .plain, .anyDay, .lowercase, .uppercase, .trim, .function:
      switch step.field.type {
      case .string, .uri: self = .text
      case .integer16, .integer32, .integer64: self = .integer
      case .double: self = .real
      case .boolean: self = .boolean
      case .float, .date, .day, .uuid, .decimal, .binary, .transformable, .composite: break
      }
    default: break
    }
  }
}

/// The treatment of an output whose property has no value.
enum MissingOutput: UInt8 {
  /// It is written as null.
  case null
  /// It is left out if the export leaves out nulls.
  case byDefault
  /// It is left out.
  case omitted

  /// Returns the treatment of an output of a step; elements of arrays are never left out.
  init(_ step: StepPlan?, isElement: Bool) {
    guard let step, !isElement else {
      self = .null
      return
    }
    self =
      step.options.contains(.omitsNull)
      ? .omitted : step.options.contains(.choosesNull) ? .null : .byDefault
  }
}
