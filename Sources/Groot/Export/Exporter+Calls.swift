// What reverse functions may ask about the call that they are in.

extension Exporter: CallDescriber {
  package func describeCall() -> CallDescription {
    guard let call else { return CallDescription() }
    return CallDescription(
      entity: graph.entityName(call.record, in: call.table),
      property: graph.model.hierarchies[call.table].properties[call.property].name)
  }
}
