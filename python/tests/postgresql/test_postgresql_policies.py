"""Another process that writes the same objects before each statement of a save."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from servers import Server

import groot
from groot import Status
from postgresql import feeds
from postgresql.invariants import check_store

WRITES = 200
"""More than a save has statements and attempts, so only locks keep the other process away."""


def stamps_of(context: groot.Context) -> list[Any]:
    """Return the stamps of the pair, which agree."""
    return [one["stamp"] for entity in ("Left", "Right") for one in context.fetch(entity)]


class Rival:
    """Writes before each statement of another context, unless the objects are locked."""

    def __init__(self, store: str, write: Callable[[groot.Context, int], None]) -> None:
        self.context = groot.Context(
            feeds.mapping(), store=f"{store}&groot.lockTimeout=1&groot.retries=0"
        )
        self.write = write
        self.is_active = False
        self.count = 0
        self.seen: list[list[Any]] = []

    def __call__(self, level: str, message: str) -> None:
        if level != "statement" or not self.is_active or self.count == WRITES:
            return
        self.context.refresh()
        found = stamps_of(self.context)
        try:
            self.write(self.context, self.count)
            self.context.save()
        except groot.Error as error:
            if error.code not in (Status.STORE_LOCKED, *feeds.OF_OTHERS):
                raise
            self.context.rollback()
        else:
            self.count += 1
            self.seen.append(found)

    def during(self, call: Callable[[], object]) -> None:
        """Write while a call runs."""
        self.is_active = True
        try:
            call()
        finally:
            self.is_active = False


def write_pair(context: groot.Context, number: int) -> None:
    feeds.load_pair(context, 1, f"rival {number}")


def change(context: groot.Context) -> None:
    feeds.load_pair(context, 1, "mine")


def delete(context: groot.Context) -> None:
    for entity in ("Left", "Right"):
        for one in context.fetch(entity, {"id": 1}):
            context.delete(one)


@pytest.mark.parametrize("policy", ["mine", "theirs"])
@pytest.mark.parametrize("kind", ["changed", "deleted", "inserted"])
def test_a_policy_resolves_conflicts_whatever_others_write_meanwhile(
    server: Server, schema: str, store: str, kind: str, policy: Any
) -> None:
    """A save looks for conflicts among rows that nobody else can change until its end."""
    feeds.prepare(store)
    rival = Rival(store, write_pair)
    with groot.Context(feeds.mapping(), store=store, conflicts=policy, log=rival) as context:
        context.count("Left")
        if kind != "inserted":
            feeds.load_pair(context, 1, "first")
            context.save()
        (delete if kind == "deleted" else change)(context)
        rival.during(context.save)
        assert 0 < rival.count < WRITES
        context.check()
    rival.context.close()
    with groot.Context(feeds.mapping(), store=store) as context:
        check_store(server, schema, context)
        # The other process may have written again after the save.
        history = [*rival.seen[1:], stamps_of(context)]
    rivals = [[f"rival {number}"] * 2 for number in range(rival.count)]
    if policy == "theirs":
        assert history == rivals
    else:
        mine: list[str] = [] if kind == "deleted" else ["mine"] * 2
        assert history.count(mine) == 1
        history.remove(mine)
        assert all(stamps in rivals for stamps in history)


@pytest.mark.parametrize("kind", ["changed", "deleted", "inserted"])
def test_without_a_policy_a_save_fails_and_loses_nothing(
    server: Server, schema: str, store: str, kind: str
) -> None:
    feeds.prepare(store)
    rival = Rival(store, write_pair)
    with groot.Context(feeds.mapping(), store=store, log=rival) as context:
        context.count("Left")
        if kind != "inserted":
            feeds.load_pair(context, 1, "first")
            context.save()
        (delete if kind == "deleted" else change)(context)
        before = context.changes
        with pytest.raises(groot.Error) as caught:
            rival.during(context.save)
        assert caught.value.code in feeds.OF_OTHERS
        assert context.changes == before
        context.refresh()
        assert stamps_of(context) == [f"rival {rival.count - 1}"] * 2
        change(context)
        context.save()
        context.check()
    rival.context.close()
    with groot.Context(feeds.mapping(), store=store) as context:
        check_store(server, schema, context)
        assert context.distinct("Left", "stamp") == context.distinct("Right", "stamp") == ["mine"]


@pytest.mark.parametrize("policy", ["error", "mine", "theirs"])
@pytest.mark.parametrize("commits", ["whole", "each"])
def test_an_import_in_batches_is_whole_beside_others(
    server: Server, schema: str, store: str, commits: Any, policy: Any
) -> None:
    """One that fails because of others has kept the transactions before, each as a whole."""
    feeds.prepare(store)
    pairs = [{"id": number, "stamp": "mine"} for number in range(1, 41)]

    def write(context: groot.Context, number: int) -> None:
        feeds.load_pair(context, number % 50, f"rival {number}")

    rival = Rival(store, write)
    with groot.Context(feeds.mapping(), store=store, conflicts=policy, log=rival) as context:
        context.load("Left", [{"id": number, "stamp": "first"} for number in range(1, 21)])
        context.save()

        def bring() -> None:
            context.load("Left", pairs, batch=10, commits=commits)

        try:
            rival.during(bring)
        except groot.Error as error:
            assert error.code in feeds.OF_OTHERS  # noqa: PT017 - without an error all is well
            mine = context.count("Left", {"stamp": "mine"})
            assert mine == 0 if commits == "whole" else mine <= 30
        else:
            assert context.count("Left") >= len(pairs)
        context.check()
        context.refresh()
        context.load("Left", pairs, batch=10, commits=commits)
        assert context.count("Left", {"stamp": "mine"}) == len(pairs)
    rival.context.close()
    with groot.Context(feeds.mapping(), store=store) as context:
        check_store(server, schema, context)
