"""Models in other forms: read from Xcode's and schemas, inferred, written as code and schemas.

Each module here is imported when it is first used: as `groot.models.xcode`, or by `groot.Model`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from groot.model import Model

if TYPE_CHECKING:
    from pathlib import Path

    from groot.models import diagrams, drift, generate, infer, records, schemas, stores, xcode

__all__ = ["diagrams", "drift", "generate", "infer", "records", "schemas", "stores", "xcode"]


def _is_xcode(path: Path, version: str | None) -> bool:
    from groot.models.xcode import is_xcode  # noqa: PLC0415, most programs load no models

    return version is not None or is_xcode(path)


def _read_xcode(path: Path, version: str | None) -> Model:
    from groot.models.xcode import load  # noqa: PLC0415, most programs read no Xcode models

    return load(path, version)


def _infer(sample: Any, is_lines: bool, told: dict[str, Any]) -> Model:
    from groot.models.infer import make  # noqa: PLC0415, most programs do not infer

    return make(sample, is_lines, told)


def _is_schema(path: Path, version: str | None) -> bool:
    from groot.models.schemas import is_schema  # noqa: PLC0415, most programs read no schemas

    return version is None and is_schema(path)


def _read_schema(path: Path, _: str | None) -> Model:
    from groot.models.schemas import load  # noqa: PLC0415, most programs read no schemas

    return load(path)


def _is_store(path: Path, version: str | None) -> bool:
    from groot.models.stores import is_store  # noqa: PLC0415, most programs give a mapping

    return version is None and is_store(path)


def _read_store(path: Path, _: str | None) -> Model:
    from groot.models.stores import load  # noqa: PLC0415, most programs give a mapping

    return load(path)


Model.add_inference(_infer)
Model.add_reader(_is_store, _read_store)
Model.add_reader(_is_xcode, _read_xcode)
Model.add_reader(_is_schema, _read_schema)

if not TYPE_CHECKING:  # a checker would take every name of a module with __getattr__

    def __getattr__(name: str) -> object:
        """Import a module of this package when it is first used."""
        from importlib import import_module  # noqa: PLC0415 (the first use needs it)

        if name in __all__:
            return import_module(f"groot.models.{name}")
        raise AttributeError(f"module 'groot.models' has no attribute {name!r}")

    def __dir__() -> list[str]:
        """List the names, loaded or not."""
        return sorted({*globals(), *__all__})
