"""Annotations of classes, resolved on first use: wherever their names come from."""

from __future__ import annotations

import importlib
import sys
import textwrap
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import groot
from groot.typed import annotations

FUTURE = "from __future__ import annotations\n"
HEAD = (
    "from typing import *\n"
    "import groot\n"
    "from groot import Attribute, Entity, ToMany, ToOne, attribute, bits, relationship\n"
)


class Program:
    """A folder of modules."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.names: list[str] = []

    def write(self, name: str, text: str, *, future: bool = False) -> None:
        head = f"{FUTURE if future else ''}{HEAD}"
        (self.folder / f"{name}.py").write_text(head + textwrap.dedent(text))
        self.names.append(name)

    def load(self, name: str, text: str | None = None, *, future: bool = False) -> Any:
        if text is not None:
            self.write(name, text, future=future)
        importlib.invalidate_caches()
        return importlib.import_module(name)


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Program]:
    monkeypatch.syspath_prepend(str(tmp_path))
    found = Program(tmp_path)
    yield found
    for name in found.names:
        sys.modules.pop(name, None)


def types_of(*classes: Any) -> dict[str, dict[str, str]]:
    """Return by entity the types of attributes and the destinations of relationships."""
    found = {}
    for name, one in groot.Model.of(*classes).document["entities"].items():
        types = {key: each["type"] for key, each in one["attributes"].items()}
        types |= {key: each["destination"] for key, each in one["relationships"].items()}
        found[name] = types
    return found


@pytest.mark.parametrize("future", [False, True])
def test_names_of_later_classes_and_of_the_own_class(program: Program, future: bool) -> None:
    module = program.load(
        "later",
        """
        class Hero(Entity):
            id: Attribute[int]
            powers: ToMany["Power"] = relationship(inverse="heroes")
            rival: ToOne["Optional[Hero]"]
            chief: "ToOne[Hero | None]"

        class Power(Entity):
            name: Attribute[Optional[str]]
        """,
        future=future,
    )
    assert types_of(module.Hero) == {
        "Hero": {"id": "integer64", "powers": "Power", "rival": "Hero", "chief": "Hero"},
        "Power": {"name": "string", "heroes": "Hero"},
    }
    described = groot.Model.of(module.Hero).document["entities"]["Hero"]["relationships"]
    assert described["rival"]["optional"]
    assert described["chief"]["optional"]


@pytest.mark.parametrize("future", [False, True])
def test_modules_that_import_each_other(program: Program, future: bool) -> None:
    for name, other in (("Author", "Book"), ("Book", "Author")):
        quote = "" if future else '"'
        program.write(
            f"circle_{name.lower()}",
            f"""
            if TYPE_CHECKING:
                from circle_{other.lower()} import {other}

            class {name}(Entity):
                id: Attribute[int] = attribute(identity=True)
                others: {quote}ToMany[{other}]{quote} = relationship(inverse="others")
            """,
            future=future,
        )
    author, book = program.load("circle_author"), program.load("circle_book")
    assert types_of(author.Author)["Book"]["others"] == "Author"
    context = groot.Context(author.Author)
    loaded = context.load(author.Author, {"id": 1, "others": [{"id": 2}]})
    assert isinstance(loaded.others[0], book.Book)


def test_types_that_are_imported_for_checkers_only(program: Program) -> None:
    module = program.load(
        "checked",
        """
        if TYPE_CHECKING:
            from datetime import date, datetime
            from decimal import Decimal
            from uuid import UUID

        class Thing(Entity):
            amount: Attribute[Decimal | None]
            day: Attribute[date]
            time: Attribute[datetime]
            code: Attribute[UUID]
        """,
        future=True,
    )
    modules = program.load(
        "checked_modules",
        """
        if TYPE_CHECKING:
            import datetime
            import decimal
            import typing
            import uuid

        class Thing(Entity):
            amount: Attribute[typing.Optional[decimal.Decimal]]
            day: Attribute[datetime.date]
            time: Attribute[datetime.datetime]
            code: Attribute[uuid.UUID]
        """,
        future=True,
    )
    assert types_of(module.Thing) == types_of(modules.Thing)
    assert types_of(module.Thing)["Thing"] == {
        "amount": "decimal",
        "day": "day",
        "time": "date",
        "code": "uuid",
    }


@pytest.mark.parametrize("future", [False, True])
def test_properties_with_the_names_of_types(program: Program, future: bool) -> None:
    module = program.load(
        "shadows",
        """
        import datetime as dt
        from datetime import date

        class Thing(Entity):
            date: Attribute[date]
            int: Attribute[dt.datetime] = attribute("i")
        """,
        future=future,
    )
    assert types_of(module.Thing)["Thing"] == {"date": "day", "int": "date"}


@pytest.mark.parametrize("future", [False, True])
def test_enums_and_literals_inside_the_class(program: Program, future: bool) -> None:
    module = program.load(
        "inside",
        """
        import enum

        class Thing(Entity):
            class Color(enum.Enum):
                RED = "red"

            color: Attribute[Color]
            word: Attribute[Literal["int", "Thing"]]
        """,
        future=future,
    )
    described = groot.Model.of(module.Thing).document["entities"]["Thing"]["attributes"]
    assert described["color"]["values"] == ["red"]
    assert described["word"]["values"] == ["int", "Thing"]


@pytest.mark.parametrize("future", [False, True])
def test_classes_inside_functions(program: Program, future: bool) -> None:
    quote = "" if future else '"'
    module = program.load(
        "inner",
        f"""
        class Part(Entity):
            outer: Attribute[int]

        def make():
            class Whole(Entity):
                id: Attribute[int]
                parts: ToMany[{quote}Part{quote}]
                next: ToOne[{quote}Whole{quote}]

            class Part(Entity):
                inner: Attribute[int]

            return Whole
        """,
        future=future,
    )
    made = module.make()
    found = types_of(made)
    assert found["Whole"] == {"id": "integer64", "parts": "Part", "next": "Whole"}


def test_aliases_and_other_names_of_the_annotations(program: Program) -> None:
    module = program.load(
        "aliases",
        """
        import groot as g
        from groot import Attribute as A

        Text = NewType("Text", str)
        Rating = Annotated[int, bits(16)]

        class Thing(g.Entity):
            name: A[Text]
            rating: A["Rating"]
            narrow: g.Attribute[g.Annotated[int, bits(16)] if False else Rating]
            many: ClassVar[int]
            number: int = 3
            thing: "ClassVar[Unknown]"
            untyped = 5
        """,
    )
    assert types_of(module.Thing)["Thing"] == {
        "name": "string",
        "rating": "integer16",
        "narrow": "integer16",
    }
    assert (module.Thing.number, module.Thing.untyped) == (3, 5)


@pytest.mark.skipif(sys.version_info < (3, 12), reason="the syntax is younger")
@pytest.mark.parametrize("future", [False, True])
def test_type_parameters_and_type_statements(program: Program, future: bool) -> None:
    module = program.load(
        "parameters",
        """
        type Text = str
        type Maybe = Text | None

        class Keyed[K](Entity):
            id: Attribute[K] = attribute(identity=True)
            other: Attribute[K | None]

        class Linked[K, T](Keyed[K]):
            links: ToMany[T]

        class Thing(Linked[int, "Thing"]):
            text: Attribute[Text]
            maybe: Attribute[Maybe]

        class Word(Keyed[Text]):
            pass
        """,
        future=future,
    )
    assert types_of(module.Thing, module.Word) == {
        "Thing": {
            "id": "integer64",
            "other": "integer64",
            "links": "Thing",
            "text": "string",
            "maybe": "string",
        },
        "Word": {"id": "string", "other": "string"},
    }
    described = groot.Model.of(module.Thing).document["entities"]["Thing"]["attributes"]
    assert [key for key, one in described.items() if one["optional"]] == ["other", "maybe"]


def test_a_name_that_several_modules_have(program: Program) -> None:
    for number in (1, 2):
        program.load(f"twin{number}", "class Twin(Entity):\n    id: Attribute[int]\n")
    user = program.load("user", "class User(Entity):\n    twin: ToOne['Twin']\n")
    with pytest.raises(groot.Error, match=r"may be any of twin1.Twin, twin2.Twin; import the one"):
        groot.Model.of(user.User)
    chosen = program.load(
        "chosen", "from twin2 import Twin\nclass Chosen(Entity):\n    twin: ToOne['Twin']\n"
    )
    assert types_of(chosen.Chosen)["Chosen"] == {"twin": "Twin"}
    assert groot.Model.of(chosen.Chosen)._classes["Twin"].__module__ == "twin2"


WRONG = {
    "x: Attribute['Unknwon']": "Thing.x: the name 'Unknwon' in the annotation 'Unknwon' is unknown",
    "x: 'Attribute[int'": "Thing.x: the annotation 'Attribute[int' is invalid",
    "x: Attribute[complex]": "Thing.x: complex is not a type of attributes, which are int, bool",
    "x: Attribute['int | datetime.date']": "Thing.x: int | date is not one type",
    "x: Attribute[Union[int, bytes]]": "Thing.x: int | bytes is not one type",
    "x: Attribute[Annotated[int, bits(8)]]": "Thing.x: bits(8) is not a width of int",
    "x: Attribute[Annotated[str, bits(16)]]": "Thing.x: bits(16) is not a width of str",
    "x: Attribute[Literal[1, 'a']]": "are not all str, all int or all bool",
    "x: ToOne[int]": "Thing.x: int is not a class of an entity",
    "x: ToMany['Optional[Thing]']": "is not a class of an entity",
    "x: ToOne[Entity]": "Thing.x: Entity is not a class of an entity",
    "x: int": "Thing.x: the annotation int is not Attribute[...], ToOne[...] or ToMany[...]",
    "x: Attribute": "Thing.x: the annotation Attribute is not Attribute[...]",
    "x: Attribute[int] = relationship()": "takes its options from attribute()",
    "x: ToOne['Thing'] = attribute()": "takes its options from relationship()",
    "x = attribute()": "Thing.x: an annotation is missing",
    "x: Attribute[int] = 5": "5 is not the options of a property; write attribute(default=5)",
    "x: 'Attribute[Optional[int]]' = None": "Thing.x: None is not the options of a property",
    "mro: Attribute[int]": "Thing.mro: the name is taken",
    "_session: Attribute[int]": "Thing._session: the name is taken; give another, and name=",
}


@pytest.mark.parametrize("line", WRONG)
def test_an_unresolved_annotation_names_class_and_property(program: Program, line: str) -> None:
    module = program.load("wrong", f"class Thing(Entity):\n    {line}\n")
    with pytest.raises(groot.Error) as raised:
        groot.Context(module.Thing)
    assert WRONG[line] in str(raised.value)
    assert raised.value.issues[0].entity == "Thing"


def test_a_class_whose_annotation_failed_works_once_the_name_is_there(program: Program) -> None:
    module = program.load("mended", "class Thing(Entity):\n    x: ToOne['Later']\n")
    with pytest.raises(groot.Error, match="is unknown"):
        groot.Model.of(module.Thing)
    later = program.load("later2", "class Later(Entity):\n    id: Attribute[int]\n")
    assert types_of(module.Thing)["Later"] == {"id": "integer64"}
    assert later.Later.id is not None


@pytest.mark.skipif(sys.version_info >= (3, 14), reason="the other tests run with annotationlib")
def test_annotations_are_read_by_annotationlib_where_it_is(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    stands_for = pytest.importorskip("typing_extensions")
    module = program.load(
        "younger",
        """
        class Hero(Entity):
            id: Attribute[int]
            powers: ToMany["Power"]
            name: "Attribute[Optional[str]]"
            limit: ClassVar[int] = 5

        class Power(Entity):
            hero: ToOne[Hero]
        """,
    )
    asked: list[str] = []

    def imported(name: str) -> Any:
        asked.append(name)
        return stands_for

    version = types.SimpleNamespace(version_info=(3, 14), modules=sys.modules)
    monkeypatch.setattr(annotations, "sys", version)
    monkeypatch.setattr(annotations.importlib, "import_module", imported)
    assert types_of(module.Hero) == {
        "Hero": {"id": "integer64", "name": "string", "powers": "Power"},
        "Power": {"hero": "Hero"},
    }
    assert set(asked) == {"annotationlib"}
