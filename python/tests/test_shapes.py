"""Records under keys, documents of several entities, nulls, marks and versions."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

import groot
from groot import Status


def attribute(path: str | None, type: str = "string", **more: Any) -> dict[str, Any]:
    return {
        "type": type,
        "optional": True,
        "userInfo": {"JSONKeyPath": path} if path else {},
        **more,
    }


MODEL = groot.Model(
    {
        "entities": {
            "Country": {
                "userInfo": {"identityAttributes": "code"},
                "attributes": {"code": attribute("@key"), "name": attribute("name")},
            },
            "Note": {
                "userInfo": {
                    "identityAttributes": "id",
                    "groot.version": "revision",
                    "groot.deletionMark": "gone",
                },
                "attributes": {
                    "id": attribute("id", "integer64"),
                    "revision": attribute("rev", "integer64"),
                    "gone": attribute(None, "boolean", default=False),
                },
            },
        }
    }
)
ROOTS = {"/notes": "Note", "/countries": {"entity": "Country", "form": "keyed"}}
FEED = {"NO": {"name": "Norway"}, "SE": {"name": None}}
PAGE = {"notes": [{"id": 1, "rev": 7}], "countries": FEED}


@pytest.fixture
def context() -> groot.Context:
    return groot.Context(groot.Mapping(MODEL, roots=ROOTS))


def read_value(context: groot.Context, path: Path, feed: Any, **options: Any) -> Any:
    return context.load("Country", feed, **options)


def read_text(context: groot.Context, path: Path, feed: Any, **options: Any) -> Any:
    return context.load("Country", json.dumps(feed), **options)


def read_file(context: groot.Context, path: Path, feed: Any, **options: Any) -> Any:
    path.write_text(json.dumps(feed))
    return context.load_file("Country", path, **options)


def read_pieces(context: groot.Context, path: Path, feed: Any, **options: Any) -> Any:
    with context.importing("Country", **options) as stream:
        for character in json.dumps(feed):
            stream.write(character)
    return stream.result


@pytest.mark.parametrize("read", [read_value, read_text, read_file, read_pieces])
def test_records_under_keys(context: groot.Context, tmp_path: Path, read: Any) -> None:
    found = read(context, tmp_path / "feed.json", FEED, form="keyed")
    assert isinstance(found, groot.Objects)
    assert [country.code for country in found] == ["NO", "SE"]
    assert groot.report(found).inserted == 2
    one = read(context, tmp_path / "feed.json", {"NO": {}}, form="keyed")
    assert isinstance(one, groot.Objects)
    assert len(one) == 1
    grouped = {code: [country] for code, country in FEED.items()}
    assert list(read(context, tmp_path / "feed.json", grouped, form="grouped")) == list(found)


def test_exports_in_forms(context: groot.Context, tmp_path: Path) -> None:
    countries = context.load("Country", FEED, form="keyed")
    assert context.dump(countries, form="keyed") == FEED
    assert context.dump(list(countries), form="keyed") == FEED
    with pytest.raises(groot.Error, match="keys") as raised:
        context.dump(countries)
    assert raised.value.code == Status.INVALID_ARGUMENT
    assert context.dump(countries[0]) == FEED["NO"]
    assert context.dump(countries, form="grouped") == {"NO": [FEED["NO"]], "SE": [FEED["SE"]]}
    assert context.dump([], form="keyed") == {}
    lean = {"NO": FEED["NO"], "SE": {}}
    assert json.loads(context.dumps(countries, form="keyed", nulls="omit")) == lean
    sink, path = io.BytesIO(), tmp_path / "out.json"
    context.dump_file(countries, sink, form="keyed")
    assert json.loads(sink.getvalue()) == FEED
    assert context.dump_fetched("Country", path, {"code": "NO"}, form="keyed") == 1
    assert json.loads(path.read_text()) == {"NO": FEED["NO"]}
    with pytest.raises(groot.Error, match="JSON Lines") as raised:
        context.dumps(countries, form="keyed", lines=True)
    assert raised.value.code == Status.INVALID_ARGUMENT


def test_documents(context: groot.Context, tmp_path: Path) -> None:
    assert len(context.load(None, PAGE)) == 3
    assert context.dump(None) == PAGE
    assert json.loads(context.dumps(None)) == PAGE
    assert context.dumpb(None) == context.dumps(None).encode()
    assert context.dump(None, nulls="omit")["countries"]["SE"] == {}
    sink, path = io.BytesIO(), tmp_path / "page.json"
    context.dump_file(None, sink)
    assert json.loads(sink.getvalue()) == PAGE
    context.dump_file(None, path)
    assert json.loads(path.read_text()) == PAGE
    assert context.dump_fetched(None, path) == 3
    assert context.dump_fetched(None, io.BytesIO(), nulls="omit") == 3
    assert json.loads(path.read_text()) == PAGE
    assert len(context.load_file(None, path)) == 3
    with context.importing(None) as stream:
        stream.write(path.read_bytes())
    assert stream.result is not None
    assert groot.report(stream.result).unchanged == 3


@pytest.mark.parametrize(
    "parts", [{"where": {"id": 1}}, {"sort": "id"}, {"limit": 0}, {"offset": 1}]
)
def test_a_document_is_whole(context: groot.Context, parts: dict[str, Any]) -> None:
    with pytest.raises(groot.Error, match=next(iter(parts))) as raised:
        context.dump_fetched(None, io.BytesIO(), **parts)
    assert raised.value.code == Status.INVALID_ARGUMENT


@pytest.mark.parametrize("options", [{"lines": True}, {"form": "keyed"}, {"form": "grouped"}])
def test_roots_say_the_form(context: groot.Context, options: Any) -> None:
    with pytest.raises(groot.Error) as raised:
        context.dumps(None, **options)
    assert raised.value.code == Status.INVALID_ARGUMENT


def test_without_roots_there_is_no_document() -> None:
    context = groot.Context(groot.Mapping(MODEL))
    for call in (context.dump, context.dumps, lambda _: context.load(None, {})):
        with pytest.raises(groot.Error, match="roots") as raised:
            call(None)
        assert raised.value.code == Status.INVALID_ARGUMENT


def test_nulls_of_a_mapping() -> None:
    context = groot.Context(groot.Mapping(MODEL, nulls="omit"))
    countries = context.load("Country", FEED, form="keyed")
    assert context.dump(countries, form="keyed")["SE"] == {}
    assert context.dump(countries, form="keyed", nulls="write") == FEED


@pytest.mark.parametrize(
    ("options", "status", "message"),
    [
        ({"nulls": "skip"}, Status.INVALID_ARGUMENT, "write, omit"),
        ({"nulls": None}, Status.INVALID_ARGUMENT, "write, omit"),
        ({"roots": {"/a": 5}}, Status.INVALID_ARGUMENT, "'/a'"),
        ({"roots": {"/a": {"form": "keyed"}}}, Status.INVALID_ARGUMENT, "'entity'"),
        ({"roots": {"/a": {"entity": "Note", "form": "x"}}}, Status.INVALID_ARGUMENT, "'keyed'"),
        ({"roots": {"/a": {"entity": "Note", "x": "y"}}}, Status.INVALID_ARGUMENT, "'x'"),
        ({"roots": {"a": "Note"}}, Status.INVALID_MAPPING, "JSON Pointer"),
        ({"roots": {"/a": "Nobody"}}, Status.UNKNOWN_ENTITY, "'/a'"),
    ],
)
def test_mappings_that_are_refused(options: Any, status: Status, message: str) -> None:
    with pytest.raises(groot.Error, match=message) as raised:
        groot.Mapping(MODEL, **options)
    assert raised.value.code == status


def test_marks(context: groot.Context) -> None:
    context.load("Note", [{"id": 1}, {"id": 2}])
    report = context.sync("Note", [{"id": 2}], delete="mark")
    assert (report.updated, report.deleted) == (1, 0)
    assert [note.gone for note in context.fetch("Note", sort="id")] == [True, False]
    with pytest.raises(groot.Error, match="deletionMark") as raised:
        context.sync("Country", [], delete="mark")
    assert raised.value.code == Status.INVALID_MAPPING
    wrong: Any = "marks"
    with pytest.raises(groot.Error, match="'mark'") as raised:
        context.sync("Note", [], delete=wrong)
    assert raised.value.code == Status.INVALID_ARGUMENT


def test_sync_of_a_part(context: groot.Context, tmp_path: Path) -> None:
    context.load("Country", FEED, form="keyed")
    path = tmp_path / "page.json"
    path.write_text(json.dumps({"data": {"NO": {"name": None, "king": "Carl"}}}))
    policies = {"null": "keep", "unknownKeys": "report"}
    report = context.sync_file("Country", path, form="keyed", root="/data", policies=policies)
    assert (report.unchanged, report.deleted) == (1, 1)
    (issue,) = report.issues
    assert (issue.status, issue.severity) == (Status.UNKNOWN_KEY, 1)


def test_stale_records(context: groot.Context) -> None:
    first, second = context.load("Note", [{"id": 1, "rev": 3}, {"id": 2, "rev": 3}])
    feed = [{"id": 1, "rev": 2}, {"id": 2, "rev": 4}]
    report = groot.report(context.load("Note", feed, dry_run=True))
    assert report is not None
    assert (report.stale, report.stale_objects, report.updated) == (1, (first,), 1)
    report = groot.report(context.load("Note", feed))
    assert report is not None
    assert (report.stale, report.stale_objects) == (1, ())
    report = groot.report(context.load("Note", feed, changes=True))
    assert report is not None
    assert (report.stale, report.stale_objects) == (2, (first, second))


@pytest.mark.parametrize(
    "use",
    [
        lambda context: context.load("Country", {}, form="keys"),
        lambda context: context.sync("Country", {}, form=None),
        lambda context: context.dump([], form="keys"),
        lambda context: context.dump([], nulls="keep"),
        lambda context: context.sync("Country", [], root=5),
        lambda context: context.importing("Country", form=1),
    ],
)
def test_options_that_are_refused(context: groot.Context, use: Any) -> None:
    with pytest.raises(groot.Error) as raised:
        use(context)
    assert raised.value.code == Status.INVALID_ARGUMENT
