"""Several processes and contexts that write to one store."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from conftest import document

import groot
from groot import Status


def shared_by_two(path: Path, script: str, arguments: tuple[str, str]) -> groot.Context:
    """Run a script in two processes at the same time, each with an argument; open their store."""
    model = document("types")
    groot.Context(groot.Mapping(groot.Model(model)), store=path).close()
    told = json.dumps(model), str(path)
    processes = [
        subprocess.Popen([sys.executable, "-c", script, *told, argument]) for argument in arguments
    ]
    assert [process.wait() for process in processes] == [0, 0]
    return groot.Context(groot.Mapping(groot.Model(model)), store=path)


def test_two_processes_write_one_store(tmp_path: Path) -> None:
    """Two processes insert into one file at the same time: both succeed, and nothing is lost."""
    script = """
import json, sys
import groot
mapping = groot.Mapping(groot.Model(json.loads(sys.argv[1])))
for round in range(20):
    with groot.Context(mapping, store=sys.argv[2]) as context:
        for number in range(20):
            context.insert("Thing", id=int(sys.argv[3]) + round * 100 + number)
        context.save()
"""
    with shared_by_two(tmp_path / "shared.sqlite", script, ("100000", "200000")) as context:
        assert context.count("Thing") == 800
        assert len(context.distinct("Thing", "id")) == 800


def test_two_processes_import_overlapping_feeds(tmp_path: Path) -> None:
    """Two processes import feeds with the same objects; the second one refreshes and repeats."""
    script = """
import json, sys
import groot
mapping = groot.Mapping(groot.Model(json.loads(sys.argv[1])))
field = sys.argv[3]
with groot.Context(mapping, store=sys.argv[2]) as context:
    for feed in range(15):
        things = [{"id": 1000 * (feed % 3) + n, field: feed, "owner": {"id": 7}} for n in range(50)]
        while True:
            try:
                context.load("Thing", things)
                context.save()
                break
            except groot.Error as error:
                if error.code not in (groot.Status.STORE_CONFLICT, groot.Status.STORE_DUPLICATE):
                    raise
                context.refresh()
    context.check()
"""
    with shared_by_two(tmp_path / "shared.sqlite", script, ("small", "medium")) as context:
        ids = {1000 * feed + number for feed in range(3) for number in range(50)} | {7}
        assert context.count("Thing") == len(ids)
        assert set(context.distinct("Thing", "id")) == ids
        # The last feed of each process is in the store: nothing that was saved is lost.
        for feed in (12, 13, 14):
            last = {"id": {"between": [1000 * (feed % 3), 1000 * (feed % 3) + 49]}}
            for field in ("small", "medium"):
                assert context.distinct("Thing", field, last) == [feed]
        context.check()


@pytest.mark.parametrize("policy", ["mine", "theirs"])
def test_a_policy_solves_conflicts_and_tells(
    tmp_path: Path, types_mapping: groot.Mapping, policy: Any
) -> None:
    path = tmp_path / "things.sqlite"
    with (
        groot.Context(types_mapping, store=path) as first,
        groot.Context(types_mapping, store=path, conflicts=policy) as second,
    ):
        first.insert("Thing", id=1, name="a", small=1)
        first.save()
        second.refresh()
        (mine,) = second.fetch("Thing", {"id": 1})
        mine["name"] = "second"
        first.fetch("Thing", {"id": 1})[0]["small"] = 2
        first.fetch("Thing", {"id": 1})[0]["name"] = "first"
        first.save()
        second.save()
        (conflict,) = second.conflicts
        assert conflict.status is Status.STORE_CONFLICT
        assert conflict.entity == "Thing"
        name = "second" if policy == "mine" else "first"
        assert (mine["name"], mine["small"]) == (name, 2)
        second.save()
        assert second.conflicts == ()
    with groot.Context(types_mapping, store=path) as again:
        assert again.fetch("Thing", {"id": 1})[0]["name"] == name


def test_an_unknown_policy_is_refused(tmp_path: Path, types_mapping: groot.Mapping) -> None:
    with pytest.raises(groot.Error) as caught:
        groot.Context(types_mapping, store=tmp_path / "x.sqlite", conflicts="ours")  # type: ignore[arg-type]
    assert caught.value.code is Status.INVALID_ARGUMENT
    assert "mine" in str(caught.value)
