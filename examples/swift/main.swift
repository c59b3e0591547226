// A tour of Groot from Swift: JSON to a linked graph of objects, and back.
//
// Run it from the top of the repository:
//
//     swift run GrootTour examples/comics.json
//
// The same tour in C and in Python prints the same lines (../expected-tour.txt).

import Groot

// The names that the model mentions.

var registry = TransformerRegistry()

registry.setTransformer(
  "StringToInteger",
  reverse: { .string(String($0.integerValue ?? 0)) },
  forward: { $0.stringValue.flatMap { Int64($0) }.map { .integer($0) } })

registry.setEntityMapper("MessageMapper") { message in
  switch message["type"]?.stringValue {
  case "text": "TextMessage"
  case "picture": "PictureMessage"
  default: nil
  }
}

registry.setDictionaryTransformer("LegacyCharacter") { character in
  guard case .object(var upgraded) = character, let id = upgraded["legacy_id"] else { return nil }
  upgraded["id"] = id
  return .object(upgraded)
}

// A model says what there is and which JSON key feeds what; a context holds the objects.

guard CommandLine.arguments.count == 2 else {
  print("usage: GrootTour MODEL")
  throw GrootError(.invalidArgument, "the model document is missing")
}
let document = try readFile(CommandLine.arguments[1])
let model = try ManagedObjectModel(document: document)
let comics = ManagedObjectContext(mapping: try Mapping(model: model, registry: registry))

func describe(_ hero: Hero) {
  let powers = hero.powers.map { $0.name ?? "not known yet" }.joined(separator: ", ")
  print(
    "   \(hero.name ?? "") (\(hero.realName ?? "nobody knows")), "
      + "\(hero.publisher?.name ?? "nobody"): \(powers)")
}

func describe(_ comics: ManagedObjectContext) throws {
  let counts = try [
    comics.count(Hero.self), comics.count(Power.self), comics.count(Publisher.self),
  ]
  print("   \(counts[0]) characters, \(counts[1]) powers, \(counts[2]) publishers")
}

print("1. Import a hero with everything that belongs to him")
let batman = try comics.importText(
  """
  {
    "id": "1699", "name": "Batman",
    "powers": [{"id": "4", "name": "Agility"}, {"id": "9", "name": "Insanely Rich"}],
    "publisher": {"id": "10", "name": "DC Comics"}
  }
  """, as: Hero.self)[0]
describe(batman)
try describe(comics)

print("2. Import the same id again: the same object is updated")
let again = try comics.importText(#"{"id": "1699", "real_name": "Bruce Wayne"}"#, as: Hero.self)[0]
print("   the same object:", again == batman ? "yes" : "no")
describe(batman)
try describe(comics)

print("3. Import a sidekick whose powers and publisher are mere ids")
let robin = try comics.importJSON(
  .value([
    "id": "1700", "name": "Robin", "real_name": "Tim Drake", "powers": ["4", "12"],
    "publisher": "10",
  ]), as: Hero.self)[0]
describe(robin)
try describe(comics)

print("4. Import the power that was missing: every link is in place")
try comics.importText(#"[{"id": "12", "name": "Bo Staff"}]"#, as: Power.self)
describe(robin)
if let publisher = batman.publisher {
  let heroes = publisher.characters.map { $0.name ?? "" }.joined(separator: ", ")
  print("   \(publisher.name ?? "") publishes \(heroes)")
}

print("5. Import old JSON, which a function brings up to date first")
let alfred = try comics.importText(#"{"legacy_id": "1701", "name": "Alfred"}"#, as: Hero.self)[0]
print("   \(alfred.name ?? "") has the id \(alfred.identifier)")

print("6. Import messages, whose entity a function finds")
let messages = try comics.importJSON(
  .value([
    ["id": 1, "type": "text", "text": "Hello there!"],
    ["id": 2, "type": "picture", "image_url": "https://example.com/signal.jpg"],
  ]), as: Message.self)
for message in messages {
  let content = TextMessage(message)?.text ?? PictureMessage(message)?.imageURL
  print("   \(try message.managedObject.entityName()) \(message.identifier): \(content ?? "")")
}

print("7. Import a mistake: nothing changes, and the error says where it is")
do {
  try comics.importText(
    #"[{"id": "1702", "name": "Joker"}, {"id": "1699", "powers": "none"}]"#, as: Hero.self)
} catch {
  let issue = error.issues[0]
  print("   refused: \(issue.entity).\(issue.property) at \(issue.path)")
}
try describe(comics)

print("8. Export")
print("  ", try comics.exportText(batman))
