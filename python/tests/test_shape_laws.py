"""Laws of the shapes of feeds, on random models and JSON.

Each model maps all of its JSON, so an export is the JSON that was imported.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

import groot

SEEDS = range(60)

Members = dict[str, Any]


class Feed:
    """A random model, and JSON of it."""

    def __init__(self, seed: int) -> None:
        """Make the model and some records."""
        self.chance = random.Random(seed)  # noqa: S311 - it need not be secret
        self.entities: Members = {}
        self.makers: dict[str, list[Any]] = {}
        self.numbers = 0
        self.entity("Top", ["id"], depth=0)
        self.records = [self.record("Top", number) for number in range(self.chance.randint(1, 5))]

    def some(self, *choices: Any) -> Any:
        """Return a random value of several."""
        return self.chance.choice(choices)

    def name(self, prefix: str) -> str:
        """Return an unused name."""
        self.numbers += 1
        return f"{prefix}{self.numbers}"

    # Models

    def entity(self, name: str, identity: list[str], depth: int, owner: str | None = None) -> None:
        """Add an entity with random properties."""
        described: Members = {"attributes": {}, "relationships": {}, "userInfo": {}}
        described["userInfo"]["identityAttributes"] = ", ".join(identity)
        self.entities[name] = described
        self.makers[name] = []
        if "id" in identity:
            described["attributes"]["id"] = {
                "type": "integer64",
                "userInfo": {"JSONKeyPath": "id"},
            }
        if owner is not None:
            described["relationships"]["owner"] = {
                "destination": owner,
                "inverse": f"to{name}",
                "optional": True,
            }
        for _ in range(self.chance.randint(0, 4)):
            self.attribute(name)
        if depth < 2:
            for _ in range(self.chance.randint(0, 3)):
                self.collection(name, depth)
        if self.chance.random() < 0.3:
            self.reference(name)
        if self.chance.random() < 0.4:
            self.rest(name)

    def add(self, entity: str, path: str, type: str = "string", **annotations: str) -> str:
        """Add an attribute at a path."""
        name = self.name("a")
        self.entities[entity]["attributes"][name] = {
            "type": type,
            "optional": True,
            "userInfo": {"JSONKeyPath": path, **annotations},
        }
        return name

    def scalar(self) -> Any:
        """Return a text, or often None."""
        return self.some(None, "", "x", "\u00e9\U0001f600", 'a "b" \\', str(self.chance.random()))

    def attribute(self, entity: str) -> None:
        """Add an attribute, or several in one array or object."""
        key = self.name("k")
        kind = self.some("plain", "escaped", "nested", "positions", "wrapped", "json")
        if kind == "plain":
            self.add(entity, key)
            self.makers[entity].append(lambda record: record.update({key: self.scalar()}))
        elif kind == "escaped":
            self.add(entity, f"\\@{key}\\.b\\[0]")
            self.makers[entity].append(
                lambda record: record.update({f"@{key}.b[0]": self.scalar()})
            )
        elif kind == "nested":
            self.add(entity, f"{key}.x")
            self.add(entity, f"{key}.y[1].z")
            self.makers[entity].append(
                lambda record: record.update(
                    {key: {"x": self.scalar(), "y": [None, {"z": self.scalar()}]}}
                )
            )
        elif kind == "positions":
            count = self.chance.randint(1, 4)
            for position in range(count):
                self.add(entity, f"{key}[{position}]")
            self.makers[entity].append(
                lambda record: record.update({key: [self.scalar() for _ in range(count)]})
            )
        elif kind == "wrapped":
            self.add(entity, f"{key}[].x.y", "transformable")
            self.makers[entity].append(
                lambda record: record.update(
                    {key: [{"x": {"y": self.scalar()}} for _ in range(self.some(0, 1, 3))]}
                )
            )
        else:
            self.add(entity, key, "transformable")
            self.makers[entity].append(
                lambda record: record.update({key: self.some(None, [1, {"a": []}], 1.5, {})})
            )

    def reference(self, entity: str) -> None:
        """Add a to-one relationship whose identifier and kind are two values of the record."""
        base, key, kind = self.name("E"), self.name("k"), self.name("t")
        kinds = [f"{base}a", f"{base}b"]
        self.entities[base] = {"abstract": True, "userInfo": {"groot.discriminator": "of"}}
        for name in kinds:
            self.entities[name] = {
                "parent": base,
                "userInfo": {"identityAttributes": "number"},
                "attributes": {
                    "number": {"type": "integer64", "userInfo": {"JSONKeyPath": "number"}}
                },
            }
        self.entities[entity]["relationships"][self.name("r")] = {
            "destination": base,
            "optional": True,
            "userInfo": {"JSONKeyPath": key, "groot.discriminator": kind},
        }

        def refer(record: Members) -> None:
            number = self.some(None, 1, 2)
            record[key] = number
            record[kind] = None if number is None else self.some(*kinds)

        self.makers[entity].append(refer)

    def rest(self, entity: str) -> None:
        """Add an attribute for unmapped keys, and such keys."""
        self.add(entity, "@rest", "transformable")

        def fill(record: Members) -> None:
            for _ in range(self.chance.randint(0, 2)):
                record[self.name("unknown")] = self.some(None, 1, {"deep": [None]})
            for value in list(record.values()):
                if isinstance(value, dict) and "x" in value and self.chance.random() < 0.5:
                    value[self.name("unknown")] = "left"

        self.makers[entity].append(fill)

    def collection(self, entity: str, depth: int) -> None:
        """Add a relationship to a new entity."""
        member, key = self.name("M"), self.name("k")
        form = self.some(
            *("array", "wrapped", "edges", "keyed", "grouped", "positions", "again"),
            *("scalars", "one", "partial"),
        )
        path = f"{key}.edges[].node" if form in ("wrapped", "edges") else key
        annotations = {"JSONKeyPath": path}
        if form in ("keyed", "grouped"):
            annotations["groot.form"] = form
        identity = {
            "keyed": ["owner", "key"],
            "grouped": ["owner", "key", "index"],
            "positions": ["owner", "index"],
            "again": ["owner", "index"],
            "one": ["owner"],
        }.get(form, ["id"])
        is_owned = "owner" in identity
        link: Members = {"destination": member, "optional": True, "userInfo": annotations}
        if form != "one":
            link |= {"toMany": True, "ordered": True}
        if is_owned:
            link["inverse"] = "owner"
        name = f"to{member}"
        self.entities[entity]["relationships"][name] = link
        if form == "scalars":
            self.scalars(member)
        elif form == "again":
            self.again(member, entity)
        else:
            self.entity(member, identity, depth + 1, entity if is_owned else None)
        attributes = self.entities[member]["attributes"]
        if form == "edges":
            for around in ("cursor", "role"):
                self.add(member, f"@parent.{around}")
        if form == "partial":
            written = [*attributes, *self.entities[member]["relationships"]]
            annotations["groot.exportProperties"] = ", ".join(written)
        for place, type in (("key", "string"), ("index", "integer32")):
            if place in identity:
                attributes[place] = {"type": type, "userInfo": {"JSONKeyPath": f"@{place}"}}
        self.makers[entity].append(lambda record: record.update(self.listed(form, key, member)))

    def scalars(self, name: str) -> None:
        """Add an entity whose objects are scalars or objects."""
        self.entities[name] = {
            "userInfo": {"identityAttributes": "text"},
            "attributes": {
                "text": {
                    "type": "string",
                    "userInfo": {"JSONKeyPath": "@value", "groot.alternatives": "text"},
                },
                "more": {"type": "string", "optional": True, "userInfo": {"JSONKeyPath": "more"}},
            },
        }
        self.makers[name] = []

    def again(self, name: str, owner: str) -> None:
        """Add an entity whose objects refer to those of another, once for each occurrence."""
        place = {"type": "integer32", "userInfo": {"JSONKeyPath": "@index"}}
        self.entities[name] = {
            "userInfo": {"identityAttributes": "owner, index"},
            "attributes": {"index": place},
            "relationships": {
                "owner": {"destination": owner, "inverse": f"to{name}", "optional": True},
                "what": {
                    "destination": f"{name}Node",
                    "optional": True,
                    "userInfo": {"JSONKeyPath": "@value"},
                },
            },
        }
        self.entities[f"{name}Node"] = {
            "userInfo": {"identityAttributes": "number"},
            "attributes": {"number": {"type": "integer64", "userInfo": {"JSONKeyPath": "number"}}},
        }
        self.makers[name] = []

    # JSON

    def record(self, entity: str, number: int | None) -> Members:
        """Make a record; `number` is its id, if there is one."""
        record: Members = {} if number is None else {"id": number}
        for make in self.makers[entity]:
            make(record)
        return record

    def listed(self, form: str, key: str, member: str) -> Members:
        """Make the JSON of some members."""
        count = self.some(0, 1, 2, 4)

        def numbered() -> Members:
            self.numbers += 1
            return self.record(member, self.numbers)

        def unnumbered() -> Members:
            return self.record(member, None)

        if form in ("array", "partial"):
            return {key: [numbered() for _ in range(count)]}
        if form == "wrapped":
            return {key: {"edges": [{"node": numbered()} for _ in range(count)]}}
        if form == "edges":
            return {key: {"edges": [self.edge(numbered()) for _ in range(count)]}}
        if form == "again":
            return {key: [self.some(1, 2, 3) for _ in range(count)]}
        if form == "keyed":
            keys = self.chance.sample(["", "en", "a.b", "@x", "\u00e9", "0", "@rest"], count)
            return {key: {name: unnumbered() for name in keys}}
        if form == "grouped":
            keys = self.chance.sample(["P31", "", "2", "x y", "[]"], count)
            return {key: {k: [unnumbered() for _ in range(self.some(1, 3))] for k in keys}}
        if form == "positions":
            return {key: [unnumbered() for _ in range(count)]}
        if form == "one":
            return {key: unnumbered() if count else None}
        return {key: [self.tag() for _ in range(count)]}

    def edge(self, node: Members) -> Members:
        """Make the object around a member, which may have further values."""
        around = {"cursor": self.name("c"), "role": self.some("", "x")}
        return {"node": node, **{key: around[key] for key in around if self.some(True, False)}}

    def tag(self) -> Any:
        """Make a scalar, or sometimes an object with further members."""
        text = self.name("tag")
        return text if self.chance.random() < 0.7 else {"text": text, "more": "m"}

    def mapping(self) -> groot.Mapping:
        """Compile the model."""
        return groot.Mapping(groot.Model({"entities": self.entities}))


def exported(context: groot.Context) -> list[Any]:
    """Export all records in the order of their ids."""
    return context.dump(context.fetch("Top", sort="id"))


def check_unchanged(context: groot.Context, feed: Feed) -> None:
    """Import existing objects again, from the original JSON and from their export."""
    for data in (feed.records, exported(context)):
        report = groot.report(context.load("Top", data))
        assert (report.inserted, report.updated, report.deleted) == (0, 0, 0)
        assert not report.issues


@pytest.mark.parametrize("seed", SEEDS)
def test_export_is_what_was_imported(seed: int) -> None:
    """An export equals the import, in any order of records, and importing it changes nothing."""
    feed = Feed(seed)
    context = groot.Context(feed.mapping())
    context.load("Top", feed.records)
    assert exported(context) == feed.records
    check_unchanged(context, feed)
    other = groot.Context(feed.mapping())
    other.load("Top", feed.records[::-1])
    assert exported(other) == feed.records
    context.load("Top", [feed.record("Top", record["id"]) for record in feed.records])
    context.load("Top", feed.records, policies={"assignment": "deleteMissing"})
    if not any("@rest" in str(entity) for entity in feed.entities.values()):
        assert exported(context) == feed.records


@pytest.mark.parametrize("seed", SEEDS[::3])
def test_store_is_what_was_imported(seed: int, tmp_path: Path) -> None:
    """The same is true of a store that is opened again."""
    feed = Feed(seed)
    path = tmp_path / "feed.store"
    with groot.Context(feed.mapping(), path) as context:
        context.load("Top", feed.records)
        context.save()
    with groot.Context(feed.mapping(), path) as context:
        check_unchanged(context, feed)
        assert exported(context) == feed.records
