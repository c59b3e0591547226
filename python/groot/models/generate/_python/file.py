"""The source file: its head, and a class for each entity."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from typing import Any

from groot.errors import Status, error
from groot.model import Model
from groot.models.generate import _json
from groot.models.generate._arguments import check
from groot.models.generate._comments import about_entity, visible, written
from groot.models.generate._python.layout import Code, Group, flat, json, labelled, lines, names
from groot.models.generate._python.layout import text as quoted
from groot.models.generate._python.names import distinct
from groot.models.generate._python.options import PythonOptions
from groot.models.generate._python.properties import NO_PATH, attribute, relationship

_HEAD = (
    '"""The entities of a model as classes, written by `groot generate python`.',
    "",
    "Changes here are lost when the file is written again.",
    '"""',
    "",
    "from __future__ import annotations",
)
_NOTES = {
    "groot.discriminator": "discriminator",
    "groot.discriminatorValue": "discriminator_value",
    "groot.unknownDiscriminator": "unknown_discriminator",
    "groot.version": "version",
    "groot.versionRule": "version_rule",
    "groot.tombstone": "tombstone",
    "groot.deletionMark": "deletion_mark",
    "groot.unknownKeys": "unknown_keys",
    "entityMapperName": "entity_mapper",
    "JSONDictionaryTransformerName": "dictionary_transformer",
}
_IDENTITY = "identityAttributes"
_PATH = "JSONKeyPath"
_TYPING = ("Annotated", "Any", "Literal")
_GROOT = ("Attribute", "Entity", "ToMany", "ToOne", "attribute", "bits", "relationship")
_WIDTH = 100


def python(model: Model, options: PythonOptions | None = None) -> str:
    """Write the entities of a model as Python classes, each a `groot.Entity`.

    Args:
        model: The model.
        options: The form of the classes; by default `PythonOptions()`.

    Returns:
        The text of the file. Its classes make the same model again.

    Raises:
        groot.Error: With `Status.LIMIT_EXCEEDED` for a default that nests too deep.
    """
    check(model, options, PythonOptions)
    try:
        document = _json.read(model.document_text)
        return "\n".join(_Writer(document["entities"], options or PythonOptions()).lines()) + "\n"
    except RecursionError:
        raise error(Status.LIMIT_EXCEEDED, "a default nests too deep for Python") from None


