"""Entity relationship diagrams of Mermaid.

Its lexer looks for words before it looks for quotes, and replaces codes such as `#34;` before that.
So names are quoted unless they are harmless, and the characters that it reacts to become codes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from groot.model import Model
from groot.models._distinct import distinct
from groot.models._identity import own_identity
from groot.models.diagrams._links import End, Link, links_of
from groot.models.diagrams._texts import entities_of, shown, type_of

_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_]*\Z")
_RESERVED = """
    accdescr acctitle class classdef direction end erdiagram many o one only optionally style
    subgraph title to u zero
    """
_WORDS = frozenset(_RESERVED.split())
_ACTIVE = re.compile(r'["#%&<>\\:;`~]|(?<=direction)\s', re.IGNORECASE)
_NO_PART = re.compile(r"[^A-Za-z0-9_\u00c0-\U0010ffff]")
_KEY = re.compile(r"[PFU]K(?![A-Za-z0-9_])", re.IGNORECASE)
_STARTS = {(False, False): "||", (True, False): "|o", (False, True): "}|", (True, True): "}o"}
_ENDS = {(False, False): "||", (True, False): "o|", (False, True): "|{", (True, True): "o{"}


def mermaid(model: Model) -> str:
    """Write a model as an entity relationship diagram of Mermaid.

    Args:
        model: The model.

    Returns:
        The text of the diagram, without a fence. A dashed line leads from a sub-entity to its
        parent. An attribute whose name Mermaid does not take has its name as a comment.

    Raises:
        groot.Error: With `Status.INVALID_ARGUMENT` for something other than a model.
    """
    return "\n".join(_lines(entities_of(model))) + "\n"


def _lines(entities: dict[str, dict[str, Any]]) -> Iterator[str]:
    yield "erDiagram"
    for name, described in entities.items():
        rows = list(_rows(described))
        yield f"    {_name(name)}{' {' if rows else ''}"
        yield from rows
        if rows:
            yield "    }"
    for name, described in entities.items():
        parent = described["parent"]
        if parent is not None:
            yield f'    {_name(name)} |o..|| {_name(parent)} : "is a"'
    for link in links_of(entities):
        line = f"{_key(link.start, _STARTS)}--{_key(link.end, _ENDS)}"
        yield f"    {_name(link.source)} {line} {_name(link.target)} : {_label(link)}"


def _rows(described: dict[str, Any]) -> Iterator[str]:
    """Yield the attributes of an entity."""
    identity = own_identity(described)
    names = distinct(described["attributes"], _word, join="_")
    for name, one in described["attributes"].items():
        key = " PK" if name in identity else ""
        notes = [] if names[name] == name else [shown(name)]
        notes += [type_of(one)] if one["type"] == "composite" else []
        notes += ["optional"] if one["optional"] else []
        note = f' "{_coded(", ".join(notes))}"' if notes else ""
        yield f"        {one['type']} {names[name]}{key}{note}"


def _word(name: str) -> str:
    """Make a name of an attribute."""
    word = "".join(one if one.isprintable() else "_" for one in _NO_PART.sub("_", name))
    word = word.replace("\u00d7", "_").replace("\u00f7", "_")
    return f"_{word}" if word[0].isdigit() or _KEY.match(word) else word


def _name(name: str) -> str:
    """Write the name of an entity."""
    if _PLAIN.match(name) and name.lower() not in _WORDS:
        return name
    return f'"{_coded(shown(name))}"'


def _label(link: Link) -> str:
    return _name(link.label)


def _coded(text: str) -> str:
    """Replace active characters by their codes."""
    return _ACTIVE.sub(lambda found: f"#{ord(found[0])};", text)


def _key(end: End, signs: dict[tuple[bool, bool], str]) -> str:
    return signs[end.is_optional, end.is_many]
