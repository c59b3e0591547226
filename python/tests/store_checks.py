"""What tests of stores share: mappings, a changed model, a check of the file."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import groot


def mapping_of(model: Any) -> groot.Mapping:
    return groot.Mapping(groot.Model(model))


def changed(model: Any) -> Any:
    """Give the model with one attribute less and one more."""
    model = json.loads(json.dumps(model))
    attributes = model["entities"]["Thing"]["attributes"]
    del attributes["medium"]
    attributes["color"] = {"type": "string", "default": "red" * 20}
    return model


def check_file(path: Path) -> None:
    """Have SQLite check a file that no process has open."""
    database = sqlite3.connect(path)
    assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert database.execute("PRAGMA foreign_key_check").fetchall() == []
    database.close()