class _Writer:
    """The writer of the lines of a file."""

    def __init__(self, entities: dict[str, Any], options: PythonOptions) -> None:
        self._entities = entities
        self._is_implicit = options.implicit
        self._types = distinct(sorted(entities), "Unnamed")
        self._members: dict[str, dict[str, str]] = {}

    def lines(self) -> Iterator[str]:
        """Yield all lines."""
        classes = [line for name in self._in_order() for line in self._class(name)]
        yield from _HEAD
        yield ""
        yield from _imports("\n".join(classes))
        yield from classes

    def _in_order(self) -> list[str]:
        """Return the entities by name, each after its parent."""
        found: dict[str, None] = {}
        for name in sorted(self._entities):
            line = [name]
            while (parent := self._entities[line[-1]]["parent"]) is not None:
                line.append(parent)
            found.update(dict.fromkeys(reversed(line)))
        return list(found)

    def _class(self, name: str) -> Iterator[str]:
        described = self._entities[name]
        members = self._members_of(name)
        own = {**described["attributes"], **described["relationships"]}
        paths = self._paths(described, own)
        identity = self._identity(described, own)
        yield ""
        yield ""
        opening = f"class {self._types[name]}("
        parts = list(self._head(name, described, own, paths, identity))
        yield from lines(Group(opening, parts, ")"), "", 0, ":")
        listed = re.split(r"[,\s]+", described["userInfo"].get(_IDENTITY, ""))
        yield from _documented(about_entity(described, [one for one in listed if one]))
        for number, property in enumerate(own):
            if number == 0:
                yield ""
            yield from self._property(property, own[property], members, paths, identity)

    def _property(
        self,
        name: str,
        described: dict[str, Any],
        members: dict[str, str],
        paths: dict[str, object],
        identity: list[str],
    ) -> Iterator[str]:
        member = members[name]
        is_identity = identity == [name]
        if "type" in described:
            found = attribute(name, member, described, paths[name], is_identity=is_identity)
        else:
            destination = self._types[described["destination"]]
            found = relationship(
                name, member, described, paths[name], destination, is_identity=is_identity
            )
        annotation, call = found
        comment = written(described)
        if comment is not None:
            for line in textwrap.wrap(visible(comment), _WIDTH - 6):
                yield f"    # {line}"
        if call is None:
            yield f"    {member}: {annotation}"
        else:
            yield from lines(call, f"    {member}: {annotation} = ", 4)

    def _head(
        self,
        name: str,
        described: dict[str, Any],
        own: dict[str, Any],
        paths: dict[str, object],
        identity: list[str],
    ) -> Iterator[Code]:
        parent = described["parent"]
        yield "Entity" if parent is None else self._types[parent]
        notes = dict(described["userInfo"])
        if self._types[name] != name:
            yield f"name={quoted(name)}"
        if described["abstract"]:
            yield "abstract=True"
        if identity:
            del notes[_IDENTITY]
            if not (len(identity) == 1 and identity[0] in own):
                yield labelled("identity", names(identity))
        if notes.get("groot.implicit") == "true":
            del notes["groot.implicit"]
            yield "implicit=True"
        elif own and all(one is _UNMAPPED for one in self._all_paths(described, own).values()):
            yield "implicit=False"
        for note, option in _NOTES.items():
            if note in notes:
                yield f"{option}={quoted(notes.pop(note))}"
        if described["uniquenessConstraints"]:
            unique = [json(group) for group in described["uniquenessConstraints"]]
            yield labelled("unique", Group("[", unique, "]"))
        if described["renamingIdentifier"] is not None:
            yield f"renaming_identifier={quoted(described['renamingIdentifier'])}"
        if notes:
            yield labelled("annotations", json(notes))

    def _identity(self, described: dict[str, Any], own: dict[str, Any]) -> list[str]:
        """Return the identity if its annotation is written as a class writes it."""
        text = described["userInfo"].get(_IDENTITY, "")
        listed = [one for one in re.split(r"[,\s]+", text) if one]
        return listed if ", ".join(listed) == text else []

    def _all_paths(self, described: dict[str, Any], own: dict[str, Any]) -> dict[str, object]:
        """Return the path that each own property has in the model; `_UNMAPPED` for none."""
        is_by_name = self._is_implicit or described["userInfo"].get("groot.implicit") == "true"
        missing = _BY_NAME if is_by_name else _UNMAPPED
        return {name: one["userInfo"].get(_PATH, missing) for name, one in own.items()}

    def _paths(self, described: dict[str, Any], own: dict[str, Any]) -> dict[str, object]:
        """Return the path that each own property states; `NO_PATH` where the class has it so."""
        found = self._all_paths(described, own)
        is_implicit = described["userInfo"].get("groot.implicit") == "true"
        is_unmapped = all(path is _UNMAPPED for path in found.values())
        stated: dict[str, object] = {}
        for name, path in found.items():
            inverse = own[name].get("inverse")
            stated[name] = self._stated(name, path, own[name], has_inverse=inverse is not None)
            if is_unmapped or (is_implicit and path is _BY_NAME):
                stated[name] = NO_PATH
            elif is_implicit and path == _escaped(name):
                stated[name] = path
        return stated

    def _stated(
        self, name: str, path: object, described: dict[str, Any], *, has_inverse: bool
    ) -> object:
        if path is _UNMAPPED:
            return NO_PATH if has_inverse and self._inverse_has_path(described) else None
        if path is _BY_NAME:
            stated = has_inverse and self._inverse_has_path(described)
            return _escaped(name) if stated else NO_PATH
        return NO_PATH if path == _escaped(name) and not has_inverse else path

    def _inverse_has_path(self, described: dict[str, Any]) -> bool:
        inverse = self._entities[described["destination"]]["relationships"][described["inverse"]]
        return _PATH in inverse["userInfo"]

    def _members_of(self, name: str) -> dict[str, str]:
        """Choose the members of the own and inherited properties of an entity."""
        if name not in self._members:
            described = self._entities[name]
            parent = described["parent"]
            inherited = {} if parent is None else self._members_of(parent)
            own = [*described["attributes"], *described["relationships"]]
            taken = [*inherited.values(), *self._types.values()]
            self._members[name] = {**inherited, **distinct(own, "unnamed", taken)}
        return self._members[name]


_UNMAPPED = object()
_BY_NAME = object()
_ESCAPED = str.maketrans({".": r"\.", "[": r"\[", "\\": r"\\"})


def _escaped(name: str) -> str:
    """Write a name as a key path of one key."""
    path = name.translate(_ESCAPED)
    return f"\\{path}" if path[:1] == "@" or path == "*" else path


def _documented(text: str) -> Iterator[str]:
    """Write the documentation of a class."""
    shown = visible(text).replace("\\", "\\\\").replace('"', "'")
    first, *others = textwrap.wrap(shown, _WIDTH - 10)
    if not others:
        yield f'    """{first}"""'
        return
    yield f'    """{first}'
    yield from (f"    {line}" for line in others)
    yield '    """'


def _imports(code: str) -> Iterator[str]:
    """Yield the imports of the names that the code uses."""
    words = set(re.findall(r"\w+", code))
    if "dt" in words:
        yield "import datetime as dt"
    if "Decimal" in words:
        yield "from decimal import Decimal"
    used = [name for name in _TYPING if name in words]
    if used:
        yield f"from typing import {', '.join(used)}"
    if "UUID" in words:
        yield "from uuid import UUID"
    if words & {"dt", "Decimal", "UUID", *_TYPING}:
        yield ""
    yield flat(f"from groot import {', '.join(name for name in _GROOT if name in words)}")
