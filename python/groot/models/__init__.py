"""Models in other forms: read from Xcode's and schemas, inferred, written as code and schemas.

`groot.models.infer`, `records`, `drift`, `diagrams` and `schemas` are imported when they are needed
first.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from groot.model import Model
from groot.models import generate, xcode

__all__ = ["generate", "xcode"]


def _infer(sample: Any, is_lines: bool, told: dict[str, Any]) -> Model:
    from groot.models.infer import make  # noqa: PLC0415, most programs do not infer

    return make(sample, is_lines, told)


def _is_schema(path: Path, version: str | None) -> bool:
    from groot.models.schemas import is_schema  # noqa: PLC0415, most programs read no schemas

    return version is None and is_schema(path)


def _read_schema(path: Path, _: str | None) -> Model:
    from groot.models.schemas import load  # noqa: PLC0415, most programs read no schemas

    return load(path)


Model.add_inference(_infer)
Model.add_reader(_is_schema, _read_schema)
