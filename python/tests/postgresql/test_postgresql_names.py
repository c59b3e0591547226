"""Names of entities and properties that attack the SQL of a store."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from servers import Server

import groot
from postgresql import hostile_names
from postgresql.hostile_names import NAMES, SOME
from postgresql.invariants import orphans, references


def mapping_of(model: Any) -> groot.Mapping:
    return groot.Mapping(groot.Model(model))


def with_more(model: Any) -> Any:
    """Return a model to which stores are migrated: their tables are made anew."""
    model = copy.deepcopy(model)
    for entity in model["entities"].values():
        entity["attributes"]["added"] = hostile_names.attribute("integer64")
    return model


def values(context: groot.Context) -> list[Any]:
    """Return all attributes of all objects, and the numbers of all linked objects."""
    found: list[Any] = []
    for name, entity in context.mapping.model.document["entities"].items():
        for one in context.fetch(name, sort="number"):
            found.append([name, *(one[attribute] for attribute in entity["attributes"])])
            for relationship, about in entity.get("relationships", {}).items():
                linked = one[relationship]
                if about.get("toMany"):
                    numbers = [other["number"] for other in linked]
                    found.append(numbers if about.get("ordered") else sorted(numbers))
                else:
                    found.append(linked and linked["number"])
    return found


def fill_entities(context: groot.Context) -> None:
    for number, name in enumerate(NAMES):
        context.insert(name, **{"number": number, name: f"value of {name}"})


def fill_attributes(context: groot.Context) -> None:
    for number in range(3):
        context.insert("Thing", number=number, **{name: f"{name} {number}" for name in NAMES})


def fill_references(context: groot.Context) -> None:
    others = [context.insert("Other", number=number) for number in range(5)]
    for number in range(3):
        thing = context.insert("Thing", number=number)
        for place, name in enumerate(SOME):
            thing[name] = others[(number + place) % 5]


def fill_links(context: groot.Context) -> None:
    others = [context.insert("Other", number=number) for number in range(5)]
    for number in range(3):
        thing = context.insert("Thing", number=number)
        for place, name in enumerate(SOME):
            thing[name] = [others[(number + place) % 5], others[(number + 1) % 5]]


MODELS = {
    "entities": (hostile_names.entities_of_all_names, fill_entities),
    "attributes": (hostile_names.attributes_of_all_names, fill_attributes),
    "references": (hostile_names.references_of_some_names, fill_references),
    "links": (hostile_names.links_of_some_names, fill_links),
}


@pytest.mark.parametrize("kind", MODELS)
def test_hostile_names_are_names(server: Server, schema: str, store: str, kind: str) -> None:
    """A store has all that a context in memory has: saved, changed, migrated, deleted."""
    make, fill = MODELS[kind]
    model = make()
    mapping = mapping_of(model)
    with groot.Context(mapping) as memory:
        fill(memory)
        memory.save()
        expected = values(memory)
    with groot.Context(mapping, store=store) as context:
        fill(context)
        context.save()
    with groot.Context(mapping, store=store) as context:
        assert values(context) == expected
        context.check()
    with groot.Context(mapping_of(with_more(model)), store=store) as context:
        without = [
            row[:-1] if isinstance(row, list) and row and isinstance(row[0], str) else row
            for row in values(context)
        ]
        assert without == expected
        for entity in model["entities"]:
            for one in context.fetch(entity):
                one["added"] = one["number"]
        context.save()
        for entity in model["entities"]:
            (first, *_) = context.fetch(entity, sort="number")
            context.delete(first)
        context.save()
        context.check()
        left = values(context)
    with groot.Context(mapping_of(with_more(model)), store=store) as context:
        assert values(context) == left
        assert len(left) < len(expected)
    keys = references(server, schema)
    assert orphans(server, schema, keys) == 0
    assert (len(keys) >= len(SOME)) == (kind in ("references", "links"))


def test_queries_by_hostile_names_find_what_memory_finds(store: str) -> None:
    mapping = mapping_of(hostile_names.attributes_of_all_names())
    with groot.Context(mapping) as memory, groot.Context(mapping, store=store) as context:
        for one in (memory, context):
            fill_attributes(one)
            one.save()
            one.refresh()
        for name in NAMES:
            if name in ("and", "or", "not"):
                # In a predicate these join others.
                continue
            for where in (
                {name: f"{name} 1"},
                {name: {"endsWith": " 2"}},
                {name: {"in": [f"{name} 0", "'; --", '"']}},
            ):
                # A minus before a name means the other direction.
                order = "number" if name.startswith("-") else name
                found = [one["number"] for one in memory.fetch("Thing", where, sort=order)]
                assert [one["number"] for one in context.fetch("Thing", where, sort=order)] == found
                assert len(found) == 1
            if not name.startswith("-"):
                assert context.distinct("Thing", name) == memory.distinct("Thing", name)


def test_names_that_the_server_would_make_one_stay_two(
    server: Server, schema: str, store: str
) -> None:
    """Names are cut at 63 bytes, and have a table or a column each."""
    with groot.Context(mapping_of(hostile_names.entities_of_all_names()), store=store):
        pass
    tables = server.psql(f"SELECT count(*) FROM pg_tables WHERE schemaname = '{schema}'")
    assert int(tables) == len(NAMES) + 1
    longest = f"SELECT max(octet_length(tablename)) FROM pg_tables WHERE schemaname = '{schema}'"
    assert server.psql(longest) == "63"
    assert len(set(NAMES)) == len(NAMES)
