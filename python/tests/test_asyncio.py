"""Imports that tasks of asyncio await."""

from __future__ import annotations

import asyncio
import contextvars
import json
import os
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Coroutine
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from conftest import transformed
from heroes import COUNT, HEROES, MAPPING

import groot

WAIT = 60


def run(coroutine: Coroutine[Any, Any, Any]) -> Any:
    """Run a coroutine; fail instead of hanging."""
    return asyncio.run(asyncio.wait_for(coroutine, WAIT))


class Gate:
    """A place in a worker thread that waits until the event loop opens it."""

    def __init__(self) -> None:
        self.reached = asyncio.Event()
        self.threads: set[int] = set()
        self._loop = asyncio.get_running_loop()
        self._open = threading.Event()

    def __call__(self, given: Any) -> Any:
        self.threads.add(threading.get_ident())
        self._loop.call_soon_threadsafe(self.reached.set)
        assert self._open.wait(WAIT)
        return given

    def open(self) -> None:
        self._open.set()


async def pieces_of(text: str, size: int = 1000) -> AsyncIterator[bytes]:
    """Yield a text as pieces of bytes."""
    data = text.encode()
    for start in range(0, len(data), size):
        yield data[start : start + size]
        await asyncio.sleep(0)


def require_usable(context: groot.Context, count: int = 0) -> None:
    """Require a number of objects, no trace of a call, and a context that works."""
    assert context.count("Hero") == count
    context.check()
    context.load("Hero", {"id": -1, "name": "later"})
    assert context.count("Hero") == count + 1


def test_each_import_has_a_method_for_tasks(tmp_path: Path) -> None:
    file = tmp_path / "heroes.json"
    file.write_text(json.dumps(HEROES[:3]))

    async def main() -> None:
        with groot.Context(MAPPING) as context:
            hero = await context.load_async("Hero", HEROES[0])
            assert hero.name == "hero number 0"
            found = await context.load_async("Hero", HEROES[:2], changes=True)
            assert groot.report(found).changes[0].properties["id"] == (None, 1)
            assert len(await context.load_file_async("Hero", file, dry_run=True)) == 2
            assert (await context.sync_file_async("Hero", file)).inserted == 1
            report = await context.sync_async("Hero", [HEROES[0]], delete=False)
            assert (report.deleted, report.objects[0].id) == (0, 0)

    run(main())


def test_the_event_loop_goes_on_during_an_import() -> None:
    async def main() -> None:
        gate = Gate()
        context = transformed(gate)
        task = asyncio.create_task(context.load_async("Thing", {"value": 1}))
        await gate.reached.wait()
        gate.open()  # the import ends only if the loop comes here
        assert (await task).value == 1
        assert threading.get_ident() not in gate.threads

    run(main())


def test_callbacks_see_the_context_variables_of_the_task() -> None:
    who = contextvars.ContextVar("who", default="nobody")
    context = transformed(lambda value: f"{value} {who.get()}")

    async def main() -> None:
        who.set("task")
        assert (await context.load_async("Thing", {"value": "by"})).value == "by task"

    run(main())


def test_errors_are_those_of_the_call() -> None:
    async def main() -> None:
        context = groot.Context(MAPPING)
        with pytest.raises(groot.Error) as raised:
            await context.load_async("Nobody", {})
        assert raised.value.code == groot.Status.UNKNOWN_ENTITY
        with pytest.raises(TypeError, match="unexpected keyword argument 'nothing'"):
            await context.load_async("Hero", {}, nothing=1)
        with pytest.raises(ZeroDivisionError):
            await context.load_async("Hero", HEROES, progress=lambda _: 1 / 0)
        require_usable(context)

    run(main())


def test_a_callback_may_raise_stop_iteration() -> None:
    async def main() -> None:
        context = groot.Context(MAPPING)
        with pytest.raises(RuntimeError, match="StopIteration"):
            await context.load_async("Hero", HEROES, progress=lambda _: next(iter(())))
        require_usable(context)

    run(main())


