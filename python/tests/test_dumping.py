"""Exports: objects, sequences, text and files."""

from __future__ import annotations

import io
import json
import os
from pathlib import Path
from typing import Any

import pytest

import groot


def test_an_object(
    comics: groot.Context, batman: groot.Object, batman_json: dict[str, Any]
) -> None:
    assert comics.dump(batman) == batman_json
    assert json.loads(comics.dumps(batman)) == batman_json


def test_the_order_of_keys_is_the_models(comics: groot.Context, batman: groot.Object) -> None:
    keys = ["id", "name", "real_name", "powers", "publisher"]
    assert list(comics.dump(batman)) == keys


def test_empty_exports(comics: groot.Context) -> None:
    iron_man = comics.insert("Character", name="Iron Man")
    assert comics.dump(iron_man) == {
        "id": None,
        "name": "Iron Man",
        "real_name": None,
        "powers": [],
        "publisher": None,
    }


def test_several(comics: groot.Context, batman: groot.Object) -> None:
    other = comics.load("Character", {"id": "2", "name": "Robin"})
    both = [comics.dump(batman), comics.dump(other)]
    everyone = comics.fetch("Character")
    assert comics.dump(everyone) == both
    assert comics.dump([batman, other]) == both
    assert comics.dump(one for one in everyone) == both
    assert comics.dump(everyone[::-1]) == both[::-1]
    assert comics.dump(everyone[1:]) == both[1:]
    assert comics.dump(everyone[5:]) == []
    assert comics.dump([]) == []
    assert comics.dump(batman.powers) == comics.dump(batman)["powers"]
    assert json.loads(comics.dumps([batman])) == both[:1]
    assert comics.dumps([]) == "[]"


def test_bytes_are_those_of_the_text(comics: groot.Context, batman: groot.Object) -> None:
    comics.load("Character", {"id": "2", "name": "Ñandú 鳥"})
    everyone = comics.fetch("Character")
    for exported in (batman, everyone, list(everyone), []):
        assert comics.dumpb(exported) == comics.dumps(exported).encode()
        named = comics.dumpb(exported, properties=["name"])
        assert named == comics.dumps(exported, properties=["name"]).encode()
    assert comics.dumpb(everyone, lines=True).count(b"\n") == 2
    with pytest.raises(groot.Error, match="an object, or several"):
        comics.dumpb("Character")  # type: ignore[arg-type]


def test_bytes_of_a_failed_export_are_lost(comics: groot.Context, batman: groot.Object) -> None:
    comics.delete(batman)
    with pytest.raises(groot.Error):
        comics.dumpb([batman])
    with pytest.raises(groot.Error):
        comics.dumpb(batman)


DEPTHS = {
    0: {"powers": [{"id": "4"}, {"id": "9"}], "publisher": {"id": "10"}},
    1: {},
    2**40: {},
    None: {},
}


@pytest.mark.parametrize(("depth", "less"), DEPTHS.items())
def test_depth(comics: groot.Context, batman: groot.Object, depth: Any, less: Any) -> None:
    expected = {**comics.dump(batman), **less}
    assert comics.dump(batman, depth=depth) == expected
    assert comics.dump([batman, batman], depth=depth) == [expected] * 2


def test_objects_without_identity_behind_the_depth() -> None:
    user_info = {"JSONKeyPath": "next"}
    link = {"destination": "Link", "inverse": "previous", "optional": True, "userInfo": user_info}
    back = {"destination": "Link", "inverse": "next", "optional": True}
    links = {"Link": {"relationships": {"next": link, "previous": back}}}
    context = groot.Context(groot.Mapping(groot.Model({"entities": links})))
    first = context.load("Link", {"next": {"next": {"next": None}}})
    assert context.dump(first) == {"next": {"next": {"next": None}}}
    assert context.dump(first, depth=1) == {"next": {}}
    assert context.dump(first, depth=0) == {}


def test_chosen_properties(comics: groot.Context, batman: groot.Object) -> None:
    some = ["publisher", "name"]
    expected = {"name": "Batman", "publisher": {"id": "10", "name": "DC Comics"}}
    for properties in (some, tuple(some), set(some), iter(some)):
        assert comics.dump(batman, properties=properties) == expected
    assert comics.dump([batman], properties=some) == [expected]
    assert comics.dump(batman, properties=[]) == {}
    without = {**expected, "publisher": {"id": "10"}}
    assert comics.dump(batman, properties=some, depth=0) == without


def test_chosen_properties_everywhere(
    comics: groot.Context, batman: groot.Object, tmp_path: Path
) -> None:
    options: dict[str, Any] = {"properties": ["powers"], "depth": 0}
    file, stream = tmp_path / "batman.json", io.BytesIO()
    for exported in (batman, [batman], comics.fetch("Character")):
        expected = comics.dump(exported, **options)
        assert json.loads(comics.dumps(exported, **options)) == expected
        comics.dump_file(exported, file, **options)
        assert json.loads(file.read_text()) == expected
        stream.seek(0)
        stream.truncate()
        comics.dump_file(exported, stream, **options)
        assert json.loads(stream.getvalue()) == expected


