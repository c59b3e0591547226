"""The counts in the progress of an import: objects inserted, updated and unchanged so far."""

from __future__ import annotations

from typing import Any

from heroes import COUNT, HEROES, MAPPING

import groot

#: The number of records after which a call reports progress.
STEP = 1024

BOXES = {
    "entities": {
        "Item": {
            "userInfo": {"identityAttributes": "id"},
            "attributes": {"id": {"type": "integer64", "userInfo": {"JSONKeyPath": "id"}}},
        },
        "Toy": {"parent": "Item"},
        "Box": {
            "relationships": {
                "items": {
                    "destination": "Item",
                    "toMany": True,
                    "optional": True,
                    "userInfo": {"JSONKeyPath": "items"},
                }
            }
        },
    }
}


def counts(context: groot.Context, entity: str, records: list[Any]) -> list[tuple[int, int, int]]:
    """Import, and return the counts after each step: inserted, updated and unchanged."""
    told: list[groot.Progress] = []
    context.progress = told.append
    context.load(entity, records)
    context.progress = None
    imports = [at for at in told if at.operation == "import"]
    return [(at.inserted, at.updated, at.unchanged) for at in imports]


def heroes(word: str) -> list[dict[str, Any]]:
    return [{"id": number, "name": f"{word} {number}"} for number in range(2 * STEP)]


def test_earlier_imports_are_not_counted_again() -> None:
    with groot.Context(MAPPING) as context:
        steps = range(1, 3)
        assert counts(context, "Hero", heroes("a"))[:2] == [(STEP * n, 0, 0) for n in steps]
        assert counts(context, "Hero", heroes("b"))[:2] == [(0, STEP * n, 0) for n in steps]
        assert counts(context, "Hero", heroes("b"))[:2] == [(0, 0, STEP * n) for n in steps]
        assert counts(context, "Hero", heroes("c"))[:2] == [(0, STEP * n, 0) for n in steps]


def test_an_object_that_becomes_one_of_a_sub_entity_is_updated() -> None:
    with groot.Context(groot.Mapping(groot.Model(BOXES))) as context:
        ids = list(range(STEP))
        context.load("Box", {"items": ids})
        assert context.count("Item") == STEP
        assert counts(context, "Toy", [{"id": number} for number in ids])[0] == (0, STEP, 0)
        assert context.count("Toy") == STEP
        assert counts(context, "Toy", [{"id": number} for number in ids])[0] == (0, 0, STEP)


def test_calls_tell_after_each_step() -> None:
    whole_steps = list(range(STEP, COUNT, STEP))
    with groot.Context(MAPPING) as context:
        told: list[groot.Progress] = []
        context.progress = told.append
        context.load("Hero", HEROES)
        context.dump(context.fetch("Hero", {"name": {"contains": "hero"}}))

        def records(operation: str) -> list[int]:
            return [at.records for at in told if at.operation == operation]

        assert records("import") == [*whole_steps, COUNT]
        assert records("fetch") == whole_steps
        assert records("export") == whole_steps
