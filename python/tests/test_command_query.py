"""The commands `query` and `export`: as a user runs them."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from command_checks import HEROES, Folder, dump


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    folder = Folder(tmp_path)
    folder.heroes()
    return folder


def rows(text: str) -> list[Any]:
    return [json.loads(line) for line in text.splitlines()]


QUERIES: dict[str, tuple[tuple[str, ...], list[Any]]] = {
    "all attributes and to-one relationships": (
        ("--limit", "1"),
        [{"id": 1, "name": "Batman", "rating": 9.5, "publisher": 1}],
    ),
    "a predicate": (('{"rating": {">": 8}}', "--columns", "name"), [{"name": "Batman"}]),
    "a path": (
        ("--columns", "name,publisher.name"),
        [
            {"name": "Batman", "publisher.name": "DC"},
            {"name": "Bane", "publisher.name": "DC"},
            {"name": "Hulk", "publisher.name": "Marvel"},
        ],
    ),
    "a to-many relationship": (
        ("--columns", "id,powers"),
        [
            {"id": 1, "powers": ["Wealth", "Agility"]},
            {"id": 2, "powers": []},
            {"id": 3, "powers": ["Strength"]},
        ],
    ),
    "an object and its value": (
        ("--columns", "publisher,publisher.name,id", "--limit", "1"),
        [{"publisher": 1, "publisher.name": "DC", "id": 1}],
    ),
    "descending": (("--sort", "-id", "--columns", "id"), [{"id": 3}, {"id": 2}, {"id": 1}]),
    "by a path": (
        ("--sort", "-publisher.name,name", "--columns", "id"),
        [{"id": 3}, {"id": 2}, {"id": 1}],
    ),
    "a limit of none": (("--limit", "0", "--columns", "id"), []),
}


@pytest.mark.parametrize("case", QUERIES)
def test_rows_have_the_columns(folder: Folder, case: str) -> None:
    arguments, expected = QUERIES[case]
    done = folder.groot("query", "heroes.sqlite", "Hero", *arguments)
    assert (done.code, rows(done.out)) == (0, expected)


def test_a_path_through_a_list_gives_lists(folder: Folder) -> None:
    done = folder.groot(
        "query", "heroes.sqlite", "Publisher", "--columns", "name,heroes.name,heroes.powers.name"
    )
    assert rows(done.out) == [
        {
            "name": "DC",
            "heroes.name": ["Batman", "Bane"],
            "heroes.powers.name": [["Wealth", "Agility"], []],
        },
        {"name": "Marvel", "heroes.name": ["Hulk"], "heroes.powers.name": [["Strength"]]},
    ]


def test_the_forms_are_under_contract(folder: Folder) -> None:
    arguments = ("query", "heroes.sqlite", "Hero", "--columns", "id,name,rating,publisher.name")
    assert folder.groot(*arguments, "--table").out == (
        "id  name    rating  publisher.name\n"
        "--  ------  ------  --------------\n"
        " 1  Batman     9.5  DC\n"
        " 2  Bane       7.0  DC\n"
        " 3  Hulk            Marvel\n"
    )
    assert folder.groot(*arguments, "--csv").out == (
        "id,name,rating,publisher.name\n1,Batman,9.5,DC\n2,Bane,7.0,DC\n3,Hulk,,Marvel\n"
    )
    assert folder.groot(*arguments, "--markdown").out == (
        "| id | name | rating | publisher.name |\n| --- | --- | --- | --- |\n"
        "| 1 | Batman | 9.5 | DC |\n| 2 | Bane | 7.0 | DC |\n| 3 | Hulk |  | Marvel |\n"
    )
    lines = (
        '{"id":1,"name":"Batman","rating":9.5,"publisher.name":"DC"}\n'
        '{"id":2,"name":"Bane","rating":7.0,"publisher.name":"DC"}\n'
        '{"id":3,"name":"Hulk","rating":null,"publisher.name":"Marvel"}\n'
    )
    assert folder.groot(*arguments, "--json").out == lines
    assert folder.groot(*arguments).out == lines
    assert folder.groot(*arguments, "-o", "out.ndjson").out == ""
    assert (folder.path / "out.ndjson").read_text() == lines


def test_an_output_that_fails_leaves_the_file_as_it_was(folder: Folder) -> None:
    folder.write("out.csv", "before")
    done = folder.groot("query", "heroes.sqlite", "Hero", '{"x": 1}', "--csv", "-o", "out.csv")
    assert done.code == 2
    assert (folder.path / "out.csv").read_text() == "before"
    assert [one for one in folder.names() if one.startswith(".")] == []
    done = folder.groot("query", "heroes.sqlite", "Hero", "-o", "no/out.csv")
    assert (done.code, "no/out.csv cannot be written" in done.err) == (2, True)


def test_an_output_keeps_its_link_its_mode_and_devices(folder: Folder) -> None:
    folder.write("real.csv", "before").chmod(0o640)
    (folder.path / "out.csv").symlink_to("real.csv")
    arguments = ("query", "heroes.sqlite", "Hero", "--columns", "id", "--csv", "-o")
    assert folder.groot(*arguments, "out.csv").code == 0
    assert (folder.path / "out.csv").is_symlink()
    assert (folder.path / "real.csv").read_text() == "id\n1\n2\n3\n"
    assert (folder.path / "real.csv").stat().st_mode & 0o777 == 0o640
    assert folder.groot(*arguments, "/dev/stdout").out == "id\n1\n2\n3\n"
    assert folder.groot(*arguments, "/dev/null").code == 0
    assert not Path("/dev/null").is_file()
    assert folder.groot(*arguments, "/dev/full").code == 2


WRONG = {
    "an entity": (("Her",), "no entity 'Her'; did you mean 'Hero'?"),
    "a column": (("Hero", "--columns", "nam"), "no property 'nam'; did you mean 'name'?"),
    "a column on a path": (
        ("Hero", "--columns", "publisher.nme"),
        "Publisher: the entity has no property 'nme' (in the path 'publisher.nme'); "
        "did you mean 'name'?",
    ),
    "a path through an attribute": (("Hero", "--columns", "name.x"), "which leads no further"),
    "a path that leads back": (("Hero", "--columns", "publisher.heroes.name"), "leads back"),
    "a predicate": (("Hero", '{"nam": 1}'), "did you mean 'name'?"),
    "a predicate without a number": (("Hero", '{"id": NaN}'), "is not JSON: NaN"),
    "a predicate with a large number": (("Hero", '{"id": 1e999}'), "is not JSON: 1e999"),
    "a predicate that is not text": (("Hero", '{"name": "\udcff"}'), "is not JSON"),
    "a predicate without end": (("Hero", '{"not":' * 1001), "more than 1000 brackets"),
    "a predicate of a wrong type": (("Hero", '{"id": "x"}'), "does not fit"),
    "a large limit": (("Hero", "--limit", "9" * 30), '"limit" is a number'),
    "a predicate that is not JSON": (("Hero", "name=1"), "'name=1' is not JSON"),
    "a sort": (("Hero", "--sort", "nam"), "did you mean 'name'?"),
    "an empty name": (("Hero", "--columns", "id,,name"), "has an empty name"),
    "a limit": (("Hero", "--limit", "-1"), "--limit"),
    "two forms": (("Hero", "--csv", "--table"), "not allowed with"),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_wrong_command_line_is_2_and_names_the_nearest(folder: Folder, case: str) -> None:
    arguments, words = WRONG[case]
    done = folder.groot("query", "heroes.sqlite", *arguments)
    assert (done.code, done.out) == (2, ""), done
    assert words in done.err


def test_no_rows_are_told_with_the_reason(folder: Folder) -> None:
    for name in ("query", "export"):
        where = ('{"id": 9}',) if name == "query" else ("--where", '{"id": 9}')
        done = folder.groot(name, "heroes.sqlite", "Hero", *where)
        assert (done.code, done.err) == (0, "no records: none meets the predicate\n")
        assert folder.groot(name, "heroes.sqlite", "Hero", *where, "--fail-empty").code == 1
    folder.write("none.json", [])
    empty = ("import", "e.sqlite", "Hero", "none.json", "--model", "heroes.model.json")
    assert folder.groot(*empty).code == 0
    assert folder.groot("query", "e.sqlite", "Hero").err == "no records: the store has no Hero\n"


VALUES: dict[str, tuple[str, list[str]]] = {
    "text": ("string", ['"0123"', '"1.0"', '"a\\u0000b"', '""', '" x "', '"é東"', '"NaN"']),
    "marks": ("string", ['"a\\nb"', '"a\\r\\nb"', '"|"', '"null"', '"a,b"', '"q\\"q"', '"\\\\"']),
    "integer": ("integer64", ["0", "-9223372036854775808", "9007199254740993"]),
    "real": ("double", ["1.0", "-0.0", "0.1", "1e+308", "5e-324", "123456789.123"]),
    "decimal": ("decimal", ["0.1234567890123456789012345678", "1", "-9999999999999999999.5"]),
    "boolean": ("boolean", ["true", "false"]),
    "date": ("date", ['"2026-11-26T13:04:05.000001Z"', '"0001-01-01T00:00:00Z"']),
    "day": ("day", ['"1968-03-01"', '"+012024-03-01"']),
    "binary": ("binary", ['"AAEC"', '""']),
    "uuid": ("uuid", ['"123e4567-e89b-12d3-a456-426614174000"']),
    "uri": ("uri", ['"https://example.org/?a=1&b=2"']),
    "any": ("transformable", ['{"b":[1,2.5,null,{"a":12345678901234567890.5}]}', "[]", '"x"']),
}  # fmt: skip


@pytest.mark.parametrize("case", VALUES)
def test_values_survive_in_every_form(tmp_path: Path, case: str) -> None:
    folder = Folder(tmp_path)
    kind, values = VALUES[case]
    whole = {"type": "integer64", "userInfo": {"JSONKeyPath": "id"}}
    value = {"type": kind, "optional": True, "userInfo": {"JSONKeyPath": "v"}}
    entity = {"userInfo": {"identityAttributes": "id"}, "attributes": {"id": whole, "v": value}}
    folder.write("m.json", {"entities": {"One": entity}})
    records = [f'{{"id":{number},"v":{one}}}' for number, one in enumerate([*values, "null"])]
    text = f"[{','.join(records)}]"
    folder.write("v.json", text)
    done = folder.groot("import", "v.sqlite", "One", "v.json", "--model", "m.json")
    assert done.code == 0, done
    exported = folder.groot("export", "v.sqlite", "One").out
    assert [one["v"] for one in json.loads(exported, parse_float=str)] == [
        one["v"] for one in json.loads(text, parse_float=str)
    ]

    lines = folder.groot("query", "v.sqlite", "One", "--json").out.splitlines()
    written = [line.split('"v":', 1)[1][:-1] for line in lines]
    assert [json.loads(one, parse_float=str) for one in written] == [
        json.loads(one, parse_float=str) for one in [*values, "null"]
    ]

    # A text stands in CSV as it is, any other value as its JSON.
    expected = [
        json.loads(one) if one.startswith('"') else "" if one == "null" else one for one in written
    ]
    found = folder.groot("query", "v.sqlite", "One", "--csv", "--columns", "v,id").out
    assert [row[0] for row in csv.reader(io.StringIO(found, newline=""))][1:] == expected
    assert found.endswith(f",{len(values)}\n")
    assert found.splitlines()[-1] == f",{len(values)}"
    assert all(line.isprintable() for line in _table(folder, "--table"))
    assert len(_table(folder, "--table")) == len(_table(folder, "--markdown")) == len(values) + 3


def test_the_deepest_value_survives(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    value = {"type": "transformable", "optional": True}
    entity = {
        "userInfo": {"identityAttributes": "id"},
        "attributes": {"id": {"type": "integer64"}, "v": value},
    }
    folder.write("m.json", {"entities": {"One": entity}})
    deep = f"{'[' * 2000}{']' * 2000}"
    folder.write("v.json", f'[{{"id":1,"v":{deep}}}]')
    done = folder.groot("import", "v.sqlite", "One", "v.json", "--model=m.json", "--implicit")
    assert done.code == 0, done
    assert folder.groot("query", "v.sqlite", "One").out == f'{{"id":1,"v":{deep}}}\n'
    assert folder.groot("query", "v.sqlite", "One", "--csv").out == f"id,v\n1,{deep}\n"
    folder.write("v.json", f'[{{"id":1,"v":[{deep}]}}]')
    done = folder.groot("diff", "v.sqlite", "One", "v.json", "--report=json")
    assert (done.code, f'{{"old": {deep}, "new": [{deep}]}}' in done.out) == (1, True)


def _table(folder: Folder, form: str) -> list[str]:
    return folder.groot("query", "v.sqlite", "One", form).out.split("\n")[:-1]


def test_a_duplicate_in_a_row_has_its_values_again(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    feed = [
        {"id": 1, "name": "Ann", "boss": 3, "friend": 2},
        {"id": 2, "name": "Bob", "boss": 1, "friend": 1},
        {"id": 3, "name": "Cid", "boss": 3, "friend": None},
    ]
    people = {"destination": "Person", "optional": True}
    folder.write(
        "m.json",
        {
            "entities": {
                "Person": {
                    "userInfo": {"identityAttributes": "id"},
                    "attributes": {"id": {"type": "integer64"}, "name": {"type": "string"}},
                    "relationships": {
                        "boss": {**people, "inverse": "staff"},
                        "staff": {**people, "toMany": True, "inverse": "boss"},
                        "friend": people,
                    },
                }
            }
        },
    )
    folder.write("p.json", feed)
    done = folder.groot("import", "p.sqlite", "Person", "p.json", "--model=m.json", "--implicit")
    assert done.code == 0, done
    columns = "name,boss.name,boss.boss.name,friend.name,friend.boss.name,friend.friend.name"
    found = folder.groot("query", "p.sqlite", "Person", "--sort=id", "--columns", columns)
    by_id = {one["id"]: one for one in feed}

    def value(one: Any, path: str) -> Any:
        for name in path.split("."):
            one = one and (one[name] if name == "name" else by_id.get(one[name]))
        return one

    assert rows(found.out) == [
        {path: value(one, path) for path in columns.split(",")} for one in feed
    ]
    columns = "staff.name,friend.staff.name"
    found = folder.groot("query", "p.sqlite", "Person", "--sort=id", "--columns", columns)
    assert rows(found.out) == [
        {"staff.name": ["Bob"], "friend.staff.name": []},
        {"staff.name": [], "friend.staff.name": ["Bob"]},
        {"staff.name": ["Ann", "Cid"], "friend.staff.name": None},
    ]


def test_an_identity_of_several_parts_is_an_object_of_them(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    feed = [
        {"id": 1, "chapters": [{"number": 1, "title": "A"}, {"number": 2, "title": "B"}]},
        {"id": 2, "chapters": [{"number": 1, "title": "C"}]},
    ]
    folder.write("b.json", feed)
    assert folder.groot("import", "b.sqlite", "Book", "b.json").code == 0
    done = folder.groot("query", "b.sqlite", "Book", "--columns", "id,chapters,chapters.title")
    assert [one["chapters.title"] for one in rows(done.out)] == [["A", "B"], ["C"]]
    first = rows(done.out)[0]["chapters"][0]
    assert first["book"] == 1, first
    assert json.loads(folder.groot("export", "b.sqlite", "Book").out) == feed


def test_an_export_is_the_feed(folder: Folder) -> None:
    assert json.loads(folder.groot("export", "heroes.sqlite", "Hero").out) == [
        HEROES[0],
        {**HEROES[1], "publisher": {"id": 1, "name": "DC"}},
        HEROES[2],
    ]


def test_an_export_has_options(folder: Folder) -> None:
    def export(*arguments: str) -> str:
        done = folder.groot("export", "heroes.sqlite", "Hero", *arguments)
        assert (done.code, done.err) == (0, ""), done
        return done.out

    assert export("--lines", "--properties", "id") == '{"id":1}\n{"id":2}\n{"id":3}\n'
    assert export("--properties=id", "--where", '{"id": {">": 1}}') == '[{"id":2},{"id":3}]\n'
    assert export("--properties=id", "--sort=-id", "--limit=1") == '[{"id":3}]\n'
    assert json.loads(export("--depth", "0"))[0]["powers"] == [
        {"name": "Wealth"},
        {"name": "Agility"},
    ]
    assert json.loads(export("--depth", "0"))[0]["publisher"] == {"id": 1}
    assert export("--csv", "--properties", "id,publisher.name") == (
        "id,publisher.name\n1,DC\n2,DC\n3,Marvel\n"
    )
    assert export("--properties=id", "-o", "out.json") == ""
    assert (folder.path / "out.json").read_text() == '[{"id":1},{"id":2},{"id":3}]\n'


@pytest.mark.parametrize("form", ["keyed", "grouped"])
def test_an_export_has_the_form_of_the_feed(tmp_path: Path, form: str) -> None:
    folder = Folder(tmp_path)
    notes = {"identityAttributes": "id", "groot.root": "", "groot.rootForm": form}
    key = "team" if form == "grouped" else "id"
    attributes: dict[str, Any] = {
        "id": {"type": "integer64", "userInfo": {"JSONKeyPath": "id"}},
        "name": {"type": "string", "userInfo": {"JSONKeyPath": "name"}},
        "team": {"type": "string", "optional": True, "userInfo": {"JSONKeyPath": "team"}},
    }
    attributes[key]["userInfo"]["JSONKeyPath"] = "@key"
    folder.write("m.json", {"entities": {"One": {"userInfo": notes, "attributes": attributes}}})
    one, two = {"name": "A"}, {"name": "B"}
    feed: Any = {"1": {**one, "team": "x"}, "2": {**two, "team": "x"}}
    if form == "grouped":
        feed = {"x": [{"id": 1, **one}], "y": [{"id": 2, **two}]}
    folder.write("f.json", feed)
    assert folder.groot("import", "f.sqlite", "One", "f.json", "--model", "m.json").code == 0
    assert json.loads(folder.groot("export", "f.sqlite", "One").out) == feed
    assert folder.groot("diff", "f.sqlite", "One", "f.json").code == 0


def test_an_arrow_stream_has_the_attributes(folder: Folder) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    arguments = ("export", "heroes.sqlite", "Hero", "--arrow", "-o", "h.arrow")
    assert folder.groot(*arguments, "--properties", "id,publisher.name").code == 0
    table = pyarrow.ipc.open_stream((folder.path / "h.arrow").read_bytes()).read_all()
    assert table.to_pylist()[2] == {"id": 3, "publisher.name": "Marvel"}


def test_reading_leaves_the_store_as_it_was(folder: Folder) -> None:
    content = (folder.path / "heroes.sqlite").read_bytes()
    before = dump(folder.path / "heroes.sqlite")
    for arguments in (
        ("query", "heroes.sqlite", "Hero"),
        ("export", "heroes.sqlite", "Hero"),
        ("export", "heroes.sqlite", "Hero", "--csv"),
        ("diff", "heroes.sqlite", "Hero", "heroes.json"),
        ("schema", "heroes.sqlite"),
        ("convert", "heroes.sqlite"),
        ("info", "heroes.sqlite"),
    ):
        assert folder.groot(*arguments).code == 0, arguments
    assert dump(folder.path / "heroes.sqlite") == before
    assert (folder.path / "heroes.sqlite").read_bytes() == content
    assert not [one for one in folder.names() if one.endswith(("-wal", "-shm"))]


def test_a_missing_store_is_not_made(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    for name in ("query", "export"):
        done = folder.groot(name, "no.sqlite", "Hero")
        assert (done.code, done.err) == (
            2,
            "error: no.sqlite cannot be read: No such file or directory\n",
        )
    assert folder.names() == []
