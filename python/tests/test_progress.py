"""Calls that report progress, and end when a function says so."""

from __future__ import annotations

import gc
import io
import signal
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from heroes import COUNT, HEROES, MAPPING, NEXT_MAPPING

import groot
from groot import Status

Run = Callable[[groot.Context], object]


def export_stored(context: groot.Context) -> int:
    return context.dump_fetched("Hero", io.BytesIO())


def import_in_pieces(context: groot.Context) -> None:
    with context.importing("Hero") as stream:
        stream.write("[")
        stream.write('{"id": 1, "name": "x"}]')


OPERATIONS: dict[str, tuple[str, Run]] = {
    "load": ("import", lambda context: context.load("Hero", HEROES)),
    "importing": ("import", import_in_pieces),
    "sync": ("import", lambda context: context.sync("Hero", HEROES)),
    "dump": ("export", lambda context: context.dump(context.fetch("Hero"))),
    "dump_fetched": ("export", export_stored),
    "fetch": ("fetch", lambda context: context.fetch("Hero", {"name": {"contains": "9"}})),
    "count": ("fetch", lambda context: context.count("Hero", {"name": {"endsWith": "9"}})),
    "distinct": ("fetch", lambda context: context.distinct("Hero", "name")),
    "aggregate": (
        "fetch",
        lambda context: context.aggregate("Hero", {"sum": {"sum": "id"}}, by="name"),
    ),
}


