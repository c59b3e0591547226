// Uses the library as a package of its own: what is not public cannot be used here.
import Groot

var registry = TransformerRegistry()
registry.setBuiltin("StringToInteger", to: .integerText)

let model = try ManagedObjectModel(
  document: """
    { "entities": { "Hero": {
      "userInfo": { "identityAttributes": "identifier" },
      "attributes": {
        "identifier": {
          "type": "integer64",
          "userInfo": { "JSONKeyPath": "id", "JSONTransformerName": "StringToInteger" } },
        "name": { "type": "string", "userInfo": { "JSONKeyPath": "name" } } } } } }
    """)
let context = ManagedObjectContext(mapping: try Mapping(model: model, registry: registry))
let json = #"[{"id":"1699","name":"Batman"},{"id":"1700","name":"Robin"}]"#
let heroes = try context.importJSON(.text(json), into: "Hero")
let exported = try context.exportText(heroes)

let holds = heroes.count == 2 && exported == json && context.brokenInvariants().isEmpty
print(holds ? "1 passed, 0 failed" : "0 passed, 1 failed: \(exported)")
if !holds { throw GrootError(.invalidArgument, "the export differs: \(exported)") }
