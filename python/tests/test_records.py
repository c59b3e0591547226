"""Records read from files, streams and values, piece by piece."""

from __future__ import annotations

import gzip
import io
import json
import sys
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

import groot
from groot.models.records import Records, _sources, _window


def file_of(folder: Path, text: Any, name: str = "feed.json") -> str:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return str(path)


def all_of(records: Records) -> list[Any]:
    return [one for batch in records.batches() for one in batch.records]


def places_of(records: Records) -> list[int]:
    return [place for batch in records.batches() for place in batch.places]


# text, root, form, lines, records, their lines
READ: dict[str, tuple[str, str, str, bool, list[Any], list[int]]] = {
    "array": ('[{"a":1},\n 2 , "x"\n]', "", "array", False, [{"a": 1}, 2, "x"], [1, 2, 2]),
    "empty_array": ("[ ]", "", "array", False, [], []),
    "empty_text": (" \n", "", "array", False, [], []),
    "one_value": ('\n{"a": [1]}', "", "array", False, [{"a": [1]}], [2]),
    "root": (
        '{"n": [1, {"x": "]"}], "d": {"i": [\n1,\n2]}, "z": {}}',
        "/d/i",
        "array",
        False,
        [1, 2],
        [2, 3],
    ),
    "root_in_array": ('[0, [1, 2], "x"]', "/1", "array", False, [1, 2], [1, 1]),
    "root_with_escapes": ('{"a/b~": [1]}', "/a~1b~0", "array", False, [1], [1]),
    "root_is_one_object": ('{"d": {"a": 1}}', "/d", "array", False, [{"a": 1}], [1]),
    "lines": ('{"a":1}\n\n[2]\n3', "", "array", True, [{"a": 1}, [2], 3], [1, 3, 4]),
    "record_separators": (
        '\x1e{"a":1}\n\x1e{"a":2}\n',
        "",
        "array",
        True,
        [{"a": 1}, {"a": 2}],
        [1, 2],
    ),
    "root_of_lines": ('{"d":[1,2]}\n{"d":[3]}', "/d", "array", True, [1, 2, 3], [1, 1, 2]),
    "values": ('{"a":1}\n{"a":\n2} 3', "", "array", False, [{"a": 1}, {"a": 2}, 3], [1, 2, 3]),
    "keyed": ('{"b": 1,\n"a": [2]}', "", "keyed", False, [("b", 1), ("a", [2])], [1, 2]),
    "grouped": ('{"b": [1], "a": null}', "", "grouped", False, [("b", [1]), ("a", [])], [1, 1]),
    "value": ('{"d": [1, 2]}', "/d", "value", False, [[1, 2]], [1]),
    "null_at_a_root": ('{"d": null}', "/d", "keyed", False, [], []),
    "last_key_wins": ('[{"a": 1, "a": 2}]', "", "array", False, [{"a": 2}], [1]),
    "digits": ("[" + "9" * 5000 + "]", "", "array", False, [Decimal("9" * 5000)], [1]),
}


@pytest.mark.parametrize("name", READ)
@pytest.mark.parametrize("piece", [1, 7, 1 << 20])
def test_records_and_lines_are_those_of_the_text_whatever_the_window(
    name: str, piece: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_window, "PIECE", piece)
    text, root, form, lines, expected, places = READ[name]
    if name == "digits" and not hasattr(sys, "set_int_max_str_digits"):
        expected = [int(expected[0])]
    records = Records([file_of(tmp_path, text)], root=root, form=form, lines=lines)
    assert all_of(records) == expected
    assert places_of(records) == places