def test_a_second_task_is_refused_at_once() -> None:
    async def main() -> None:
        gate = Gate()
        context = transformed(gate)
        task = asyncio.create_task(context.load_async("Thing", {"value": 1}))
        await asyncio.sleep(0)
        for call in (context.load_async, context.sync_async):
            with pytest.raises(groot.Error, match="another task awaits a call") as raised:
                await call("Thing", [])
            assert raised.value.code == groot.Status.BUSY
        gate.open()
        assert (await task).value == 1
        assert (await context.load_async("Thing", {"value": 2})).value == 2

    run(main())


def test_a_cancelled_import_changes_nothing() -> None:
    async def main() -> None:
        gate = Gate()
        context = groot.Context(MAPPING)
        task = asyncio.create_task(context.load_async("Hero", HEROES, progress=gate))
        await gate.reached.wait()
        task.cancel()
        await asyncio.sleep(0)
        task.cancel()  # once more, while the first is under way
        await asyncio.sleep(0)
        assert not task.done()
        gate.open()
        with pytest.raises(asyncio.CancelledError):
            await task
        require_usable(context)

    run(main())


def test_a_cancellation_ends_an_import_between_its_calls() -> None:
    async def main() -> None:
        gate = Gate()
        context = groot.Context(MAPPING)

        def records() -> Any:
            yield from HEROES
            gate(None)  # no call of the library is running, so none could be cancelled

        task = asyncio.create_task(context.load_async("Hero", records()))
        await gate.reached.wait()
        task.cancel()
        await asyncio.sleep(0)
        gate.open()
        with pytest.raises(asyncio.CancelledError):
            await task
        require_usable(context)

    run(main())


def test_a_cancelled_synchronization_changes_nothing() -> None:
    async def main() -> None:
        gate = Gate()
        context = groot.Context(MAPPING)
        context.load("Hero", HEROES[:10])
        task = asyncio.create_task(context.sync_async("Hero", HEROES[5:], progress=gate))
        await gate.reached.wait()
        task.cancel()
        await asyncio.sleep(0)
        gate.open()
        with pytest.raises(asyncio.CancelledError):
            await task
        require_usable(context, 10)

    run(main())


def test_an_import_that_has_not_begun_never_begins() -> None:
    async def main() -> None:
        gate = Gate()
        loop = asyncio.get_running_loop()
        loop.set_default_executor(ThreadPoolExecutor(1))
        other = loop.run_in_executor(None, gate, None)
        await gate.reached.wait()
        context = groot.Context(MAPPING)
        task = asyncio.create_task(context.load_async("Hero", HEROES))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task  # although the only thread is taken
        gate.open()
        await other
        await loop.run_in_executor(None, int)
        require_usable(context)

    run(main())


@pytest.mark.parametrize("size", [1, 7, 1000, 1 << 20])
def test_pieces_of_an_asynchronous_iterator_are_imported(size: int) -> None:
    async def main() -> None:
        context = groot.Context(MAPPING)
        text = "\ufeff" + json.dumps(HEROES[: COUNT if size > 7 else 20], ensure_ascii=False)
        found = await context.load_async("Hero", pieces_of(text, size), changes=True)
        assert [hero.id for hero in found] == list(range(len(found)))
        assert len(groot.report(found).changes) == context.count("Hero") == len(found)

    run(main())


def test_pieces_may_be_text_and_reused_buffers() -> None:
    async def pieces() -> AsyncIterator[Any]:
        yield '[{"id": 1, "name": "ä'
        buffer = bytearray(b'"}, {"id": 2')
        yield buffer
        buffer[:] = b"?" * len(buffer)
        yield memoryview(b', "name": "b"}]')

    async def main() -> None:
        found = await groot.Context(MAPPING).load_async("Hero", pieces())
        assert [hero.name for hero in found] == ["ä", "b"]

    run(main())


