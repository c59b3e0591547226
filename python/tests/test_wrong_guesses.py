"""Wrong calls that programs probably make: each error names the right one."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from conftest import BATMAN, document, one_attribute

import groot
from groot import Status
from groot.models import generate

MODEL: dict[str, Any] = {
    "entities": {
        "Hero": {
            "userInfo": {"identityAttributes": "id"},
            "attributes": {
                "id": {"type": "integer64", "userInfo": {"JSONKeyPath": "id"}},
                "created": {"type": "date", "optional": True},
            },
        }
    }
}


@pytest.fixture
def heroes() -> groot.Context:
    return groot.Context(groot.Mapping(groot.Model(MODEL)))


def _refused(call: Callable[[], Any], status: Status, *words: str) -> groot.Error:
    with pytest.raises(groot.Error) as found:
        call()
    assert found.value.code == status
    for one in words:
        assert one in str(found.value)
    return found.value


PATHS = ["feed.json", "/path/feed.json", "./feed", "../x", "a.jsonl", "A.NDJSON", "feed.json.gz"]


@pytest.mark.parametrize("text", [*PATHS, b"feed.json"])
def test_a_path_as_data_names_the_call_for_files(heroes: groot.Context, text: Any) -> None:
    for call, right in ((heroes.load, "load_file"), (heroes.sync, "sync_file")):
        _refused(lambda call=call: call("Hero", text), Status.INVALID_JSON, repr(text), right)
    _refused(lambda: groot.Model(text), Status.INVALID_JSON, repr(text), "Model.load")


@pytest.mark.parametrize("text", ["feed", '{"a": "x.json', "[1\n./x.json", "[x.json"])
def test_another_text_keeps_the_reason_of_the_reader(heroes: groot.Context, text: str) -> None:
    for call in (heroes.load, heroes.sync):
        with pytest.raises(groot.Error) as found:
            call("Hero", text)
        assert found.value.code == Status.INVALID_JSON
        assert "_file" not in str(found.value)


def test_a_path_object_as_data_names_the_call_for_files(heroes: groot.Context) -> None:
    path = Path("feed.json")
    _refused(lambda: heroes.load("Hero", path), Status.WRONG_SHAPE, "load_file")
    _refused(lambda: heroes.sync("Hero", path), Status.WRONG_SHAPE, "sync_file")
    _refused(lambda: groot.Model(path), Status.INVALID_ARGUMENT, "Model.load")  # type: ignore[arg-type]


def test_entities_outside_of_their_member_are_shown_the_form() -> None:
    form = '"entities": {...}'
    _refused(lambda: groot.Model({"Hero": {"attributes": {}}}), Status.INVALID_MODEL, form)


def test_an_export_takes_the_objects_before_the_file(
    comics: groot.Context, batman: groot.Object, tmp_path: Path
) -> None:
    target = tmp_path / "out.json"
    words = "dump_file(objects, path)"
    for path in (str(target), target):
        for objects in (batman, comics.fetch("Character"), [batman]):
            _refused(partial(comics.dump_file, path, objects), Status.INVALID_ARGUMENT, words)
    _refused(lambda: comics.dump_file(batman, 5), Status.INVALID_ARGUMENT, "target is 5")  # type: ignore[arg-type]
    assert not target.exists()


def test_exports_and_deletions_say_which_objects_they_take(
    comics: groot.Context, batman: groot.Object
) -> None:
    for call in (comics.dump, comics.dumps):
        words = "exported is 'x', not an object, or several"
        _refused(lambda call=call: call("x"), Status.INVALID_ARGUMENT, words)
    words = "deleted is 'Character', not one object"
    _refused(lambda: comics.delete("Character"), Status.INVALID_ARGUMENT, words)  # type: ignore[arg-type]
    several: Any = comics.fetch("Character")
    _refused(lambda: comics.delete(several), Status.INVALID_ARGUMENT, "one by one")
    assert not groot.is_deleted(batman)


@pytest.mark.parametrize(
    ("change", "key"),
    [
        ({"attributes": {"name": {"type": "string", "JSONKeyPath": "name"}}}, "JSONKeyPath"),
        ({"attributes": {"name": {"type": "string", "groot.export": "no"}}}, "groot.export"),
        ({"attributes": {}, "identityAttributes": "name"}, "identityAttributes"),
        ({"attributes": {}, "entityMapperName": "M"}, "entityMapperName"),
    ],
)
def test_an_annotation_belongs_in_the_user_info(change: dict[str, Any], key: str) -> None:
    model = {"entities": {"Hero": change}}
    words = f"'{key}' is an annotation; write it in \"userInfo\""
    _refused(lambda: groot.Model(model), Status.INVALID_MODEL, words)


def test_a_date_without_a_zone_in_a_predicate_names_its_property(heroes: groot.Context) -> None:
    where = {"created": {">": datetime(2024, 1, 1)}}
    found = _refused(lambda: heroes.fetch("Hero", where), Status.WRONG_TYPE, "no time zone")
    assert found.issues[0].property == "created"


def test_options_of_a_dialect_have_the_names_of_python() -> None:
    model = groot.Model(document("comics"))
    call = partial(groot.Mapping, model, dialect="hyper", implicit=True)
    found = _refused(call, Status.INVALID_ARGUMENT, "implicit is True")
    assert "GROOT" not in str(found)


@pytest.mark.parametrize("value", ["+012024-03-01T00:00:00Z", "-000400-01-01T00:00:00Z"])
def test_a_date_that_python_cannot_hold_names_its_property_in_columns(value: str) -> None:
    context = groot.Context(groot.Mapping(groot.Model(one_attribute("date"))))
    things = context.load("Thing", [{"value": "2020-01-01"}, {}, {"value": value}])
    column = things.column("value")
    assert column[0].year == 2020
    assert column[1] is None
    calls: tuple[Callable[[], Any], ...] = (column.tolist, lambda: column[2], lambda: list(column))
    for call in (*calls, things[2:].column("value").tolist):
        found = _refused(call, Status.OUT_OF_RANGE, "outside the years of datetime")
        assert (found.issues[0].entity, found.issues[0].property) == ("Thing", "value")


WRONG: Any = object()
MANY = (5, WRONG, [1], {1: 2})
Use = Callable[[groot.Context, Any, Any], Any]
"""A call with a context, its object Batman and a wrong value."""


def _written(context: groot.Context, piece: Any) -> None:
    with context.importing("Character") as stream:
        stream.write(piece)


def _options(call: str, names: str, use: Callable[..., Any]) -> list[tuple[str, Use, Any]]:
    return [
        (f"{call}.{name}", lambda c, b, v, name=name: use(c, b, **{name: v}), value)
        for name in names.split()
        for value in (WRONG, [1.5])
    ]


def _tables() -> list[tuple[str, Use, Any]]:
    model, registry = groot.Model(document("comics")), groot.Registry
    mapping = groot.Mapping(groot.Model(MODEL))
    one = groot.Model(one_attribute("string"))
    calls: list[tuple[str, Use, tuple[Any, ...]]] = [
        ("document", lambda c, b, v: groot.Model(v), (*MANY, None)),
        ("warnings", lambda c, b, v: groot.Model(MODEL, warnings=v), (5, WRONG)),
        ("classes", lambda c, b, v: groot.Model.of(v), (*MANY, "Hero")),
        ("path", lambda c, b, v: groot.Model.load(v), (*MANY, None)),
        ("version", lambda c, b, v: groot.Model.load("missing", v), (5, WRONG)),
        ("model", lambda c, b, v: groot.Mapping(v), (*MANY, None, "x")),
        ("registry", lambda c, b, v: groot.Mapping(one, v), (*MANY, "x")),
        ("dialect", lambda c, b, v: groot.Mapping(one, None, v), (*MANY, None, "x")),
        ("implicit", lambda c, b, v: groot.Mapping(one, implicit=v), (WRONG, [1], "no")),
        ("rules", lambda c, b, v: groot.Mapping(one, None, "kvc", rules=v), (5, WRONG, [1], "x")),
        ("roots", lambda c, b, v: groot.Mapping(one, roots=v), (3, WRONG, [1], "x", {"/a": 5})),
        ("nulls", lambda c, b, v: groot.Mapping(one, nulls=v), (*MANY, None)),
        ("mapping", lambda c, b, v: groot.Context(v), (*MANY, None, "x", model)),
        ("store", lambda c, b, v: groot.Context(mapping, v), (*MANY, True)),
        ("progress", lambda c, b, v: setattr(c, "progress", v), (*MANY, "a")),
        ("memory_limit", lambda c, b, v: setattr(c, "memory_limit", v), (WRONG, "a", -1, 1.5)),
        ("entity", lambda c, b, v: c.load(v, {}), (*MANY, int, groot.Object)),
        ("data", lambda c, b, v: c.load("Character", v), (5, WRONG, None, {1}, 1.5)),
        ("entity", lambda c, b, v: c.load_file(v, "missing"), MANY),
        ("path", lambda c, b, v: c.load_file("Character", v), (*MANY, None)),
        ("entity", lambda c, b, v: c.importing(v).__enter__(), MANY),
        ("data", lambda c, b, v: _written(c, v), (*MANY, None)),
        ("filled", lambda c, b, v: c.fill(v, {}), (*MANY, None, "x")),
        ("data", lambda c, b, v: c.fill(b, v), (5, WRONG, None, Path("x"))),
        ("entity", lambda c, b, v: c.sync(v, []), (*MANY, None)),
        ("data", lambda c, b, v: c.sync("Character", v), (5, WRONG, None, iter([1]))),
        ("entity", lambda c, b, v: c.sync_file(v, "missing"), (*MANY, None)),
        ("path", lambda c, b, v: c.sync_file("Character", v), (*MANY, None)),
        ("exported", lambda c, b, v: c.dump(v), (*MANY, "x", Path("x"))),
        ("exported", lambda c, b, v: c.dumps(v), (*MANY, "x", Path("x"))),
        ("exported", lambda c, b, v: c.dump_file(v, "missing/x"), (*MANY, "x", Path("x"))),
        ("target", lambda c, b, v: c.dump_file(b, v), (*MANY, None)),
        ("target", lambda c, b, v: c.dump_file([b], v), (*MANY, None)),
        ("target", lambda c, b, v: c.dump_file(None, v), (*MANY, None)),
        ("entity", lambda c, b, v: c.dump_fetched(v, "missing/x"), MANY),
        ("target", lambda c, b, v: c.dump_fetched("Character", v), (*MANY, None)),
        ("entity", lambda c, b, v: c.fetch(v), (*MANY, None, int)),
        ("where", lambda c, b, v: c.fetch("Character", v), (5, WRONG, [1], "x")),
        ("sort", lambda c, b, v: c.fetch("Character", sort=v), (*MANY, -1, 1.5)),
        ("limit", lambda c, b, v: c.fetch("Character", limit=v), (*MANY[1:], "x", -1, 1.5)),
        ("offset", lambda c, b, v: c.fetch("Character", offset=v), (*MANY[1:], "x", -1, 1.5)),
        ("entity", lambda c, b, v: c.count(v), (*MANY, None)),
        ("where", lambda c, b, v: c.count("Character", v), (5, WRONG, [1], "x")),
        ("entity", lambda c, b, v: c.get(v, 1), (*MANY, None, int)),
        ("identity", lambda c, b, v: c.get("Character", v), (*MANY[1:], "x", (1, 2), 1.5)),
        ("entity", lambda c, b, v: c.distinct(v, "name"), (*MANY, None)),
        ("path", lambda c, b, v: c.distinct("Character", v), (*MANY, None, "", "powers")),
        ("entity", lambda c, b, v: c.aggregate(v, {"n": "count"}), (*MANY, None)),
        ("values", lambda c, b, v: c.aggregate("Character", v), (*MANY, None, "count", {"a": 5})),
        ("by", lambda c, b, v: c.aggregate("Character", {"n": "count"}, v), MANY),
        ("entity", lambda c, b, v: c.insert(v), (*MANY, None, int)),
        ("values", lambda c, b, v: c.insert("Character", name=v), MANY),
        ("deleted", lambda c, b, v: c.delete(v), (*MANY, None, "x")),
        ("found", lambda c, b, v: groot.object_id(v), (*MANY, None)),
        ("found", lambda c, b, v: groot.entity_name(v), (*MANY, None)),
        ("found", lambda c, b, v: groot.is_deleted(v), (*MANY, None)),
        ("found", lambda c, b, v: groot.report(v), (*MANY, None)),
        ("path", lambda c, b, v: c.fetch("Character").column(v), (*MANY, None)),
        ("paths", lambda c, b, v: c.fetch("Character").table(v), (*MANY, None)),
        ("types", lambda c, b, v: c.fetch("Character").table(types=v), MANY),
        ("member", lambda c, b, v: b.powers.add(v), (*MANY, None)),
        ("members", lambda c, b, v: b.powers.update(v), (5, WRONG, None, "x", [1])),
        ("name", lambda c, b, v: b[v], (5, WRONG, None)),
        ("value", lambda c, b, v: b.__setitem__("name", v), MANY),
        ("name", lambda c, b, v: registry().builtin(v, "integer-text"), (*MANY, None)),
        ("builtin", lambda c, b, v: registry().builtin("x", v), (*MANY, None)),
        ("name", lambda c, b, v: registry().transformer(v, str), (*MANY, None)),
        ("forward", lambda c, b, v: registry().transformer("x", v), MANY),
        ("reverse", lambda c, b, v: registry().transformer("x", str, reverse=v), MANY),
        ("function", lambda c, b, v: registry().entity_mapper("x", v), MANY),
        ("function", lambda c, b, v: registry().dictionary_transformer("x", v), MANY),
        ("name", lambda c, b, v: registry().remove(v), (*MANY, None)),
        ("model", lambda c, b, v: generate.swift(v), (*MANY, None, "x")),
        ("options", lambda c, b, v: generate.swift(one, v), (*MANY, "x")),
        ("model", lambda c, b, v: generate.python(v), (*MANY, None, "x")),
        ("options", lambda c, b, v: generate.python(one, v), (*MANY, "x")),
        ("namespace", _generated, (5, WRONG)),
    ]
    options = [
        *_options(
            "Context",
            "progress log memory_limit durability conflicts busy_timeout create migrate backup "
            "triggers views versions registry nonsense",
            lambda c, b, **given: groot.Context(mapping, "missing/store", **given),
        ),
        *_options(
            "load",
            "policies max_issues mapping changes progress root form dry_run access errors create "
            "lines batch commits nonsense",
            lambda c, b, **given: c.load("Character", [BATMAN], **given),
        ),
        *_options(
            "fill",
            "policies max_issues mapping nonsense",
            lambda c, b, **given: c.fill(b, {}, **given),
        ),
        *_options(
            "sync",
            "policies max_issues mapping changes progress root form dry_run insert update delete "
            "members withhold where parent nonsense",
            lambda c, b, **given: c.sync("Character", [BATMAN], **given),
        ),
        *_options(
            "dump",
            "properties exclude depth relationships inflection dates nulls to_many subobjects "
            "mapping lines form nonsense",
            lambda c, b, **given: c.dump([b], **given),
        ),
    ]
    return [(name, use, value) for name, use, values in calls for value in values] + options


def _generated(context: groot.Context, batman: Any, namespace: Any) -> str:
    options = generate.SwiftOptions(namespace=namespace)
    return generate.swift(groot.Model(one_attribute("string")), options)


@pytest.mark.parametrize(("name", "use", "value"), _tables(), ids=lambda one: str(one)[:20])
def test_a_value_of_a_wrong_type_is_named(
    comics: groot.Context, batman: groot.Object, name: str, use: Use, value: Any
) -> None:
    with pytest.raises((groot.Error, TypeError)) as found:
        use(comics, batman, value)
    message = str(found.value)
    assert "GROOT_" not in message
    if not isinstance(found.value, groot.Error):
        assert name.rpartition(".")[2] in message


@pytest.mark.parametrize(
    ("use", "words"),
    [
        (lambda c, v: groot.Mapping(c.mapping.model, roots=3), "roots is 3, not a dict"),
        (lambda c, v: groot.Context(c.mapping, "x", busy_timeout="a"), "busy_timeout is 'a', not"),
        (lambda c, v: c.aggregate("Character", 5), "values is 5, not a dict of aggregates"),
        (lambda c, v: generate.swift(v), "model is 5, not a groot.Model"),
        (lambda c, v: generate.python(v), "model is 5, not a groot.Model"),
        (lambda c, v: c.fetch(v), "entity is 5, not the name of an entity or its class"),
    ],
)
def test_an_error_has_the_parameter_the_value_and_the_remedy(
    comics: groot.Context, use: Callable[[Any, Any], Any], words: str
) -> None:
    _refused(lambda: use(comics, 5), Status.INVALID_ARGUMENT, words)