@pytest.mark.parametrize("piece", [1, 16, 50])
def test_windows_end_anywhere_in_numbers_texts_and_escapes(
    piece: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    values = [-1.5e-10, 12345678901234567890, "é\u20ac\U0001f600", '\\"\n', True, None, {"k€": []}]
    monkeypatch.setattr(_window, "PIECE", piece)
    for options in ({}, {"ensure_ascii": False}, {"indent": 2}):
        text = json.dumps(values * 5, **options)  # type: ignore[arg-type]
        assert all_of(Records([file_of(tmp_path, text)])) == values * 5
        nested = json.dumps({"a": values, "b": {"c": values}, "d": values}, **options)  # type: ignore[arg-type]
        assert all_of(Records([file_of(tmp_path, nested)], root="/b/c")) == values


# text, root, the end of the message
WRONG: dict[str, tuple[str, str, str]] = {
    "comma": ('[{"a":1}\n  {"a":2}]', "", ":2:3: a comma or ] is missing"),
    "trailing": ("[1,\n ]", "", ":2:2: a value is missing"),
    "inside": ('[\n{"a" 1}, 2]', "", ":2:6: Expecting ':' delimiter"),
    "cut": ('[\n{"a": 1}, ', "", ":2:11: the text ends too early"),
    "open_text": ('["abc', "", ":1:2: Unterminated string starting at"),
    "nan": ('[1, {"NaN": 1,\n"b": NaN}]', "", ":2:6: NaN is not JSON"),
    "infinity": ("[-Infinity]", "", ":1:2: -Infinity is not JSON"),
    "word": ("[1] x", "", ":1:5: a value is missing"),
    "outside_the_root": ('{"a": [1], "b": tru}', "/a", ":1:17: a value is missing"),
    "colon": ('{"a" [1]}', "/a", ":1:6: a colon is missing"),
    "control": ('["a\nb"]', "", ":1:4: Invalid control character at"),
    "levels": ("[" * 600 + "]" * 600, "", ":1:2: the value has more than 512 levels"),
    "recursion": ("[" * 90000, "", ":1:2: the value has more than 512 levels"),
    "skipped_levels": (
        '{"a":' + "[" * 9000 + "]" * 9000 + ', "b": []}',
        "/b",
        ":1:6: the value has more than 512 levels",
    ),
}


@pytest.mark.parametrize("name", WRONG)
@pytest.mark.parametrize("piece", [1 << 20])
def test_wrong_text_has_file_line_and_column(
    name: str, piece: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_window, "PIECE", piece)
    text, root, message = WRONG[name]
    path = file_of(tmp_path, text)
    with pytest.raises(groot.Error) as caught:
        all_of(Records([path], root=root))
    assert caught.value.code == groot.Status.INVALID_JSON
    assert str(caught.value) == path + message


@pytest.mark.parametrize("piece", [3, 40])
def test_a_column_counts_what_was_dropped(
    piece: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_window, "PIECE", piece)
    path = file_of(tmp_path, "[\n" + "1, " * 100 + "x]")
    with pytest.raises(groot.Error, match=r":2:301: a value is missing$"):
        all_of(Records([path]))


def test_brackets_in_texts_are_not_levels(tmp_path: Path) -> None:
    value = [["[" * 3000, "\\" * 9, '"{' * 2000] + [[]] * 600]
    assert all_of(Records([file_of(tmp_path, json.dumps(value))])) == value


@pytest.mark.parametrize(
    ("text", "root", "form", "status"),
    [
        ('{"a": 1}', "/b", "array", groot.Status.MISSING_VALUE),
        ('{"a": 1}', "/a/b", "array", groot.Status.MISSING_VALUE),
        ("[1]", "/1", "array", groot.Status.MISSING_VALUE),
        ("[1]", "", "keyed", groot.Status.WRONG_SHAPE),
        ('{"a": [1], "a": [2]}', "/a", "array", groot.Status.WRONG_SHAPE),
    ],
)
def test_a_root_must_lead_to_records(
    text: str, root: str, form: str, status: int, tmp_path: Path
) -> None:
    with pytest.raises(groot.Error) as caught:
        all_of(Records([file_of(tmp_path, text)], root=root, form=form))
    assert caught.value.code == status


def test_an_optional_root_may_be_missing(tmp_path: Path) -> None:
    records = Records([file_of(tmp_path, '{"a": [1]}'), [{"b": 1}], {"a": [2]}])
    assert all_of(records.at("/a", optional=True)) == [1, 2]


@pytest.mark.parametrize(
    ("inputs", "more"),
    [
        ([1], {}),
        ([b"[]"], {}),
        ([[]], {"root": "a"}),
        ([[]], {"form": "table"}),
        ([io.StringIO("[]")], {}),
    ],
)
def test_wrong_arguments_are_refused(inputs: Any, more: Any) -> None:
    with pytest.raises(groot.Error) as caught:
        Records(inputs, **more)
    assert caught.value.code == groot.Status.INVALID_ARGUMENT


def test_a_missing_file_is_a_file_error(tmp_path: Path) -> None:
    with pytest.raises(groot.FileError, match=r"none\.json cannot be read: No such file"):
        all_of(Records([tmp_path / "none.json"]))


@pytest.mark.parametrize("piece", [1, 5, 1 << 20])
def test_wrong_utf8_has_its_byte(
    piece: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_window, "PIECE", piece)
    path = file_of(tmp_path, b'\xef\xbb\xbf["\xc3\xa9", "\xff"]')
    with pytest.raises(groot.Error, match="byte 11 is not UTF-8") as caught:
        all_of(Records([path]))
    assert caught.value.code == groot.Status.INVALID_UTF8
    assert caught.value.issues[0].offset == 11


@pytest.mark.parametrize("piece", [1, 5, 1 << 20])
def test_a_byte_order_mark_is_skipped(
    piece: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_window, "PIECE", piece)
    assert all_of(Records([file_of(tmp_path, b"\xef\xbb\xbf[1]")])) == [1]


def test_packed_files_are_unpacked(tmp_path: Path) -> None:
    packed = file_of(tmp_path, gzip.compress(b"[1]\n[2]\n"), "feed.jsonl.gz")
    assert all_of(Records([packed])) == [[1], [2]]


def test_a_cut_gzip_file_is_a_file_error(tmp_path: Path) -> None:
    packed = file_of(tmp_path, gzip.compress(b"[1, 2, 3]")[:-9])
    with pytest.raises(groot.FileError, match="cannot be read"):
        all_of(Records([packed]))


ZSTANDARD = b"\x28\xb5\x2f\xfd\x00\x58\x19\x00\x00[1]"


def test_zstandard_is_read(tmp_path: Path) -> None:
    pytest.importorskip("zstandard")
    assert all_of(Records([file_of(tmp_path, ZSTANDARD)])) == [1]
    assert all_of(Records([file_of(tmp_path, ZSTANDARD * 2)])) == [1, 1]
    cut = file_of(tmp_path, ZSTANDARD[:6] + b"\xff" * 9)
    with pytest.raises(groot.FileError, match="cannot be read"):
        all_of(Records([cut]))


def test_the_package_for_zstandard_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_sources, "_ZSTD_MODULES", ())
    with pytest.raises(groot.Error, match=r"install groot-graph\[zstd\]") as caught:
        all_of(Records([file_of(tmp_path, ZSTANDARD)]))
    assert caught.value.code == groot.Status.UNSUPPORTED


