"""The values of records that do not fit the properties: issues of an import."""

from __future__ import annotations

import copy
import re
from dataclasses import dataclass
from typing import Any

from groot.context import Context
from groot.errors import Error, Issue, Status
from groot.mapping import Mapping
from groot.model import Model
from groot.models.drift._envelope import Envelope
from groot.models.drift._paths import rendered
from groot.models.drift._roots import Collection
from groot.models.drift._schema import Property, Schema
from groot.models.records import Batch
from groot.registry import Registry
from groot.reports import report

_PART = re.compile(r'\.([A-Za-z_][A-Za-z_0-9]*)|\[([0-9]+)\]|\["((?:[^"\\]|\\.)*)"\]', re.DOTALL)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_TYPE_FAULTS = (Status.WRONG_TYPE, Status.WRONG_SHAPE)
_FAULTS = range(Status.WRONG_SHAPE, Status.UNLISTED_VALUE + 1)

WORDS = {
    "integer16": "an integer",
    "integer32": "an integer",
    "integer64": "an integer",
    "decimal": "a number",
    "double": "a number",
    "float": "a number",
    "string": "text",
    "boolean": "true or false",
    "date": "a date",
    "day": "a day",
    "binary": "binary data",
    "uuid": "a UUID",
    "uri": "a URI",
    "composite": "an object",
}
_NUMBERS = ("integer16", "integer32", "integer64", "decimal", "double", "float")
_OBJECT, _ARRAY, _TEXT, _NUMBER, _TRUTH = (
    "an object",
    "an array",
    "text",
    "a number",
    "true or false",
)
_CONTAINERS = (None, _OBJECT, _ARRAY)


@dataclass
class Misfit:
    """Values of a property that do not fit for one reason."""

    entity: str | None
    property: str | None
    status: int
    message: str
    """The first message."""
    path: str
    """The path of the first value."""
    file: str
    line: int
    """The line where the record of the first value begins; 0 without a text."""
    count: int
    found: str | None
    """The JSON type of the values if it is another one than the property's."""
    expected: str | None
    """The type of the property then."""


class Values:
    """Collects the issues of imports of records, which leave nothing behind."""

    def __init__(self, schema: Schema, mapping: Mapping) -> None:
        """Begin without issues.

        Args:
            schema: The model.
            mapping: Its mapping, from `checking`.
        """
        self.found: dict[tuple[Any, ...], Misfit] = {}
        self._schema = schema
        self._mapping = mapping

    def add(self, collection: Collection, envelope: Envelope, batch: Batch) -> None:
        """Import records, and keep the issues.

        Args:
            collection: The place of the records.
            envelope: The document around them.
            batch: The records.
        """
        if envelope.is_record:
            for index, record in enumerate(batch.records):
                if isinstance(record, dict):
                    self._import(collection, record, None, batch, index)
            return
        is_array = collection.form == "array"
        records = batch.records if is_array else dict(batch.records)
        document, root = envelope.wrapped(records)
        self._import(collection, document, root, batch, None)

    def _import(
        self, collection: Collection, data: Any, root: str | None, batch: Batch, one: int | None
    ) -> None:
        more: dict[str, Any] = {} if root is None else {"root": root}
        if collection.form != "array":
            more["form"] = collection.form
        context = Context(self._mapping)
        try:
            loaded = context.load(collection.entity, data, errors="skip", max_issues=None, **more)
            issues = report(loaded).issues
        except Error as wrong:
            if wrong.code not in _FAULTS:
                raise
            issues = wrong.issues
        if not issues:
            return
        above = "$" + ("" if root is None else "".join(map(rendered, root.split("/")[1:])))
        keys = None if collection.form == "array" else [key for key, _ in batch.records]
        for issue in issues:
            path = issue.path or "$"
            if issue.severity == 2 and path.startswith(above):
                parts = _parts(path[len(above) :])
                self._keep(collection, issue, parts, batch, one, keys)
            elif issue.severity == 2:
                self._keep(collection, issue, None, batch, None, None)

    def _keep(
        self,
        collection: Collection,
        issue: Issue,
        parts: list[str | int] | None,
        batch: Batch,
        one: int | None,
        keys: list[str] | None,
    ) -> None:
        """Count an issue, with the place of its record in the file."""
        index: Any = one
        value: Any = None
        top = "$" + "".join(map(rendered, collection.root.split("/")[1:]))
        if parts is None:
            top, parts = issue.path or "$", []
        elif one is not None:
            value = _at(batch.records[one], parts)
        elif parts:
            index = parts.pop(0)
            if keys is None:
                value = _at(batch.records[index], parts)
                top += f"[{batch.first + index}]"
            else:
                top += rendered(index)
                index = keys.index(index)
                value = _at(batch.records[index][1], parts)
        given = None
        if issue.entity and issue.property:
            given = self._schema.declared(issue.entity, issue.property)
        kinds = None
        if given is not None and issue.status in _TYPE_FAULTS:
            kinds = retyped(given, parts, value)
        elif given is None and issue.status in _TYPE_FAULTS and kind(value) not in _CONTAINERS:
            kinds = (str(kind(value)), _OBJECT)
        pattern = "".join("[]" if isinstance(part, int) else f".{part}" for part in parts)
        group = (given.title if given else issue.entity, issue.status, kinds, pattern)
        known = self.found.get(group)
        if known is not None:
            known.count += 1
            return
        self.found[group] = Misfit(
            given.entity if given else issue.entity,
            issue.property,
            issue.status,
            issue.message,
            top + "".join(_written(part) for part in parts),
            batch.file,
            0 if index is None else batch.places[index],
            1,
            *(kinds or (None, None)),
        )


