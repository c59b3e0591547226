"""The document of a schema: its dialect, its definitions, and the targets of references."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote

from groot.models._pointers import joined, parts
from groot.models.schemas._notes import Notes, refusal

_MISSING = object()


class Source:
    """A document with schemas, and the values at its pointers."""

    def __init__(self, document: Any, notes: Notes) -> None:
        """Check that the document is of a dialect that is read."""
        if not isinstance(document, dict):
            raise refusal(notes.file, "it is not a JSON object, as a schema must be")
        if "swagger" in document:
            message = "it is a Swagger 2 document; convert it to OpenAPI 3"
            raise refusal(notes.file, message)
        version = document.get("openapi")
        is_open_api = "openapi" in document
        if is_open_api and not str(version).startswith("3."):
            raise refusal(
                notes.file, f"its version of OpenAPI is {version!r}; 3.0 and 3.1 are read"
            )
        self.notes = notes
        self.document: dict[str, Any] = document
        self.is_open_api = is_open_api
        self._id = str(document.get("$id") or "").rstrip("#")
        self._anchors: dict[str, str] | None = None

    def definitions(self) -> Iterator[str]:
        """Yield the pointers of the named schemas, in the order of the document."""
        places = ("/components/schemas",) if self.is_open_api else ("/$defs", "/definitions")
        for place in places:
            found = self.find(place)
            if found is _MISSING or found is None:
                continue
            if not isinstance(found, dict):
                self.notes.error(place, "it is not an object of schemas by name")
                continue
            for name in found:
                yield joined(place, name)

    def is_definition(self, pointer: str) -> bool:
        """Return whether a pointer is that of a named schema."""
        above = pointer.rpartition("/")[0]
        return above in ("/components/schemas", "/$defs", "/definitions")

    def find(self, pointer: str) -> Any:
        """Return the value at a pointer, or a mark of a missing one."""
        found: Any = self.document
        for key in parts(pointer):
            if isinstance(found, dict) and key in found:
                found = found[key]
            elif isinstance(found, list) and key.isdecimal() and int(key[:9]) < len(found):
                found = found[int(key[:9])]
            else:
                return _MISSING
        return found

    def schema(self, pointer: str) -> dict[str, Any]:
        """Return the schema at a pointer; one that allows or refuses anything is empty."""
        found = self.find(pointer)
        if isinstance(found, dict):
            return found
        if found is False:
            self.notes.warn(pointer, "it refuses every value, which a model cannot express")
        elif found is not True:
            self.notes.error(pointer, f"it is {str(found)[:60]!r}, not a schema")
        return {}

    def target(self, pointer: str) -> str | None:
        """Return the pointer that the `$ref` of a schema leads to; None after an error."""
        ref, at = self.find(pointer)["$ref"], joined(pointer, "$ref")
        if not isinstance(ref, str):
            self.notes.error(at, f"it is {str(ref)[:60]!r}, not a reference as text")
            return None
        address, _, fragment = ref.partition("#")
        if address not in ("", self._id):
            message = f"'{ref[:200]}' is in another file; put its schema under $defs of this one"
            self.notes.error(at, message)
            return None
        fragment = unquote(fragment)
        if fragment and not fragment.startswith("/"):
            found = self._anchored().get(fragment)
        else:
            found = joined("", *parts(fragment)) if fragment else ""
            found = None if self.find(found) is _MISSING else found
        if found is None:
            self.notes.error(at, f"'{ref[:200]}' leads to nothing in this file")
        return found

    def _anchored(self) -> dict[str, str]:
        """Return the pointers of all anchors, which are gathered when one is needed."""
        if self._anchors is None:
            self._anchors = {}
            pending: list[tuple[str, Any]] = [("", self.document)]
            while pending:
                pointer, value = pending.pop()
                if isinstance(value, list):
                    pending += [(joined(pointer, i), one) for i, one in enumerate(value)]
                if not isinstance(value, dict):
                    continue
                pending += [(joined(pointer, key), one) for key, one in value.items()]
                for name in (value.get("$anchor"), str(value.get("$id") or "#")[1:]):
                    if isinstance(name, str) and name:
                        self._anchors.setdefault(name, pointer)
        return self._anchors