def test_several_files_are_one_sequence(tmp_path: Path) -> None:
    paths = [file_of(tmp_path, "[1, 2]", "a.json"), file_of(tmp_path, "3\n4", "b.ndjson")]
    found = [(one.file, one.first, one.records) for one in Records(paths).batches()]
    assert found == [(paths[0], 0, [1, 2]), (paths[1], 0, [3, 4])]


def test_a_batch_begins_where_the_one_before_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_window, "PIECE", 20_000)
    text = json.dumps([{"n": number} for number in range(5000)], indent=0)
    batches = list(Records([file_of(tmp_path, text)]).batches())
    assert len(batches) > 2
    assert [one["n"] for batch in batches for one in batch.records] == list(range(5000))
    for batch in batches:
        assert batch.records[0]["n"] == batch.first
        assert batch.places == [2 + 3 * (batch.first + n) for n in range(len(batch.records))]


def test_streams_are_read_more_than_once_and_deleted(monkeypatch: pytest.MonkeyPatch) -> None:
    class Standard:
        buffer = io.BytesIO(b'{"d": [1, 2]}')

    monkeypatch.setattr("sys.stdin", Standard)
    with Records(["-", io.BytesIO(b'{"d": [3]}')]) as records:
        below = records.at("/d")
        assert all_of(below) == all_of(below) == [1, 2, 3]
        assert [batch.file for batch in below.batches()] == ["-", "<stream>"]
    with pytest.raises(groot.FileError):
        all_of(records)


