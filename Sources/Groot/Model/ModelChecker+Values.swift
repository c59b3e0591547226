// The checks of an attribute's allowed values.

extension ModelChecker {
  mutating func checkValues(
    _ constraints: AttributeDescription.Constraints, of attribute: AttributeDescription,
    index: EntityIndex
  ) {
    if constraints.values.isEmpty { return }
    func report(_ message: String) {
      self.report(message, index: index, property: attribute.name)
    }
    if ValueKind(attribute.type) == .json {
      report("values are not for the type \(attribute.type.rawValue)")
      return
    }
    var seen: Set<Value> = []
    for value in constraints.values {
      guard let fitted = value.fitted(to: attribute.type), !fitted.isNull else {
        let reason = value.conversionFailure(of: attribute.type) ?? "is null"
        report("one of its values \(reason)")
        continue
      }
      if !seen.insert(fitted).inserted {
        report("its values have the duplicate \(fitted.json.description.shortened)")
      }
      if Value.precedes(fitted, constraints.minimum) || Value.precedes(constraints.maximum, fitted)
      {
        report("its value \(fitted.json) is not between its min and its max")
      }
    }
    if let initial = attribute.defaultValue.fitted(to: attribute.type), !initial.isNull,
      !seen.contains(initial)
    {
      report("its default is not one of its values")
    }
  }
}
