"""The source file: its head, and a class for each entity."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from typing import Any

from groot.errors import Status, error
from groot.key_paths import escaped
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
_IMPLICIT = "groot.implicit"
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


class _Entity:
    """An entity, with the facts that its head and its properties share."""

    def __init__(self, name: str, described: dict[str, Any], takes_names: bool) -> None:
        """Read the description; `takes_names` is for a mapping that takes names for paths."""
        self.name = name
        self.described = described
        self.own = {**described["attributes"], **described["relationships"]}
        text = described["userInfo"].get(_IDENTITY, "")
        self.listed = [one for one in re.split(r"[,\s]+", text) if one]
        self.identity = self.listed if ", ".join(self.listed) == text else []
        """The identity, if its annotation is written as a class writes it."""
        self.implicit: bool | None = None
        """The option of the head; None for properties whose paths are their names."""
        if described["userInfo"].get(_IMPLICIT) == "true":
            self.implicit = True
        elif self.own and not takes_names:
            has_path = any(_PATH in one["userInfo"] for one in self.own.values())
            self.implicit = None if has_path else False


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
        entity = _Entity(name, self._entities[name], self._is_implicit)
        yield ""
        yield ""
        head = Group(f"class {self._types[name]}(", list(self._head(entity)), ")")
        yield from lines(head, "", 0, ":")
        yield from _documented(about_entity(entity.described, entity.listed))
        if entity.own:
            yield ""
        for property in entity.own:
            yield from self._property(entity, property)

    def _property(self, entity: _Entity, name: str) -> Iterator[str]:
        described, path = entity.own[name], self._path(entity, name)
        member = self._members_of(entity.name)[name]
        is_identity = entity.identity == [name]
        if "type" in described:
            found = attribute(name, member, described, path, is_identity=is_identity)
        else:
            destination = self._types[described["destination"]]
            found = relationship(
                name, member, described, path, destination, is_identity=is_identity
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

    def _head(self, entity: _Entity) -> Iterator[Code]:
        described, name = entity.described, entity.name
        parent = described["parent"]
        yield "Entity" if parent is None else self._types[parent]
        notes = dict(described["userInfo"])
        if self._types[name] != name:
            yield f"name={quoted(name)}"
        if described["abstract"]:
            yield "abstract=True"
        if entity.identity:
            del notes[_IDENTITY]
            if not (len(entity.identity) == 1 and entity.identity[0] in entity.own):
                yield labelled("identity", names(entity.identity))
        if entity.implicit is not None:
            notes.pop(_IMPLICIT, None)
            yield f"implicit={entity.implicit}"
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

    def _path(self, entity: _Entity, name: str) -> object:
        """Return the path that a property states; `NO_PATH` where the class has it by itself."""
        described = entity.own[name]
        path = described["userInfo"].get(_PATH)
        has_inverse = described.get("inverse") is not None
        if entity.implicit is not None or (has_inverse and path is not None):
            return NO_PATH if path is None else path
        if path is None and self._is_implicit:
            path = escaped(name)
        is_named = not (has_inverse and self._inverse_has_path(described))
        return NO_PATH if path == (escaped(name) if is_named else None) else path

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