@pytest.mark.parametrize(
    "options",
    [
        {"depth": -1},
        {"depth": True},
        {"depth": "1"},
        {"depth": 1.0},
        {"properties": "name"},
        {"properties": b"name"},
        {"properties": 5},
        {"properties": [5]},
        {"properties": [None]},
    ],
    ids=repr,
)
def test_invalid_options(
    comics: groot.Context, batman: groot.Object, options: dict[str, Any]
) -> None:
    for exported in (batman, [batman]):
        for call in (comics.dump, comics.dumps):
            with pytest.raises(groot.Error) as raised:
                call(exported, **options)
            assert raised.value.code == groot.Status.INVALID_ARGUMENT
            assert next(iter(options)) in str(raised.value)


def test_chosen_properties_that_do_not_exist(comics: groot.Context, batman: groot.Object) -> None:
    with pytest.raises(groot.Error) as raised:
        comics.dump(batman, properties=["name", "real_name"])
    assert raised.value.code == groot.Status.UNKNOWN_PROPERTY
    assert raised.value.issues[0].property == "real_name"
    assert comics.dump(batman)


def test_a_round_trip(
    comics: groot.Context, comics_mapping: groot.Mapping, batman: groot.Object
) -> None:
    other = groot.Context(comics_mapping)
    again = other.load("Character", comics.dumps(comics.fetch("Character")))
    assert other.dump(again) == comics.dump([batman])


def test_files(comics: groot.Context, batman: groot.Object, tmp_path: Path) -> None:
    file = tmp_path / "batman.json"
    comics.dump_file(batman, file)
    assert json.loads(file.read_text()) == comics.dump(batman)
    comics.dump_file([batman, batman], str(file))
    assert json.loads(file.read_text()) == comics.dump([batman, batman])
    assert os.listdir(tmp_path) == ["batman.json"]


def test_file_objects(comics: groot.Context, batman: groot.Object) -> None:
    for exported in (batman, [batman], comics.fetch("Character")):
        file = io.BytesIO()
        comics.dump_file(exported, file)
        assert file.getvalue().decode() == comics.dumps(exported)


def test_a_failing_file_object(comics: groot.Context, batman: groot.Object) -> None:
    class Full:
        def write(self, _: bytes) -> None:
            raise OSError(28, "No space left on device")

    with pytest.raises(OSError, match="No space left"):
        comics.dump_file([batman], Full())
    with pytest.raises(OSError, match="No space left"):
        comics.dump_file(batman, Full())


@pytest.mark.parametrize("exported", [None, 5, "text", [None], ["x"], {}.items])
def test_refused_exports(comics: groot.Context, exported: Any) -> None:
    for call in (comics.dump, comics.dumps, lambda it: comics.dump_file(it, io.BytesIO())):
        with pytest.raises(groot.Error) as raised:
            call(exported)
        assert raised.value.code == groot.Status.INVALID_ARGUMENT


def test_objects_of_another_context(comics: groot.Context, comics_mapping: groot.Mapping) -> None:
    other = groot.Context(comics_mapping)
    stranger = other.insert("Power", identifier=1)
    for exported in (stranger, [stranger], other.fetch("Power"), other.fetch("Power")[::-1]):
        with pytest.raises(groot.Error, match="another context"):
            comics.dump(exported)


def test_deleted_objects(comics: groot.Context, batman: groot.Object) -> None:
    everyone = comics.fetch("Character")
    comics.delete(batman)
    for exported in (batman, [batman], everyone):
        with pytest.raises(groot.Error) as raised:
            comics.dump(exported)
        assert raised.value.code == groot.Status.OBJECT_DELETED


def test_deep_bytes_that_are_not_json_are_written_as_base64() -> None:
    attributes = {"data": {"type": "binary", "optional": True}}
    model = groot.Model({"entities": {"User": {"attributes": attributes}}})
    context = groot.Context(groot.Mapping(model, dialect="hyper"))
    user = context.insert("User")
    user.data = b"[" * 3_000
    assert context.dump(user) == {"data": "W1tb" * 1_000}


@pytest.mark.parametrize("character", ["a", "é", "ÿ", "Ā", "€", "\uffff", "\U00010000", "🌳"])
def test_large_texts_have_their_characters(comics: groot.Context, character: str) -> None:
    names = [f"plain {'x' * (index % 40)}{character} {index}" for index in range(3_000)]
    heroes = comics.load("Character", [{"id": str(i), "name": n} for i, n in enumerate(names)])
    text = comics.dumps(heroes)
    assert len(text) > 1 << 16
    assert [one["name"] for one in json.loads(text)] == names
    assert text == comics.dumpb(heroes).decode()
    assert hash(text) == hash("".join(list(text)))
    assert text.isascii() == (character == "a")


@pytest.mark.parametrize("count", [0, 1, 64, 65, 3_000, 30_000])
def test_bytes_of_any_length_are_those_of_the_text(comics: groot.Context, count: int) -> None:
    records = [{"id": str(index), "name": f"Ä{index} " * 10} for index in range(count)]
    heroes = comics.load("Character", records)
    data = comics.dumpb(heroes)
    assert data == comics.dumps(heroes).encode()
    assert hash(data) == hash(bytes(bytearray(data)))
    pieces = io.BytesIO()
    comics.dump_file(heroes, pieces)
    assert pieces.getvalue() == data


def test_a_failed_export_of_bytes_leaves_nothing(comics: groot.Context) -> None:
    records = [{"id": str(index), "name": "x"} for index in range(5_000)]
    heroes = comics.load("Character", records)

    def stop(_: groot.Progress) -> None:
        raise KeyboardInterrupt

    comics.progress = stop
    with pytest.raises(KeyboardInterrupt):
        comics.dumpb(heroes)
    comics.progress = None
    assert len(json.loads(comics.dumpb(heroes))) == 5_000
