"""Imports in pieces, below a root path, and of lines; exports as lines."""

from __future__ import annotations

import gc
import io
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

import groot
from groot import Status

HEROES = [
    {"id": "1", "name": "Jörn", "powers": [{"id": "4", "name": "Flight"}]},
    {"id": "2", "name": 'A "B" \\ \n'},
    {"id": "1", "real_name": "J."},
]


def pieces(text: bytes, size: int) -> Iterator[bytes]:
    return (text[start : start + size] for start in range(0, len(text), size))


@pytest.mark.parametrize("size", [1, 2, 7, 50, 1000])
def test_any_size(comics: groot.Context, size: int) -> None:
    with comics.importing("Character") as stream:
        assert stream.result is None
        for piece in pieces(json.dumps(HEROES, ensure_ascii=False).encode(), size):
            stream.write(piece)
    result = stream.result
    assert result is not None
    assert len(result) == 3
    assert result[0] == result[2]
    assert result[0].name == "Jörn"
    assert result[0].realName == "J."
    assert groot.report(result) is not None
    assert (groot.report(result).inserted, groot.report(result).updated) == (3, 0)


def test_kinds_of_pieces(comics: groot.Context) -> None:
    with comics.importing("Power") as stream:
        for piece in ("[", b'{"id":', bytearray(b'"1",'), memoryview(b'"name": "x"'), "", "}]"):
            stream.write(piece)
    assert [one.name for one in comics.fetch("Power")] == ["x"]
    with pytest.raises(groot.Error) as found, comics.importing("Power") as stream:
        stream.write(5)  # type: ignore[arg-type]
    assert found.value.code == Status.WRONG_TYPE


def test_the_context_is_busy(comics: groot.Context) -> None:
    with comics.importing("Power") as stream:
        for use in (lambda: comics.count("Power"), lambda: comics.importing("Power")):
            with pytest.raises(groot.Error) as found:
                use()
            assert found.value.code == Status.BUSY
        stream.write("[]")
    assert comics.count("Power") == 0
    for use in (lambda: stream.write(""), stream.finish):
        with pytest.raises(groot.Error) as found:
            use()
        assert found.value.code == Status.INVALID_ARGUMENT
    stream.cancel()


def test_an_exception_in_the_block_gives_up(comics: groot.Context) -> None:
    def fail(stream: groot.ImportStream) -> None:
        with stream:
            stream.write('[{"id": "1", "name": "x"},')
            raise KeyError

    stream = comics.importing("Power")
    with pytest.raises(KeyError):
        fail(stream)
    assert stream.result is None
    assert comics.count("Power") == 0
    stream = comics.importing("Power")
    stream.write('[{"id": "1", "name": "x"}]')
    del stream
    gc.collect()
    assert comics.count("Power") == 0


def test_a_wrong_record_is_raised_at_the_end(comics: groot.Context) -> None:
    stream = comics.importing("Power")
    stream.write('[{"id": "1", "name": 5}, {"id": "2", "name": "x"}')
    with pytest.raises(groot.Error) as found:
        stream.finish()
    assert found.value.code == Status.INVALID_JSON
    stream = comics.importing("Power")
    stream.write('[{"id": "1", "name": 5}, {"id": "2", "name": "x"}]')
    with pytest.raises(groot.Error) as found:
        stream.finish()
    assert found.value.issues[0].path == "$[0].name"
    assert comics.count("Power") == 0


def test_options(comics: groot.Context) -> None:
    seen = []
    options = {"errors": "skip", "progress": seen.append, "root": "/data", "changes": True}
    with comics.importing("Power", **options) as stream:
        stream.write('{"data": [{"id": "1", "name": 5}, {"id": "2", "name": "x"}], "more": {}}')
    assert stream.result is not None
    assert groot.report(stream.result) is not None
    assert groot.report(stream.result).skipped == 1
    assert groot.report(stream.result).issues[0].path == "$.data[0].name"
    assert len(groot.report(stream.result).changes) == 1
    assert seen[-1].records == 2
    with comics.importing("Power", dry_run=True, lines=True) as stream:
        stream.write('{"id": "3", "name": "y"}\n{"id": "2", "name": "z"}')
    assert [one.name for one in stream.result or ()] == ["x"]
    with pytest.raises(groot.Error):
        comics.importing("Nobody")
    with pytest.raises(groot.Error):
        comics.importing("Power", root="no pointer")
    assert comics.count("Power") == 1


def test_exceptions_of_callbacks() -> None:
    registry = groot.Registry()
    registry.transformer("Fail", lambda text: {}[text])
    attributes = {"value": {"type": "integer64", "userInfo": {"JSONKeyPath": "value"}}}
    attributes["value"]["userInfo"]["JSONTransformerName"] = "Fail"
    model = groot.Model({"entities": {"Thing": {"attributes": attributes}}})
    context = groot.Context(groot.Mapping(model, registry))
    with pytest.raises(KeyError), context.importing("Thing") as stream:
        stream.write('[{"value": "1"}]   ')
    with (
        pytest.raises(groot.Error) as found,
        context.importing("Thing", errors="collect") as stream,
    ):
        stream.write('[{"value": "1"}]   ')
    assert isinstance(found.value.__cause__, KeyError)
    assert context.count("Thing") == 0


def test_callbacks_must_not_use_their_import(comics: groot.Context) -> None:
    codes = []

    def use(_: groot.Progress) -> None:
        for call in (lambda: stream.write("x"), stream.finish, stream.cancel):
            with pytest.raises(groot.Error) as found:
                call()
            codes.append(found.value.code)

    stream = comics.importing("Power", progress=use)
    stream.write('[{"id": "1", "name": "x"}]')
    assert len(stream.finish()) == 1
    assert codes
    assert set(codes) == {Status.BUSY}


def test_a_closed_context(comics_mapping: groot.Mapping) -> None:
    context = groot.Context(comics_mapping)
    stream = context.importing("Power")
    context.close()
    with pytest.raises(groot.Error):
        stream.write("[]")
    stream.cancel()


def test_lines_and_roots(comics: groot.Context, tmp_path: Path) -> None:
    text = '{"id": "1", "name": "x"}\n\n{"id": "2", "name": "y"}\n'
    powers = comics.load("Power", text, lines=True)
    assert [one.name for one in powers] == ["x", "y"]
    assert comics.dumps(powers, lines=True) == '{"id":"1","name":"x"}\n{"id":"2","name":"y"}\n'
    assert comics.dumps([], lines=True) == ""
    assert comics.dump(powers, lines=True)[0]["name"] == "x"
    path = tmp_path / "powers.jsonl"
    comics.dump_file(powers, path, lines=True)
    again = comics.load_file("Power", path, lines=True)
    assert again == powers
    target = io.BytesIO()
    comics.dump_file(powers, target, lines=True)
    assert target.getvalue() == path.read_bytes()
    assert len(comics.load("Power", {"a": [{"id": "1"}]}, root="/a")) == 1
    assert len(comics.load("Power", {"a": {"id": "1"}}, root="/a")) == 1
    for root in ("/b", "a", "/a\0", 5):
        with pytest.raises(groot.Error):
            comics.load("Power", {"a": []}, root=root)  # type: ignore[arg-type]
