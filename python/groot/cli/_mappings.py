"""The mapping of a command: given, remembered by the store, or inferred from the feed."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any, NamedTuple

from groot.cli._feeds import Feed
from groot.cli._names import entity_of
from groot.cli._talk import Talk
from groot.errors import Error, Status, error, file_error
from groot.mapping import Mapping
from groot.model import Model
from groot.models import stores

_ROOT, _FORM = "groot.root", "groot.rootForm"


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Add the arguments that describe a mapping."""
    group = command.add_argument_group("the model, which a store remembers")
    group.add_argument(
        "--model",
        metavar="MODEL",
        help="a model document, a schema, an Xcode model, or another store",
    )
    group.add_argument(
        "--dialect",
        choices=["groot", "hyper", "kvc"],
        help="annotations (default), naming conventions, or rules",
    )
    group.add_argument("--rules", metavar="FILE", help='the rules of the dialect "kvc"')
    group.add_argument(
        "--implicit",
        action="store_true",
        help="read properties without a JSONKeyPath under their own names",
    )


class Place(NamedTuple):
    """The place of the records in a document."""

    root: str | None
    form: Any


class Known:
    """A mapping with the facts that commands need."""

    def __init__(self, remembered: stores.Remembered) -> None:
        """Compile a mapping."""
        self.remembered = remembered
        self.mapping: Mapping = remembered.mapping()
        self.document: dict[str, Any] = self.mapping.model.document

    @property
    def entities(self) -> dict[str, Any]:
        """The entities of the model document by name."""
        found: dict[str, Any] = self.document["entities"]
        return found

    @property
    def roots(self) -> list[str]:
        """The names of the entities without a parent."""
        return [name for name, entity in self.entities.items() if not entity.get("parent")]

    def entity(self, name: str) -> str:
        """Return the name of an entity, or raise with the nearest name."""
        return entity_of(name, list(self.entities))

    def records_of(self, name: str | None) -> str:
        """Return the entity of the records: as given, or the only one that the model names.

        Args:
            name: The name as given.

        Returns:
            The name.

        Raises:
            groot.Error: If the entity is unknown, or is not clear.
        """
        if name is not None:
            return self.entity(name)
        rooted = [
            one for one, entity in self.entities.items() if _ROOT in (entity.get("userInfo") or {})
        ]
        found = rooted or list(self.entities)
        if len(found) != 1:
            message = "the entity of the records is not clear; give --entity, one of "
            raise error(Status.INVALID_ARGUMENT, message + ", ".join(found))
        return found[0]

    def place(self, entity: str, root: str | None, form: str | None) -> Place:
        """Return the place of the records: as given, or as the entity's annotations say."""
        if root is None:
            notes = self.entities[entity].get("userInfo") or {}
            root, form = notes.get(_ROOT), form or notes.get(_FORM)
        return Place(root or None, form or "array")


def given(options: argparse.Namespace) -> Known | None:
    """Return the mapping that the command line describes; None if it names no model.

    Args:
        options: The options of the command.

    Returns:
        The mapping.

    Raises:
        groot.Error: If the model, the rules or their combination are invalid.
    """
    is_store = options.model is not None and stores.is_store(options.model)
    for name in ("dialect", "rules", "implicit"):
        if getattr(options, name) and (options.model is None or is_store):
            message = f"--{name} needs a model in --model, which it belongs to"
            if is_store:
                message = f"the store '{options.model}' has a mapping; leave out --{name}"
            raise error(Status.INVALID_ARGUMENT, message)
    if options.model is None:
        return None
    if is_store:
        return remembered(options.model)
    model = Model.load(options.model)
    options.talk.faults(model.warnings)
    rules = None if options.rules is None else _read(options.rules)
    dialect = options.dialect or ("groot" if rules is None else "kvc")
    known = Known(stores.Remembered(model.document_text, dialect, options.implicit, rules))
    options.talk.faults(known.mapping.warnings)
    return known


def _read(file: str) -> dict[str, Any]:
    """Read rules."""
    try:
        found = json.loads(Path(file).read_text(encoding="utf-8"))
    except OSError as cause:
        raise file_error(file, "read", cause) from cause
    except ValueError as cause:
        raise error(Status.INVALID_ARGUMENT, f"{file}: the rules are not JSON: {cause}") from cause
    if not isinstance(found, dict):
        raise error(Status.INVALID_ARGUMENT, f"{file}: the rules are not a JSON object")
    return found


def remembered(store: str) -> Known:
    """Return the mapping that a store remembers.

    Args:
        store: The path of the store.

    Returns:
        The mapping.

    Raises:
        groot.Error: If the file is not a store, or remembers none.
    """
    return Known(stores.known(store))


def inferred(feed: Feed, entity: str | None, options: argparse.Namespace, talk: Talk) -> Known:
    """Infer a model of the files, and say so.

    Args:
        feed: The files.
        entity: The name of the entity of the records.
        options: The options of the command.
        talk: The messages.

    Returns:
        The mapping.

    Raises:
        groot.Error: If the files cannot be read, have no records, or do not come back as they came.
    """
    from groot.models import infer  # noqa: PLC0415, few commands need them
    from groot.models.records import Records  # noqa: PLC0415

    told = infer.InferOptions(entity=entity, root=options.root)
    try:
        with Records(feed.sources, lines=options.lines) as records:
            found = infer.infer(records, told)
    except Error as failure:
        if failure.code == Status.MISSING_VALUE and options.root is not None:
            raise no_root(feed.name, options.root) from failure
        raise
    talk.faults(found.issues)
    if not found.is_equal:
        first = infer.issue_of(found.differences[0])
        message = f"{first.message}; no model was found that keeps all: write one with groot infer "
        names = " ".join(one.name for one in feed.sources)
        message += f"{names} -o MODEL, correct it, and give --model MODEL"
        raise error(Status.INVALID_MODEL, message)
    count = len(found.document["entities"])
    words = f"{count} entities" if count > 1 else "1 entity"
    known = Known(stores.Remembered(infer.pretty(found.document)))
    entity = known.records_of(entity)
    talk.say(
        f"inferred a model of {words} from {feed.name}: {_identity(entity, known.entities[entity])}"
    )
    return known


def _identity(name: str, entity: dict[str, Any]) -> str:
    """Say in words which keys identify the records of an inferred model."""
    keys = (entity.get("userInfo") or {}).get("identityAttributes")
    return f"{name} is identified by {keys}" if keys else f"{name} has no identity"


def no_root(file: str, root: str) -> Error:
    """Return the error of a root that leads nowhere, which is one of the command line."""
    message = f"{file} has nothing at the root {root}; give --root with the JSON Pointer to the "
    message += "records, or --root '' for the whole file"
    return error(Status.INVALID_ARGUMENT, message)