@pytest.fixture(params=["memory", "store"])
def heroes(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[groot.Context]:
    """Return a context with all heroes, in memory and with a store."""
    store = tmp_path / "heroes.sqlite" if request.param == "store" else None
    with groot.Context(MAPPING, store=store) as context:
        context.load("Hero", HEROES)
        context.save()
        yield context
        context.check()


def told(context: groot.Context, run: Run) -> list[groot.Progress]:
    """Return the progress that a call reports."""
    seen: list[groot.Progress] = []
    context.progress = seen.append
    run(context)
    context.progress = None
    return seen


@pytest.mark.parametrize("name", OPERATIONS)
def test_calls_tell(heroes: groot.Context, name: str) -> None:
    operation, run = OPERATIONS[name]
    seen = told(heroes, run)
    assert operation in [at.operation for at in seen]
    assert {at.operation for at in seen} <= {operation, "fetch"}
    if operation != "import":
        assert {(at.inserted, at.updated, at.unchanged) for at in seen} == {(0, 0, 0)}
    run(heroes)  # without a function


@pytest.mark.parametrize("name", OPERATIONS)
def test_calls_end(heroes: groot.Context, name: str) -> None:
    operation, run = OPERATIONS[name]

    def give_up(at: groot.Progress) -> Any:
        return at.operation != operation

    def fail(at: groot.Progress) -> None:
        if at.operation == operation:
            raise KeyError("mine")

    def interrupt(at: groot.Progress) -> None:
        if at.operation == operation:
            signal.raise_signal(signal.SIGINT)

    heroes.progress = give_up
    assert heroes.progress is give_up
    with pytest.raises(groot.Error) as raised:
        run(heroes)
    assert raised.value.code == Status.CANCELLED
    for function, expected in ((fail, KeyError), (interrupt, KeyboardInterrupt)):
        heroes.progress = function
        with pytest.raises(expected):
            run(heroes)
    heroes.progress = None
    assert heroes.count("Hero") == COUNT
    assert heroes.changes == {"inserted": 0, "updated": 0, "deleted": 0}


def test_exports_and_fetches_count(heroes: groot.Context) -> None:
    exports = [at for at in told(heroes, OPERATIONS["dump"][1]) if at.operation == "export"]
    assert exports[-1].records > COUNT // 2
    assert exports[-1].bytes > exports[-1].records
    imports = [at for at in told(heroes, OPERATIONS["load"][1]) if at.records]
    assert (imports[-1].records, imports[-1].unchanged) == (COUNT, COUNT)


def test_saves_and_refreshes(tmp_path: Path) -> None:
    seen: list[groot.Progress] = []
    with groot.Context(MAPPING, store=tmp_path / "x.sqlite", progress=seen.append) as context:
        context.load("Hero", HEROES)
        seen.clear()
        context.save()
        assert {at.operation for at in seen} == {"save"}
        seen.clear()
        context.load("Hero", {"id": 1, "name": "other"})
        seen.clear()
        context.refresh()
        assert {at.operation for at in seen} == {"refresh"}
        context.load("Hero", [{**hero, "name": "another"} for hero in HEROES])
        changes = context.changes
        for answer in (False, KeyError("mine")):

            def end(_: groot.Progress, answer: Any = answer) -> Any:
                if isinstance(answer, Exception):
                    raise answer
                return answer

            context.progress = end
            with pytest.raises((groot.Error, KeyError)) as raised:
                context.save()
            assert raised.value is answer or raised.value.code == Status.CANCELLED
            context.progress = None
            assert context.changes == changes
        context.save()
        assert context.changes["updated"] == 0


def test_a_function_of_the_call_goes_first(comics: groot.Context) -> None:
    mine: list[groot.Progress] = []
    others: list[groot.Progress] = []
    comics.progress = others.append
    comics.load("Power", [{"id": "1", "name": "x"}], progress=mine.append)
    assert mine[-1].operation == "import"
    assert not others
    comics.load("Power", [{"id": "2", "name": "y"}])
    assert others[-1].inserted == 1


def test_the_context_is_busy_meanwhile(heroes: groot.Context) -> None:
    hero = heroes.fetch("Hero", limit=1)[0]
    codes = []

    def use(_: groot.Progress) -> None:
        for call in (lambda: hero.name, heroes.save, lambda: setattr(heroes, "progress", None)):
            with pytest.raises(groot.Error) as raised:
                call()
            codes.append(raised.value.code)

    heroes.progress = use
    heroes.dumps(heroes.fetch("Hero"))
    assert set(codes) == {Status.BUSY}
    assert heroes.progress is use


def test_short_calls_do_not_tell(tmp_path: Path) -> None:
    with groot.Context(MAPPING, store=tmp_path / "x.sqlite") as context:
        context.load("Hero", HEROES)
        context.save()
        found = context.fetch("Hero")
        context.refresh()
        context.progress = lambda _: pytest.fail("called")
        assert found[COUNT - 1].name == f"hero number {COUNT - 1}"
        context.progress = None


def test_a_migration_reports_progress_and_is_cancelled_whole(tmp_path: Path) -> None:
    path = tmp_path / "x.sqlite"
    with groot.Context(MAPPING, store=path) as context:
        context.load("Hero", HEROES)
        context.save()

    def fail(_: groot.Progress) -> None:
        raise KeyError("mine")

    def interrupt(_: groot.Progress) -> None:
        signal.raise_signal(signal.SIGINT)

    with pytest.raises(groot.Error) as raised:
        groot.Context(NEXT_MAPPING, store=path, progress=lambda _: False)
    assert raised.value.code == Status.CANCELLED
    with pytest.raises(KeyError, match="mine"):
        groot.Context(NEXT_MAPPING, store=path, progress=fail)
    with pytest.raises(KeyboardInterrupt):
        groot.Context(NEXT_MAPPING, store=path, progress=interrupt)
    with groot.Context(MAPPING, store=path, migrate=False) as context:
        assert context.count("Hero") == COUNT
    seen: list[groot.Progress] = []
    with groot.Context(NEXT_MAPPING, store=path, progress=seen.append) as context:
        assert {at.operation for at in seen} == {"migrate"}
        assert context.progress == seen.append
        assert context.fetch("Hero", {"id": 7})[0].age is None
        seen.clear()
        context.count("Hero", {"name": {"endsWith": "9"}})
        assert {at.operation for at in seen} == {"fetch"}


def test_values_other_than_functions_are_refused(comics_mapping: groot.Mapping) -> None:
    wrong: Any = 5
    with pytest.raises(groot.Error, match="progress is 5, not a function"):
        groot.Context(comics_mapping, progress=wrong)
    context = groot.Context(comics_mapping)
    with pytest.raises(groot.Error, match="progress is 5, not a function"):
        context.progress = wrong
    assert context.progress is None
    context.close()
    with pytest.raises(groot.Error, match="closed"):
        context.progress = print


@pytest.mark.parametrize("is_used", [False, True])
def test_a_function_that_refers_to_its_context_lets_it_go(is_used: bool) -> None:
    def make() -> tuple[weakref.ref[Any], ...]:
        context = groot.Context(MAPPING)
        context.progress = lambda _: context.mapping
        if is_used:
            context.load("Hero", HEROES)
            context.fetch("Hero")
            with context.importing("Hero") as stream:
                stream.write("[]")
        return weakref.ref(context), weakref.ref(context._session._handle)

    references = make()
    gc.collect()
    assert [one() for one in references] == [None, None]


def test_a_function_is_let_go(comics: groot.Context) -> None:
    class Function:
        def __call__(self, at: groot.Progress) -> None: ...

    function = Function()
    reference = weakref.ref(function)
    comics.progress = function
    comics.load("Power", [{"id": "1", "name": "x"}])
    comics.dump(comics.fetch("Power"))
    del function
    comics.progress = None
    gc.collect()
    assert reference() is None


def test_one_record_of_many_objects_tells_too() -> None:
    attributes = {"id": {"type": "integer64", "userInfo": {"JSONKeyPath": "id"}}}
    link = {"optional": True, "toMany": True, "userInfo": {"JSONKeyPath": "parts"}}
    parts = {"parts": {**link, "destination": "Part"}}
    entities = {
        "Whole": {"attributes": attributes, "relationships": parts},
        "Part": {"attributes": attributes, "relationships": parts},
    }
    context = groot.Context(groot.Mapping(groot.Model({"entities": entities})))
    record = {"id": 1, "parts": [{"id": number, "parts": []} for number in range(10_000)]}
    told: list[groot.Progress] = []

    def stop(at: groot.Progress) -> bool:
        told.append(at)
        return False

    with pytest.raises(groot.Error) as raised:
        context.load("Whole", record, progress=stop)
    assert raised.value.code == groot.Status.CANCELLED
    assert told[0].records == 0
    assert told[0].inserted > 0
    assert context.count("Part") == 0
