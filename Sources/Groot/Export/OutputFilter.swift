/// The outputs of the exported objects that are left out, computed once for each entity.
///
/// It reads the plan alone, and keeps the choice for the current top-level object.
struct OutputFilter {
  private let properties: [String]?
  private let excluded: [[[UInt8]]]
  /// The excluded keys in their JSON form, without the closing quote.
  private let excludedTexts: [[UInt8]]
  private var choices: [PlanIndex: Choice] = [:]
  /// The outputs of the current top-level object.
  private var current = Choice()

  /// The outputs of an entity that are not written as the plan says.
  private struct Choice {
    var skipped: Set<Int32> = []
    /// Outputs that were not asked for, in whose place unmapped keys may have kept a value.
    var keptOnly: Set<Int32> = []
    /// The ends of nested objects and arrays that have nothing but unmapped keys.
    var restEnds: Set<Int32> = []
  }

  /// A nested object or array, while the outputs in it are chosen.
  private struct Nested {
    let start: Int32
    /// Whether a value in it is written, or unmapped keys are, as far as an object has them.
    var hasValues = false
    var hasRest = false
  }

  /// Makes a filter; returns nil if all outputs are written.
  init?(_ options: ExportOptions) {
    guard options.properties != nil || !options.excludedKeys.isEmpty else { return nil }
    properties = options.properties
    excludedTexts = options.excludedKeys.map { key in
      Array(JSONValue.string(key).description.utf8.dropLast())
    }
    excluded = options.excludedKeys.map { key in
      JSONKeyPath(key).segments.map { segment in
        segment.key.map { Array((JSONValue.string($0).description + ":").utf8) } ?? []
      }
    }
  }

  /// Begins a top-level object, by its plan.
  ///
  /// - Throws: ``Status/unknownProperty`` if the entity lacks a requested property.
  mutating func choose(
    _ plan: Plan, number: PlanIndex, variant: Int, in model: ManagedObjectModel
  ) throws {
    current = try outputs(plan, number: number, variant: variant, in: model)
  }

  /// Returns whether nothing is written at an output of the current top-level object.
  func skips(_ output: Int32) -> Bool { current.skipped.contains(output) }

  /// Returns whether an output is left out unless unmapped keys have kept a value in its place.
  func writesOnlyKept(_ output: Int32) -> Bool { current.keptOnly.contains(output) }

  /// Returns whether the value of an output of the current top-level object is left out.
  func leavesOut(_ output: Int32) -> Bool { skips(output) || writesOnlyKept(output) }

  /// Returns whether an output ends a nested value that is left out if nothing was written in it.
  func endsRest(_ output: Int32) -> Bool { current.restEnds.contains(output) }

  /// Returns the outputs of an entity that are left out.
  private mutating func outputs(
    _ plan: Plan, number: PlanIndex, variant: Int, in model: ManagedObjectModel
  ) throws -> Choice {
    if let known = choices[number] { return known }
    let entity = plan.entities[number].entity
    let chosen = try properties.map { names in
      Set(try names.map { try model.property(named: $0, of: entity).field.number })
    }
    let range = plan.outputRanges[Int(plan.entities[number].firstRange) + variant]
    var choice = Choice()
    var path: [[UInt8]] = []
    var nested: [Nested] = []
    func noteValue() { if !nested.isEmpty { nested[nested.count - 1].hasValues = true } }
    func noteRest() { if !nested.isEmpty { nested[nested.count - 1].hasRest = true } }
    func isAsked(_ step: Int32) -> Bool {
      step >= 0 && chosen?.contains(plan.steps[Int(step)].field.number) != false
    }
    let keepsRest = isAsked(plan.entities[number].restStep)
    for index in range.first..<range.first + range.count {
      let output = plan.outputs[Int(index)]
      let key = Array(UnsafeBufferPointer(start: output.key, count: Int(output.keyLength)))
      switch output.kind {
      case .gap, .ownersValue: break
      case .rest, .restElement, .restTail:
        if keepsRest && !isExcluded(path) { noteRest() } else { choice.skipped.insert(index) }
      case .open, .openArray:
        path.append(key)
        nested.append(Nested(start: index))
      case .close, .closeArray:
        path.removeLast()
        guard let ended = nested.popLast() else { break }
        if ended.hasValues {
          noteValue()
        } else if ended.hasRest {
          choice.restEnds.insert(index)
          noteRest()
        } else {
          choice.skipped.formUnion(ended.start...index)
        }
      case .value, .kind, .constant, .membersValue:
        let hasStep = output.kind == .value || output.kind == .kind
        if isExcluded(path + [key]) || output.isFlat && isExcluded(flat: key) {
          choice.skipped.insert(index)
        } else if hasStep ? isAsked(output.step) : chosen == nil {
          noteValue()
        } else if keepsRest && output.restPath >= 0 {
          choice.keptOnly.insert(index)
          noteRest()
        } else {
          choice.skipped.insert(index)
        }
      }
    }
    choices[number] = choice
    return choice
  }

  /// Returns whether a key with a path is excluded, or begins with an excluded path.
  private func isExcluded(flat key: [UInt8]) -> Bool {
    excludedTexts.contains { text in
      key.starts(with: text) && key.count > text.count
        && (key[text.count] == UInt8(ascii: ".") || key[text.count] == UInt8(ascii: "\""))
    }
  }

  private func isExcluded(_ path: [[UInt8]]) -> Bool {
    excluded.contains { $0.count <= path.count && path.prefix($0.count).elementsEqual($0) }
  }
}
