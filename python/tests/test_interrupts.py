"""Ctrl-C at any instant of any call: the call raises it, and the context is whole and not busy."""

from __future__ import annotations

import contextlib
import dis
import io
import itertools
import json
import os
import random
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import groot
from groot._core import callbacks

INTERRUPTS = int(os.environ.get("GROOT_INTERRUPTS", "600"))
# From 10000 on, every instant is visited instead of every third.
PACKAGE = str(Path(groot.__file__).parent)
HEROES = [{"id": number, "name": f"hero {number}", "team": {"id": 1}} for number in range(3)]
TEXT = json.dumps(HEROES)
FIRST = {"id": 0, "name": "another", "team": {"id": 2}}
Call = Callable[["Scene"], Any]


def attribute(type: str, key: str, **more: str) -> dict[str, Any]:
    return {"type": type, "optional": True, "userInfo": {"JSONKeyPath": key, **more}}


def mapping() -> groot.Mapping:
    """Make the mapping of heroes in teams, with transformers for the names."""
    relationships = {
        "team": {"destination": "Team", "inverse": "heroes", "userInfo": {"JSONKeyPath": "team"}},
    }
    name = attribute("string", "name", JSONTransformerName="Name")
    hero = {
        "userInfo": {"identityAttributes": "id"},
        "attributes": {
            "id": attribute("integer64", "id"),
            "name": name,
            "rating": attribute("double", "rating"),
            "born": attribute("date", "born"),
        },
        "relationships": relationships,
    }
    team = {
        "userInfo": {"identityAttributes": "id"},
        "attributes": {"id": attribute("integer64", "id")},
        "relationships": {"heroes": {"destination": "Hero", "inverse": "team", "toMany": True}},
    }
    for one in relationships.values():
        one["optional"] = True
    team["relationships"]["heroes"]["optional"] = True
    registry = groot.Registry()
    registry.transformer("Name", lambda text: text + "", reverse=lambda text, _: text + "")
    return groot.Mapping(groot.Model({"entities": {"Hero": hero, "Team": team}}), registry)


MAPPING = mapping()


class Scene:
    """A context with a saved team of three heroes, and the other arguments of calls."""

    def __init__(self, folder: Path, is_stored: bool) -> None:
        self.folder = folder
        self.is_stored = is_stored
        path = folder / "x.sqlite" if is_stored else None
        self.context = groot.Context(MAPPING, store=path)
        self.context.load("Hero", HEROES)
        self.context.save()
        self.file = folder / "heroes.json"
        self.file.write_text(TEXT)
        self.marked = folder / "marked.json"
        self.marked.write_bytes(b"\xef\xbb\xbf" + TEXT.encode())
        self.again()

    def again(self) -> None:
        """Undo the effects of a call."""
        self.context.rollback()
        self.objects = self.context.fetch("Hero")
        self.hero = self.objects[0]
        self.team = self.hero.team

    def state(self) -> Any:
        """Return the content of the graph."""
        found = self.context.fetch("Hero", sort="id")
        return self.context.dump(found), self.context.changes


def read_properties(scene: Scene) -> Any:
    hero = scene.hero
    return hero.id, hero.name, hero.rating, hero.born, hero.team.id, dict(hero)


def write_attribute(scene: Scene) -> None:
    scene.hero.name = "another"


def write_members(scene: Scene) -> None:
    scene.team.heroes = [scene.hero]


def change_a_member(scene: Scene) -> None:
    scene.team.heroes.remove(scene.hero)


def import_in_pieces(scene: Scene) -> Any:
    with scene.context.importing("Hero") as stream:
        stream.write('[{"id": 0, "name": "an')
        stream.write('other"}]')
    return stream.result


def give_an_import_up(scene: Scene) -> None:
    with contextlib.suppress(LookupError), scene.context.importing("Hero") as stream:
        stream.write('[{"id": 0, "name": "another"}')
        raise LookupError


def open_a_context(scene: Scene) -> None:
    path = scene.folder / "y.sqlite" if scene.is_stored else None
    with groot.Context(MAPPING, store=path, progress=lambda _: None) as context:
        context.load("Hero", TEXT)


def make_all(_: Scene) -> None:
    groot.Context(mapping()).load("Hero", TEXT)


def watch(scene: Scene) -> None:
    scene.context.progress = lambda _: None
    scene.context.load("Hero", [FIRST])
    scene.context.fetch("Hero")
    scene.context.progress = None


def fail(scene: Scene) -> None:
    with contextlib.suppress(groot.Error):
        scene.context.load("Hero", [FIRST, {"id": "x"}], errors="collect")


def save(scene: Scene) -> None:
    scene.hero.rating = 1.5
    scene.context.save()
    scene.hero.rating = None
    scene.context.save()


def refresh(scene: Scene) -> None:
    scene.hero.rating = 1.5
    scene.context.refresh()


