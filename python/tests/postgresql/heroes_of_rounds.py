"""Rounds of changes to heroes, and what must be true of a store after any fault.

Each round inserts, updates and deletes objects and links. A context in memory that did the same
rounds tells what a store must have then.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from typing import Any

from servers import Server

import groot
from groot import Status

LONG = bool(os.environ.get("GROOT_LONG"))
"""Whether tests may take long."""

State = dict[str, Any]


def _attribute(name: str, type: str, **more: Any) -> dict[str, Any]:
    return {name: {"type": type, "userInfo": {"JSONKeyPath": name}, **more}}


def _link(destination: str, inverse: str, **more: Any) -> dict[str, Any]:
    return {"destination": destination, "inverse": inverse, "optional": True, **more}


def model(**more: Any) -> Any:
    """Make the model of heroes; `more` are attributes of a later version."""
    return {
        "entities": {
            "Publisher": {
                "userInfo": {"identityAttributes": "name"},
                "attributes": _attribute("name", "string"),
                "relationships": {
                    "heroes": _link(
                        "Hero",
                        "publisher",
                        toMany=True,
                        ordered=True,
                        userInfo={"JSONKeyPath": "heroes"},
                    ),
                },
            },
            "Power": {
                "userInfo": {"identityAttributes": "id"},
                "attributes": _attribute("id", "integer64"),
                "relationships": {"heroes": _link("Hero", "powers", toMany=True)},
            },
            "Hero": {
                "userInfo": {"identityAttributes": "id"},
                "attributes": {
                    **_attribute("id", "integer64"),
                    **_attribute("name", "string", optional=True),
                    **more,
                },
                "relationships": {
                    "publisher": _link(
                        "Publisher", "heroes", userInfo={"JSONKeyPath": "publisher"}
                    ),
                    "powers": _link(
                        "Power",
                        "heroes",
                        toMany=True,
                        ordered=True,
                        userInfo={"JSONKeyPath": "powers"},
                    ),
                },
            },
        }
    }


MAPPING = groot.Mapping(groot.Model(model()))
LATER = groot.Mapping(groot.Model(model(color={"type": "string", "default": "red"})))
"""The mapping of a later version, whose objects look the same as JSON."""


def feed(round: int, size: int) -> list[dict[str, Any]]:
    """Make the JSON of a round: some heroes are new, some change, some links come and go."""
    first = round * size // 3
    return [
        {
            "id": id,
            "name": f"hero {id} of round {round}",
            "publisher": {"name": f"publisher {(id + round) % 5}"},
            "powers": [{"id": (id * 7 + round + n) % 11} for n in range((id + round) % 4)],
        }
        for id in range(first, first + size)
    ]


def change(context: groot.Context, round: int, size: int = 12) -> None:
    """Make the changes of a round."""
    context.load("Hero", feed(round, size))
    gone = range((round - 1) * size // 3, (round - 1) * size // 3 + size // 12)
    for hero in context.fetch("Hero", {"id": {"in": list(gone)}}):
        context.delete(hero)


def state(context: groot.Context) -> State:
    """Return all objects and links, in the order that they have."""
    context.check()
    # Members would be read with the interpreter's lock held, so no proxy in a thread could answer.
    return {
        "heroes": context.dump(context.fetch("Hero", sort="id")),
        "publishers": context.dump(context.fetch("Publisher", sort="name")),
        "powers": [power["id"] for power in context.dump(context.fetch("Power", sort="id"))],
    }


class Expected:
    """The states after rounds, from a context in memory."""

    def __init__(self, size: int = 12) -> None:
        self.size = size
        self._context = groot.Context(MAPPING)
        self._states = [state(self._context)]

    def __getitem__(self, round: int) -> State:
        """Return the state after this round."""
        while len(self._states) <= round:
            change(self._context, len(self._states), self.size)
            self._context.save()
            self._states.append(state(self._context))
        return self._states[round]


REFERENCES = [
    ("Hero", "publisher", "Publisher"),
    ("Power_heroes", "source", "Power"),
    ("Power_heroes", "target", "Hero"),
]
IDENTITIES = [("Hero", "id"), ("Power", "id"), ("Publisher", "name")]


def check_rows(server: Server, schema: str) -> None:
    """Require by SQL that each reference has its row, and that no identity or key is there twice.

    Keys to come are greater than those of all rows.
    """
    wrong = [
        f"SELECT '{table}.{column} leads to nothing' FROM {schema}.\"{table}\" AS t "
        f'WHERE t."{column}" IS NOT NULL AND NOT EXISTS '
        f'(SELECT 1 FROM {schema}."{target}" AS o WHERE o._id = t."{column}")'
        for table, column, target in REFERENCES
    ]
    wrong += [
        f"SELECT '{table} twice' FROM {schema}.\"{table}\" GROUP BY {column} HAVING count(*) > 1"
        for table, name in IDENTITIES
        for column in (f'"{name}"', "_id")
    ]
    wrong += [
        f"SELECT 'keys of {table} come again' FROM {schema}.\"{table}\" "
        f"HAVING max(_id) >= (SELECT number FROM {schema}._groot WHERE key = 'keys of {table}')"
        for table, _ in IDENTITIES
    ]
    # A scan of the table: a damaged index would say the same twice.
    assert server.psql("SET enable_indexscan = off; " + " UNION ALL ".join(wrong)) == ""


def commits(server: Server, schema: str) -> int:
    """Count the saves that the store knows of."""
    return int(
        server.psql(
            f"SELECT sum(number) FROM {schema}._groot WHERE key = 'commits' OR key LIKE 'writer %'"
        )
    )


def url_of(server: Server, schema: str, **parameters: object) -> str:
    """Return the URL of a store, with more parameters."""
    return extended(server.url, schema, **parameters)


def extended(url: str, schema: str, **parameters: object) -> str:
    """Return a URL with a schema and more parameters; `groot_x` is `groot.x`."""
    url += ("&" if "?" in url else "?") + f"groot.schema={schema}"
    for name, value in parameters.items():
        own = f"groot.{name[6:]}" if name.startswith("groot_") else name
        url += f"&{own}={value}"
    return url


def stored(server: Server, schema: str, mapping: groot.Mapping = MAPPING) -> State:
    """Return what a new context reads, after a check of all rows."""
    check_rows(server, schema)
    with groot.Context(mapping, store=url_of(server, schema), migrate=False) as context:
        return state(context)


def is_cut_off(call: Callable[[], object]) -> bool:
    """Whether a call met the loss of its connection; any other failure is raised."""
    try:
        call()
    except groot.Error as error:
        if error.code != Status.STORE_DISCONNECTED:
            raise
        return True
    return False


def require_save(
    context: groot.Context,
    server: Server,
    schema: str,
    before: State,
    after: State,
    *,
    saves: int,
    mend: Callable[[], object],
) -> None:
    """Save while something may break: all or nothing is stored, and saving again ends it.

    - saves: the number of saves that the store will then have had
    - mend: lets nothing break any more
    """
    changes = context.changes
    is_lost = is_cut_off(context.save)
    mend()
    found = stored(server, schema)
    if is_lost:
        assert found == before, "a save that failed has written"
        assert context.changes == changes
        assert state(context) == after
        context.save()
        found = stored(server, schema)
    assert found == after
    assert context.changes == {"inserted": 0, "updated": 0, "deleted": 0}
    assert state(context) == after
    assert commits(server, schema) == saves


def at_once(first: Callable[[], object], second: Callable[[], object]) -> None:
    """Run a function in another thread while this one runs the second; raise what either raises."""
    raised: list[BaseException] = []

    def run() -> None:
        try:
            first()
        except BaseException as error:
            raised.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    try:
        second()
    finally:
        thread.join()
    if raised:
        raise raised[0]
