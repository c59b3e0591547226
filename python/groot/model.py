"""Models: entities, attributes and relationships with their annotations."""

from __future__ import annotations

import os
from collections.abc import Mapping as Dictionary
from pathlib import Path
from typing import Any

from groot import _ffi
from groot._ffi import byref, lib
from groot._handle import Handle
from groot._jansson import take
from groot._json import encode
from groot._text import encode_text, file_error
from groot.errors import Status, call, error

_XCODE = (".xcdatamodeld", ".xcdatamodel", ".mom", ".momd")


class Model:
    """A model, checked as a whole. It never changes; any thread may use it."""

    def __init__(self, document: Dictionary[str, Any] | str | bytes) -> None:
        """Make a model of a model document: a dict, or its JSON text.

        Raises `groot.Error` with `Status.INVALID_MODEL` and one issue for each fault, or with
        `Status.INVALID_JSON`.
        """
        if isinstance(document, str):
            text = encode_text(document)
        elif isinstance(document, (bytes, bytearray)):
            text = bytes(document)
        else:
            text = encode(dict(document) if isinstance(document, Dictionary) else document)
        pointer = _ffi.ModelHandle()
        call(lib.model_create, text, len(text), byref(pointer))
        self._handle = Handle(pointer, lib.model_free)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Model:
        """Make a model of the model document in the file at `path`.

        Raises `groot.Error`: as the initialiser, and with `Status.FILE_ERROR`.
        """
        file = Path(path)
        if file.suffix in _XCODE:
            raise error(Status.UNSUPPORTED, f"{file}: {file.suffix} models cannot be read yet")
        try:
            text = file.read_bytes()
        except OSError as cause:
            raise file_error(file, "read", cause) from cause
        return cls(text)

    @property
    def document(self) -> dict[str, Any]:
        """The model as a model document, with every default spelled out."""
        pointer = _ffi.JsonHandle()
        call(lib.model_document, self._handle.pointer, byref(pointer))
        document: dict[str, Any] = take(pointer.value)
        return document

    def __repr__(self) -> str:
        """Name the entities."""
        return f"<groot.Model {', '.join(self.document['entities'])}>"
