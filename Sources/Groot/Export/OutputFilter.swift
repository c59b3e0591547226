/// The outputs of the exported objects that are left out, computed once for each entity.
///
/// It reads the plan alone, and keeps the choice for the current top-level object.
struct OutputFilter {
  private let properties: [String]?
  private let excluded: [[[UInt8]]]
  /// The excluded keys in their JSON form, without the closing quote.
  private let excludedTexts: [[UInt8]]
  private var skippedOf: [PlanIndex: Set<Int32>] = [:]
  /// The outputs of the current top-level object that are skipped.
  private(set) var skipped: Set<Int32> = []

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
    skipped = try outputs(plan, number: number, variant: variant, in: model)
  }

  /// Returns the outputs of an entity that are left out.
  private mutating func outputs(
    _ plan: Plan, number: PlanIndex, variant: Int, in model: ManagedObjectModel
  ) throws -> Set<Int32> {
    if let known = skippedOf[number] { return known }
    let entity = plan.entities[number].entity
    let chosen = try properties.map { names in
      Set(try names.map { try model.property(named: $0, of: entity).field.number })
    }
    let range = plan.outputRanges[Int(plan.entities[number].firstRange) + variant]
    var skipped: Set<Int32> = []
    var path: [[UInt8]] = []
    var opened: [Int32] = []
    // The number of values written so far in each open object.
    var written: [Int] = [0]
    for index in range.first..<range.first + range.count {
      let output = plan.outputs[Int(index)]
      let key = Array(UnsafeBufferPointer(start: output.key, count: Int(output.keyLength)))
      switch output.kind {
      case .gap, .ownersValue, .restElement: break
      case .constant, .membersValue:
        if chosen == nil && !isExcluded(path + [key]) {
          written[written.count - 1] += 1
        } else {
          skipped.insert(index)
        }
      case .rest, .restTail:
        let isAsked = chosen?.contains(plan.steps[Int(output.step)].field.number) ?? true
        if !isAsked { skipped.insert(index) }
      case .open, .openArray:
        path.append(key)
        opened.append(index)
        written.append(0)
      case .close, .closeArray:
        let isEmpty = (written.popLast() ?? 0) == 0
        path.removeLast()
        guard let start = opened.popLast() else { break }
        if isEmpty { skipped.formUnion(start...index) } else { written[written.count - 1] += 1 }
      case .value, .kind:
        let isAsked = chosen?.contains(plan.steps[Int(output.step)].field.number) ?? true
        if isAsked && !isExcluded(path + [key]) && !(output.isFlat && isExcluded(flat: key)) {
          written[written.count - 1] += 1
        } else {
          skipped.insert(index)
        }
      }
    }
    skippedOf[number] = skipped
    return skipped
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
