"""Datasette shows rows, labels of links and views of a store, also one that cannot be written."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from programs.atlas import opened, run


def get(folder: Path, path: str, *options: str) -> Any:
    """Get a page of Datasette as JSON."""
    return json.loads(run(folder, "datasette", "atlas.sqlite", *options, "--get", path))


LABELLED = "/atlas/Country.json?_labels=on&_shape=array"
METADATA = ("-m", "metadata.json")


def test_a_link_has_the_label_of_the_metadata(folder: Path) -> None:
    rows = get(folder, LABELLED, *METADATA)
    assert [(row["code"], row["region"]) for row in rows] == [
        ("CHE", {"value": 1, "label": "Europe"}),
        ("FRA", {"value": 1, "label": "Europe"}),
        ("PER", {"value": 2, "label": "Americas"}),
    ]
    spoken = get(folder, "/atlas/Language_countries.json?_labels=on&_shape=array", *METADATA)
    assert [row["target"]["label"] for row in spoken] == ["CHE", "CHE", "FRA"]


def test_a_view_has_dates_and_links_as_text(folder: Path) -> None:
    rows = get(folder, "/atlas/Country_view.json?_shape=array")
    assert [row["changed"] for row in rows] == [
        "2024-03-01T12:30:00.250000Z", "1958-10-04T00:00:00Z", None,
    ]  # fmt: skip
    assert rows[0]["languages"] == "German, French"


def test_the_table_of_the_store_is_hidden(folder: Path) -> None:
    tables = get(folder, "/atlas.json", *METADATA)["tables"]
    hidden = {table["name"] for table in tables if table["hidden"]}
    assert "_groot" in hidden
    assert {"Country", "Region", "Language"}.isdisjoint(hidden)


@pytest.mark.parametrize("options", [(), ("--immutable",)])
def test_a_file_without_rights_to_write_is_read(
    folder: Path, store: Path, options: tuple[str, ...]
) -> None:
    store.chmod(0o444)
    said = run(folder, "datasette", *options, "atlas.sqlite", "--get", LABELLED)
    assert len(json.loads(said)) == 3
    with opened(store, read_only=True) as atlas:
        assert atlas.count("Country") == 3
        atlas.check()
    with opened(store, read_only="immutable") as atlas:
        assert atlas.count("Country") == 3


def test_a_save_is_seen_while_the_store_is_open(folder: Path, store: Path) -> None:
    with opened(store) as atlas:
        atlas.insert("Country", code="AUT")
        atlas.save()
        assert [row["code"] for row in get(folder, LABELLED)] == ["CHE", "FRA", "PER", "AUT"]
        atlas.check()
