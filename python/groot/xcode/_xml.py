"""XML into nodes: elements, their attributes and the line they begin at, and nothing else.

A model file has no document type. Refusing one refuses with it all declared entities, the harmless,
those that name other files and those that grow to gigabytes.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any
from xml.parsers import expat

from groot.errors import Error
from groot.xcode._notes import refusal

MAXIMUM_SIZE = 16 << 20
_DEPTH = 16
_ELEMENTS = 250_000


@dataclass
class Node:
    """An element of the file."""

    tag: str
    """Its name."""
    line: int
    """The line it begins at, from 1."""
    attributes: dict[str, str]
    """Its XML attributes."""
    children: list[Node] = field(default_factory=list)
    """The elements in it."""

    def get(self, name: str) -> str | None:
        """Return an XML attribute; one that is empty is as good as none."""
        return self.attributes.get(name) or None

    def all(self, *tags: str) -> list[Node]:
        """Return the children with one of these names, in the order of the file."""
        return [child for child in self.children if child.tag in tags]


def parse(data: bytes, file: str) -> Node:
    """Read the XML of a model file and give its root.

    Raises `groot.Error` for text that is not XML, has a document type, or is larger than any model.
    """
    if len(data) > MAXIMUM_SIZE:
        raise refusal(file, f"a model of more than {MAXIMUM_SIZE >> 20} MiB is not read")
    builder = _Builder(file)
    try:
        builder.parser.Parse(data, True)
    except expat.ExpatError as cause:
        reason = expat.ErrorString(cause.code)
        raise refusal(file, f"it is not well-formed XML: {reason}", line=cause.lineno) from None
    except (LookupError, ValueError) as cause:
        raise refusal(file, f"its encoding is not known: {cause}", line=1) from None
    root: Node = builder.top.children[0]
    if root.tag != "model":
        raise refusal(file, f"its root is '{root.tag}', not the 'model' of an Xcode model", line=1)
    return root


class _Builder:
    """Makes nodes of what the parser meets."""

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
            raise self._refusal(f"a model of more than {_ELEMENTS:,} elements is not read")
        if len(self._open) > _DEPTH:
            raise self._refusal(f"elements inside one another more than {_DEPTH} deep are not read")
        node = Node(tag, self.parser.CurrentLineNumber, attributes)
        self._open[-1].children.append(node)
        self._open.append(node)

    def _end(self, _: str) -> None:
        self._open.pop()

    def _doctype(self, *_: object) -> None:
        raise self._refusal(
            "a model with a document type (DTD) is not read, since it may declare entities; Xcode "
            "writes none, so remove it"
        )

    def _refusal(self, message: str) -> Error:
        return refusal(self.file, message, line=self.parser.CurrentLineNumber)
