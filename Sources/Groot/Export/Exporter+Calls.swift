// The current call of a reverse function, which the function may ask about.

extension Exporter: CallDescriber {
  package func describeCall() -> CallDescription {
    guard let call else { return CallDescription() }
    return CallDescription(
      entity: graph.entityName(call.record, in: call.table),
      property: graph.model.hierarchies[call.table].properties[call.property].name)
  }
}
