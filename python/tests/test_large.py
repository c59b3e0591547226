"""Imports in batches directly into a store, and exports of a fetch."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

import groot
from groot import Status

COUNT, BATCH = 250, 20


@pytest.fixture
def mapping(comics_mapping: groot.Mapping) -> groot.Mapping:
    return comics_mapping


def characters(count: int = COUNT) -> list[dict[str, Any]]:
    return [
        {
            "id": str(number),
            "name": f"Hero {number}",
            "real_name": None,
            "powers": [{"id": str(power), "name": f"P{power}"} for power in range(number % 4)],
            "publisher": {"id": str(number % 7), "name": f"Publisher {number % 7}"},
        }
        for number in range(1, count + 1)
    ]


def read(context: groot.Context, **asked: Any) -> Any:
    target = io.BytesIO()
    context.dump_fetched("Character", target, **asked)
    return json.loads(target.getvalue())


@pytest.mark.parametrize("commits", ["whole", "each"])
def test_batches_go_into_the_store(tmp_path: Path, mapping: groot.Mapping, commits: Any) -> None:
    source, store = tmp_path / "in.json", tmp_path / "large.sqlite"
    source.write_text(json.dumps(characters()))
    with groot.Context(mapping, store=store) as context:
        found = context.load_file("Character", source, batch=BATCH, commits=commits)
        assert list(found) == []
        assert groot.report(found) is not None
        assert groot.report(found).inserted == COUNT + 3 + 7
        assert context.changes == {"inserted": 0, "updated": 0, "deleted": 0}
        assert context.count("Character") == COUNT
    with groot.Context(mapping, store=store) as context:
        again = context.load("Character", characters(), batch=BATCH, commits=commits)
        assert (groot.report(again).inserted, groot.report(again).updated) == (0, 0)
        assert read(context) == characters()
        context.check()


def test_a_single_record_gives_a_sequence_too(tmp_path: Path, mapping: groot.Mapping) -> None:
    with groot.Context(mapping, store=tmp_path / "one.sqlite") as context:
        one = characters(1)[0]
        found = context.load("Character", one, batch=BATCH)
        assert isinstance(found, groot.Objects)
        assert len(found) == 0
        assert read(context) == [one]


def test_batches_before_a_failure(tmp_path: Path, mapping: groot.Mapping) -> None:
    records = characters()
    records[BATCH * 3 + 1]["name"] = 5
    with groot.Context(mapping, store=tmp_path / "large.sqlite") as context:
        for commits, left in (("whole", 0), ("each", BATCH * 3)):
            with pytest.raises(groot.Error) as caught:
                context.load("Character", records, batch=BATCH, commits=commits)
            assert caught.value.code == Status.WRONG_TYPE
            assert caught.value.issues[0].path == f"$[{BATCH * 3 + 1}].name"
            assert context.count("Character") == left


def test_progress_counts_all_batches(tmp_path: Path, mapping: groot.Mapping) -> None:
    with groot.Context(mapping, store=tmp_path / "large.sqlite") as context:
        context.load("Character", characters(100), batch=BATCH)
        seen: list[groot.Progress] = []
        report = groot.report(
            context.load("Character", characters(), batch=BATCH, progress=seen.append)
        )
        assert [at.records for at in seen] == sorted(at.records for at in seen)
        assert (seen[-1].records, seen[-1].inserted) == (COUNT, 150)
        # Objects linked by the new characters are updated, since their inverses change.
        assert seen[-1].updated == report.updated > 0
        assert seen[-1].unchanged >= 100
        with pytest.raises(groot.Error) as caught:
            context.load("Character", characters(), batch=BATCH, progress=lambda _: False)
        assert caught.value.code == Status.CANCELLED
        assert context.count("Character") == COUNT


def test_batches_that_cannot_be(tmp_path: Path, mapping: groot.Mapping) -> None:
    def refused(context: groot.Context, **asked: Any) -> None:
        with pytest.raises(groot.Error) as caught:
            context.load("Character", [], **asked)
        assert caught.value.code == Status.INVALID_ARGUMENT

    refused(groot.Context(mapping), batch=BATCH)
    with groot.Context(mapping, store=tmp_path / "large.sqlite") as context:
        for wrong in (0, -1, True, "many"):
            refused(context, batch=wrong)
        refused(context, batch=BATCH, commits="none")
        for option in ("dry_run", "changes", "access"):
            refused(context, batch=BATCH, **{option: True})
        with pytest.raises(groot.Error), context.importing("Character", batch=BATCH):
            pass
        context.insert("Character", identifier=1, name="not saved")
        refused(context, batch=BATCH)


@pytest.mark.parametrize("has_store", [False, True])
def test_exports_of_a_fetch(tmp_path: Path, mapping: groot.Mapping, has_store: bool) -> None:
    store = tmp_path / "large.sqlite" if has_store else None
    with groot.Context(mapping, store=store) as context:
        context.load("Character", characters())
        context.save()
        path = tmp_path / "out.json"
        assert context.dump_fetched("Character", path) == COUNT
        assert json.loads(path.read_text()) == characters()
        where = {"publisher.name": "Publisher 3"}
        found = context.fetch("Character", where, sort="-name", limit=5, offset=2)
        asked: Any = {"where": where, "sort": "-name", "limit": 5, "offset": 2}
        assert read(context, **asked) == context.dump(found)
        assert read(context, **asked, properties=["name"]) == [{"name": one.name} for one in found]
        lines = io.BytesIO()
        assert context.dump_fetched("Character", lines, limit=2, lines=True) == 2
        assert [json.loads(line)["id"] for line in lines.getvalue().splitlines()] == ["1", "2"]
        context.insert("Character", identifier=9000, name="not saved")
        assert context.dump_fetched("Character", path) == COUNT + 1
        assert json.loads(path.read_text())[-1]["name"] == "not saved"
        context.check()


@pytest.mark.parametrize("has_store", [False, True])
def test_exports_that_fail(tmp_path: Path, mapping: groot.Mapping, has_store: bool) -> None:
    class Full(io.RawIOBase):
        def write(self, data: Any) -> int:
            raise OSError("there is no room")

    path = tmp_path / "out.json"
    path.write_text("as before")
    store = tmp_path / "large.sqlite" if has_store else None
    with groot.Context(mapping, store=store) as context:
        context.load("Character", characters())
        context.save()
        with pytest.raises(OSError, match="no room"):
            context.dump_fetched("Character", Full())  # type: ignore[arg-type]
        for entity, where, code in (
            ("Nobody", None, Status.UNKNOWN_ENTITY),
            ("Character", {"nothing": 1}, Status.UNKNOWN_PROPERTY),
        ):
            with pytest.raises(groot.Error) as caught:
                context.dump_fetched(entity, path, where)
            assert caught.value.code == code
        assert path.read_text() == "as before"
        assert [one.name for one in tmp_path.iterdir() if "out" in one.name] == ["out.json"]
        assert read(context) == characters()
