"""Two feeds of the same people, and no annotations: naming conventions, and rules beside the model.

Run it from the top of the repository, after `make`:

    PYTHONPATH=python python3 examples/python/feeds.py

It prints what ../expected-feeds.txt has.
"""

from typing import Any

import groot


def attributes(**types: str) -> dict[str, Any]:
    return {name: {"type": type, "optional": True} for name, type in types.items()}


def related(to: str, inverse: str, many: bool = False) -> dict[str, Any]:
    return {"destination": to, "inverse": inverse, "toMany": many, "optional": True}


model = groot.Model(
    {
        "entities": {
            "Person": {
                "attributes": attributes(
                    id="integer32",
                    firstName="string",
                    lastName="string",
                    birthdate="date",
                    createdAt="date",
                    likesCoffee="boolean",
                    hobbies="binary",
                ),
                "relationships": {"notes": related("Note", "person", many=True)},
            },
            "Note": {
                "attributes": attributes(id="integer32", text="string"),
                "relationships": {"person": related("Person", "notes")},
            },
        }
    }
)


def describe(context: groot.Context) -> None:
    for person in context.fetch("Person", sort="id"):
        coffee = {True: "coffee", False: "no coffee", None: "coffee?"}[person.likesCoffee]
        notes = ", ".join(note.text for note in person.notes) or "no notes"
        print(f"   {person['id']} {person.firstName} {person.lastName}: {coffee}, {notes}")


print("1. A feed that follows the naming conventions")
people = groot.Context(groot.Mapping(model, dialect="hyper"))
people.load(
    "Person",
    [
        {
            "id": 1,
            "first_name": "John",
            "last_name": "Doe",
            "birthdate": "2001-01-01",
            "created_at": "1441843200",
            "hobbies": ["football", "code"],
            "notes": [{"id": 1, "text": "buy milk"}, {"id": 2, "text": "call Ann"}],
        },
        {"id": 2, "firstName": "Ann", "lastName": "Onymous", "likes_coffee": "yes"},
    ],
)
describe(people)
john, ann = people.fetch("Person", sort="id")
print(f"   John is there since {john.createdAt:%d %B %Y} and likes {john.hobbies.decode()}")

print("2. A value that is none: the old one stays, the report says so")
smith = people.load("Person", {"id": 1, "created_at": "soon", "last_name": "Smith"})
report = groot.report(smith)
print(f"   {report.issues[0].path}; {john.lastName}, {john.createdAt.year}")

print("3. The three styles of relationships")
for style in ("none", "array", "nested"):
    only = ["firstName", "notes"]
    print(f"   {style}: {people.dumps(john, properties=only, relationships=style)}")

print("4. Synchronization: what the feed no longer has is deleted")
listed = [
    {"id": 1, "notes": [{"id": 2, "text": "call Bob"}]},
    {"id": 3, "first_name": "Bob", "last_name": "Ross"},
]
unclear = people.sync("Person", [*listed, {"first_name": "somebody"}], dry_run=True)
print(f"   {unclear.issues[0].path} has no key: {len(unclear.withheld)} objects would stay")
report = people.sync("Person", listed)
print(f"   {report.inserted} inserted, {report.updated} updated, {report.deleted} deleted")
describe(people)

print("5. A feed of another shape, by rules, into the same objects")
registry = groot.Registry()
registry.transformer(
    "SlashDate",
    lambda text: text.replace("/", "-"),
    reverse=lambda text: text[:10].replace("-", "/"),
)
rules = {
    "person, people": {
        "Person.id": {
            "number": "id",
            "name1": "firstName",
            "name2": "lastName",
            "caffeine": "likesCoffee",
            "bday": "SlashDate:birthdate",
            "remarks": {"notes.id": {"no": "id", "what": "text"}},
        }
    }
}
feed = groot.Mapping(model, registry, "kvc", rules=rules)
loaded = people.load(
    None,
    {
        "people": [{"number": "1", "caffeine": 1, "bday": "2001/01/02"}],
        "person": {
            "number": 4,
            "name1": "Ann",
            "name2": "Onymous",
            "bday": "1981/10/23",
            "remarks": {"no": 7, "what": "paint"},
        },
        "planets": [{"name": "Earth"}],
    },
    mapping=feed,
    access=True,
)
print(f"   the same John: {'yes' if loaded[0] == john else 'no'}")
describe(people)
others = [person.firstName for person in groot.report(loaded).unaccessed["Person"]]
print(f"   not in this feed: {', '.join(others)}")

print("6. Export in either shape")
print("  ", people.dumps(loaded[1], relationships="none", exclude=["hobbies"]))
print("  ", people.dumps(loaded[1], mapping=feed))
print("  ", people.dumps(loaded[1], mapping=feed, subobjects=True))
