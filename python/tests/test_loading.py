"""Imports: the seeds' examples, the forms of data, the results."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from conftest import messages, one_attribute

import groot
from groot._core.session import Session


def test_an_object_with_nested_ones(comics: groot.Context, batman: groot.Object) -> None:
    assert batman.identifier == 1699
    assert batman.name == "Batman"
    assert batman.realName == "Bruce Wayne"
    assert [power.name for power in batman.powers] == ["Agility", "Insanely Rich"]
    assert batman.publisher.name == "DC Comics"
    assert list(batman.publisher.characters) == [batman]
    assert all(list(power.characters) == [batman] for power in batman.powers)
    assert [comics.count(one) for one in ("Character", "Power", "Publisher")] == [1, 2, 1]


def test_an_update_keeps_the_object(comics: groot.Context, batman: groot.Object) -> None:
    number = groot.object_id(batman)
    updated = comics.load("Character", {"id": "1699", "real_name": "Wayne"})
    assert updated == batman
    assert groot.object_id(updated) == number
    assert (batman.name, batman.realName) == ("Batman", "Wayne")
    assert len(batman.powers) == 2
    assert batman.publisher is not None


def test_placeholders_are_filled(comics: groot.Context, batman_json: dict[str, Any]) -> None:
    reference = {**batman_json, "powers": ["4", "9"], "publisher": "10"}
    batman = comics.load("Character", reference)
    assert [power.name for power in batman.powers] == [None, None]
    assert batman.publisher.identifier == 10
    powers = comics.load("Power", batman_json["powers"])
    publisher = comics.load("Publisher", batman_json["publisher"])
    assert batman.powers == powers
    assert batman.publisher == publisher
    assert comics.dump(batman) == batman_json
    assert [comics.count(one) for one in ("Character", "Power", "Publisher")] == [1, 2, 1]


def test_messages_by_type() -> None:
    context = messages(lambda json: f"{json['type'].title()}Message")
    text, picture = context.load(
        "Message",
        [
            {"id": 1, "type": "text", "text": "Hello there!"},
            {"id": 2, "type": "picture", "image_url": "http://example.com/risitas.jpg"},
        ],
    )
    assert (groot.entity_name(text), groot.entity_name(picture)) == (
        "TextMessage",
        "PictureMessage",
    )
    assert text.text == "Hello there!"
    assert picture.imageURL == "http://example.com/risitas.jpg"
    assert [groot.entity_name(one) for one in context.fetch("Message")] == [
        "TextMessage",
        "PictureMessage",
    ]
    inbox = context.load("Inbox", {"messages": [{"id": 2, "type": "text"}]})
    assert [groot.entity_name(one) for one in inbox.messages] == ["PictureMessage"]
    assert inbox.messages[0] == picture
    assert picture.inbox == inbox


FORMS = {
    "dict": lambda value: value,
    "str": json.dumps,
    "bytes": lambda value: json.dumps(value).encode(),
    "bytearray": lambda value: bytearray(json.dumps(value).encode()),
    "memoryview": lambda value: memoryview(json.dumps(value).encode()),
    "writable view": lambda value: memoryview(bytearray(json.dumps(value).encode())),
    "strided view": lambda value: memoryview(
        bytes(byte for pair in zip(json.dumps(value).encode(), b" " * 9999) for byte in pair)
    )[::2],
    "indented": lambda value: "\n\t " + json.dumps(value, indent=2) + "\r\n",
}


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_every_form_of_data(comics: groot.Context, batman_json: dict[str, Any], form: Any) -> None:
    one = comics.load("Character", form(batman_json))
    assert isinstance(one, groot.Object)
    several = comics.load("Character", form([batman_json, "1455"]))
    assert isinstance(several, groot.Objects)
    assert several[0] == one
    assert comics.dump(one) == batman_json
    assert isinstance(comics.load("Character", form([])), groot.Objects)


def test_other_containers(comics: groot.Context) -> None:
    assert len(comics.load("Character", ("1", "2"))) == 2
    one = comics.load("Character", {"id": "1", "name": "x", "powers": ("4", "9")})
    assert len(one.powers) == 2


def test_unicode(comics: groot.Context) -> None:
    name = 'Ünï\u0301 "\\/\b\f\n\r\t 漢字 🦇 \x7f\u2028'
    one = comics.load("Character", {"id": "1", "name": name})
    assert one.name == name
    text = json.dumps({"id": "1", "name": name + "!"}, ensure_ascii=True)
    assert comics.load("Character", text).name == name + "!"
    assert comics.dump(one)["name"] == name + "!"


def test_nulls_in_an_array(comics: groot.Context) -> None:
    found = comics.load("Character", [None, "1", None, "2", "1"])
    assert [one.identifier for one in found] == [1, 2, 1]
    assert len(comics.load("Character", [None])) == 0


def test_files(comics: groot.Context, tmp_path: Path, batman_json: dict[str, Any]) -> None:
    file = tmp_path / "batman.json"
    file.write_text(json.dumps(batman_json))
    batman = comics.load_file("Character", file)
    assert isinstance(batman, groot.Object)
    file.write_text(" \n" * 5000 + json.dumps([batman_json, "1455"]))
    several = comics.load_file("Character", str(file))
    assert isinstance(several, groot.Objects)
    assert several[0] == batman


def test_an_import_is_one_call(comics: groot.Context, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []
    run = Session.run
    monkeypatch.setattr(Session, "run", lambda *a, **k: (calls.append(a[1]), run(*a, **k)))
    comics.load("Character", [{"id": str(n), "name": "x", "powers": ["1"]} for n in range(1000)])
    assert len(calls) == 1


def test_rollback_and_save(comics: groot.Context, batman_json: dict[str, Any]) -> None:
    nothing = {"inserted": 0, "updated": 0, "deleted": 0}
    assert comics.changes == nothing
    batman = comics.load("Character", batman_json)
    assert comics.changes == {**nothing, "inserted": 4}
    comics.save()
    assert comics.changes == nothing
    batman.name = "Bat"
    comics.delete(batman.publisher)
    robin = comics.insert("Character", identifier=2, name="Robin")
    assert comics.changes["inserted"] == 1
    assert comics.changes["deleted"] == 1
    comics.rollback()
    assert comics.changes == nothing
    assert groot.is_deleted(robin)
    assert comics.dump(batman) == batman_json


def test_a_save_of_what_is_not_complete(comics: groot.Context, batman_json: Any) -> None:
    batman = comics.load("Character", {**batman_json, "powers": ["4", "9"]})
    changes = comics.changes
    for _ in range(2):
        with pytest.raises(groot.Error) as raised:
            comics.save()
        assert raised.value.code == groot.Status.MISSING_VALUE
        found = [(one.entity, one.property) for one in raised.value.issues]
        assert found == [("Power", "name")] * 2
        assert comics.changes == changes
    comics.load("Power", batman_json["powers"])
    comics.save()
    assert comics.changes["inserted"] == 0
    batman.name = None
    with pytest.raises(groot.Error) as raised:
        comics.save()
    issue = raised.value.issues[0]
    assert (issue.entity, issue.property) == ("Character", "name")
    comics.rollback()
    assert comics.dump(batman) == batman_json
    comics.save()


def test_a_save_of_what_passes_limits() -> None:
    limits = {"integer64": {"max": 5}, "string": {"pattern": "[a-z]+"}}
    for (type, more), value in zip(limits.items(), (6, "B")):
        context = groot.Context(groot.Mapping(groot.Model(one_attribute(type, **more))))
        thing = context.insert("Thing")
        context.save()
        thing.value = value
        with pytest.raises(groot.Error) as raised:
            context.save()
        assert raised.value.code in (groot.Status.TOO_LARGE, groot.Status.PATTERN_MISMATCH)
        assert thing.value == value
        context.delete(thing)
        context.save()


def test_progress(comics: groot.Context) -> None:
    reports: list[groot.Progress] = []
    data = [{"id": str(number), "name": "x"} for number in range(200_000)]
    comics.load("Character", data, progress=reports.append)
    assert reports
    assert reports[-1].inserted <= 200_000
    assert [one.records for one in reports] == sorted(one.records for one in reports)


def test_cancelling(comics: groot.Context) -> None:
    data = [{"id": str(number), "name": "x"} for number in range(200_000)]
    with pytest.raises(groot.Error) as raised:
        comics.load("Character", data, progress=lambda _: False)
    assert raised.value.code == groot.Status.CANCELLED
    assert comics.count("Character") == 0

    def interrupt(_: groot.Progress) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        comics.load("Character", data, progress=interrupt)
    assert comics.count("Character") == 0
