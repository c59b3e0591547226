"""The blame for a difference: the member that does not come back as it came."""

from __future__ import annotations

from typing import Any

from groot.errors import Issue
from groot.models.infer._check import Difference, Outcome
from groot.models.infer._decisions import Choices
from groot.models.infer._document import Draft
from groot.models.infer._entities import Entity
from groot.models.infer._uses import Use


class Blame:
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
