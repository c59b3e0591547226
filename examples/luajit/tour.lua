-- A tour of Groot from LuaJIT: JSON to a linked graph of objects, and back.
--
-- Run it from the top of the repository, after `make` (Debian: luajit, lua-cjson):
--
--     LD_LIBRARY_PATH=build/lib luajit examples/luajit/tour.lua

local folder = arg[0]:match "^.*/" or "./"
package.path = folder .. "?.lua;" .. package.path
local cjson = require "cjson"
local groot = require "groot"

-- The names that the model mentions: functions from one JSON value to another.

local names = {
  transformers = {
    StringToInteger = {
      function(json)
        local digits = cjson.decode("[" .. json .. "]")[1]
        return digits:match "^%d+$" or error("expected digits, found " .. json)
      end,
      function(json) return '"' .. json .. '"' end,
    },
  },
  entity_mappers = {
    MessageMapper = function(json)
      local entities = { text = '"TextMessage"', picture = '"PictureMessage"' }
      return entities[cjson.decode(json).type]
    end,
  },
  dictionary_transformers = {
    LegacyCharacter = function(json)
      local character = cjson.decode(json)
      if not character.legacy_id then return nil end -- the object as it is
      character.id = character.legacy_id
      return cjson.encode(character)
    end,
  },
}

-- A model says what there is and which JSON key feeds what; a context holds the objects.

local file = assert(io.open(folder .. "../comics.json"))
local comics = groot.open(file:read "*a", names)
file:close()

local function names_of(objects)
  local found = {}
  for i, object in ipairs(objects) do found[i] = object.name or "not known yet" end
  return table.concat(found, ", ")
end

local function describe(hero)
  print(("   %s (%s), %s: %s"):format(hero.name, hero.realName or "nobody knows",
    hero.publisher.name, names_of(hero.powers)))
end

local function describe_graph()
  print(("   %d characters, %d powers, %d publishers"):format(comics:count "Character",
    comics:count "Power", comics:count "Publisher"))
end

print "1. Import a hero with everything that belongs to him"
local batman = comics:import("Character", [[{
  "id": "1699", "name": "Batman",
  "powers": [{"id": "4", "name": "Agility"}, {"id": "9", "name": "Insanely Rich"}],
  "publisher": {"id": "10", "name": "DC Comics"}
}]])[1]
describe(batman)
describe_graph()

print "2. Import the same id again: the same object is updated"
local again = comics:import("Character", '{"id": "1699", "real_name": "Bruce Wayne"}')[1]
print("   the same object: " .. (again == batman and "yes" or "no"))
describe(batman)
describe_graph()

print "3. Import a sidekick whose powers and publisher are mere ids"
local robin = comics:import("Character", [[{
  "id": "1700", "name": "Robin", "real_name": "Tim Drake",
  "powers": ["4", "12"], "publisher": "10"
}]])[1]
describe(robin)
describe_graph()

print "4. Import the power that was missing: every link is in place"
comics:import("Power", '[{"id": "12", "name": "Bo Staff"}]')
describe(robin)
local publisher = batman.publisher
print("   " .. publisher.name .. " publishes " .. names_of(publisher.characters))

print "5. Import old JSON, which a function brings up to date first"
local alfred = comics:import("Character", '{"legacy_id": "1701", "name": "Alfred"}')[1]
print(("   %s has the id %d"):format(alfred.name, alfred.identifier))

print "6. Import messages, whose entity a function finds"
for _, message in ipairs(comics:import("Message", [=[[
  {"id": 1, "type": "text", "text": "Hello there!"},
  {"id": 2, "type": "picture", "image_url": "https://example.com/signal.jpg"}
]]=])) do
  local entity = comics:entity(message)
  local content = entity == "TextMessage" and message.text or message.imageURL
  print(("   %s %d: %s"):format(entity, message.identifier, content))
end

print "7. Import a mistake: nothing changes, and the error says where it is"
local fine, mistake = pcall(comics.import, comics, "Character",
  '[{"id": "1702", "name": "Joker"}, {"id": "1699", "powers": "none"}]')
if not fine then
  local issue = mistake.issues[1]
  print(("   refused: %s.%s at %s"):format(issue.entity, issue.property, issue.path))
end
describe_graph()

print "8. Export"
print("   " .. comics:export(batman))
comics:close()
