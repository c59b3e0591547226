"""The entities of a document with schemas: their names, and the order of their conversion."""

from __future__ import annotations

from collections import deque

from groot.models._pointers import last
from groot.models.schemas._attributes import Document
from groot.models.schemas._meanings import Meaning, Meanings
from groot.models.schemas._names import Names, identifier, titled
from groot.models.schemas._shapes import Shape, Shapes
from groot.models.schemas._source import Source

_ENTITIES = 60_000


class Entities:
    """The entities of one document, by the pointers of their schemas."""

    def __init__(self, source: Source) -> None:
        """Begin without entities."""
        self.converted: dict[str, Document] = {}
        self.places: dict[tuple[str, str], str] = {}
        """The pointers of entities and of their properties."""
        self.keyed: dict[str, str | None] = {}
        """The entities whose objects stand under keys, with the schema of their keys."""
        self.pending: deque[tuple[str, Meaning]] = deque()
        """The entities that have a name and wait for their conversion."""
        self.source = source
        self.notes = source.notes
        self.shapes = Shapes(source)
        self.meanings = Meanings(source, self.shapes)
        self._names = Names()
        self._by_pointer: dict[str, str] = {}

    def entity(self, meaning: Meaning, suggestion: str) -> str:
        """Return the name of the entity of a schema, which is converted later."""
        pointer = meaning.shape.pointer
        found = self._by_pointer.get(pointer)
        if found is not None:
            return found
        found = self.named(self._wanted(meaning.shape, suggestion), pointer)
        self._by_pointer[pointer] = found
        self.pending.append((found, meaning))
        for child in self.meanings.kinds[pointer].values if meaning.kind == "union" else ():
            self.entity(self.meanings.of(child), f"{found}{titled(last(child))}")
        return found

    def named(self, wanted: str, pointer: str) -> str:
        """Take a name for an entity."""
        if len(self.converted) >= _ENTITIES:
            raise self.notes.limit(pointer, f"a model has at most {_ENTITIES:,} entities")
        found = self._names.take(wanted)
        self.places[found, ""] = pointer
        self.converted[found] = {}
        return found

    def _wanted(self, shape: Shape, suggestion: str) -> str:
        if self.source.is_definition(shape.pointer):
            return identifier(last(shape.pointer))
        title = self.source.schema(shape.pointer).get("title")
        return titled(title) if isinstance(title, str) and title.strip() else suggestion
