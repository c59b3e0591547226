"""Each option of classes beside its annotation: the same document, the same behaviour."""

from __future__ import annotations

import enum
from datetime import date, datetime, timezone
from decimal import Decimal
from typing import Annotated, Any, Literal, NamedTuple, Optional
from uuid import UUID

import pytest

import groot
from groot import Attribute, Entity, ToMany, ToOne, attribute, bits, relationship


class Color(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2


def made(name: str, annotations: dict[str, Any], base: Any = Entity, **body: Any) -> Any:
    """Make a class; `head` in its body has the options of its head."""
    head = body.pop("head", {})
    contents = {"__annotations__": annotations, "__module__": __name__, **body}
    return type(base)(name, (base,), contents, **head)


def outcome(context: groot.Context, data: list[Any]) -> Any:
    """Load records of Thing one after another, and return what became of each."""
    found: list[Any] = []
    for record in data:
        try:
            context.load("Thing", [record])
        except groot.Error as error:
            found.append(str(error))
        found.append(context.dumps(context.fetch("Thing")))
    return found


def check(classes: list[Any], entities: dict[str, Any], data: list[Any]) -> None:
    model = groot.Model.of(*classes)
    document = groot.Model({"entities": entities})
    assert model.document == document.document
    functions = groot.Registry()
    for name, (kind, given) in model._functions.items():
        if kind == "transformer":
            functions.transformer(name, given[0], reverse=given[1])
        else:
            getattr(functions, kind)(name, *given)
    expected = groot.Context(groot.Mapping(document, functions))
    found = groot.Context(*classes)
    assert outcome(found, data) == outcome(expected, data)
    assert [str(one) for one in found.mapping.warnings] == [
        str(one) for one in expected.mapping.warnings
    ]


class Option(NamedTuple):
    """An annotation and its options, and the description in a model document."""

    annotation: Any
    draft: Any
    description: dict[str, Any]
    data: list[Any]


def described(type: str, path: str | None = "value", **more: Any) -> dict[str, Any]:
    notes = more.pop("notes", {})
    if path is not None:
        notes = {"JSONKeyPath": path, **notes}
    return {"type": type, "userInfo": notes, **more}


def doubled(value: Any) -> Any:
    return value * 2


def halved(value: Any) -> Any:
    return value // 2


ATTRIBUTES = {
    "int": Option(Attribute[int], None, described("integer64"), [1, "1", None, 2**63]),
    "bool": Option(Attribute[bool], None, described("boolean"), [True, 1]),
    "str": Option(Attribute[str], None, described("string"), ["x", 1]),
    "float": Option(Attribute[float], None, described("double"), [1.5, 1, "x"]),
    "Decimal": Option(Attribute[Decimal], None, described("decimal"), [1.5, "1.50", "x"]),
    "datetime": Option(Attribute[datetime], None, described("date"), ["2024-01-02T03:04:05Z", 5]),
    "date": Option(Attribute[date], None, described("day"), ["2024-01-02", "x"]),
    "UUID": Option(
        Attribute[UUID], None, described("uuid"), ["12345678123456781234567812345678", "x"]
    ),
    "bytes": Option(Attribute[bytes], None, described("binary"), ["AAEC", "!"]),
    "Any": Option(
        Attribute[Any], None, described("transformable", optional=True), [{"a": [1]}, 1, None]
    ),
    "dict": Option(Attribute[dict[str, Any]], None, described("transformable"), [{"a": 1}]),
    "list": Option(Attribute[list[int]], None, described("transformable"), [[1, 2]]),
    "optional": Option(
        Attribute[Optional[int]], None, described("integer64", optional=True), [1, None]
    ),
    "int of 16 bits": Option(
        Attribute[Annotated[int, bits(16)]], None, described("integer16"), [1, 40_000]
    ),
    "int of 32 bits": Option(
        Attribute[Annotated[Optional[int], bits(32)]],
        None,
        described("integer32", optional=True),
        [1, 2**31, None],
    ),
    "float of 32 bits": Option(
        Attribute[Annotated[float, bits(32)]], None, described("float"), [0.1, 1e300]
    ),
    "Literal": Option(
        Attribute[Literal["a", "b"]], None, described("string", values=["a", "b"]), ["a", "c"]
    ),
    "Literal of numbers or None": Option(
        Attribute[Literal[1, 2, None]],
        None,
        described("integer64", values=[1, 2], optional=True),
        [1, 3, None],
    ),
    "Enum": Option(
        Attribute[Color], None, described("string", values=["red", "blue"]), ["red", "green"]
    ),
    "IntEnum": Option(
        Attribute[Annotated[Level, bits(16)]],
        None,
        described("integer16", values=[1, 2]),
        [1, 3],
    ),
    "path": Option(
        Attribute[str],
        attribute("inner.name"),
        described("string", "inner.name"),
        [{"inner": {"name": "x"}}],
    ),
    "no path": Option(
        Attribute[Optional[str]],
        attribute(None),
        described("string", None, optional=True),
        ["unread"],
    ),
    "@rest": Option(
        Attribute[Any],
        attribute("@rest"),
        described("transformable", "@rest", optional=True),
        [{"other": 1, "inner": {"a": 2}}],
    ),
    "@index": Option(
        Attribute[int], attribute("@index"), described("integer64", "@index"), [{"a": 1}]
    ),
    "name": Option(
        Attribute[str], attribute("value", name="a.b"), described("string"), ["x", None]
    ),
    "uri": Option(Attribute[str], attribute(type="uri"), described("uri"), ["http://x", 1]),
    "composite": Option(
        Attribute[dict[str, Any]],
        attribute(type="composite", elements={"x": {"type": "double"}}),
        described("composite", elements={"x": {"type": "double"}}),
        [{"x": 1.5}, {"x": "a"}, {"y": 1}],
    ),
    "optional option": Option(
        Attribute[Any], attribute(optional=False), described("transformable"), [1, None]
    ),
    "default": Option(
        Attribute[int], attribute(default=7), described("integer64", default=7), [{}, 1]
    ),
    "default of a date": Option(
        Attribute[datetime],
        attribute(default=datetime(2024, 1, 2, tzinfo=timezone.utc)),
        described("date", default="2024-01-02T00:00:00Z"),
        [{}],
    ),
    "default of a decimal": Option(
        Attribute[Decimal],
        attribute(default=Decimal("9.90")),
        described("decimal", default="9.90"),
        [{}],
    ),
    "default of an enum": Option(
        Attribute[Color],
        attribute(default=Color.BLUE),
        described("string", values=["red", "blue"], default="blue"),
        [{}],
    ),
    "minimum, maximum": Option(
        Attribute[int],
        attribute(minimum=1, maximum=3),
        described("integer64", min=1, max=3),
        [0, 1, 3, 4],
    ),
    "minimum of days": Option(
        Attribute[date],
        attribute(minimum=date(2024, 1, 1)),
        described("day", min="2024-01-01"),
        ["2023-12-31", "2024-01-01"],
    ),
    "lengths": Option(
        Attribute[str],
        attribute(minimum_length=1, maximum_length=2),
        described("string", minLength=1, maxLength=2),
        ["", "a", "abc"],
    ),
    "pattern": Option(
        Attribute[str],
        attribute(pattern="[a-z]+"),
        described("string", pattern="[a-z]+"),
        ["a", "1"],
    ),
    "values": Option(
        Attribute[float],
        attribute(values=[0.5, 1.5]),
        described("double", values=[0.5, 1.5]),
        [0.5, 2],
    ),
    "values of decimals": Option(
        Attribute[Decimal],
        attribute(values=[Decimal("0.5")]),
        described("decimal", values=["0.5"]),
        ["0.5", 1],
    ),
    "built-in transformer": Option(
        Attribute[int],
        attribute(transformer="integer-text"),
        described("integer64", notes={"JSONTransformerName": "integer-text"}),
        ["5", "x"],
    ),
    "function": Option(
        Attribute[int],
        attribute(transformer=doubled, reverse=halved),
        described("integer64", notes={"JSONTransformerName": "Thing.value"}),
        [4],
    ),
    "function in one direction": Option(
        Attribute[int],
        attribute(transformer=doubled, direction="import"),
        described(
            "integer64", notes={"JSONTransformerName": "Thing.value", "groot.direction": "import"}
        ),
        [4],
    ),
    "date_format": Option(
        Attribute[datetime],
        attribute(date_format=["dd.MM.yyyy", "unixSeconds"]),
        described("date", notes={"groot.dateFormat": "dd.MM.yyyy | unixSeconds"}),
        ["02.01.2024", 5, "x"],
    ),
    "alternatives": Option(
        Attribute[str],
        attribute(alternatives=["title", "inner.title"]),
        described("string", notes={"groot.alternatives": "title, inner.title"}),
        [{"inner": {"title": "t"}}, {"title": "s"}],
    ),
    "direction": Option(
        Attribute[Optional[str]],
        attribute(direction="export"),
        described("string", optional=True, notes={"groot.direction": "export"}),
        ["unread"],
    ),
    "nulls": Option(
        Attribute[Optional[str]],
        attribute(nulls="omit"),
        described("string", optional=True, notes={"groot.exportNull": "omit"}),
        [None],
    ),
    "policies": Option(
        Attribute[Optional[str]],
        attribute(policies={"null": "keep", "emptyText": "null"}),
        described("string", optional=True, notes={"groot.null": "keep", "groot.emptyText": "null"}),
        ["a", None, ""],
    ),
    "transient": Option(
        Attribute[int], attribute(transient=True), described("integer64", transient=True), [1]
    ),
    "renaming_identifier": Option(
        Attribute[int],
        attribute(renaming_identifier="old"),
        described("integer64", renamingIdentifier="old"),
        [1],
    ),
    "annotations": Option(
        Attribute[int],
        attribute(annotations={"comment": "x", "groot.conversion": "exact"}),
        described("integer64", notes={"comment": "x", "groot.conversion": "exact"}),
        [1, "1"],
    ),
}


@pytest.mark.parametrize("name", ATTRIBUTES)
def test_an_option_of_an_attribute_is_its_annotation(name: str) -> None:
    option = ATTRIBUTES[name]
    body = {} if option.draft is None else {"value": option.draft}
    thing = made("Thing", {"value": option.annotation}, **body)
    records = [
        one if isinstance(one, dict) and name != "dict" else {"value": one} for one in option.data
    ]
    if name in ("Any", "composite"):
        records = [{"value": one} for one in option.data]
    model_name = (option.draft.options if option.draft else {}).get("name", "value")
    check([thing], {"Thing": {"attributes": {model_name: option.description}}}, records)


NAMED = {
    "attributes": {
        "id": {"type": "integer64", "userInfo": {"JSONKeyPath": "id"}},
        "name": {"type": "string", "optional": True, "userInfo": {"JSONKeyPath": "name"}},
    },
}


class Link(NamedTuple):
    """A relationship of Thing to Other, and its description in a model document."""

    annotation: Any
    options: dict[str, Any]
    description: dict[str, Any]
    data: list[Any]
    inverse: dict[str, Any] = {}


def link(to_many: bool, path: str | None = "link", **more: Any) -> dict[str, Any]:
    notes = more.pop("notes", {})
    if path is not None:
        notes = {"JSONKeyPath": path, **notes}
    return {"destination": "Other", "toMany": to_many, "optional": True, "userInfo": notes, **more}


ONE, TWO = {"id": 1, "name": "a"}, {"id": 2, "name": "b"}
MADE = {"destination": "Thing", "toMany": True, "optional": True, "inverse": "link"}
RELATIONSHIPS = {
    "to one": Link("one", {}, link(False), [ONE, 5, None]),
    "required": Link("required", {}, link(False, optional=False), [ONE, None]),
    "to many": Link("many", {}, link(True), [[ONE, 2], []]),
    "path": Link("one", {"path": "a.b"}, link(False, "a.b"), [{"a": {"b": ONE}}]),
    "no path": Link("one", {"path": None}, link(False, None), [ONE]),
    "inverse that is made": Link(
        "many", {"inverse": "things"}, link(True, inverse="things"), [[ONE]], {"things": MADE}
    ),
    "ordered": Link("many", {"ordered": True}, link(True, ordered=True), [[TWO, ONE]]),
    "optional": Link("many", {"optional": False}, link(True, optional=False), [[], [ONE]]),
    "counts": Link(
        "many",
        {"minimum_count": 1, "maximum_count": 2},
        link(True, minCount=1, maxCount=2),
        [[], [ONE], [ONE, TWO, 3]],
    ),
    "delete_rule": Link("one", {"delete_rule": "deny"}, link(False, deleteRule="deny"), [ONE]),
    "form": Link(
        "many", {"form": "grouped"}, link(True, notes={"groot.form": "grouped"}), [{"k": [ONE]}]
    ),
    "export": Link(
        "many",
        {"export": "identifier"},
        link(True, notes={"groot.export": "identifier"}),
        [[ONE, TWO]],
    ),
    "properties": Link(
        "many",
        {"properties": ["id"]},
        link(True, notes={"groot.exportProperties": "id"}),
        [[ONE, TWO]],
    ),
    "discriminator": Link(
        "one",
        {"discriminator": "kind"},
        link(False, notes={"groot.discriminator": "kind"}),
        [{"kind": "Other", "id": 1}],
    ),
    "alternatives": Link(
        "one", {"alternatives": "other"}, link(False, notes={"groot.alternatives": "other"}), []
    ),
    "direction": Link(
        "one", {"direction": "import"}, link(False, notes={"groot.direction": "import"}), [ONE]
    ),
    "nulls": Link(
        "one", {"nulls": "omit"}, link(False, notes={"groot.exportNull": "omit"}), [None]
    ),
    "policies": Link(
        "many",
        {"policies": {"assignment": "union", "unknownIdentifier": "error"}},
        link(True, notes={"groot.assignment": "union", "groot.unknownIdentifier": "error"}),
        [[ONE], [TWO], [3]],
    ),
    "renaming_identifier": Link(
        "one", {"renaming_identifier": "old"}, link(False, renamingIdentifier="old"), [ONE]
    ),
    "annotations": Link("one", {"annotations": {"x": "y"}}, link(False, notes={"x": "y"}), [ONE]),
}


@pytest.mark.parametrize("name", RELATIONSHIPS)
def test_an_option_of_a_relationship_is_its_annotation(name: str) -> None:
    option = RELATIONSHIPS[name]
    other = made(
        "Other",
        {"id": Attribute[int], "name": Attribute[Optional[str]]},
        id=attribute(identity=True),
        head={"discriminator": "kind"} if name == "discriminator" else {},
    )
    annotation = {"one": ToOne[Optional[other]], "required": ToOne[other], "many": ToMany[other]}
    thing = made(
        "Thing", {"link": annotation[option.annotation]}, link=relationship(**option.options)
    )
    records = [
        one if isinstance(one, dict) and "a" in one else {"link": one} for one in option.data
    ]
    notes = {"identityAttributes": "id"}
    if name == "discriminator":
        notes["groot.discriminator"] = "kind"
    entities = {
        "Thing": {"relationships": {"link": option.description}},
        "Other": {**NAMED, "relationships": option.inverse, "userInfo": notes},
    }
    check([thing], entities, records)


BASE = {
    "id": Attribute[int],
    "revision": Attribute[Optional[int]],
    "gone": Attribute[Optional[bool]],
}
DESCRIBED = {
    "id": described("integer64", "id"),
    "revision": described("integer64", "revision", optional=True),
    "gone": described("boolean", "gone", optional=True),
}


def renamed(record: Any) -> Any:
    return {**record, "id": record["id"] + 100}


def chosen(record: Any) -> Any:
    return "Thing"


HEADS: dict[str, tuple[dict[str, Any], dict[str, Any], list[Any]]] = {
    "identity": (
        {"identity": ("id", "revision")},
        {"userInfo": {"identityAttributes": "id, revision"}},
        [{"id": 1, "revision": 1}, {"id": 1, "revision": 2}, {"id": 1, "revision": 1}],
    ),
    "identity of one": (
        {"identity": "id"},
        {"userInfo": {"identityAttributes": "id"}},
        [{"id": 1}, {"id": 1}],
    ),
    "abstract": ({"abstract": True}, {"abstract": True}, [{"id": 1}]),
    "version": (
        {"identity": "id", "version": "revision", "version_rule": "newerOrEqual"},
        {
            "userInfo": {
                "identityAttributes": "id",
                "groot.version": "revision",
                "groot.versionRule": "newerOrEqual",
            }
        },
        [{"id": 1, "revision": 2}, {"id": 1, "revision": 1, "gone": True}],
    ),
    "tombstone": (
        {"identity": "id", "tombstone": "state=deleted"},
        {"userInfo": {"identityAttributes": "id", "groot.tombstone": "state=deleted"}},
        [{"id": 1}, {"id": 1, "state": "deleted"}],
    ),
    "deletion_mark": (
        {"identity": "id", "deletion_mark": "gone"},
        {"userInfo": {"identityAttributes": "id", "groot.deletionMark": "gone"}},
        [{"id": 1}],
    ),
    "unknown_keys": (
        {"unknown_keys": "error"},
        {"userInfo": {"groot.unknownKeys": "error"}},
        [{"id": 1}, {"id": 2, "x": 1}],
    ),
    "discriminator": (
        {"discriminator": "kind", "discriminator_value": "t", "unknown_discriminator": "skip"},
        {
            "userInfo": {
                "groot.discriminator": "kind",
                "groot.discriminatorValue": "t",
                "groot.unknownDiscriminator": "skip",
            }
        },
        [{"kind": "t", "id": 1}, {"kind": "u", "id": 2}],
    ),
    "dictionary_transformer": (
        {"dictionary_transformer": renamed},
        {"userInfo": {"JSONDictionaryTransformerName": "Thing.dictionary_transformer"}},
        [{"id": 1}],
    ),
    "entity_mapper": (
        {"entity_mapper": chosen},
        {"userInfo": {"entityMapperName": "Thing.entity_mapper"}},
        [{"id": 1}],
    ),
    "implicit": ({"implicit": True}, {"userInfo": {"groot.implicit": "true"}}, [{"id": 1}]),
    "not implicit": ({"implicit": False}, {}, []),
    "unique": (
        {"unique": [["id", "revision"]]},
        {"uniquenessConstraints": [["id", "revision"]]},
        [{"id": 1}],
    ),
    "renaming_identifier": (
        {"renaming_identifier": "Old"},
        {"renamingIdentifier": "Old"},
        [{"id": 1}],
    ),
    "annotations": ({"annotations": {"a": "b"}}, {"userInfo": {"a": "b"}}, [{"id": 1}]),
}


@pytest.mark.parametrize("name", HEADS)
def test_an_option_of_the_head_is_its_annotation(name: str) -> None:
    head, description, data = HEADS[name]
    attributes = DESCRIBED
    if "implicit" in head:
        attributes = {key: {**one, "userInfo": {}} for key, one in DESCRIBED.items()}
    check(
        [made("Thing", BASE, head=head)],
        {"Thing": {"attributes": attributes, **description}},
        data,
    )


def test_the_name_of_an_entity_may_differ_from_that_of_its_class() -> None:
    thing = made("Row", BASE, head={"name": "Thing"})
    check([thing], {"Thing": {"attributes": DESCRIBED}}, [{"id": 1}])


def test_every_option_is_in_a_case() -> None:
    import inspect

    used = {key for one in ATTRIBUTES.values() if one.draft for key in one.draft.options}
    missing = set(inspect.signature(attribute).parameters) - used - {"identity"}
    assert not missing
    linked = {key for one in RELATIONSHIPS.values() for key in one.options}
    assert set(inspect.signature(relationship).parameters) - linked == {"identity", "name"}
    heads = {key for head, _, _ in HEADS.values() for key in head}
    from groot.typed.entity import _HEAD

    assert set(_HEAD) - heads == {"name"}
