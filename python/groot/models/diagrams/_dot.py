"""Graphs in the language of Graphviz."""

from __future__ import annotations

import html
from collections.abc import Iterator, Mapping
from typing import Any

from groot.model import Model
from groot.models._distinct import distinct
from groot.models._identity import own_identity
from groot.models.diagrams._links import End, Link, links_of
from groot.models.diagrams._texts import entities_of, shown, type_of

_HEAD = (
    "digraph model {",
    "    graph [rankdir=LR]",
    '    node [shape=plain, fontname="sans-serif"]',
    '    edge [dir=both, fontname="sans-serif", fontsize=10]',
)
_TABLE = '<table border="1" cellborder="0" cellspacing="0" cellpadding="4">'
_ARROWS = {
    (False, False): "teetee",
    (True, False): "teeodot",
    (False, True): "crowtee",
    (True, True): "crowodot",
}


def dot(model: Model) -> str:
    """Write a model as a graph for Graphviz.

    Args:
        model: The model.

    Returns:
        The text of the graph. An entity is a table of its attributes, with a line under those of
        its identity. A crow's foot is the end of a link with several objects, and a dashed edge
        leads from a sub-entity to its parent.

    Raises:
        groot.Error: With `Status.INVALID_ARGUMENT` for something other than a model.
    """
    return "\n".join(_lines(entities_of(model))) + "\n"


def _lines(entities: dict[str, dict[str, Any]]) -> Iterator[str]:
    nodes = distinct(entities, _node, join=" ")
    yield from _HEAD
    for name, described in entities.items():
        yield f'    "{nodes[name]}" [label=<{_TABLE}'
        yield f"        <tr><td>{_title(name, described)}</td></tr>"
        if described["attributes"]:
            yield "        <hr/>"
        for row in _rows(described):
            yield f'        <tr><td align="left">{row}</td></tr>'
        yield "    </table>>]"
    for name, described in entities.items():
        parent = described["parent"]
        if parent is not None:
            style = "style=dashed, arrowhead=onormal, arrowtail=none"
            yield f'    "{nodes[name]}" -> "{nodes[parent]}" [{style}]'
    for link in links_of(entities):
        yield f"    {_edge(link, nodes)}"
    yield "}"


def _node(name: str) -> str:
    """Make a name that needs no escapes in quotes."""
    return shown(name).replace("\\", "/").replace('"', "'")


def _title(name: str, described: dict[str, Any]) -> str:
    title = f"<b>{_text(name)}</b>"
    return f"<i>{title}</i>" if described["abstract"] else title


def _rows(described: dict[str, Any]) -> Iterator[str]:
    identity = own_identity(described)
    for name, one in described["attributes"].items():
        text = _text(f"{shown(name)}: {type_of(one)}{'?' if one['optional'] else ''}")
        yield f"<u>{text}</u>" if name in identity else text


def _text(text: str) -> str:
    """Write a text in a label; Graphviz takes a `]` behind a tag for the end of something."""
    return html.escape(shown(text)).replace("\\", "&#92;").replace("]", "&#93;")


def _edge(link: Link, nodes: Mapping[str, str]) -> str:
    tail = "none" if link.inverse is None else _arrow(link.start)
    label = _text(link.label)
    ends = f'"{nodes[link.source]}" -> "{nodes[link.target]}"'
    return f'{ends} [label="{label}", arrowhead={_arrow(link.end)}, arrowtail={tail}]'


def _arrow(end: End) -> str:
    return _ARROWS[end.is_optional, end.is_many]
