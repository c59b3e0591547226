"""DBML, the language of dbdiagram.io.

A table needs a column, and two references must not have the same ends. So each entity has a key
`_id`, as in a store, and each relationship that is not the other end of one has a column.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from groot.errors import Status, error
from groot.model import Model
from groot.models._distinct import distinct
from groot.models._identity import own_identity
from groot.models.diagrams._links import Link, links_of
from groot.models.diagrams._texts import entities_of, note_of, shown, type_of
from groot.models.generate._comments import visible
from groot.models.generate._json import Number, text_of

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_RESERVED = """
    as checks dep enum indexes metadata note null project records ref table tablegroup tablepartial
    use
    """
_WORDS = frozenset(_RESERVED.split())
_KEY = "_id"
_BETWEEN = "\0"
_NUMBER = re.compile(r"[0-9]+(\.[0-9]+)?\Z")

Columns = Mapping[str, Mapping[str, str]]
"""By entity and property the column; that of the empty name is the key."""


def dbml(model: Model) -> str:
    """Write a model as DBML.

    Args:
        model: The model.

    Returns:
        The text. An entity is a table with its own properties and a key `_id`. A sub-entity refers
        to its parent one to one. Lists of allowed texts are enums. A name that DBML does not take
        is written without its quotes and backslashes, with the name of the model as a note.

    Raises:
        groot.Error: With `Status.INVALID_ARGUMENT` for something other than a model, and with
            `Status.LIMIT_EXCEEDED` for a default that nests too deep.
    """
    try:
        return "\n".join(_Writer(entities_of(model)).lines()) + "\n"
    except RecursionError:
        raise error(Status.LIMIT_EXCEEDED, "a default nests too deep for Python") from None


class _Writer:
    """The writer of the lines."""

    def __init__(self, entities: dict[str, dict[str, Any]]) -> None:
        self._entities = entities
        self._links = [_turned(link) for link in links_of(entities)]
        self._tables = distinct(entities, _bare, join="_")
        self._columns = {name: self._columns_of(name) for name in entities}
        lists = {
            f"{self._tables[name]}{_BETWEEN}{attribute}": one["values"]
            for name, described in entities.items()
            for attribute, one in described["attributes"].items()
            if _are_items(one["values"])
        }
        self._lists = lists
        self._enums = distinct(lists, _enum, self._tables.values(), "_")

    def _columns_of(self, entity: str) -> Mapping[str, str]:
        names = list(self._entities[entity]["attributes"])
        for link in self._links:
            names += [link.name] if link.source == entity else []
            names += [link.inverse] if self._has_both(link) and link.target == entity else []
        columns = dict(distinct(names, _bare, join="_"))
        key, number = _KEY, 1
        taken = {one.lower() for one in columns.values()}
        while key in taken:
            number += 1
            key = f"{_KEY}_{number}"
        columns[""] = key
        return columns

    def lines(self) -> Iterator[str]:
        """Yield all lines."""
        for number, (name, described) in enumerate(self._entities.items()):
            if number:
                yield ""
            yield f"Table {_name(self._tables[name])} {{"
            yield from (f"  {line}".rstrip() for line in self._table(name, described))
            yield "}"
        for full, values in self._lists.items():
            yield ""
            yield f"Enum {_name(self._enums[full])} {{"
            yield from (f"  {_name(one)}" for one in values)
            yield "}"
        references = [*self._parents(), *map(self._reference, self._links)]
        if references:
            yield ""
        yield from references

    def _table(self, name: str, described: dict[str, Any]) -> Iterator[str]:
        columns = self._columns[name]
        identity = own_identity(described)
        yield f"{_name(columns[''])} integer [pk]"
        for attribute, one in described["attributes"].items():
            full = f"{self._tables[name]}{_BETWEEN}{attribute}"
            settings = list(self._settings(attribute, one, columns, full))
            if identity == [attribute]:
                settings.insert(0, "unique")
            kind = _name(self._enums[full]) if full in self._enums else one["type"]
            yield f"{_name(columns[attribute])} {kind}{_listed(settings)}"
        for link in self._links:
            yield from self._keys(name, link)
        keys = [_name(columns[one]) for one in identity if one in columns]
        if len(keys) > 1 and len(keys) == len(identity):
            yield ""
            yield from ("indexes {", f"  ({', '.join(keys)}) [unique]", "}")
        if notes := list(self._notes(name, described)):
            yield ""
            yield f"Note: {_quoted('; '.join(notes))}"

    def _notes(self, name: str, described: dict[str, Any]) -> Iterator[str]:
        if self._tables[name] != name:
            yield f"named {shown(name)} in the model"
        if described["abstract"]:
            yield "abstract"
        if described["parent"] is not None:
            yield f"a sub-entity of {shown(described['parent'])}"
        if note := note_of(described):
            yield note

    def _settings(
        self, name: str, one: dict[str, Any], columns: Mapping[str, str], full: str
    ) -> Iterator[str]:
        if not one["optional"]:
            yield "not null"
        if one["default"] is not None:
            yield f"default: {_value(one['default'])}"
        notes = [] if columns[name] == name else [f"named {shown(name)} in the model"]
        notes += [type_of(one)] if one["type"] == "composite" else []
        if one["values"] and full not in self._enums:
            notes.append(f"one of {text_of(one['values'])}")
        if note := note_of(one):
            notes.append(note)
        if notes:
            yield f"note: {_quoted('; '.join(notes))}"

    def _keys(self, entity: str, link: Link) -> Iterator[str]:
        """Yield the columns of a link in the table of an entity."""
        columns = self._columns[entity]
        if link.source == entity:
            required = not link.end.is_many and not link.end.is_optional
            kind = '"integer[]"' if link.end.is_many else "integer"
            yield f"{_name(columns[link.name])} {kind}{' [not null]' if required else ''}"
        if link.target == entity and self._has_both(link):
            yield f'{_name(columns[str(link.inverse)])} "integer[]"'

    def _parents(self) -> Iterator[str]:
        for name, described in self._entities.items():
            parent = described["parent"]
            if parent is not None:
                yield f"Ref: {self._column(name, '')} - {self._column(parent, '')}"

    def _reference(self, link: Link) -> str:
        far = str(link.inverse) if self._has_both(link) else ""
        sign = "<>" if link.end.is_many else ">" if link.start.is_many else "-"
        return (
            f"Ref: {self._column(link.source, link.name)} {sign} {self._column(link.target, far)}"
        )

    def _has_both(self, link: Link) -> bool:
        """Whether both ends of a link have a column: those of many objects on both sides."""
        return link.end.is_many and link.inverse is not None and not link.is_own_inverse

    def _column(self, entity: str, name: str) -> str:
        return f"{_name(self._tables[entity])}.{_name(self._columns[entity][name])}"


def _turned(link: Link) -> Link:
    """Turn a link around that leads from one object to many."""
    if not link.end.is_many or link.start.is_many or link.inverse is None:
        return link
    return Link(link.target, link.inverse, link.start, link.source, link.name, link.end, False)


def _are_items(values: Any) -> bool:
    """Whether allowed values can be the items of an enum as they are."""
    return bool(values) and all(map(_is_item, values))


def _is_item(value: Any) -> bool:
    return type(value) is str and value != "" and _bare(value) == value


def _bare(name: str) -> str:
    """Make a name that needs no escapes in quotes, which not all readers know."""
    return shown(name).replace("\\", "/").replace('"', "'")


def _enum(full: str) -> str:
    return _bare(full.replace(_BETWEEN, "_"))


def _name(name: str) -> str:
    return name if _PLAIN.match(name) and name.lower() not in _WORDS else f'"{name}"'


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n")
    return f"'{visible(escaped)}'"


def _value(value: Any) -> str:
    """Write a default; a number with a sign is an expression for the sake of some readers."""
    text = text_of(value)
    if isinstance(value, (bool, int, Number)):
        return text if isinstance(value, bool) or _NUMBER.match(text) else f"`{text}`"
    return _quoted(value if isinstance(value, str) else text)


def _listed(settings: list[str]) -> str:
    return f" [{', '.join(settings)}]" if settings else ""
