"""The inference of a model: survey, decisions, document and check."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from groot.errors import Error, Issue, Status, error
from groot.models._pointers import parts
from groot.models.infer import _entities, _links, _maps
from groot.models.infer._blame import Blame
from groot.models.infer._check import Difference, Outcome, check
from groot.models.infer._chunks import Chunk
from groot.models.infer._counterexamples import find
from groot.models.infer._decisions import Choices, Property, Root
from groot.models.infer._document import Draft
from groot.models.infer._entities import Entity
from groot.models.infer._examine import Examination
from groot.models.infer._identities import Identities
from groot.models.infer._kinds import find_splits
from groot.models.infer._naming import handles, name_entities, record_name
from groot.models.infer._numbers import Decode, exact, read
from groot.models.infer._places import Known, Place
from groot.models.infer._roots import find_roots
from groot.models.infer._sample import Sample
from groot.models.infer._surroundings import documents_of, find_around
from groot.models.infer._values import Spill
from groot.models.records import Records

_ROUNDS = 8
_ATTEMPTS = 24


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
        self._found = find_roots(records, options.root)
        self._samples: list[Sample] = []
        self._places: list[Place] = []
        self._decode: Decode = read
        self._roots: list[Root] = []

    def run(self) -> Inference:
        self._samples = [Sample(self._records, one) for one in self._found]
        self._roots = []
        roots = self._survey()
        entities = self._group(roots)
        self._check_told(entities)
        examination = Examination(self._spill)
        identities = Identities(entities, examination, self._options.identities)
        self._look(examination, entities)
        entities = identities.decide()
        plain = dict.fromkeys(self._options.types, "")
        linking = _links.Linking(entities, {**plain, **self._options.links})
        for entity in entities:
            if entity.base is None and not entity.identity:
                linking.refer_to_unique(entity)
        self._look_around(identities)
        links = linking.find()
        needed = [
            found
            for found, root in zip(self._found, self._roots)
            if found.is_certain or _is_needed(root.entity, links)
        ]
        if len(needed) < len(self._found):
            self._found = needed
            return self.run()
        examination = Examination(self._spill)
        _links.ask_for_inverses(links, examination)
        self._look(examination, entities)
        _links.pair_inverses(links)
        return self._checked(entities, links, linking.possible)

    def _look_around(self, identities: Identities) -> None:
        """Find values of the documents that records without identity need for one."""
        for root, found in zip(self._roots, self._found):
            entity = root.entity
            if entity.identity or entity.base or not found.pointer or found.form != "array":
                continue
            keys = identities.names_within(entity)
            documents = (one.records[0] for one in self._documents())
            around = find_around(keys, found.pointer, documents) if keys else None
            if around is not None:
                entity.around, entity.identity = around, (around.key,)
                entity.candidates = []
                entity.reason = (
                    f"{around.key} is unique in each of {around.documents} documents, which differ"
                    f" in {'.'.join(around.path)}"
                )

    def _look(self, examination: Examination, entities: list[Entity]) -> None:
        if examination:
            for place, sample in zip(self._places, self._samples):
                examination.look(place, sample.values(), entities)

    def _survey(self) -> list[Place]:
        """Take in all records, again if the kinds of some are found."""
        known = Known(self._spill, maps={parts(one) for one in self._options.keyed})
        for number in range(_ROUNDS + 1):
            self._places = [
                Place((f"\0{index}",) if index else (), known)
                for index in range(len(self._samples))
            ]
            for place, sample in zip(self._places, self._samples):
                sample.survey(place)
            for place in self._places:
                known.maps |= _maps.find_maps(place)
            more = find_splits(self._places) if number < _ROUNDS else {}
            self._decode = read if known.has_long_numbers else json.loads
            for sample in self._samples:
                sample.decode = self._decode
            if not more:
                break
            known.splits |= more
            if number == _ROUNDS - 1:
                # A tree of kinds that is deeper than this is of one kind, with optional members.
                deep = set(more.values())
                known.splits = {path: key for path, key in known.splits.items() if key not in deep}
        if not any(place.objects for place in self._places):
            raise error(Status.INVALID_ARGUMENT, _no_records(self._places))
        for place in self._places:
            _entities.lift(place)
        return self._places

    def _group(self, places: list[Place]) -> list[Entity]:
        entities = _entities.entities_of(places)
        found = {id(place): entity for entity in entities for place in entity.places}
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
        places = {one for entity in entities for one in handles(entity)}
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
            samples = [
                (root, self._documents() if root.entity.around else sample.chunks())
                for root, sample in zip(self._roots, self._samples)
            ]
            outcome = check(draft.document, samples, self._decode)
            first = first or (draft, outcome)
            is_changed = not outcome.is_good and Blame(draft, choices).take(outcome)
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

    def _documents(self) -> Iterator[Chunk]:
        """Yield the documents with their records, each by itself."""
        whole = self._records.at("", "value", exact)
        for document in documents_of(batch.records for batch in whole.batches()):
            yield Chunk(1, None, [document])

    def _find_counterexamples(self, draft: Draft) -> None:
        searches = [one.search for one in draft.properties if one.search is not None]
        for number, sample in enumerate(self._samples):
            mine = [one for one in searches if _root_of(one.paths[0]) == number]
            if mine and sample.found.form == "array":
                for search in mine:
                    search.paths = [path[1:] if number else path for path in search.paths]
                find(mine, sample.batches())
        draft.note_counterexamples()


def _is_needed(entity: Entity, links: list[_links.Link]) -> bool:
    """Return whether other records refer to those of an entity."""
    is_linked = any(link.target is entity and link.owner is not entity for link in links)
    return is_linked or bool(entity.owners)


def _root_of(path: tuple[str, ...]) -> int:
    """Return the number of the root that a path begins with."""
    return int(path[0][1:]) if path[0].startswith("\0") else 0


def _unknown(thing: str, known: list[str]) -> Error:
    some = ", ".join(known[:20]) + ", ..." * (len(known) > 20)
    return error(Status.INVALID_ARGUMENT, f"the sample lacks {thing}; it has {some}")


def _no_records(places: Sequence[Place]) -> str:
    if not any(place.count for place in places):
        return "the sample has no records; give a file with at least one"
    return "the sample has no objects at its root; name the place of the records with root"
