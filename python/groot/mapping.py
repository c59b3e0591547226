"""Mappings: a model compiled with a registry."""

from __future__ import annotations

from collections.abc import Mapping as Dictionary
from typing import Any, Literal, Union
from weakref import WeakValueDictionary

from groot import _ffi
from groot._core.compiled import Compiled
from groot._core.handle import Handle, room
from groot._core.json import decode, encode
from groot._core.options import truth
from groot._core.schema import Schema
from groot._core.text import encode_name, refusal
from groot._ffi import byref, lib
from groot.errors import Issue, call, issue_of
from groot.model import Model
from groot.registry import Registry, extended

_shared: WeakValueDictionary[tuple[Any, ...], Mapping] = WeakValueDictionary()
"""The mappings of classes without a registry: contexts of the same classes share one."""

Root = Union[str, Dictionary[str, str]]


class Mapping(Compiled):
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
        """Compile a mapping of `model` with the functions in `registry`.

        Args:
            model: The entities and their properties.
            registry: The functions that annotations and rules name.
            dialect: The way in which the form of the JSON is described. "groot" uses annotations of
                the model. "hyper" uses naming conventions, and annotations for deviations from
                them. "kvc" uses `rules`, which take precedence over annotations.
            implicit: Whether properties without a `JSONKeyPath` are read and written under their
                own names; not an option of "hyper".
            rules: The rules of "kvc", a dict apart from the model.
            roots: The entity of the records at each JSON Pointer, in documents of several entities:
                `{"/data": "Resource", "/events": {"entity": "Event", "form": "keyed"}}`. Imports
                and exports without an entity read and write these documents.
            nulls: "write", or "omit" for exports that leave out properties without a value. An
                annotation or an option of the call takes precedence.

        Raises:
            groot.Error: With `Status.INVALID_MAPPING` and all issues, or with
                `Status.UNKNOWN_TRANSFORMER` if functions are missing in the registry. With
                `Status.UNSUPPORTED` for an unknown dialect, and with `Status.INVALID_ARGUMENT` for
                another invalid argument.
        """
        if not isinstance(model, Model):
            raise refusal("model", model, "a groot.Model")
        if registry is not None and not isinstance(registry, Registry):
            raise refusal("registry", registry, "a groot.Registry")
        pointer = _ffi.MappingHandle()
        self._handle = Handle(lib.mapping_free, pointer)
        if model._functions:
            registry = extended(registry, model._functions)
        names = registry._handle.pointer if registry is not None else None
        # Kept before the mapping is made, which may call them as long as it lives.
        self._functions = () if registry is None else tuple(registry._functions.values())
        if not isinstance(dialect, str):
            raise refusal("dialect", dialect, '"groot", "hyper" or "kvc"')
        if truth("implicit", implicit) and dialect == "hyper":
            expected = 'False; the dialect "hyper" reads all properties anyway'
            raise refusal("implicit", implicit, expected)
        if rules is not None and not isinstance(rules, Dictionary):
            raise refusal("rules", rules, "a dict of rules by entity")
        if roots is not None and not isinstance(roots, Dictionary):
            raise refusal("roots", roots, 'a dict, such as {"/data": "Hero"}')
        if not isinstance(nulls, str) or nulls not in _ffi.NULLS:
            raise refusal("nulls", nulls, f"one of {', '.join(_ffi.NULLS)}")
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
        self._dialect = dialect
        self._schema = Schema(model.document, dialect, rules, is_implicit=implicit)
        self._classes = {}
        self._declared = model._classes

    @property
    def warnings(self) -> tuple[Issue, ...]:
        """The probable mistakes in the annotations; the mapping works in spite of them.

        Examples are annotations that look misspelt, identities on optional or transient attributes,
        and registered names that no annotation uses.
        """
        text, _owner = room()
        call(lib.mapping_warnings, self._handle.pointer, byref(text))
        return tuple(map(issue_of, decode(_ffi.bytes_of(text))))

    @property
    def model(self) -> Model:
        """The model of the mapping."""
        return self._model

    def identity(self, entity: str) -> tuple[str, ...]:
        """Return the properties that identify the objects of an entity.

        Args:
            entity: The name of the entity.

        Returns:
            The names of attributes and to-one relationships; empty without an identity.

        Raises:
            groot.Error: With `Status.UNKNOWN_ENTITY` for an unknown entity.
        """
        return self._schema.entity(entity).identity

    def __repr__(self) -> str:
        """List the entities, and show the dialect."""
        return f"<groot.Mapping of {', '.join(self._schema.entities)}, dialect {self._dialect!r}>"

    def __reduce__(self) -> Any:
        """Refuse to be pickled: the functions of its registry are not data."""
        raise TypeError("a mapping cannot be pickled; pickle its model, and compile it again")


def mapping_of(classes: tuple[Any, ...], registry: Registry | None) -> Mapping:
    """Make the mapping of classes; without a registry of their own, contexts share it."""
    found = _shared.get(classes) if registry is None else None
    if found is None:
        found = Mapping(Model.of(*classes), registry)
        if registry is None:
            found = _shared.setdefault(classes, found)
    return found
