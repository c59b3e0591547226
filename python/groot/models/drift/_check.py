"""The comparison of a feed with a model."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from groot.errors import Status
from groot.model import Model
from groot.models.drift._drift import Drift, Gone
from groot.models.drift._envelope import Envelope
from groot.models.drift._keys import Keys
from groot.models.drift._plans import Plans
from groot.models.drift._roots import Collection, collections
from groot.models.drift._schema import Property, Schema, notes_of
from groot.models.drift._values import Values, checking
from groot.models.records import Batch, Records
from groot.registry import Registry

_JUDGED = ("", "@parent", "@root")
_EXACT = 15


def check(
    model: Model,
    records: Records,
    *,
    entity: str | None = None,
    root: str | None = None,
    form: str | None = None,
    strict: bool = False,
    registry: Registry | None = None,
) -> Drift:
    """Compare a feed with a model.

    Args:
        model: The model.
        records: The feed; its root and form do not matter.
        entity: The entity of the records. By default those that have the annotation `groot.root`,
            or else the one that no other entity leads to.
        root: The JSON Pointer to the records. By default the annotation `groot.root` of the entity,
            or else the document.
        form: "array", "keyed" or "grouped"; by default the annotation `groot.rootForm`, or "array".
        strict: Whether a new key is a change, whatever the model says.
        registry: The functions that the annotations name. Values of others are not checked.

    Returns:
        The differences.

    Raises:
        groot.Error: If the feed or the model cannot be read, and if the entity is not clear.
    """
    document = model.document
    schema = Schema(document)
    chosen = collections(schema, entity, root, form)
    values = Values(schema, checking(document, registry))
    plans = Plans(schema)
    keys = Keys(plans)
    drift = Drift()
    for collection in chosen:
        count = _compare(collection, schema, records, keys, values)
        if count < 0:
            drift.gone.append(Gone(collection.entity, None, (collection.root,), 0))
    drift.new = dict(sorted(keys.new.items()))
    under_keys = schema.keyed() | {one.entity for one in chosen if one.form != "array"}
    _judge(drift, plans, values, {schema.key(one) for one in under_keys})
    is_inferred = any("groot.inferred" in notes_of(one) for one in schema.entities.values())
    drift.says_all = strict or is_inferred
    return drift


def _compare(
    collection: Collection, schema: Schema, records: Records, keys: Keys, values: Values
) -> int:
    """Compare the records of a collection; return their number, or -1 without a collection."""
    envelope = Envelope(schema, collection, records)
    if envelope.is_record:
        keys.plans.documents.add(collection.entity)
    is_keyed = collection.form != "array"
    top = "$" + "".join(f".{step}" for step in collection.root.split("/")[1:])
    top += "" if envelope.is_record else {"array": "[]", "keyed": ".*"}.get(collection.form, ".*[]")
    # Groups are read as they are, so that the import sees wrong ones.
    form = "keyed" if is_keyed else "array"
    reader = records.at(collection.root, form, _number, optional=bool(collection.root))
    count = 0
    for batch in reader.batches():
        count += len(batch.records)
        for record, line in zip(batch.records, batch.places):
            outer = envelope.around(record)
            for one in _members(record, is_keyed):
                keys.add(collection.entity, one, top, outer, (batch.file, line))
        values.add(collection, envelope, batch)
    if count or not collection.root or _has_root(collection, records):
        return count
    return -1


def _members(record: Any, is_keyed: bool) -> list[Any]:
    if not is_keyed:
        return [record]
    return record[1] if isinstance(record[1], list) else [record[1]]


def _has_root(collection: Collection, records: Records) -> bool:
    batches = records.at(collection.root, "value", optional=True).batches()
    found: Batch | None = next(batches, None)
    return found is not None


def _judge(drift: Drift, plans: Plans, values: Values, under_keys: set[str | None]) -> None:
    """Add what is gone, but not attributes that keys stand for, and values that do not fit."""
    seen = {one for one in under_keys if one}
    counts: dict[str, int] = {}
    known: dict[str, Property] = {}
    for plan in plans:
        seen |= plan.found()
        for title, one in plan.properties.items():
            known[title] = one
            if not plan.is_changed_first:
                counts[title] = counts.get(title, 0) + plan.objects
        for entity in {one for name in plan.entities for one in plans.schema.line(name)}:
            drift.records[entity] = drift.records.get(entity, 0) + plan.objects
        if plan.is_changed_first and plan.objects:
            what = "keys are not checked, since a dictionary transformer changes the records"
            drift.unchecked.append(f"{plan.entities[0]}: {what}")
    drift.records = {name: count for name, count in drift.records.items() if count}
    gone = set()
    for title, one in known.items():
        is_judged = one.paths and all(path.special in _JUDGED for path in one.paths)
        is_linked = title in seen or one.inverse in seen
        if is_judged and one.is_read and counts.get(title) and not is_linked:
            gone.add(title)
            paths = tuple(path.text for path in one.paths)
            drift.gone.append(Gone(one.entity, one.name, paths, counts[title]))
    for misfit in values.found.values():
        if misfit.found is not None:
            drift.retyped.append(misfit)
        elif (
            misfit.status != Status.MISSING_VALUE
            or f"{misfit.entity}.{misfit.property}" not in gone
        ):
            drift.misfits.append(misfit)


def _number(text: str) -> float | Decimal:
    """Return a number whose digits an import sees as they are."""
    value = float(text)
    is_short = len(text) <= _EXACT and "e" not in text and "E" not in text
    return value if is_short or repr(value) == text else Decimal(text)
