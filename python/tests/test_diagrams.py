"""Diagrams of models: the texts, and what readers of the formats make of them."""

from __future__ import annotations

import re
import shutil
import sqlite3
import subprocess
from typing import Any
from xml.dom import minidom

import pytest
from conftest import CASES
from diagram_models import PLAIN, hard

import groot
from groot.models import diagrams

MERMAID = """\
erDiagram
    Hero {
        integer64 id PK
        string name "optional"
        string side
        composite place "composite (double x, double y), optional"
    }
    Villain
    Power {
        string name
    }
    Publisher
    Plan
    Villain |o..|| Hero : "is a"
    Hero }|--o{ Power : "powers / heroes"
    Hero }o--|| Publisher : "publisher / heroes"
    Hero }o--o| Hero : mentor
    Hero }o--o{ Hero : friends
    Villain ||--o| Plan : "plan / villain"
"""
DBML = """\
Table Hero {
  _id integer [pk]
  id integer64 [unique, not null]
  name string [default: 'nobody']
  side Hero_side [not null, default: 'good']
  place composite [note: 'composite (double x, double y)']
  powers "integer[]"
  publisher integer [not null]
  mentor integer
  friends "integer[]"

  Note: 'It\\'s a person.'
}

Table Villain {
  _id integer [pk]
  plan integer

  Note: 'a sub-entity of Hero'
}

Table Power {
  _id integer [pk]
  name string [not null]
  heroes "integer[]"
}

Table Publisher {
  _id integer [pk]
}

Table Plan {
  _id integer [pk]
}

Enum Hero_side {
  good
  evil
}

Ref: Villain._id - Hero._id
Ref: Hero.powers <> Power.heroes
Ref: Hero.publisher > Publisher._id
Ref: Hero.mentor > Hero._id
Ref: Hero.friends <> Hero._id
Ref: Villain.plan - Plan._id
"""
DOT = """\
    "Villain" -> "Hero" [style=dashed, arrowhead=onormal, arrowtail=none]
    "Hero" -> "Power" [label="powers / heroes", arrowhead=crowodot, arrowtail=crowtee]
    "Hero" -> "Publisher" [label="publisher / heroes", arrowhead=teetee, arrowtail=crowodot]
    "Hero" -> "Hero" [label="mentor", arrowhead=teeodot, arrowtail=none]
    "Hero" -> "Hero" [label="friends", arrowhead=crowodot, arrowtail=crowodot]
    "Villain" -> "Plan" [label="plan / villain", arrowhead=teeodot, arrowtail=teetee]
}
"""
MODELS = sorted((CASES / "models").glob("*.json"))
ALL = [hard(), groot.Model(PLAIN), *map(groot.Model.load, MODELS)]
NAMES = ["hard", "plain", *(path.stem for path in MODELS)]
FORMS: dict[str, Any] = {
    name: getattr(diagrams, name) for name in ("mermaid", "dot", "dbml", "svg", "sql")
}


def plain() -> groot.Model:
    return groot.Model(PLAIN)


def texts_of(svg: str) -> list[str]:
    found = minidom.parseString(svg).getElementsByTagName("text")  # noqa: S318, of the test itself
    return ["".join(part.data for part in one.childNodes) for one in found]


# Mermaid: its lexer, as the grammar of version 11 has it

NAME = r'(?:[A-Za-z][A-Za-z0-9_]*|"[^"%\r\n\v\b\\]+")'
WORD = r"[A-Za-z_\u00c0-\uffff\U00010000-\U0010ffff][A-Za-z0-9_\u00c0-\uffff\U00010000-\U0010ffff]*"
NO_KEY = r"(?![PFU]K(?![A-Za-z0-9_]))"
ROW = re.compile(rf' {{8}}{WORD} (?i:{NO_KEY}){WORD}(?: PK)?(?: "[^"~%]*")?')
LINE = re.compile(
    rf"    {NAME} (?:\|\||\|o|}}o|}}\|)(?:--|\.\.)(?:\|\||o\||o{{|\|{{) {NAME} : {NAME}"
)
ENTITY = re.compile(rf"    {NAME}(?: {{)?|    }}")
WORDS = {"class", "classdef", "end", "erdiagram", "one", "only", "style", "subgraph", "to", "u"}


def test_mermaid_has_entities_and_a_line_for_each_pair_of_inverses() -> None:
    assert diagrams.mermaid(plain()) == MERMAID


@pytest.mark.parametrize("model", ALL, ids=NAMES)
def test_mermaid_takes_every_line(model: groot.Model) -> None:
    first, *lines = diagrams.mermaid(model).splitlines()
    assert first == "erDiagram"
    for line in lines:
        assert ROW.fullmatch(line) or LINE.fullmatch(line) or ENTITY.fullmatch(line), line
        coded = re.sub(r"#\d+;", ".", line)
        assert not re.search(r"[#;~%<>\\]|direction\s", coded, re.IGNORECASE), line
        bare = re.sub(r'"[^"]*"', "", line) if not line.startswith(" " * 8) else ""
        assert not WORDS.intersection(bare.lower().split()), line


def test_mermaid_has_each_name_once() -> None:
    model = hard()
    rows = re.findall(rf"^ {{8}}string ({WORD})", diagrams.mermaid(model), re.MULTILINE)
    attributes = len(model.document["entities"]["attributes"]["attributes"])
    assert len(set(rows[:attributes])) == attributes


