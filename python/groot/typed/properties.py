"""Properties of classes: their annotations, and the options behind them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar, Union, overload

from groot.members import Members
from groot.objects import BaseObject
from groot.typed.expressions import Expression, ManyExpression

V = TypeVar("V")
O = TypeVar("O", bound=BaseObject)  # noqa: E741
Names = Union[str, Iterable[str]]
Function = Callable[..., Any]


class Attribute(Generic[V]):
    """The annotation of an attribute: `name: Attribute[str]`, `rating: Attribute[Decimal | None]`.

    Of a class it is an `Expression`, for conditions and sort keys; of an object it is the value.
    """

    if TYPE_CHECKING:

        @overload
        def __get__(
            self: Attribute[Decimal], instance: None, owner: Any
        ) -> Expression[Decimal | int]: ...

        @overload
        def __get__(
            self: Attribute[Decimal | None], instance: None, owner: Any
        ) -> Expression[Decimal | int | None]: ...

        @overload
        def __get__(self, instance: None, owner: Any) -> Expression[V]: ...

        @overload
        def __get__(self, instance: BaseObject, owner: Any) -> V: ...

        def __get__(self, instance: Any, owner: Any) -> Any: ...

        def __set__(self, instance: BaseObject, value: V) -> None: ...


class ToOne(Generic[V]):
    """The annotation of a relationship to one object: `publisher: ToOne[Publisher | None]`.

    Of a class it is the class of the destination, for paths such as `Hero.publisher.name`; of an
    object it is an object or None.
    """

    if TYPE_CHECKING:

        @overload
        def __get__(self: ToOne[O | None], instance: None, owner: Any) -> type[O]: ...

        @overload
        def __get__(self: ToOne[O], instance: None, owner: Any) -> type[O]: ...

        @overload
        def __get__(self, instance: BaseObject, owner: Any) -> V: ...

        def __get__(self, instance: Any, owner: Any) -> Any: ...

        def __set__(self, instance: BaseObject, value: V) -> None: ...


class ToMany(Generic[O]):
    """The annotation of a relationship to any number of objects: `powers: ToMany[Power]`.

    Of a class it has `any`, `all`, `none`, `count` and `contains`; of an object it is a `Members`.
    """

    if TYPE_CHECKING:

        @overload
        def __get__(self, instance: None, owner: Any) -> ManyExpression[O]: ...

        @overload
        def __get__(self, instance: BaseObject, owner: Any) -> Members[O]: ...

        def __get__(self, instance: Any, owner: Any) -> Any: ...

        def __set__(self, instance: BaseObject, value: Iterable[O]) -> None: ...


class Draft:
    """The options of a property, until its annotation is resolved."""

    __slots__ = ("is_attribute", "member", "options")

    def __init__(self, is_attribute: bool, options: dict[str, Any]) -> None:
        """Keep the options of an attribute or a relationship."""
        self.is_attribute = is_attribute
        self.options = options
        self.member = ""

    def __set_name__(self, owner: Any, name: str) -> None:
        """Take the name in the class."""
        self.member = name

    def __get__(self, instance: Any, owner: Any) -> Any:
        """Return the expression of the property, which replaces this."""
        return owner._groot.expression(owner, self.member)


UNSET: Any = object()
"""The default of options for which None has a meaning of its own."""


def attribute(
    path: str | None = UNSET,
    *,
    name: str | None = None,
    identity: bool = False,
    type: str | None = None,
    optional: bool | None = None,
    default: Any = None,
    minimum: Any = None,
    maximum: Any = None,
    minimum_length: int | None = None,
    maximum_length: int | None = None,
    pattern: str | None = None,
    values: Iterable[Any] | None = None,
    transformer: str | Function | None = None,
    reverse: Function | None = None,
    date_format: Names | None = None,
    alternatives: Names | None = None,
    direction: Literal["both", "import", "export"] | None = None,
    nulls: Literal["write", "omit"] | None = None,
    policies: Mapping[str, str] | None = None,
    transient: bool = False,
    elements: Mapping[str, Any] | None = None,
    renaming_identifier: str | None = None,
    annotations: Mapping[str, str] | None = None,
) -> Any:
    """Say more of an attribute than its annotation does.

        id: Attribute[int] = attribute("@key", identity=True)

    Args:
        path: The key path in JSON: a key, keys with dots between, "@key", "@index", "@value",
            "@rest" and others (docs/reference/annotations.md). By default it is the name; None
            means that imports and exports leave the attribute out.
        name: The name in the model; by default that in the class.
        identity: Whether the attribute is a part of the identity.
        type: The type in the model, where the annotation does not tell it: "uri", "composite".
        optional: Whether an object may have no value; by default as the annotation says.
        default: The value of a new object.
        minimum: The smallest number, or the earliest date or day.
        maximum: The largest number, or the latest date or day.
        minimum_length: The least number of characters or bytes.
        maximum_length: The greatest number of characters or bytes.
        pattern: A regular expression for the whole text.
        values: The permitted values; by default those of a Literal or an Enum.
        transformer: A built-in transformer by its name, a function of the registry by its name, or
            a function from JSON to a value.
        reverse: The function from a value to JSON, for exports; only with a function.
        date_format: The forms of its dates in JSON, the first of which is written.
        alternatives: More key paths to read.
        direction: "both", "import" or "export".
        nulls: "write", or "omit" for exports that leave it out where there is no value.
        policies: The policies of docs/reference/policies.md: `{"null": "keep"}`.
        transient: Whether a store leaves it out.
        elements: The elements of a composite, as in a model document.
        renaming_identifier: The name in an earlier version of the model.
        annotations: Other annotations.

    Returns:
        The options, which the class takes.

    Raises:
        TypeError: For `reverse` without a function as `transformer`.
    """
    if reverse is not None and not callable(transformer):
        raise TypeError("reverse belongs to a function as transformer; give both")
    given = dict(locals())
    return Draft(True, {key: one for key, one in given.items() if one is not None or key == "path"})


def relationship(
    path: str | None = UNSET,
    *,
    inverse: str | None = None,
    name: str | None = None,
    identity: bool = False,
    optional: bool | None = None,
    ordered: bool = False,
    minimum_count: int | None = None,
    maximum_count: int | None = None,
    delete_rule: Literal["nullify", "cascade", "deny", "noAction"] | None = None,
    form: Literal["array", "keyed", "grouped"] | None = None,
    export: Literal["object", "identifier"] | None = None,
    properties: Names | None = None,
    discriminator: str | None = None,
    alternatives: Names | None = None,
    direction: Literal["both", "import", "export"] | None = None,
    nulls: Literal["write", "omit"] | None = None,
    policies: Mapping[str, str] | None = None,
    renaming_identifier: str | None = None,
    annotations: Mapping[str, str] | None = None,
) -> Any:
    """Say more of a relationship than its annotation does.

        powers: ToMany["Power"] = relationship(inverse="heroes")

    Args:
        path: The key path in JSON, as of an attribute. By default it is the name, unless the
            inverse has a path; None means that imports and exports leave the relationship out.
        inverse: The name of the other direction in the destination. If its class does not declare
            it, it is made: to many objects, and without a path.
        name: The name in the model; by default that in the class.
        identity: Whether a relationship to one object is a part of the identity.
        optional: Whether an object may have no member; by default as the annotation says, and True
            for a relationship to many.
        ordered: Whether the order of the members is part of the value.
        minimum_count: The least number of members.
        maximum_count: The greatest number of members.
        delete_rule: "nullify", the default, "cascade", "deny" or "noAction".
        form: "array", "keyed" or "grouped".
        export: "object", or "identifier" for members that are written as identifiers.
        properties: The properties that members are written with.
        discriminator: The path of the value that chooses the entity of a member.
        alternatives: More key paths to read.
        direction: "both", "import" or "export".
        nulls: As of an attribute.
        policies: The policies of docs/reference/policies.md: `{"assignment": "union"}`.
        renaming_identifier: The name in an earlier version of the model.
        annotations: Other annotations.

    Returns:
        The options, which the class takes.
    """
    given = dict(locals())
    return Draft(
        False, {key: one for key, one in given.items() if one is not None or key == "path"}
    )
