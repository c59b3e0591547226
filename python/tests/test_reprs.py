"""The texts that contexts and mappings show in a session, and the names that complete."""

from __future__ import annotations

from pathlib import Path

import groot
from groot._core.text import shown_store

MODEL = {
    "entities": {
        "Hero": {"attributes": {"id": {"type": "integer64"}, "name": {"type": "string"}}},
        "Power": {"attributes": {"name": {"type": "string"}}},
    }
}


def test_a_mapping_lists_its_entities_and_its_dialect() -> None:
    mapping = groot.Mapping(groot.Model(MODEL), dialect="hyper")
    assert repr(mapping) == "<groot.Mapping of Hero, Power, dialect 'hyper'>"


def test_a_context_shows_its_entities_and_its_place(tmp_path: Path) -> None:
    mapping = groot.Mapping(groot.Model(MODEL))
    context = groot.Context(mapping)
    assert repr(context) == "<groot.Context of Hero, Power in memory>"
    context.close()
    assert repr(context) == "<groot.Context of Hero, Power in memory, closed>"
    path = tmp_path / "heroes.sqlite"
    with groot.Context(mapping, store=path) as context:
        assert repr(context) == f"<groot.Context of Hero, Power in {str(path)!r}>"


def test_the_address_of_a_database_is_shown_without_its_secrets() -> None:
    url = b"postgresql://ada:secret@db.example:5433/heroes?password=secret"
    assert shown_store(url) == "postgresql://db.example:5433/heroes"


def test_the_properties_of_an_object_complete_its_keys() -> None:
    context = groot.Context(groot.Mapping(groot.Model(MODEL)))
    hero = context.insert("Hero")
    assert hero._ipython_key_completions_() == ["id", "name"]