def test_values_are_read_as_a_document() -> None:
    records = Records([[{"a": 1}, {"a": 2}]])
    assert all_of(records) == [{"a": 1}, {"a": 2}]
    assert places_of(records) == [0, 0]
    assert all_of(Records([{"d": {"x": [1]}}], root="/d", form="keyed")) == [("x", [1])]
    assert all_of(Records([iter((1, 2))])) == [1, 2]


def test_numbers_are_made_by_parse_float() -> None:
    records = Records([io.BytesIO(b"[0.10, 1]")])
    assert all_of(records) == [0.1, 1]
    assert list(map(str, all_of(records.at("", parse_float=Decimal)))) == ["0.10", "1"]
    records.close()


def test_a_long_file_takes_no_more_memory_than_a_piece(tmp_path: Path) -> None:
    import tracemalloc

    record = json.dumps({"name": "x" * 100, "list": [1, 2]})
    text = f'{{"skipped": [{",".join([record] * 60_000)}], "d": [{",".join([record] * 60_000)}]}}'
    records = Records([file_of(tmp_path, text)], root="/d")
    del text
    tracemalloc.start()
    count = sum(len(batch.records) for batch in records.batches())
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count == 60_000
    assert peak < 14_000_000


@pytest.mark.parametrize("piece", [4, 1 << 20])
def test_an_outline_shows_the_collections(
    piece: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_window, "PIECE", piece)
    text = '{"v": 2, "d": {"heroes": [{"a": 1}, [], 3], "e/x": {"k": {}, "l": []}}, "n": null}'
    outline = Records([file_of(tmp_path, text)]).outline()
    assert (outline.kind, list(outline.members)) == ("object", ["v", "d", "n"])
    assert (outline.members["v"].kind, outline.members["v"].sample) == ("scalar", 2)
    heroes = outline.members["d"].members["heroes"]
    assert (heroes.pointer, heroes.kind, heroes.count) == ("/d/heroes", "array", 3)
    assert (heroes.objects, heroes.arrays, heroes.scalars) == (1, 1, 1)
    keyed = outline.members["d"].members["e/x"]
    assert (keyed.pointer, keyed.kind, keyed.count) == ("/d/e~1x", "object", 2)
    assert list(keyed.members) == ["k", "l"]


@pytest.mark.parametrize(
    ("texts", "kind", "count"),
    [
        (["[1, 2]"], "array", 2),
        (["[1, 2]", "[3]"], "array", 3),
        (['{"a": 1}\n{"b": 1}'], "values", 2),
        (["3"], "scalar", 0),
        (['{"a": 1}', "[1]"], "values", 2),
        ([" "], "values", 0),
    ],
)
def test_an_outline_has_the_kind_of_the_top(
    texts: list[str], kind: str, count: int, tmp_path: Path
) -> None:
    paths = [file_of(tmp_path, text, f"{index}.json") for index, text in enumerate(texts)]
    outline = Records(paths).outline()
    assert (outline.kind, outline.top.count) == (kind, count)


def test_members_of_several_files_are_merged(tmp_path: Path) -> None:
    texts = ('{"a": [1], "b": null}', '{"a": [2, 3], "b": [1], "c": "x"}', '{"c": {}}')
    paths = [file_of(tmp_path, text, f"{index}.json") for index, text in enumerate(texts)]
    members = Records(paths).outline().members
    found = {key: (member.kind, member.count) for key, member in members.items()}
    assert found == {"a": ("array", 3), "b": ("array", 1), "c": ("mixed", 0)}
