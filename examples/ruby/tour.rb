# frozen_string_literal: true

# A tour of Groot from Ruby: JSON to a linked graph of objects, and back.
#
# Run it from the top of the repository, after `make` (gem ffi; Debian: ruby-ffi):
#
#     LD_LIBRARY_PATH=build/lib ruby examples/ruby/tour.rb

require_relative "groot"

# The names that the model mentions: functions from one JSON value to another.

registry = Groot::Registry.new
registry.transformer("StringToInteger", reverse: :to_s.to_proc) { |digits| Integer(digits, 10) }

registry.entity_mapper("MessageMapper") do |message|
  { "text" => "TextMessage", "picture" => "PictureMessage" }[message["type"]]
end

registry.dictionary_transformer("LegacyCharacter") do |character|
  # nil: the object as it is
  character.merge("id" => character["legacy_id"]) if character.key?("legacy_id")
end

# A model says what there is and which JSON key feeds what; a context holds the objects.

model = Groot::Model.new(File.read(File.join(__dir__, "../comics.json")))
comics = Groot::Context.new(Groot::Mapping.new(model, registry: registry))

def names(objects) = objects.map { |object| object[:name] || "not known yet" }.join(", ")

def describe(hero)
  puts "   #{hero[:name]} (#{hero[:realName] || "nobody knows"}), " \
       "#{hero[:publisher][:name]}: #{names(hero[:powers])}"
end

def describe_graph(comics)
  characters, powers, publishers = %w[Character Power Publisher].map { |name| comics.count(name) }
  puts "   #{characters} characters, #{powers} powers, #{publishers} publishers"
end

puts "1. Import a hero with everything that belongs to him"
batman = comics.import(
  "Character",
  {
    id: "1699", name: "Batman",
    powers: [{ id: "4", name: "Agility" }, { id: "9", name: "Insanely Rich" }],
    publisher: { id: "10", name: "DC Comics" }
  }
).first
describe(batman)
describe_graph(comics)

puts "2. Import the same id again: the same object is updated"
again = comics.import("Character", '{"id": "1699", "real_name": "Bruce Wayne"}').first
puts "   the same object: #{again == batman ? "yes" : "no"}"
describe(batman)
describe_graph(comics)

puts "3. Import a sidekick whose powers and publisher are mere ids"
robin = comics.import(
  "Character",
  { id: "1700", name: "Robin", real_name: "Tim Drake", powers: %w[4 12], publisher: "10" }
).first
describe(robin)
describe_graph(comics)

puts "4. Import the power that was missing: every link is in place"
comics.import("Power", [{ id: "12", name: "Bo Staff" }])
describe(robin)
publisher = batman[:publisher]
puts "   #{publisher[:name]} publishes #{names(publisher[:characters])}"

puts "5. Import old JSON, which a function brings up to date first"
alfred = comics.import("Character", { legacy_id: "1701", name: "Alfred" }).first
puts "   #{alfred[:name]} has the id #{alfred[:identifier]}"

puts "6. Import messages, whose entity a function finds"
text, picture = comics.import(
  "Message",
  [
    { id: 1, type: "text", text: "Hello there!" },
    { id: 2, type: "picture", image_url: "https://example.com/signal.jpg" }
  ]
)
puts "   #{text.entity} #{text[:identifier]}: #{text[:text]}"
puts "   #{picture.entity} #{picture[:identifier]}: #{picture[:imageURL]}"

puts "7. Import a mistake: nothing changes, and the error says where it is"
begin
  comics.import("Character", [{ id: "1702", name: "Joker" }, { id: "1699", powers: "none" }])
rescue Groot::Error => e
  issue = e.issues.first
  puts "   refused: #{issue.entity}.#{issue.property} at #{issue.path}"
end
describe_graph(comics)

puts "8. Export"
puts "   #{batman.export}"
comics.close
