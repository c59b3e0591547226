// A tour of Groot from Java: JSON to a linked graph of objects, and back.
//
// Run it from the top of the repository, after `make`, with JNA and, to read JSON, Gson
// (Debian: libjna-java, libgoogle-gson-java):
//
//     export CLASSPATH=/usr/share/java/jna.jar:/usr/share/java/gson.jar:build/tour
//     javac -d build/tour examples/java/*.java
//     LD_LIBRARY_PATH=build/lib java Tour examples/comics.json

import com.google.gson.Gson;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

final class Tour {
  private final Groot.Context comics;

  private Tour(Groot.Context comics) {
    this.comics = comics;
  }

  /** The names that the model mentions: functions from one JSON value to another. */
  private static void register(Groot.Registry registry) {
    registry.transformer(
        "StringToInteger",
        json -> Long.toString(Long.parseLong(JsonParser.parseString(json).getAsString())),
        number -> new Gson().toJson(number));
    registry.entityMapper(
        "MessageMapper",
        json -> {
          JsonObject message = JsonParser.parseString(json).getAsJsonObject();
          return switch (message.get("type").getAsString()) {
            case "text" -> "\"TextMessage\"";
            case "picture" -> "\"PictureMessage\"";
            default -> null;
          };
        });
    registry.dictionaryTransformer(
        "LegacyCharacter",
        json -> {
          JsonObject character = JsonParser.parseString(json).getAsJsonObject();
          if (!character.has("legacy_id")) return null; // the object as it is
          character.add("id", character.get("legacy_id"));
          return character.toString();
        });
  }

  private static String names(List<Groot.Obj> objects) {
    return objects.stream()
        .map(object -> object.text("name").orElse("not known yet"))
        .collect(Collectors.joining(", "));
  }

  private static void describe(Groot.Obj hero) {
    System.out.printf(
        "   %s (%s), %s: %s%n",
        hero.text("name").orElse(""),
        hero.text("realName").orElse("nobody knows"),
        hero.toOne("publisher").flatMap(publisher -> publisher.text("name")).orElse("nobody"),
        names(hero.members("powers")));
  }

  private void describeGraph() {
    System.out.printf(
        "   %d characters, %d powers, %d publishers%n",
        comics.count("Character"), comics.count("Power"), comics.count("Publisher"));
  }

  private void run() {
    System.out.println("1. Import a hero with everything that belongs to him");
    Groot.Obj batman =
        comics.load("Character", """
            {
              "id": "1699", "name": "Batman",
              "powers": [{"id": "4", "name": "Agility"}, {"id": "9", "name": "Insanely Rich"}],
              "publisher": {"id": "10", "name": "DC Comics"}
            }""").get(0);
    describe(batman);
    describeGraph();

    System.out.println("2. Import the same id again: the same object is updated");
    Groot.Obj again =
        comics.load("Character", """
            {"id": "1699", "real_name": "Bruce Wayne"}""").get(0);
    System.out.println("   the same object: " + (again.equals(batman) ? "yes" : "no"));
    describe(batman);
    describeGraph();

    System.out.println("3. Import a sidekick whose powers and publisher are mere ids");
    Groot.Obj robin =
        comics.load("Character", """
            {
              "id": "1700", "name": "Robin", "real_name": "Tim Drake",
              "powers": ["4", "12"], "publisher": "10"
            }""").get(0);
    describe(robin);
    describeGraph();

    System.out.println("4. Import the power that was missing: every link is in place");
    comics.load("Power", """
        [{"id": "12", "name": "Bo Staff"}]""");
    describe(robin);
    Groot.Obj publisher = batman.toOne("publisher").orElseThrow();
    System.out.printf(
        "   %s publishes %s%n",
        publisher.text("name").orElse(""), names(publisher.members("characters")));

    System.out.println("5. Import old JSON, which a function brings up to date first");
    Groot.Obj alfred =
        comics.load("Character", """
            {"legacy_id": "1701", "name": "Alfred"}""").get(0);
    System.out.printf(
        "   %s has the id %d%n",
        alfred.text("name").orElse(""), alfred.integer("identifier").orElse(0L));

    System.out.println("6. Import messages, whose entity a function finds");
    List<Groot.Obj> messages =
        comics.load("Message", """
            [
              {"id": 1, "type": "text", "text": "Hello there!"},
              {"id": 2, "type": "picture", "image_url": "https://example.com/signal.jpg"}
            ]""");
    for (Groot.Obj message : messages) {
      String content = message.entity().equals("TextMessage") ? "text" : "imageURL";
      System.out.printf(
          "   %s %d: %s%n",
          message.entity(), message.integer("identifier").orElse(0L),
          message.text(content).orElse(""));
    }

    System.out.println("7. Import a mistake: nothing changes, and the error says where it is");
    try {
      comics.load("Character", """
          [{"id": "1702", "name": "Joker"}, {"id": "1699", "powers": "none"}]""");
    } catch (Groot.Failure failure) {
      Groot.Issue issue = failure.issues.get(0);
      System.out.printf(
          "   refused: %s.%s at %s%n", issue.entity(), issue.property(), issue.path());
    }
    describeGraph();

    System.out.println("8. Export");
    System.out.println("   " + batman.export());
  }

  /** A model says what there is and which JSON key feeds what; a context holds the objects. */
  public static void main(String[] arguments) throws IOException {
    String document = Files.readString(Path.of(arguments[0]));
    try (Groot.Registry registry = new Groot.Registry()) {
      register(registry);
      try (Groot.Context comics = new Groot.Context(document, registry)) {
        new Tour(comics).run();
      }
    }
  }
}
