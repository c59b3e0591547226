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


def test_what_is_empty(comics: groot.Context) -> None:
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
def test_what_cannot_be_exported(comics: groot.Context, exported: Any) -> None:
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