CALLS: dict[str, Call] = {
    "load a dict": lambda scene: scene.context.load("Hero", FIRST),
    "load a text": lambda scene: scene.context.load("Hero", json.dumps([FIRST]), changes=True),
    "load bytes": lambda scene: scene.context.load("Hero", bytearray(b'[{"id": 7}]')),
    "load an iterator": lambda scene: scene.context.load("Hero", iter([FIRST, {"id": 9}])),
    "load a file object": lambda scene: scene.context.load("Hero", io.BytesIO(TEXT.encode())),
    "load a file": lambda scene: scene.context.load_file("Hero", scene.file),
    "load a marked file": lambda scene: scene.context.load_file("Hero", scene.marked),
    "dry run": lambda scene: scene.context.load("Hero", [{"id": 9}], dry_run=True),
    "failing load": fail,
    "importing": import_in_pieces,
    "importing, given up": give_an_import_up,
    "fill": lambda scene: scene.context.fill(scene.hero, {"name": "another"}),
    "sync": lambda scene: scene.context.sync("Hero", [FIRST]),
    "sync_file": lambda scene: scene.context.sync_file("Hero", scene.file, changes=True),
    "get": lambda scene: scene.context.get("Hero", 1).name,
    "fetch": lambda scene: [one.name for one in scene.context.fetch("Hero", {"id": {">": 0}})],
    "count": lambda scene: scene.context.count("Hero", {"name": {"contains": "hero"}}),
    "distinct": lambda scene: scene.context.distinct("Hero", "name"),
    "aggregate": lambda scene: scene.context.aggregate("Hero", {"n": "count"}, by="team.id"),
    "dump": lambda scene: scene.context.dump(scene.hero),
    "dumps": lambda scene: scene.context.dumps(scene.objects),
    "dump_file": lambda scene: scene.context.dump_file(scene.hero, scene.folder / "one.json"),
    "dump_file of several": lambda scene: scene.context.dump_file(
        list(scene.objects), scene.folder / "all.json"
    ),
    "dump_file to an object": lambda scene: scene.context.dump_file(scene.objects, io.BytesIO()),
    "dump_fetched": lambda scene: scene.context.dump_fetched("Hero", io.BytesIO()),
    "save": save,
    "refresh": refresh,
    "rollback": lambda scene: scene.context.rollback(),
    "conflicts": lambda scene: scene.context.conflicts,
    "check": lambda scene: scene.context.check(),
    "insert": lambda scene: scene.context.insert("Hero", id=7, name="x"),
    "delete": lambda scene: scene.context.delete(scene.hero),
    "read properties": read_properties,
    "write an attribute": write_attribute,
    "write members": write_members,
    "change a member": change_a_member,
    "members": lambda scene: [
        list(scene.team.heroes),
        len(scene.team.heroes),
        scene.team.heroes[0],
    ],
    "column": lambda scene: scene.objects.column("name").tolist(),
    "table": lambda scene: scene.objects.__arrow_c_stream__(),
    "memory": lambda scene: scene.context.memory_in_use,
    "progress": watch,
    "Context": open_a_context,
    "Mapping": make_all,
}
# These calls have further states between those before and after.
HAS_STEPS = {"save", "refresh", "insert", "Context", "Mapping"}
# A signal comes in the call before these, not between. So the traceback goes before the check.
BEHIND_CALLS = {"POP_TOP", "LOAD_CONST", "RETURN_VALUE", "RETURN_CONST"}


@pytest.fixture(params=["in memory", "in a store"])
def scene(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Scene]:
    """Yield a scene, in memory and on a store."""
    made = Scene(tmp_path, request.param == "in a store")
    yield made
    made.context.check()
    made.context.close()


@contextlib.contextmanager
def interrupted(at: int) -> Iterator[list[Any]]:
    """Raise KeyboardInterrupt before the instruction of the package with the number `at`.

    Ctrl-C has fewer instants: the beginning of functions, calls, and the ends of loops.
    """
    left: list[Any] = [at]

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        if not frame.f_code.co_filename.startswith(PACKAGE):
            return None
        if event == "call":
            frame.f_trace_opcodes = True
        elif event == "opcode":
            left[0] -= 1
            if left[0] == -1:
                instruction = dis.opname[frame.f_code.co_code[frame.f_lasti]]
                left.extend((f"{frame.f_code.co_name}:{frame.f_lineno}", instruction))
                raise KeyboardInterrupt
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        yield left
    finally:
        sys.settrace(before)


def is_whole(scene: Scene, hook: Any, states: list[Any]) -> str | None:
    """Return the problem after an interrupt; None if there is none."""
    if sys.unraisablehook is not hook:
        sys.unraisablehook = hook
        return "the hook is another one"
    if callbacks._calls.frames:
        callbacks._calls.frames.clear()
        return "there is a frame"
    try:
        state = scene.state()
        scene.context.check()
    except groot.Error as error:
        return str(error)
    return None if not states or state in states else f"half of it is done: {state}"


