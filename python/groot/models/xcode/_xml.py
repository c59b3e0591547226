"""XML as nodes: elements with their attributes and their first line, and nothing else.

A model file has no document type, so one is refused. That excludes all declared entities, such as
those that refer to other files or expand to gigabytes.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any
from xml.parsers import expat

from groot.errors import Error
from groot.models.xcode._notes import refusal

MAXIMUM_SIZE = 16 << 20
_DEPTH = 16
_ELEMENTS = 250_000


@dataclass
class Node:
    """An element of the file."""

    tag: str
    """The name of the element."""
    line: int
    """The first line of the element, from 1."""
    attributes: dict[str, str]
    """The XML attributes."""
    children: list[Node] = field(default_factory=list)
    """The nested elements."""

    def get(self, name: str) -> str | None:
        """Return an XML attribute; None if it is missing or empty."""
        return self.attributes.get(name) or None

    def all(self, *tags: str) -> list[Node]:
        """Return the children with one of these names, in the order of the file."""
        return [child for child in self.children if child.tag in tags]


def parse(data: bytes, file: str) -> Node:
    """Read the XML of a model file, and return its root.

    Text that is not XML, has a document type, or is too large raises `groot.Error`.
    """
    if len(data) > MAXIMUM_SIZE:
        raise refusal(file, f"it is larger than the limit of {MAXIMUM_SIZE >> 20} MiB")
    builder = _Builder(file)
    try:
        builder.parser.Parse(data, True)
    except expat.ExpatError as cause:
        reason = expat.ErrorString(cause.code)
        raise refusal(file, f"it is not well-formed XML: {reason}", line=cause.lineno) from None
    except (LookupError, ValueError) as cause:
        raise refusal(file, f"its encoding is unknown: {cause}", line=1) from None
    root: Node = builder.top.children[0]
    if root.tag != "model":
        raise refusal(file, f"its root is '{root.tag}', not the 'model' of an Xcode model", line=1)
    return root


class _Builder:
    """The nodes of a file, made from the events of the parser."""

    def __init__(self, file: str) -> None:
        """Begin above the root."""
        self.file = file
        self.top = Node("", 0, {})
        self._open = [self.top]
        self._count = 0
        self.parser: Any = expat.ParserCreate()
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.StartDoctypeDeclHandler = self._doctype

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        self._count += 1
        if self._count > _ELEMENTS:
            raise self._refusal(f"it has more than the limit of {_ELEMENTS:,} elements")
        if len(self._open) > _DEPTH:
            raise self._refusal(f"its elements nest more than {_DEPTH} levels deep")
        node = Node(tag, self.parser.CurrentLineNumber, attributes)
        self._open[-1].children.append(node)
        self._open.append(node)

    def _end(self, _: str) -> None:
        self._open.pop()

    def _doctype(self, *_: object) -> None:
        raise self._refusal(
            "it has a document type (DTD), which may declare entities and is refused; Xcode writes "
            "none, so remove it"
        )

    def _refusal(self, message: str) -> Error:
        return refusal(self.file, message, line=self.parser.CurrentLineNumber)