@pytest.mark.parametrize("count", [0, 1, COUNT])
def test_an_iterator_that_raises_changes_nothing(count: int) -> None:
    async def pieces() -> AsyncIterator[bytes]:
        async for piece in pieces_of(json.dumps(HEROES[:count])[:-1]):
            yield piece
        raise ConnectionError("lost")

    async def main() -> None:
        context = groot.Context(MAPPING)
        with pytest.raises(ConnectionError, match="lost"):
            await context.load_async("Hero", pieces())
        require_usable(context)

    run(main())


def test_an_invalid_piece_changes_nothing() -> None:
    async def pieces(last: Any) -> AsyncIterator[Any]:
        yield "[" + json.dumps(HEROES[0])
        yield last

    async def main() -> None:
        context = groot.Context(MAPPING)
        for last, status in (
            ({"id": 1}, groot.Status.WRONG_TYPE),
            (b"}", groot.Status.INVALID_JSON),
            (b"", groot.Status.INVALID_JSON),
            ("\ud800", groot.Status.INVALID_UTF8),
        ):
            with pytest.raises(groot.Error) as raised:
                await context.load_async("Hero", pieces(last))
            assert raised.value.code == status
        require_usable(context)

    run(main())


def test_a_context_is_busy_while_its_iterator_waits() -> None:
    async def main() -> None:
        waiting, more = asyncio.Event(), asyncio.Event()

        async def pieces() -> AsyncIterator[str]:
            yield "["
            waiting.set()
            await more.wait()
            yield "]"

        context = groot.Context(MAPPING)
        task = asyncio.create_task(context.load_async("Hero", pieces()))
        await waiting.wait()
        with pytest.raises(groot.Error, match="another task"):
            await context.load_async("Hero", [])
        with pytest.raises(groot.Error) as raised:
            context.load("Hero", [])
        assert raised.value.code == groot.Status.BUSY
        more.set()
        assert await task == []
        require_usable(context)

    run(main())


@pytest.mark.parametrize("count", [1, COUNT])
def test_a_cancellation_while_an_iterator_waits_changes_nothing(count: int) -> None:
    async def main() -> None:
        waiting = asyncio.Event()

        async def pieces() -> AsyncIterator[bytes]:
            async for piece in pieces_of(json.dumps(HEROES[:count])):
                yield piece
            waiting.set()
            await asyncio.Event().wait()

        context = groot.Context(MAPPING)
        task = asyncio.create_task(context.load_async("Hero", pieces()))
        await waiting.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        require_usable(context)

    run(main())


def test_a_cancellation_while_a_piece_is_written_changes_nothing() -> None:
    async def main() -> None:
        gate = Gate()
        context = groot.Context(MAPPING)
        pieces = pieces_of(json.dumps(HEROES))
        task = asyncio.create_task(context.load_async("Hero", pieces, progress=gate))
        await gate.reached.wait()
        task.cancel()
        await asyncio.sleep(0)
        gate.open()
        with pytest.raises(asyncio.CancelledError):
            await task
        require_usable(context)

    run(main())


def test_tasks_with_contexts_of_their_own_work_at_once(tmp_path: Path) -> None:
    async def work(number: int) -> int:
        with groot.Context(MAPPING, store=tmp_path / f"{number}.sqlite") as context:
            await context.load_async("Hero", HEROES)
            context.save()
            return context.count("Hero")

    async def main() -> None:
        assert await asyncio.gather(*map(work, range(4))) == [COUNT] * 4

    run(main())


def test_a_cancelled_import_into_a_store_changes_nothing(tmp_path: Path) -> None:
    async def main() -> None:
        gate = Gate()
        with groot.Context(MAPPING, store=tmp_path / "heroes.sqlite") as context:
            call = context.load_async("Hero", HEROES, batch=100, progress=gate)
            task = asyncio.create_task(call)
            await gate.reached.wait()
            task.cancel()
            await asyncio.sleep(0)
            gate.open()
            with pytest.raises(asyncio.CancelledError):
                await task
            require_usable(context)

    run(main())


def test_a_program_without_tasks_does_not_import_asyncio() -> None:
    program = "import groot, sys; assert 'asyncio' not in sys.modules"
    path = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    subprocess.run([sys.executable, "-c", program], check=True, env=path)
