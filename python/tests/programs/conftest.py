"""Fixtures: the store of the page in a folder of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from programs.atlas import block, opened


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make the store of the page in a new folder, which is the current one."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "atlas.json").write_text(block("atlas.json"))
    (tmp_path / "metadata.json").write_text(block("metadata.json"))
    with opened(tmp_path / "atlas.sqlite", views=True) as atlas:
        switzerland = {
            "code": "CHE",
            "area": 41284.0,
            "landlocked": True,
            "gdp": "884.94",
            "changed": "2024-03-01T12:30:00.25Z",
            "founded": "1848-09-12",
            "key": "6f9619ff-8b86-d011-b42d-00cf4fc964ff",
            "region": "Europe",
            "languages": ["German", "French"],
        }
        france = {
            "code": "FRA",
            "area": 551695.0,
            "landlocked": False,
            "changed": "1958-10-04T00:00:00Z",
            "founded": "1958-10-04",
            "region": "Europe",
            "languages": ["French"],
        }
        atlas.load("Country", [switzerland, france, {"code": "PER", "region": "Americas"}])
        atlas.save()
    return tmp_path


@pytest.fixture
def store(folder: Path) -> Path:
    """Return the path of that store."""
    return folder / "atlas.sqlite"