# Graphviz


def test_dot_has_an_edge_for_each_pair_of_inverses() -> None:
    text = diagrams.dot(plain())
    assert text.endswith(DOT)
    assert '<tr><td align="left"><u>id: integer64</u></td></tr>' in text
    assert '<tr><td align="left">name: string?</td></tr>' in text


@pytest.mark.skipif(shutil.which("dot") is None, reason="Graphviz is not installed")
@pytest.mark.parametrize("model", [hard(), plain()], ids=["hard", "plain"])
def test_graphviz_draws_every_name(model: groot.Model) -> None:
    found = subprocess.run(
        ["dot", "-Tsvg"],  # noqa: S607, as a person runs it
        input=diagrams.dot(model).encode(),
        capture_output=True,
        check=True,
    )
    assert found.stderr == b""
    names = {name for name in model.document["entities"] if name.isprintable()}
    assert names <= set(texts_of(found.stdout.decode()))


# DBML


def test_dbml_has_tables_enums_and_references() -> None:
    assert diagrams.dbml(plain()) == DBML


@pytest.mark.parametrize("model", ALL, ids=NAMES)
def test_a_reader_of_dbml_finds_all_tables_and_references(model: groot.Model) -> None:
    pydbml = pytest.importorskip("pydbml")
    entities = model.document["entities"]
    text = diagrams.dbml(model)
    found = pydbml.PyDBML(text)
    assert len(found.tables) == len(entities)
    ends = list(map(set, re.findall(r"^Ref: (.+) (?:>|-|<>) (.+)$", text, re.MULTILINE)))
    assert len(found.refs) == len(ends)
    assert all(len(pair) == 2 and ends.count(pair) == 1 for pair in ends)
    for table, described in zip(found.tables, entities.values()):
        names = [column.name for column in table.columns]
        assert len(set(names)) == len(names) > len(described["attributes"])
    for enum in found.enums:
        assert any(column.type is enum for one in found.tables for column in one.columns)


def test_a_reader_of_dbml_finds_the_defaults() -> None:
    pydbml = pytest.importorskip("pydbml")
    model = hard()
    tables = {table.name: table for table in pydbml.PyDBML(diagrams.dbml(model)).tables}
    found = [column.default for column in tables["attributes"].columns[1:]]
    expected = [
        name.replace("\x1b", " ") for name in model.document["entities"]["attributes"]["attributes"]
    ]
    assert found == expected
    numbers = {column.name: column.default for column in tables["values"].columns}
    assert numbers["exact"] == "0.1234567890123456789"
    assert numbers["numbers"].text == "-1"


# SVG


@pytest.mark.parametrize("model", ALL, ids=NAMES)
def test_a_drawing_is_a_document_with_all_entities(model: groot.Model) -> None:
    texts = texts_of(diagrams.svg(model))
    for name, described in model.document["entities"].items():
        assert (name if name.isprintable() else repr(name)) in texts
        rows = len(described["attributes"]) + len(described["relationships"])
        assert len(texts) >= rows


def test_a_drawing_has_colours_for_light_and_dark() -> None:
    text = diagrams.svg(plain())
    assert text.startswith('<svg xmlns="http://www.w3.org/2000/svg" ')
    assert "@media(prefers-color-scheme:dark)" in text


def test_a_drawing_of_no_entities_is_a_document() -> None:
    assert texts_of(diagrams.svg(groot.Model({"entities": {}}))) == []


# SQL


@pytest.mark.parametrize("model", ALL, ids=NAMES)
def test_the_statements_make_the_schema_of_a_store(model: groot.Model) -> None:
    text = diagrams.sql(model, implicit=True)
    with sqlite3.connect(":memory:") as connection:
        connection.executescript(text)
        tables = connection.execute("SELECT count(*) FROM sqlite_master WHERE type = 'table'")
        assert tables.fetchone()[0] > 1
    assert all(len(line) <= 100 or " REFERENCES " in line for line in text.splitlines())


def test_a_long_statement_has_a_column_on_each_line() -> None:
    text = diagrams.sql(plain(), implicit=True)
    key = "_id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL"
    entity = "_entity TEXT NOT NULL DEFAULT 'Hero'"
    assert text.startswith(f'CREATE TABLE "Hero" (\n  {key},\n  {entity},\n')
    assert 'CREATE INDEX "_Hero_publisher" ON "Hero" ("publisher");\n' in text
    assert text.endswith("CREATE TABLE _groot (key TEXT PRIMARY KEY, value) WITHOUT ROWID;\n")


# All


@pytest.mark.parametrize("form", FORMS)
def test_a_text_depends_only_on_the_model(form: str) -> None:
    model = groot.Model.load(MODELS[0])
    text = FORMS[form](model)
    assert FORMS[form](groot.Model(model.document)) == text
    assert text.endswith("\n")


@pytest.mark.parametrize("form", FORMS)
def test_something_other_than_a_model_is_an_issue(form: str) -> None:
    with pytest.raises(groot.Error) as caught:
        FORMS[form]({"entities": {}})
    assert caught.value.code == groot.Status.INVALID_ARGUMENT
    assert "groot.Model" in str(caught.value)