def retyped(given: Property, parts: list[str | int], value: Any) -> tuple[str, str] | None:
    """Compare the JSON type of a value that does not fit with that of its property.

    Args:
        given: The property.
        parts: The path of the value in its record.
        value: The value.

    Returns:
        The type that was found and the property's, in words; None if they are the same.
    """
    found = kind(value)
    last = next((part for part in reversed(parts) if isinstance(part, str)), None)
    ways = [[step for step in path.steps if isinstance(step, str)] for path in given.paths]
    is_value = any(path.special == "@value" for path in given.paths)
    is_end = is_value or any(not keys or keys[-1] == last for keys in ways)
    is_on_the_way = not is_end and any(last in keys for keys in ways)
    if found is None or not (is_end or is_on_the_way):
        return None
    if is_on_the_way:
        return None if found == _OBJECT else (found, _OBJECT)
    if any(path.special == "@key" for path in given.paths):
        return None
    if given.destination:
        is_keyed = given.is_to_many and given.form != "array"
        expected = _ARRAY if given.is_to_many and not is_keyed else _OBJECT
        return None if found == expected else (found, expected)
    if given.is_opaque and given.type != "composite":
        return None
    expected = WORDS.get(given.type, _TEXT)
    if given.has_forms:
        return None if found in (_TEXT, _NUMBER) else (found, expected)
    same = {_OBJECT: _OBJECT, _TRUTH: _TRUTH}.get(expected, _TEXT)
    if given.type in _NUMBERS:
        same = _NUMBER
    return None if found == same else (found, expected)


def kind(value: Any) -> str | None:
    """Return the JSON type of a value in words; None for null."""
    if value is None:
        return None
    if isinstance(value, bool):
        return _TRUTH
    if isinstance(value, dict):
        return _OBJECT
    if isinstance(value, list):
        return _ARRAY
    return _TEXT if isinstance(value, str) else _NUMBER


def _parts(path: str) -> list[str | int]:
    """Take the path of an issue apart."""
    return [
        int(one[2]) if one[2] else one[1] or _ESCAPED.sub(r"\1", one[3] or "")
        for one in _PART.finditer(path)
    ]


def _written(part: str | int) -> str:
    return f"[{part}]" if isinstance(part, int) else rendered(part)


def _at(value: Any, parts: list[str | int]) -> Any:
    """Return the value at the path of an issue; None where it leads nowhere."""
    for part in parts:
        if isinstance(value, dict):
            value = value.get(part)
        elif isinstance(value, list) and isinstance(part, int) and part < len(value):
            value = value[part]
        else:
            return None
    return value


def checking(document: dict[str, Any], registry: Registry | None) -> Mapping:
    """Make the mapping of a model for a check.

    Records are imported some at a time, so an identifier may name an object of other records. The
    values of functions that are not registered are not checked.

    Args:
        document: The model document.
        registry: The functions that the annotations name.

    Returns:
        The mapping.

    Raises:
        groot.Error: If the model has errors.
    """
    document = copy.deepcopy(document)
    for entity in document["entities"].values():
        own = entity.get("userInfo", {})
        own.pop("groot.unknownKeys", None)
        for one in entity.get("relationships", {}).values():
            if one.get("userInfo", {}).get("groot.unknownIdentifier") == "error":
                one["userInfo"]["groot.unknownIdentifier"] = "placeholder"
    try:
        return Mapping(Model(document), registry)
    except Error as wrong:
        if any(issue.status != Status.UNKNOWN_TRANSFORMER for issue in wrong.issues):
            raise
        for issue in wrong.issues:
            _without_function(document, issue)
    return Mapping(Model(document), registry)


def _without_function(document: dict[str, Any], issue: Issue) -> None:
    entity = document["entities"][issue.entity]
    if issue.property is None:
        for name in ("entityMapperName", "JSONDictionaryTransformerName"):
            entity.get("userInfo", {}).pop(name, None)
        return
    for group in ("attributes", "relationships"):
        given = entity.get(group, {}).get(issue.property)
        if given is not None:
            given.get("userInfo", {}).pop("JSONTransformerName", None)
    attribute = entity.get("attributes", {}).get(issue.property)
    if attribute is not None:
        kept = {key: attribute[key] for key in ("optional", "userInfo") if key in attribute}
        attribute.clear()
        attribute.update(kept, type="transformable")
