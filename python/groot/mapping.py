"""Mappings: a model compiled with a registry."""

from __future__ import annotations

from collections.abc import Mapping as Dictionary
from typing import Any

from groot import _ffi
from groot._ffi import byref, lib
from groot._handle import Handle
from groot._jansson import release, to_json
from groot._schema import Schema
from groot._text import encode_path
from groot.errors import call
from groot.model import Model
from groot.registry import Registry


class Mapping:
    """A model compiled for import and export.

    It never changes; any thread may use it, and many contexts may share it.
    """

    def __init__(
        self,
        model: Model,
        registry: Registry | None = None,
        dialect: str = "groot",
        options: Dictionary[str, Any] | None = None,
    ) -> None:
        """Compile a mapping of `model` with the names in `registry`.

        `dialect` says how annotations are read; "groot" is the only one so far. `options` are the
        dialect's; there are none yet. Raises `groot.Error` with `Status.INVALID_MAPPING`, or with
        `Status.UNKNOWN_TRANSFORMER` when names are missing, and one issue for each fault.
        """
        pointer = _ffi.MappingHandle()
        names = registry._handle.pointer if registry is not None else None
        given = to_json(dict(options)) if options is not None else None
        try:
            call(
                lib.mapping_create,
                model._handle.pointer,
                names,
                encode_path(dialect),
                given,
                byref(pointer),
            )
        finally:
            release(given)
        self._handle = Handle(pointer, lib.mapping_free)
        self._model = model
        self._schema = Schema(model.document)
        self._classes: dict[str, Any] = {}

    @property
    def model(self) -> Model:
        """The model that the mapping was made of."""
        return self._model
