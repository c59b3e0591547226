"""The part of a document around its records that key paths lead to."""

from __future__ import annotations

from typing import Any

from groot.models._key_paths import Step
from groot.models._pointers import joined, parts
from groot.models.drift._roots import Collection
from groot.models.drift._schema import Schema
from groot.models.records import Records


class Envelope:
    """The values that `@root`, and `@parent` of the records, lead to."""

    def __init__(self, schema: Schema, collection: Collection, records: Records) -> None:
        """Read the values from the first document that has them.

        Args:
            schema: The model.
            collection: The place of the records.
            records: The inputs.
        """
        self._collection = collection
        self.is_record = False
        self.document: Any = None
        self.parent: Any = None
        entities = list(schema.entities)
        outer = [
            (special, path.steps)
            for special in ("@root", "@parent")
            for _, path in schema.outer(entities, special)
        ]
        if not outer:
            return
        above = parts(collection.root.rpartition("/")[0])
        if not collection.root:
            self.is_record = records.outline().kind == "object" and collection.form == "array"
            return
        self.document = {}
        for special, steps in outer:
            self._fetch(records, steps if special == "@root" else (*above, *steps))
        self.parent = self._object(above)

    def _fetch(self, records: Records, steps: tuple[Step, ...]) -> None:
        keys = []
        for step in steps:
            if not isinstance(step, str):
                break
            keys.append(step)
        if tuple(keys) == parts(self._collection.root)[: len(keys)]:
            return
        for batch in records.at(joined("", *keys), "value", optional=True).batches():
            self._object(tuple(keys[:-1]))[keys[-1]] = batch.records[0]
            return

    def _object(self, keys: tuple[Step, ...]) -> Any:
        found = self.document
        for key in keys:
            found = found.setdefault(key, {}) if isinstance(found, dict) else {}
        return found

    def around(self, record: Any) -> tuple[Any, Any]:
        """Return the object of JSON around a record, and its document."""
        return (None, record) if self.is_record else (self.parent, self.document)

    def wrapped(self, records: Any) -> tuple[Any, str | None]:
        """Return a document with some of the records, and the root path for an import."""
        if not self.document:
            return records, None
        steps = parts(self._collection.root)
        owner = _copied(self.document)
        document = owner
        for key in steps[:-1]:
            owner = owner.setdefault(key, {})
        owner[steps[-1]] = records
        return document, self._collection.root


def _copied(value: Any) -> Any:
    """Copy the objects of a document."""
    if isinstance(value, dict):
        return {key: _copied(one) for key, one in value.items()}
    return value
