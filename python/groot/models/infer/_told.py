"""Decisions that are told, as the arguments of `groot.Model.infer`."""

from __future__ import annotations

import os
from typing import Any

from groot.errors import Error, Issue, Status, error
from groot.model import Model
from groot.models.infer._check import Difference
from groot.models.infer._inference import InferOptions, infer
from groot.models.records import Records

_MOST = 10


def make(sample: Any, is_lines: bool, told: dict[str, Any]) -> Model:
    """Infer a model for `groot.Model.infer`.

    Args:
        sample: The sample.
        is_lines: Whether each line of a file is a record.
        told: The other arguments by name.

    Returns:
        The model.

    Raises:
        groot.Error: If the sample has no records, or does not come back as it came.
    """
    identities = {
        name: (keys,) if isinstance(keys, str) else tuple(keys)
        for name, keys in told["identities"].items()
    }
    options = InferOptions(
        told["entity"],
        told["root"],
        identities,
        {member_of(name): target or "" for name, target in told["links"].items()},
        {member_of(name): type for name, type in told["types"].items()},
        told["keyed"],
        told["names"],
    )
    with Records(_inputs(sample), lines=is_lines) as records:
        inference = infer(records, options)
    if not inference.is_equal:
        issues = [*inference.issues, *map(issue_of, inference.differences[:_MOST])]
        raise Error(Status.INVALID_MODEL, tuple(issues))
    return Model(inference.document)


def member_of(text: str) -> tuple[str, str]:
    """Split `Hero.home` into the names of the entity and the key.

    Args:
        text: The text.

    Returns:
        Both names.

    Raises:
        groot.Error: If one is missing.
    """
    entity, _, key = text.partition(".")
    if not entity or not key:
        raise error(Status.INVALID_ARGUMENT, f"{text!r} is not of the form ENTITY.KEY")
    return entity, key


def issue_of(difference: Difference) -> Issue:
    """Return a difference as an issue.

    Args:
        difference: A place where an export is not as the sample.

    Returns:
        The issue.
    """
    before, after = (
        "nothing" if side is ... else repr(side)[:80]
        for side in (difference.before, difference.after)
    )
    place = "".join(f"/{step}" for step in difference.path)
    message = f"record {difference.number}{place}: an export has {after} in place of {before}"
    return Issue(Status.INVALID_MODEL, message, 2)


def _inputs(sample: Any) -> list[Any]:
    """Return the inputs of a reader: several files, or one sample."""
    is_several = isinstance(sample, (list, tuple)) and len(sample) > 0
    if is_several and all(isinstance(one, (str, os.PathLike)) for one in sample):
        return list(sample)
    return [sample]
