"""Mappings: a model compiled with a registry."""

from __future__ import annotations

from collections.abc import Mapping as Dictionary
from typing import Any, Literal, Union

from groot import _ffi
from groot._buffers import room
from groot._ffi import byref, lib
from groot._handle import Handle, Unchanging
from groot._json import decode, encode
from groot._schema import Schema
from groot._text import encode_name, shorten
from groot.errors import Issue, Status, call, error, issue_of
from groot.model import Model
from groot.registry import Registry

Root = Union[str, Dictionary[str, str]]


class Mapping(Unchanging):
    """A model compiled for import and export.

    It never changes; any thread may use it, and many contexts may share it.
    """

    def __init__(
        self,
        model: Model,
        registry: Registry | None = None,
        dialect: str = "groot",
        *,
        implicit: bool = False,
        rules: Dictionary[str, Any] | None = None,
        roots: Dictionary[str, Root] | None = None,
        nulls: Literal["write", "omit"] = "write",
    ) -> None:
        """Compile a mapping of `model` with the names in `registry`.

        Args:
            model: The entities and their properties.
            registry: The functions that annotations and rules name.
            dialect: The place that describes the form of the JSON. "groot" reads annotations of the
                model. "hyper" has naming conventions, and annotations for deviations. "kvc" has
                `rules`, which are laid over annotations where there are any.
            implicit: Whether properties without a `JSONKeyPath` are found under their own names;
                "hyper" does not have it.
            rules: The rules of "kvc", a dict beside the model.
            roots: The places of each entity's records in a document of several, by JSON Pointer:
                `{"/data": "Resource", "/events": {"entity": "Event", "form": "keyed"}}`. Imports
                and exports without an entity read and write such documents.
            nulls: With "omit" exports leave out properties without a value, where neither an
                annotation nor the call says otherwise.

        Raises:
            groot.Error: With `Status.INVALID_MAPPING`, or with `Status.UNKNOWN_TRANSFORMER` when
                names are missing, and all issues.
        """
        if not isinstance(model, Model):
            raise error(Status.INVALID_ARGUMENT, f"model is {shorten(model)}, not a groot.Model")
        if registry is not None and not isinstance(registry, Registry):
            message = f"registry is {shorten(registry)}, not a groot.Registry"
            raise error(Status.INVALID_ARGUMENT, message)
        pointer = _ffi.MappingHandle()
        self._handle = Handle(lib.mapping_free, pointer)
        names = registry._handle.pointer if registry is not None else None
        # Before the mapping is made, which calls them as long as it lives.
        self._functions = () if registry is None else tuple(registry._functions.values())
        if not isinstance(nulls, str) or nulls not in _ffi.NULLS:
            message = f"nulls is {shorten(nulls)}, not one of {', '.join(_ffi.NULLS)}"
            raise error(Status.INVALID_ARGUMENT, message)
        described = None if rules is None else encode(dict(rules))
        places = None if roots is None else encode(dict(roots))
        options = _ffi.MappingOptions(
            dialect=encode_name(dialect),
            rules=described,
            rules_length=0 if described is None else len(described),
            flags=_ffi.IMPLICIT if implicit else 0,
            nulls=_ffi.NULLS[nulls],
            roots=places,
            roots_length=0 if places is None else len(places),
        )
        call(lib.mapping_create, model._handle.pointer, names, byref(options), byref(pointer))
        self._model = model
        self._schema = Schema(model.document, dialect, rules)
        self._classes: dict[str, Any] = {}

    @property
    def warnings(self) -> tuple[Issue, ...]:
        """Probable mistakes in the annotations that do not keep the mapping from working.

        They are annotations that look misspelt, identities on optional or transient attributes, and
        registered names that no annotation uses.
        """
        text, _owner = room()
        call(lib.mapping_warnings, self._handle.pointer, byref(text))
        return tuple(map(issue_of, decode(_ffi.bytes_of(text))))

    @property
    def model(self) -> Model:
        """The model that the mapping was made of."""
        return self._model

    def __reduce__(self) -> Any:
        """Refuse to be pickled: the functions of its registry are not data."""
        raise TypeError("a mapping cannot be pickled; pickle its model, and compile it again")