@pytest.mark.parametrize("name", CALLS)
def test_a_call_is_whole_whenever_it_is_interrupted(
    scene: Scene, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    lost: list[Any] = []

    def hook(one: Any) -> None:
        lost.append(one.exc_value)

    monkeypatch.setattr(sys, "unraisablehook", hook)
    states = [scene.state()]
    CALLS[name](scene)
    states.append(scene.state())
    if name in HAS_STEPS:
        states.clear()
    wrong = []
    is_long = INTERRUPTS >= 10_000
    for at in itertools.count(
        0, 1 if is_long else 31 if scene.is_stored or name == "Mapping" else 3
    ):
        scene.again()
        raised: BaseException | None = None
        with interrupted(at) as left:
            try:
                CALLS[name](scene)
            except KeyboardInterrupt as exception:
                raised = exception
            except SystemError as exception:  # raised for a capsule before RETURN_VALUE
                raised = exception
                assert (name, left[2]) == ("table", "RETURN_VALUE")
                lost.clear()
        if left[0] >= 0:
            break
        reasons = [] if raised else ["it is lost"]
        if left[2] in BEHIND_CALLS:
            raised = None
        reasons.append(is_whole(scene, hook, states))
        del raised
        reasons += [f"it went to the hook: {one!r}" for one in lost]
        lost.clear()
        if any(reasons):
            scene = Scene(scene.folder, is_stored=False)  # the other may be busy forever
            wrong.append((left[1], [reason for reason in reasons if reason]))
    assert not wrong, f"{len(wrong)} of {at} instants: {wrong}"
    scene.again()
    CALLS[name](scene)
    print(f"{name}: {at} instants")


def test_a_signal_interrupts_at_any_time(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    lost: list[Any] = []

    def hook(one: Any) -> None:
        lost.append(one.exc_value)

    monkeypatch.setattr(sys, "unraisablehook", hook)
    raised = []

    def interrupt(*_: Any) -> None:
        raised.append(1)
        raise KeyboardInterrupt

    names = [name for name in CALLS if name not in ("Context", "Mapping")]
    chance = random.Random(1)  # noqa: S311
    before = signal.signal(signal.SIGALRM, interrupt)
    wrong = []
    caught = 0
    try:
        for number in range(INTERRUPTS // 2):
            name = names[number % len(names)]
            scene.again()
            caught_now = 0
            raised.clear()
            try:
                signal.setitimer(signal.ITIMER_REAL, chance.uniform(1e-6, 6e-4))
                while not raised:
                    CALLS[name](scene)
                    scene.again()
            except KeyboardInterrupt:
                caught_now = 1
            caught += caught_now
            reason = is_whole(scene, hook, [])
            if reason or not caught_now or lost:
                wrong.append((number, name, reason, caught_now, lost[:]))
                lost.clear()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert not wrong, f"{len(wrong)} of {INTERRUPTS // 2} interrupts: {wrong[:5]}"
    assert caught == INTERRUPTS // 2


def in_callbacks(exception: BaseException) -> bool:
    """Whether an exception was raised while the library was calling back."""
    names = [one.name for one in traceback.extract_tb(exception.__traceback__)]
    return "_progress" in names


LONG = "[" + ",".join(f'{{"id": {number}, "rating": 1.5}}' for number in range(200_000)) + "]"
LONG_CALLS: dict[str, Callable[[groot.Context], Any]] = {
    "load": lambda context: context.load("Hero", LONG.replace("1.5", "2.5")),
    "load a file object": lambda context: context.load("Hero", io.StringIO(LONG)),
    "sync": lambda context: context.sync("Hero", LONG.replace("1.5", "2.5")),
    "dumps": lambda context: context.dumps(context.fetch("Hero")),
    "dump_fetched": lambda context: context.dump_fetched("Hero", io.BytesIO()),
    "fetch": lambda context: context.fetch("Hero", {"rating": {">": 3}}, sort="rating"),
    "count": lambda context: context.count("Hero", {"rating": {">": 3}}),
    "aggregate": lambda context: context.aggregate("Hero", {"n": {"max": "rating"}}),
}


@pytest.mark.parametrize("name", LONG_CALLS)
def test_an_interrupt_ends_a_long_call_before_all_is_done(name: str) -> None:
    main, over = threading.main_thread().ident, threading.Event()

    def interrupt() -> None:
        """Send SIGINT as soon as the library is called."""
        while not over.is_set():
            frame = sys._current_frames().get(main or 0)
            if frame is not None and frame.f_code.co_name == "run_all":
                signal.raise_signal(signal.SIGINT)
                return

    with groot.Context(MAPPING) as context:
        context.load("Hero", LONG)
        context.save()
        for _ in range(50):  # the call may end first
            over.clear()
            thread = threading.Thread(target=interrupt)
            ended = None
            try:
                thread.start()
                while True:
                    LONG_CALLS[name](context)
            except KeyboardInterrupt as exception:
                ended = in_callbacks(exception)
            finally:
                over.set()
                thread.join()
            assert not any(context.changes.values()) or not ended
            if ended:
                return
            context.rollback()
        pytest.fail("no call was ended")
