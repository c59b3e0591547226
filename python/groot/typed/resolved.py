"""Properties of classes whose annotations are resolved."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any

from groot._core.schema import Property as Core

_JSON = ("transformable", "composite")
_TEXTS = ("string", "uri")


@dataclass(frozen=True)
class Property:
    """An attribute or a relationship of a class."""

    member: str
    """The name in the class."""
    name: str
    """The name in the model."""
    owner: str
    """The name of the entity."""
    description: dict[str, Any]
    """The description in the model document; the destination of a relationship is added later."""
    functions: dict[str, tuple[str, tuple[Any, ...]]]
    """The functions that the description names: by name the kind and the functions."""
    destination: Any = None
    """The class of the destination; None for an attribute."""
    is_identity: bool = False
    """Whether it was declared as a part of the identity."""
    is_path_given: bool = False
    """Whether its path was given, perhaps as None, and is not taken from its name."""
    has_path: bool = False
    """Whether a path was given."""
    choices: type[Enum] | None = None
    """The enum whose members are the values."""

    @property
    def is_to_many(self) -> bool:
        """Whether it is a relationship with any number of members."""
        return bool(self.description.get("toMany"))

    @property
    def is_json(self) -> bool:
        """Whether it is an attribute that holds JSON."""
        return self.description.get("type") in _JSON

    @property
    def is_text(self) -> bool:
        """Whether it is an attribute that holds text."""
        return self.description.get("type") in _TEXTS

    @property
    def is_required(self) -> bool:
        """Whether a new object needs a value from the program."""
        described = self.description
        return not (
            described["optional"] or self.is_to_many or described.get("default") is not None
        )

    @property
    def core(self) -> Core:
        """The property as the conversions of values know it."""
        return Core(self.name, self.description.get("type", ""))

    def plain(self, value: Any) -> Any:
        """Return the value of a member of the enum; other values unchanged."""
        return value.value if self.choices and isinstance(value, self.choices) else value

    @property
    def conversion(self) -> tuple[Callable[[Any], Any], Callable[[Any], Any]] | None:
        """The functions from a value to the member of the enum, and back."""
        if self.choices is None:
            return None
        members = {one.value: one for one in self.choices}

        def made(value: Any) -> Any:
            return members.get(value, value)

        return made, self.plain
