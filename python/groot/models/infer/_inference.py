"""The inference of a model: survey, decisions, document and check."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from groot.errors import Error, Issue, Status, error
from groot.models.infer import _entities, _links, _maps
from groot.models.infer._check import Difference, Outcome, check
from groot.models.infer._counterexamples import find
from groot.models.infer._document import Choices, Draft, Property, Root
from groot.models.infer._entities import Entity
from groot.models.infer._examine import Examination
from groot.models.infer._identities import Identities
from groot.models.infer._kinds import find_splits
from groot.models.infer._naming import name_entities, pointers, record_name
from groot.models.infer._numbers import exact
from groot.models.infer._places import Known, Place
from groot.models.infer._roots import Found, find_roots
from groot.models.infer._survey import add
from groot.models.infer._uses import Use
from groot.models.infer._values import Spill
from groot.models.records import Batch, Records

_ROUNDS = 3
_ATTEMPTS = 24
_KEPT = 8_000_000
"""The length of records that are kept in memory between the passes."""
_TITLE = re.compile(r"[^\W\d][\w -]{0,40}")


@dataclass(frozen=True)
class InferOptions:
    """Decisions that are told, so that nothing is guessed there."""

    entity: str | None = None
    """The name of the entity of the records."""
    root: str | None = None
    """The JSON Pointer of the records in a document."""
    identities: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """By name of an entity the keys that identify its objects."""
    links: dict[tuple[str, str], str] = field(default_factory=dict)
    """By names of entity and key the destination of a link, or nothing for no link."""
    types: dict[tuple[str, str], str] = field(default_factory=dict)
    """By names of entity and key the type of an attribute."""
    keyed: tuple[str, ...] = ()
    """JSON Pointers into a record of objects that are maps."""
    names: dict[str, str] = field(default_factory=dict)
    """By JSON Pointer into a record the name of the entity of the objects there."""


@dataclass
class Inference:
    """A model of a sample, and the guesses that it rests on."""

    document: dict[str, Any]
    properties: list[Property]
    entities: list[Entity]
    possible: list[_links.Possible]
    roots: list[Root]
    issues: list[Issue]
    differences: list[Difference]

    @property
    def is_equal(self) -> bool:
        """Whether the sample is imported without an issue and exported as it came."""
        return not (self.issues or self.differences)


def infer(records: Records, options: InferOptions = InferOptions()) -> Inference:
    """Infer a model of a sample.

    Args:
        records: The sample.
        options: Decisions that are told.

    Returns:
        The model document with its evidence. Its `is_equal` tells whether the check of the round
        trip succeeded.

    Raises:
        groot.Error: If the sample cannot be read or has no records.
    """
    spill = Spill()
    try:
        return _Inferring(records, options, spill).run()
    finally:
        spill.close()


class _Inferring:
    def __init__(self, records: Records, options: InferOptions, spill: Spill) -> None:
        self._records = records
        self._options = options
        self._spill = spill
        if options.root is not None:
            self._found = [Found(options.root, "array", options.root.rpartition("/")[2], "told")]
        else:
            self._found = find_roots(records)
        self._samples = [_Sample(records, one) for one in self._found]
        self._places: list[Place] = []
        self._roots: list[Root] = []

    def run(self) -> Inference:
        roots = self._survey()
        entities = self._group(roots)
        self._check_told(entities)
        examination = Examination(self._spill)
        identities = Identities(entities, examination, self._options.identities)
        self._look(examination, entities)
        entities = identities.decide()
        linking = _links.Linking(entities, self._options.links)
        for entity in entities:
            if entity.base is None and not entity.identity:
                linking.refer_to_unique(entity)
        links = linking.find()
        examination = Examination(self._spill)
        _links.ask_for_inverses(links, examination)
        self._look(examination, entities)
        _links.pair_inverses(links)
        return self._checked(entities, links, linking.possible)

    def _look(self, examination: Examination, entities: list[Entity]) -> None:
        if examination:
            for place, sample in zip(self._places, self._samples):
                examination.look(place, sample.values(), entities)

    def _survey(self) -> list[Place]:
        """Take in all records, again if the kinds of some are found."""
        known = Known(self._spill, maps={_parts(one) for one in self._options.keyed})
        for _ in range(_ROUNDS):
            self._places = [
                Place((f"\0{number}",) if number else (), known)
                for number in range(len(self._samples))
            ]
            for place, sample in zip(self._places, self._samples):
                sample.survey(place)
            for place in self._places:
                known.maps |= _maps.find_maps(place)
            more = find_splits(self._places)
            if not more:
                break
            known.splits |= more
        if not any(place.objects for place in self._places):
            raise error(Status.INVALID_ARGUMENT, _no_records(self._places))
        for place in self._places:
            _entities.lift(place)
        return self._places

    def _group(self, places: list[Place]) -> list[Entity]:
        entities = _entities.entities_of(places)
        found = {id(place): entity for entity in entities for place in entity.places}
        self._roots = []
        names: dict[int, str] = {}
        for place, sample in zip(self._places, self._samples):
            entity = found[id(place)]
            name = self._options.entity if not names else None
            names[id(entity)] = name or record_name(entity, sample.found.key, self._file())
            entity.titles = sample.titles
            self._roots.append(
                Root(entity, sample.found.pointer, sample.found.form, sample.is_positional)
            )
        name_entities(entities, names, self._options.names)
        return entities

    def _check_told(self, entities: list[Entity]) -> None:
        """Refuse decisions about entities and keys that the sample does not have."""
        known = {entity.name: set(entity.members) for entity in entities}
        options = self._options
        for name in [*options.identities, *filter(None, options.links.values())]:
            if name not in known:
                raise _unknown(f"the entity {name!r}", sorted(known))
        told = [*options.links, *options.types]
        told += [(name, key) for name, keys in options.identities.items() for key in keys]
        for name, key in told:
            if name not in known:
                raise _unknown(f"the entity {name!r}", sorted(known))
            if key not in known[name]:
                raise _unknown(f"the key {key!r} of {name}", sorted(known[name]))
        places = {one for entity in entities for one in pointers(entity)}
        for pointer in options.names:
            if pointer not in places:
                raise _unknown(f"objects at {pointer!r}", sorted(places))

    def _file(self) -> str:
        """Return the name of the first file without its endings, or nothing."""
        name = Path(self._records.names[0]).name if self._records.names else ""
        stem = name.partition(".")[0]
        return stem if any(one.isalpha() for one in stem) else ""

    def _checked(
        self, entities: list[Entity], links: list[_links.Link], possible: list[_links.Possible]
    ) -> Inference:
        """Build the document, and keep as JSON whatever does not come back as it came."""
        choices = Choices(dict(self._options.types))
        first: tuple[Draft, Outcome] | None = None
        for _ in range(_ATTEMPTS):
            draft = Draft(entities, links, self._roots, choices)
            samples = [(root, sample.pairs()) for root, sample in zip(self._roots, self._samples)]
            outcome = check(draft.document, samples)
            first = first or (draft, outcome)
            is_changed = not outcome.is_good and _Blame(draft, choices).take(outcome)
            if outcome.is_good or not is_changed:
                break
        if not outcome.is_good and first is not None:
            # The first differences say more than those of the last attempt.
            draft, outcome = first
        self._find_counterexamples(draft)
        return Inference(
            draft.document, draft.properties, entities, possible, self._roots,
            outcome.issues, outcome.differences,
        )  # fmt: skip

    def _find_counterexamples(self, draft: Draft) -> None:
        searches = [one.search for one in draft.properties if one.search is not None]
        for number, sample in enumerate(self._samples):
            mine = [one for one in searches if _root_of(one.paths[0]) == number]
            if mine and sample.found.form == "array":
                for search in mine:
                    search.paths = [path[1:] if number else path for path in search.paths]
                find(mine, sample.batches())
        draft.note_counterexamples()


def _root_of(path: tuple[str, ...]) -> int:
    """Return the number of the root that a path begins with."""
    return int(path[0][1:]) if path[0].startswith("\0") else 0


class _Blame:
    """The search for the member that keeps a sample from coming back as it came."""

    def __init__(self, draft: Draft, choices: Choices) -> None:
        self._draft = draft
        self._choices = choices
        self._taken: set[tuple[str, str]] = set()

    def take(self, outcome: Outcome) -> bool:
        """Keep more members as JSON; tell whether there were any to keep."""
        has_changed = False
        for issue in outcome.issues:
            has_changed |= self._take_issue(issue)
        for difference in list(outcome.differences):
            passed = self._passed(difference)
            if passed and passed[-1] in self._choices.types:
                # The type was told, and with it that its values are written in another form.
                outcome.differences.remove(difference)
            else:
                has_changed |= self._take_difference(difference, passed)
        return has_changed

    def _take_issue(self, issue: Issue) -> bool:
        for one in self._draft.properties:
            if (one.entity, one.key) in self._choices.types:
                continue
            if one.entity == issue.entity and one.name == issue.property and one.key is not None:
                return self._demote(one.entity, one.key, f"text: {issue.message}"[:200])
        return False

    def _take_difference(self, difference: Difference, passed: list[tuple[str, str]]) -> bool:
        before, after = _words(difference.before), _words(difference.after)
        for name, key in reversed(passed):
            if self._demote(name, key, f"any JSON: an export has {after} in place of {before}"):
                return True
        return False

    def _passed(self, difference: Difference) -> list[tuple[str, str]]:
        """Return the members on the way to a difference, by entity and key."""
        entity: Entity | None = difference.root.entity
        value, steps = difference.record, list(difference.path)
        passed: list[tuple[str, str]] = []
        while entity is not None and steps:
            step = steps.pop(0)
            if difference.root.is_positional and not passed:
                step = str(step)
            if not isinstance(step, str):
                break
            owner = _owner_of(entity, step, value)
            if owner is None:
                break
            passed.append((owner.name, step))
            edge = owner.edges.get(step)
            value = value.get(step) if isinstance(value, dict) else None
            if edge is None or edge.json or self._choices.json.get(passed[-1]):
                break
            while steps and edge.use is not Use.ONE and not isinstance(value, type(None)):
                if isinstance(value, dict) and edge.use is Use.LIST:
                    break
                step = steps.pop(0)
                value = _inside(value, step)
                if edge.use is not Use.GROUPED or isinstance(step, int):
                    break
            entity = edge.target
        return passed

    def _demote(self, entity: str, key: str, reason: str) -> bool:
        """Keep a member as text or as JSON; tell whether it is kept in another way now."""
        if (entity, key) in self._taken:
            return True
        known = self._choices.json.get((entity, key))
        if known is not None and not known.startswith("text"):
            return False
        changed = reason if known is None else reason.replace("text: ", "any JSON: ", 1)
        self._choices.json[entity, key] = changed
        self._taken.add((entity, key))
        return True


def _inside(value: Any, step: str | int) -> Any:
    if isinstance(value, dict) and isinstance(step, str):
        return value.get(step)
    if isinstance(value, list) and isinstance(step, int) and step < len(value):
        return value[step]
    return None


def _owner_of(entity: Entity, key: str, value: Any) -> Entity | None:
    """Return the entity that declares a member of a value: the entity, or one of its kinds."""
    if key in entity.members:
        return entity
    text = value.get(entity.split) if isinstance(value, dict) and entity.split else None
    return next((one for one in entity.kinds if one.kind == text and key in one.members), None)


def _words(value: Any) -> str:
    text = "nothing" if value is ... else repr(value)
    return text if len(text) <= 40 else text[:37] + "..."


class _Sample:
    """The records of one root, read as often as needed."""

    def __init__(self, records: Records, found: Found) -> None:
        self.found = found
        self._records = records.at(found.pointer, found.form, exact)
        self.is_positional = False
        self._kept: list[list[Any]] | None = None
        """All records, if they are few."""
        self._headers: set[tuple[str, ...]] = set()
        self._header_count = 0

    @property
    def titles(self) -> dict[str, str]:
        """The titles of columns, where exactly one row has them."""
        if self._header_count != 1:
            return {}
        return {str(number): title for number, title in enumerate(next(iter(self._headers)))}

    def survey(self, place: Place) -> None:
        """Take in all records."""
        for values in self.values():
            if self.is_positional:
                headers = [tuple(row.values()) for row in values if _is_header(row)]
                self._header_count += len(headers)
                self._headers.update(headers[: 2 - len(self._headers)])
            add(place, values)

    def values(self) -> Iterator[list[Any]]:
        """Yield records, in which arrays are objects with positions for keys."""
        for records in self.pairs():
            values = records if self.found.form == "array" else [value for _, value in records]
            if self.found.form == "grouped":
                values = [one for group in values for one in group]
            if values and all(map(_is_row, values)):
                self.is_positional = True
                values = [{str(number): one for number, one in enumerate(row)} for row in values]
            yield values

    def batches(self) -> Iterator[Batch]:
        """Yield the records with their lines."""
        return self._records.batches()

    def pairs(self) -> Iterator[list[Any]]:
        """Yield records, or pairs of key and record."""
        if self._kept is not None:
            yield from self._kept
            return
        kept: list[list[Any]] | None = []
        number = 0
        for batch in self._records.batches():
            yield batch.records
            number += len(str(batch.records[0])) * len(batch.records) if batch.records else 0
            if kept is not None:
                kept.append(batch.records)
            if number > _KEPT:
                kept = None
        self._kept = kept


def _is_row(value: Any) -> bool:
    return type(value) is list


def _is_header(row: dict[str, Any]) -> bool:
    texts = list(row.values())
    return len(set(map(str, texts))) == len(texts) and all(
        type(one) is str and _TITLE.fullmatch(one) for one in texts
    )


def _parts(pointer: str) -> tuple[str, ...]:
    return tuple(part.replace("~1", "/").replace("~0", "~") for part in pointer.split("/")[1:])


def _unknown(thing: str, known: list[str]) -> Error:
    some = ", ".join(known[:20]) + ", ..." * (len(known) > 20)
    return error(Status.INVALID_ARGUMENT, f"the sample has not {thing}; it has {some}")


def _no_records(places: Sequence[Place]) -> str:
    if not any(place.count for place in places):
        return "the sample has no records; give a file with at least one"
    return "the sample has no objects at its root; name the place of the records with root"
