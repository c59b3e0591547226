struct HyperDialect {
  let model: ManagedObjectModel
  func compile(_ names: inout RegistryNames, _ faults: inout MappingFaults) -> [EntityMapping] { [] }
}
struct KVCDialect {
  let model: ManagedObjectModel
  let base: [EntityMapping]
  var entityOfName: [String: Int] = [:]
  init(model: ManagedObjectModel, base: [EntityMapping]) { self.model = model; self.base = base }
  mutating func compile(_ rules: JSONValue, _ names: inout RegistryNames, _ faults: inout MappingFaults) -> [EntityMapping] { [] }
}
