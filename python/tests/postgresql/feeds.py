"""A model, feeds that overlap, and the program of a process that brings them into a store.

Each writer counts, writes pairs of objects that agree, imports and synchronizes teams with heroes,
and prints how often it counted.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import groot
from groot import Status

COUNTERS = 3
PAIRS = 4
TEAMS = 5
HEROES = 40
ATTEMPTS = 500
"""More than any fair run of these writers needs; one that never gets through must end, too."""
ALL = {"id": {">=": 0}}
"""A scope with heroes that have a friend, too; without one a sync looks at roots only."""
OF_OTHERS = (Status.STORE_CONFLICT, Status.STORE_DUPLICATE)


def attribute(kind: str, **more: Any) -> dict[str, Any]:
    return {"type": kind, "optional": True, **more}


def entity(attributes: dict[str, str], **relationships: dict[str, Any]) -> dict[str, Any]:
    return {
        "userInfo": {"identityAttributes": "id"},
        "attributes": {name: attribute(kind) for name, kind in attributes.items()},
        "relationships": {
            name: {"optional": True, **relationship} for name, relationship in relationships.items()
        },
    }


MODEL: dict[str, Any] = {
    "entities": {
        "Counter": entity({"id": "integer64", "value": "integer64"}),
        "Left": entity({"id": "integer64", "stamp": "string"}),
        "Right": entity({"id": "integer64", "stamp": "string"}),
        "Team": entity(
            {"id": "integer64", "name": "string"},
            heroes={"destination": "Hero", "toMany": True, "inverse": "teams"},
            leads={"destination": "Hero", "inverse": "leader"},
        ),
        "Hero": entity(
            {"id": "integer64", "name": "string"},
            teams={"destination": "Team", "toMany": True, "inverse": "heroes"},
            leader={"destination": "Team", "toMany": True, "inverse": "leads"},
            friend={"destination": "Hero", "inverse": "friends"},
            friends={"destination": "Hero", "toMany": True, "ordered": True, "inverse": "friend"},
        ),
    }
}


def mapping() -> groot.Mapping:
    return groot.Mapping(groot.Model(MODEL), implicit=True)


def teams(chance: random.Random, name: str) -> list[dict[str, Any]]:
    """Return teams whose heroes are those of other feeds, too, in any order."""

    def hero() -> dict[str, Any]:
        return {"id": chance.randrange(HEROES), "name": f"{name} {chance.random()}"}

    return [
        {
            "id": number,
            "name": name,
            "heroes": [hero() for _ in range(chance.randrange(8))],
            "leads": hero(),
        }
        for number in chance.sample(range(TEAMS), 3)
    ]


def heroes(chance: random.Random, name: str) -> list[dict[str, Any]]:
    """Return a part of the heroes, some with a friend."""
    found = chance.sample(range(HEROES), HEROES * 3 // 4)
    return [
        {"id": number, "name": name, "friend": {"id": chance.choice(found)}}
        if chance.random() < 0.3
        else {"id": number, "name": name}
        for number in found
    ]


def load_pair(context: groot.Context, number: int, stamp: str) -> None:
    context.load("Right", {"id": number, "stamp": stamp})
    context.load("Left", {"id": number, "stamp": stamp})


class Writer:
    """A process that writes; under the policy "error" it tries again as programs do."""

    def __init__(self, context: groot.Context, name: str, policy: str) -> None:
        self.context = context
        self.name = name
        self.policy = policy
        self.chance = random.Random(name)
        self.counted = 0

    def save(self, change: Callable[[], object]) -> None:
        for attempt in range(ATTEMPTS):
            try:
                change()
                self.context.save()
            except groot.Error as error:
                if self.policy != "error" or error.code not in OF_OTHERS:
                    raise
                if attempt % 2 and error.code is Status.STORE_DUPLICATE:
                    self.context.rollback()
                self.context.refresh()
            else:
                return
        raise RuntimeError(f"{ATTEMPTS} attempts in vain")

    def count(self) -> None:
        number = self.chance.randrange(COUNTERS)

        def increment() -> None:
            counter = self.context.get("Counter", number)
            assert counter is not None
            counter["value"] += 1

        self.save(increment)
        self.counted += 1

    def round(self, number: int) -> None:
        """Do each kind of work once, in any order."""
        name = f"{self.name} {number}"
        pair = self.chance.randrange(PAIRS)
        feed, part = teams(self.chance, name), heroes(self.chance, name)
        works: list[Callable[[], object]] = [
            lambda: self.save(lambda: load_pair(self.context, pair, name)),
            lambda: self.save(lambda: self.context.load("Team", feed)),
            lambda: self.save(lambda: self.context.sync("Hero", part, where=ALL)),
            self.count,
        ]
        self.chance.shuffle(works)
        for work in works:
            work()


def run(store: str, name: str, policy: Any, rounds: int) -> None:
    """Write as one of several processes, and print how often it counted."""
    with groot.Context(mapping(), store=store, conflicts=policy) as context:
        writer = Writer(context, name, policy)
        for number in range(rounds):
            writer.round(number)
        context.check()
    sys.stdout.write(json.dumps(writer.counted))


def prepare(store: str) -> None:
    """Make a store with the counters."""
    with groot.Context(mapping(), store=store) as context:
        context.load("Counter", [{"id": number, "value": 0} for number in range(COUNTERS)])
        context.save()


def run_together(store: str, count: int, policy: str, rounds: int) -> int:
    """Run several writers at the same time; the sum of all that they counted."""
    processes = [
        subprocess.Popen(
            [sys.executable, str(Path(__file__)), store, f"writer-{number}", policy, str(rounds)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
        )
        for number in range(count)
    ]
    ended = [(*process.communicate(), process.returncode) for process in processes]
    errors = [error for _, error, code in ended if code]
    assert not errors, errors[0]
    return sum(json.loads(output) for output, _, _ in ended)


if __name__ == "__main__":
    run(sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]))
