// A tour of Groot from C++: JSON to a linked graph of objects, and back.
//
// Compile it against an installed library, and run it beside the model. It reads JSON with
// nlohmann's library (Debian: nlohmann-json3-dev); any other would do.
//
//     c++ -std=c++17 -DGROOT_NO_JANSSON tour.cpp -o tour $(pkg-config --cflags --libs groot)
//     ./tour ../comics.json
//
// Straight from a build, without installing: PKG_CONFIG_PATH=build/lib, LD_LIBRARY_PATH=build/lib.

#include <fstream>
#include <groot.hpp>
#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>

using nlohmann::json;

namespace {

// The names that the model mentions: functions from one JSON value to another.

groot::registry make_registry() {
  groot::registry registry;
  registry.set_transformer(
      "StringToInteger",
      [](std::string_view text) {
        auto digits = json::parse(text).get<std::string>();
        return std::to_string(std::stoll(digits));
      },
      [](std::string_view number) { return json(std::string(number)).dump(); });

  registry.set_entity_mapper(
      "MessageMapper", [](std::string_view message) -> std::optional<std::string> {
        std::string type = json::parse(message).value("type", "");
        if (type == "text") return "\"TextMessage\"";
        if (type == "picture") return "\"PictureMessage\"";
        return std::nullopt;
      });

  registry.set_dictionary_transformer(
      "LegacyCharacter", [](std::string_view text) -> std::optional<std::string> {
        json character = json::parse(text);
        if (!character.contains("legacy_id")) return std::nullopt;  // the object as it is
        character["id"] = character["legacy_id"];
        return character.dump();
      });
  return registry;
}

// A model says what there is and which JSON key feeds what; a context holds the objects.

groot::context open_comics(const char *path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error(std::string("cannot read ") + path);
  std::string document(std::istreambuf_iterator<char>(file), {});
  return groot::context(groot::mapping(groot::model(document), make_registry()));
}

std::string names(const groot::objects &objects) {
  std::string names;
  for (groot::object object : objects)
    names += (names.empty() ? "" : ", ") + object["name"].text_or("not known yet");
  return names;
}

void describe(groot::object hero) {
  std::cout << "   " << hero["name"].text() << " (" << hero["realName"].text_or("nobody knows")
            << "), " << hero.to_one("publisher")["name"].text() << ": "
            << names(hero.members("powers")) << "\n";
}

void describe(groot::context &comics) {
  std::cout << "   " << comics.count("Character") << " characters, " << comics.count("Power")
            << " powers, " << comics.count("Publisher") << " publishers\n";
}

void tour(groot::context &comics) {
  std::cout << "1. Import a hero with everything that belongs to him\n";
  groot::object batman = comics.import_text("Character", R"({
    "id": "1699", "name": "Batman",
    "powers": [{"id": "4", "name": "Agility"}, {"id": "9", "name": "Insanely Rich"}],
    "publisher": {"id": "10", "name": "DC Comics"}
  })").front();
  describe(batman);
  describe(comics);

  std::cout << "2. Import the same id again: the same object is updated\n";
  groot::object again =
      comics.import_text("Character", R"({"id": "1699", "real_name": "Bruce Wayne"})").front();
  std::cout << "   the same object: " << (again == batman ? "yes" : "no") << "\n";
  describe(batman);
  describe(comics);

  std::cout << "3. Import a sidekick whose powers and publisher are mere ids\n";
  groot::object robin = comics.import_text("Character", R"({
    "id": "1700", "name": "Robin", "real_name": "Tim Drake",
    "powers": ["4", "12"], "publisher": "10"
  })").front();
  describe(robin);
  describe(comics);

  std::cout << "4. Import the power that was missing: every link is in place\n";
  comics.import_text("Power", R"([{"id": "12", "name": "Bo Staff"}])");
  describe(robin);
  groot::object publisher = batman.to_one("publisher");
  std::cout << "   " << publisher["name"].text() << " publishes "
            << names(publisher.members("characters")) << "\n";

  std::cout << "5. Import old JSON, which a function brings up to date first\n";
  groot::object alfred =
      comics.import_text("Character", R"({"legacy_id": "1701", "name": "Alfred"})").front();
  std::cout << "   " << alfred["name"].text() << " has the id " << alfred["identifier"].integer()
            << "\n";

  std::cout << "6. Import messages, whose entity a function finds\n";
  groot::objects messages = comics.import_text("Message", R"([
    {"id": 1, "type": "text", "text": "Hello there!"},
    {"id": 2, "type": "picture", "image_url": "https://example.com/signal.jpg"}
  ])");
  for (groot::object message : messages) {
    bool is_text = message.entity() == "TextMessage";
    std::cout << "   " << message.entity() << " " << message["identifier"].integer() << ": "
              << message[is_text ? "text" : "imageURL"].text() << "\n";
  }

  std::cout << "7. Import a mistake: nothing changes, and the error says where it is\n";
  try {
    comics.import_text("Character",
                  R"([{"id": "1702", "name": "Joker"}, {"id": "1699", "powers": "none"}])");
  } catch (const groot::error &error) {
    const groot::issue &issue = error.issues().front();
    std::cout << "   refused: " << issue.entity << "." << issue.property << " at " << issue.path
              << "\n";
  }
  describe(comics);

  std::cout << "8. Export\n";
  std::cout << "   " << comics.export_text(batman) << "\n";
}

}  // namespace

int main(int argc, char **argv) {
  try {
    groot::context comics = open_comics(argc > 1 ? argv[1] : "examples/comics.json");
    tour(comics);
  } catch (const std::exception &error) {
    std::cerr << error.what() << "\n";
    return 1;
  }
}
