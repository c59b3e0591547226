"""Mappings, a changed model and a check of the file, for the tests of stores."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import groot


def mapping_of(model: Any) -> groot.Mapping:
    return groot.Mapping(groot.Model(model))


def changed(model: Any) -> Any:
    """Return the model with one attribute removed and one added."""
    model = json.loads(json.dumps(model))
    attributes = model["entities"]["Thing"]["attributes"]
    del attributes["medium"]
    attributes["color"] = {"type": "string", "default": "red" * 20}
    return model


def check_file(path: Path) -> None:
    """Let SQLite check a file that no process has open."""
    database = sqlite3.connect(path)
    assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert database.execute("PRAGMA foreign_key_check").fetchall() == []
    database.close()
