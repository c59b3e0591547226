"""A tour of Groot from Python: JSON to a linked graph of objects, and back.

Run it from the top of the repository, after `make`:

    PYTHONPATH=python python3 examples/python/tour.py

The same tour in C and in Swift prints the same lines (../expected-tour.txt).
"""

from pathlib import Path
from typing import Any

import groot

# The names that the model mentions.

registry = groot.Registry()
registry.transformer("StringToInteger", int, reverse=str)


@registry.entity_mapper("MessageMapper")
def message(json: dict[str, Any]) -> Any:
    return {"text": "TextMessage", "picture": "PictureMessage"}.get(json.get("type", ""))


@registry.dictionary_transformer("LegacyCharacter")
def upgrade(json: dict[str, Any]) -> Any:
    if "legacy_id" not in json:
        return None  # the object as it is
    return {**json, "id": json["legacy_id"]}


# A model says what there is and which JSON key feeds what; a context holds the objects.

model = groot.Model.load(Path(__file__).parent.parent / "comics.json")
comics = groot.Context(groot.Mapping(model, registry=registry))


def describe(hero: groot.Object) -> None:
    powers = ", ".join(power.name or "not known yet" for power in hero.powers)
    print(f"   {hero.name} ({hero.realName or 'nobody knows'}), {hero.publisher.name}: {powers}")


def describe_graph() -> None:
    characters, powers, publishers = map(comics.count, ("Character", "Power", "Publisher"))
    print(f"   {characters} characters, {powers} powers, {publishers} publishers")


print("1. Import a hero with everything that belongs to him")
batman = comics.load(
    "Character",
    {
        "id": "1699",
        "name": "Batman",
        "powers": [{"id": "4", "name": "Agility"}, {"id": "9", "name": "Insanely Rich"}],
        "publisher": {"id": "10", "name": "DC Comics"},
    },
)
describe(batman)
describe_graph()

print("2. Import the same id again: the same object is updated")
again = comics.load("Character", '{"id": "1699", "real_name": "Bruce Wayne"}')
print("   the same object:", "yes" if again == batman else "no")
describe(batman)
describe_graph()

print("3. Import a sidekick whose powers and publisher are mere ids")
robin = comics.load(
    "Character",
    {
        "id": "1700",
        "name": "Robin",
        "real_name": "Tim Drake",
        "powers": ["4", "12"],
        "publisher": "10",
    },
)
describe(robin)
describe_graph()

print("4. Import the power that was missing: every link is in place")
comics.load("Power", [{"id": "12", "name": "Bo Staff"}])
describe(robin)
heroes = ", ".join(hero.name for hero in batman.publisher.characters)
print(f"   {batman.publisher.name} publishes {heroes}")

print("5. Import old JSON, which a function brings up to date first")
alfred = comics.load("Character", {"legacy_id": "1701", "name": "Alfred"})
print(f"   {alfred.name} has the id {alfred.identifier}")

print("6. Import messages, whose entity a function finds")
text, picture = comics.load(
    "Message",
    [
        {"id": 1, "type": "text", "text": "Hello there!"},
        {"id": 2, "type": "picture", "image_url": "https://example.com/signal.jpg"},
    ],
)
print(f"   {groot.entity_name(text)} {text.identifier}: {text.text}")
print(f"   {groot.entity_name(picture)} {picture.identifier}: {picture.imageURL}")

print("7. Import a mistake: nothing changes, and the error says where it is")
try:
    comics.load("Character", [{"id": "1702", "name": "Joker"}, {"id": "1699", "powers": "none"}])
except groot.Error as error:
    issue = error.issues[0]
    print(f"   refused: {issue.entity}.{issue.property} at {issue.path}")
describe_graph()

print("8. Export")
print("  ", comics.dumps(batman))
