"""HTML for notebooks: tables without scripts, in which every text is escaped.

No function raises an exception. In the place of a value that cannot be read is a text that says so.
"""

from __future__ import annotations

import html
from collections.abc import Callable, Iterable, Sequence
from enum import Enum
from typing import Any

from groot._core.diagrams import diagram
from groot._core.queries import count
from groot._core.references import Reference
from groot._core.schema import Entity, Property
from groot._core.selection import Selection
from groot._core.session import Session
from groot._core.shown import cut, identity_text, name_text, value_text
from groot.errors import Status

_ROWS = 10
_COLUMNS = 20
_ENTITIES = 100
_PROPERTIES = 50
_LINES = 50

Row = Iterable[Sequence[str]]
"""The cells of a row, each with its lines."""


def object_page(found: Any) -> str:
    """Show an object as a table of its properties."""

    def page() -> str:
        if found._session.status(found._number):
            return _paragraph(f"{identity_text(found)} is deleted")
        names = list(found._fields)
        rows = [_two(name_text(name), _cell(found, name)) for name in names[:_PROPERTIES]]
        return _table(identity_text(found), ("property", "value"), rows, _more(names, _PROPERTIES))

    return _shown(page)


def objects_page(selection: Selection) -> str:
    """Show the first objects of a sequence as the rows of a table."""

    def page() -> str:
        ids, total = selection.ids(0, _ROWS), len(selection.range)
        return _rows(selection.session, selection.entity, ids, total, _number(total, "object"))

    return _shown(page)


def members_page(owner: Any, property: Property, read: Callable[[], Sequence[int]]) -> str:
    """Show the first members of a relationship as the rows of a table."""

    def page() -> str:
        name = f"{identity_text(owner)}, {name_text(property.name)}"
        if owner._session.status(owner._number):
            return _paragraph(f"{name}: the owner is deleted")
        ids = read()
        caption = f"{name}: {_number(len(ids), 'member')}"
        first = ids[:_ROWS]
        return _rows(owner._session, property.destination, first, len(ids), caption)

    return _shown(page)


def context_page(session: Session) -> str:
    """Show the number of objects of each entity, which loads none of them."""

    def page() -> str:
        entities = session.schema.entities
        rows = []
        for name, described in list(entities.items())[:_ENTITIES]:
            parent = described.get("parent")
            title = f"{name_text(name)} ({name_text(parent)})" if parent else name_text(name)
            rows.append(_two(title, f"{count(session, name):,}"))
        head = ("entity", "objects, with those of sub-entities")
        return _table("groot.Context", head, rows, _more(entities, _ENTITIES))

    return _shown(page)


def report_page(counts: str, diff: Callable[[int], str] | None) -> str:
    """Show the counts of a report, and its changes if it has them."""

    def page() -> str:
        text = diff(_LINES) if diff else ""
        return _paragraph(counts) + (f"<pre>{_escaped(text)}</pre>" if text else "")

    return _shown(page)


def model_page(entities: dict[str, Any]) -> str:
    """Show the entities of a model as a diagram, or as a table if they are too many for one."""

    def page() -> str:
        drawn = diagram(entities)
        if drawn:
            return (
                _paragraph(f"groot.Model: {_number(len(entities), 'entity', 'entities')}") + drawn
            )
        rows = [_described(name, one) for name, one in list(entities.items())[:_ENTITIES]]
        head = ("entity", "attributes", "relationships")
        caption = f"groot.Model: {_number(len(entities), 'entity', 'entities')}"
        return _table(caption, head, rows, _more(entities, _ENTITIES))

    return _shown(page)


def _described(name: str, described: dict[str, Any]) -> Row:
    """Return the cells of an entity."""
    titles = [name_text(name)]
    if described.get("parent"):
        titles.append(f"is a {name_text(described['parent'])}")
    if described.get("abstract"):
        titles.append("abstract")
    attributes = [
        f"{name_text(one)}: {name_text(str(each.get('type', '')))}"
        for one, each in described.get("attributes", {}).items()
    ]
    relationships = []
    for one, each in described.get("relationships", {}).items():
        arrow = "⇉" if each.get("toMany") else "→"
        inverse = f" (inverse {name_text(each['inverse'])})" if each.get("inverse") else ""
        destination = name_text(str(each.get("destination", "")))
        relationships.append(f"{name_text(one)} {arrow} {destination}{inverse}")
    return titles, _first(attributes), _first(relationships)


def _first(lines: list[str]) -> list[str]:
    more = len(lines) - _PROPERTIES
    return [*lines[:_PROPERTIES], f"… {more:,} more"] if more > 0 else lines


def _rows(
    session: Session, entity: str | None, ids: Sequence[int], total: int, caption: str
) -> str:
    """Show objects as a table with a column for each attribute and to-one relationship."""
    described = None if entity is None else session.schema.entity(entity)
    all_names = [] if described is None else _columns(described)
    names = all_names[:_COLUMNS]
    if described is not None and len(all_names) > _COLUMNS:
        caption += f", {_COLUMNS} of {len(all_names):,} properties"
    rows = [_row(session, number, names) for number in ids]
    head = ("object", *map(name_text, names))
    return _table(caption, head, rows, f"… {total - len(ids):,} more" if total > len(ids) else "")


def _columns(entity: Entity) -> list[str]:
    names = [name for name, one in entity.properties.items() if not one.to_many]
    return sorted(names, key=lambda name: name not in entity.identity)


def _row(session: Session, number: int, names: Sequence[str]) -> Row:
    """Return the cells of an object."""
    if session.status(number) == Status.OBJECT_DELETED:
        return [[f"#{number} is deleted"]]
    found = session.object(number)
    return [[identity_text(found)], *([_cell(found, name)] for name in names)]


def _cell(found: Any, name: str) -> str:
    """Write the value of a property."""
    try:
        value = found._fields[name].read(found)
        if isinstance(value, Reference):
            return identity_text(value)
        described = found._entity.properties[name]
        if described.to_many:
            return _number(len(value), "member")
        value = value.value if isinstance(value, Enum) else value
        return "" if value is None else cut(value) if isinstance(value, str) else value_text(value)
    except Exception as failure:
        return cut(f"cannot be read: {failure}")


def _two(name: str, text: str) -> Row:
    return [name], [text]


def _number(count: int, one: str, several: str = "") -> str:
    return f"{count:,} {one if count == 1 else several or f'{one}s'}"


def _more(given: Any, most: int) -> str:
    return f"… {len(given) - most:,} more" if len(given) > most else ""


def _table(caption: str, head: Sequence[str], rows: Iterable[Row], end: str) -> str:
    """Make a table of plain text."""
    titles = "".join(f"<th>{_escaped(one)}</th>" for one in head)
    lines = [f"<tr>{''.join(map(_cells, row))}</tr>" for row in rows]
    body = f"<thead><tr>{titles}</tr></thead><tbody>{''.join(lines)}</tbody>"
    return f"{_paragraph(caption)}<table>{body}</table>{_paragraph(end) if end else ''}"


def _cells(lines: Sequence[str]) -> str:
    return f'<td style="text-align: left">{"<br>".join(map(_escaped, lines))}</td>'


def _paragraph(text: str) -> str:
    return f"<p>{_escaped(text)}</p>"


def _escaped(text: str) -> str:
    return html.escape(text, quote=True)


def _shown(page: Callable[[], str]) -> str:
    """Return a page, or the reason why there is none, since a notebook would show a traceback."""
    try:
        return page()
    except Exception as failure:
        return _paragraph(f"It cannot be shown: {cut(str(failure))}")
