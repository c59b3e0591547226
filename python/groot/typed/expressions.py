"""Expressions: the properties of classes, as conditions and sort keys name them."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from enum import Enum
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from groot._core.declared import PathBase, Selector
from groot._core.text import nearest, shorten
from groot.errors import Error, Status, error
from groot.objects import BaseObject
from groot.typed.conditions import Condition
from groot.typed.resolved import Property
from groot.values import checked, plain

T = TypeVar("T")
O = TypeVar("O", bound=BaseObject)  # noqa: E741

_RESERVED = ("and", "or", "not")


class _Steps(PathBase):
    """A way from a class along to-one relationships to a property."""

    __slots__ = ("_property", "_root", "_steps")

    def __init__(self, root: Any, steps: tuple[str, ...], property: Property) -> None:
        """Make the way to a property; `steps` are the relationships before it."""
        self._root = root
        self._steps = steps
        self._property = property

    @property
    def root(self) -> Any:
        """The class that the way begins at."""
        return self._root

    @property
    def plain(self) -> str:
        """The path, as predicates have it."""
        path = ".".join((*self._steps, self._property.name))
        return f".{path}" if path in _RESERVED else path

    def __repr__(self) -> str:
        """Show the class and the path."""
        return f"<{self._root.__name__}.{self.plain}>"

    def __bool__(self) -> bool:
        """Refuse a truth value: a property alone is not a condition.

        Raises:
            TypeError: Always.
        """
        raise TypeError(f"{self!r} is not a condition; compare it, as in {self._example()}")

    def _example(self) -> str:
        return f"{self._root.__name__}.{self.plain}.is_null()"

    def _holds(self, operators: Any) -> Condition:
        return Condition(self._root, {self.plain: operators})


class _Ordered(Generic[T]):
    """The comparisons by order, and the ranges, of values and of numbers of members."""

    __slots__ = ()

    def __lt__(self, other: T) -> Condition:
        """Return the condition that it is less."""
        return self._compared("<", other)

    def __le__(self, other: T) -> Condition:
        """Return the condition that it is less or equal."""
        return self._compared("<=", other)

    def __gt__(self, other: T) -> Condition:
        """Return the condition that it is greater."""
        return self._compared(">", other)

    def __ge__(self, other: T) -> Condition:
        """Return the condition that it is greater or equal."""
        return self._compared(">=", other)

    def between(self, first: T, last: T) -> Condition:
        """Return the condition that it is in a range, both ends included.

        Args:
            first: The least value.
            last: The greatest value.

        Returns:
            The condition.

        Raises:
            TypeError: For a value of another type.
        """
        return self._holds({"between": [self._operand(first), self._operand(last)]})

    def _compared(self, operator: str, other: Any) -> Condition:
        return self._holds({operator: self._operand(other)})

    @abstractmethod
    def _holds(self, operators: Any) -> Condition:
        """Return the condition that operators hold."""

    @abstractmethod
    def _operand(self, value: Any) -> Any:
        """Return the JSON form of a value; raise for one that does not fit."""


class Expression(_Steps, _Ordered[T]):
    """An attribute of a class, in a condition or as a sort key: `Hero.rating > 8`, `-Hero.rating`.

    A value of another type than the attribute's raises TypeError when the condition is made, and an
    integer of more than 64 bits or a number that is not finite ValueError.
    """

    __slots__ = ("_is_descending",)

    def __init__(
        self,
        root: Any,
        steps: tuple[str, ...],
        property: Property,
        *,
        is_descending: bool = False,
    ) -> None:
        """Make the expression of an attribute."""
        super().__init__(root, steps, property)
        self._is_descending = is_descending

    @property
    def plain(self) -> str:
        """The path, with "-" in front for descending."""
        return f"-{super().plain}" if self._is_descending else super().plain

    def __eq__(self, other: T | None) -> Condition:  # type: ignore[override]
        """Return the condition that the attribute has a value; None means no value."""
        return self._holds({"==": self._value(other, or_none=True)})

    def __ne__(self, other: T | None) -> Condition:  # type: ignore[override]
        """Return the condition that the attribute does not have a value; None means no value."""
        return self._holds({"!=": self._value(other, or_none=True)})

    __hash__ = None  # type: ignore[assignment]

    def __neg__(self) -> Expression[T]:
        """Return the sort key for descending order."""
        is_descending = not self._is_descending
        return Expression(self._root, self._steps, self._property, is_descending=is_descending)

    def in_(self, values: Iterable[T | None]) -> Condition:
        """Return the condition that the attribute has one of some values.

        Args:
            values: The values; None means no value.

        Returns:
            The condition.

        Raises:
            TypeError: For a value of another type.
        """
        if isinstance(values, (str, bytes)) or not isinstance(values, Iterable):
            raise TypeError(f"{shorten(values)} is not a list of values for {self!r}")
        return self._holds({"in": [self._value(one, or_none=True) for one in values]})

    def like(
        self: Expression[str] | Expression[str | None], pattern: str, *, ignore_case: bool = False
    ) -> Condition:
        r"""Return the condition that a text matches a pattern.

        Args:
            pattern: The pattern: `*` matches any text, `?` one character, and a backslash makes
                either an ordinary character.
            ignore_case: Whether A to Z equal a to z.

        Returns:
            The condition.

        Raises:
            TypeError: For an attribute or a pattern that is not a text.
        """
        return self._text("like", pattern, ignore_case)

    def contains(
        self: Expression[str] | Expression[str | None], text: str, *, ignore_case: bool = False
    ) -> Condition:
        """Return the condition that a text contains another.

        Args:
            text: The other text.
            ignore_case: As for `like`.

        Returns:
            The condition.

        Raises:
            TypeError: As `like`.
        """
        return self._text("contains", text, ignore_case)

    def begins_with(
        self: Expression[str] | Expression[str | None], text: str, *, ignore_case: bool = False
    ) -> Condition:
        """Return the condition that a text begins with another.

        Args:
            text: The other text.
            ignore_case: As for `like`.

        Returns:
            The condition.

        Raises:
            TypeError: As `like`.
        """
        return self._text("beginsWith", text, ignore_case)

    def ends_with(
        self: Expression[str] | Expression[str | None], text: str, *, ignore_case: bool = False
    ) -> Condition:
        """Return the condition that a text ends with another.

        Args:
            text: The other text.
            ignore_case: As for `like`.

        Returns:
            The condition.

        Raises:
            TypeError: As `like`.
        """
        return self._text("endsWith", text, ignore_case)

    def is_null(self) -> Condition:
        """Return the condition that the attribute has no value.

        Returns:
            The condition.
        """
        return self._holds({"==": None})

    def _holds(self, operators: Any) -> Condition:
        if self._is_descending:
            raise TypeError(f"{self!r} is a sort key; compare the attribute without the minus")
        return super()._holds(operators)

    def _operand(self, value: Any) -> Any:
        if self._property.is_json:
            raise TypeError(f"{self!r} holds JSON, which has no order; use ==, != or in_")
        return self._value(value)

    def _value(self, value: Any, *, or_none: bool = False) -> Any:
        """Return the JSON form of a value; raise for one that does not fit the attribute."""
        if isinstance(value, Selector):
            raise TypeError(
                f"{self!r} and {value!r}: one property cannot be compared with another; fetch the "
                "objects, and compare them in Python"
            )
        if value is None:
            if or_none:
                return None
            raise TypeError(f"{self!r} is compared with None; use is_null()")
        try:
            return checked(self._property.plain(value), self._property.core, self._property.owner)
        except Error as wrong:
            kind = TypeError if wrong.code == Status.WRONG_TYPE else ValueError
            raise kind(str(wrong)) from None

    def _text(self, operator: str, text: Any, ignore_case: bool) -> Condition:
        if not self._property.is_text:
            raise TypeError(f"{self!r} is not a text; {operator} is for texts")
        operators: dict[str, Any] = {operator: self._value(text)}
        if ignore_case:
            operators["ignoreCase"] = True
        return self._holds(operators)

    def _example(self) -> str:
        return f"{self._root.__name__}.{self.plain} == value"


class Count(_Ordered[int]):
    """The number of members of a relationship, in a condition: `Hero.powers.count() > 2`."""

    __slots__ = ("_members",)

    def __init__(self, members: ManyExpression[Any]) -> None:
        """Make the number of members."""
        self._members = members

    def __eq__(self, other: int) -> Condition:  # type: ignore[override]
        """Return the condition that the number is this one."""
        return self._compared("==", other)

    def __ne__(self, other: int) -> Condition:  # type: ignore[override]
        """Return the condition that the number is another."""
        return self._compared("!=", other)

    __hash__ = None  # type: ignore[assignment]

    def __bool__(self) -> bool:
        """Refuse a truth value.

        Raises:
            TypeError: Always.
        """
        raise TypeError("a count is not a condition; compare it, as in Hero.powers.count() > 0")

    def in_(self, numbers: Iterable[int]) -> Condition:
        """Return the condition that the number is one of some.

        Args:
            numbers: The numbers.

        Returns:
            The condition.

        Raises:
            TypeError: For a value that is not an int.
        """
        return self._holds({"in": [self._operand(one) for one in numbers]})

    def _holds(self, operators: Any) -> Condition:
        return self._members._holds({"count": operators})

    def _operand(self, value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int):
            raise TypeError(f"{shorten(value)} is not a number of members, an int")
        return value


class ManyExpression(_Steps, Generic[O]):
    """A to-many relationship of a class: `Hero.powers.any(Power.name == "Flight")`."""

    __slots__ = ()

    def any(self, condition: Condition) -> Condition:
        """Return the condition that another holds for at least one member.

        Args:
            condition: The condition on a member, which begins at the destination's class.

        Returns:
            The condition.

        Raises:
            TypeError: For a condition that begins at another class.
        """
        return self._quantified("any", condition)

    def all(self, condition: Condition) -> Condition:
        """Return the condition that another holds for all members; also if there are none.

        Args:
            condition: As for `any`.

        Returns:
            The condition.

        Raises:
            TypeError: As `any`.
        """
        return self._quantified("all", condition)

    def none(self, condition: Condition) -> Condition:
        """Return the condition that another holds for no member.

        Args:
            condition: As for `any`.

        Returns:
            The condition.

        Raises:
            TypeError: As `any`.
        """
        return self._quantified("none", condition)

    def count(self) -> Count:
        """Return the number of members, to be compared.

        Returns:
            The number.
        """
        return Count(self)

    def contains(self, member: O) -> Condition:
        """Return the condition that an object is a member.

        Args:
            member: The object, whose entity has an identity.

        Returns:
            The condition: that a member has the identity which the object has now.

        Raises:
            TypeError: For a value that is not an object of the destination.
            groot.Error: With `Status.INVALID_ARGUMENT` for an entity without identity, and as for
                reading the identity.
        """
        destination = self._property.destination
        if not isinstance(member, destination):
            raise TypeError(f"{shorten(member)} is not a {destination.__name__}, as {self!r} has")
        return self._holds({"any": _identity(member, "")})

    if not TYPE_CHECKING:  # checkers refuse unknown names without it

        def __getattr__(self, name: str) -> Any:
            """Refuse a property of the members: each has a value of its own."""
            if name.startswith("__"):
                raise AttributeError(name)
            destination = self._property.destination.__name__
            raise AttributeError(
                f"{self!r} has many members; write .any({destination}.{name} == ...), .all or .none"
            )

    def _quantified(self, word: str, condition: Any) -> Condition:
        if not isinstance(condition, Condition):
            raise TypeError(f"{shorten(condition)} is not a condition, as {word} takes")
        destination = self._property.destination
        if not issubclass(destination, condition.root):
            raise TypeError(
                f"{condition!r} is about {condition.root.__name__}, and the members are of "
                f"{destination.__name__}"
            )
        return self._holds({word: condition.plain})

    def _example(self) -> str:
        return f"{self._root.__name__}.{self.plain}.count() > 0"


class Path(_Steps):
    """A to-one relationship of a class; its attributes are the properties of the destination.

    To type checkers it is the class of the destination.
    """

    __slots__ = ()

    def __getattr__(self, name: str) -> Any:
        """Return a property of the destination."""
        if name.startswith("__"):
            raise AttributeError(name)
        destination = self._property.destination
        found = destination._groot.properties.get(name)
        if found is None:
            known = nearest(name, destination._groot.properties)
            raise AttributeError(f"{destination.__name__} has no property {name!r}{known}")
        return expression(self._root, (*self._steps, self._property.name), found)

    def __eq__(self, other: object) -> bool:
        """Refuse a comparison of objects.

        Raises:
            TypeError: Always.
        """
        raise TypeError(
            f"{self!r} is a relationship; compare an attribute of its object, such as the "
            f"identity, or write groot.is_null({self._root.__name__}.{self.plain})"
        )

    __hash__ = None  # type: ignore[assignment]

    def __call__(self, *arguments: Any, **values: Any) -> Any:
        """Refuse to make an object."""
        raise TypeError(f"{self!r} is a relationship; insert objects with context.insert")


def expression(root: Any, steps: tuple[str, ...], property: Property) -> Any:
    """Return a property of a class, after some relationships."""
    if property.destination is None:
        return Expression(root, steps, property)
    return (ManyExpression if property.is_to_many else Path)(root, steps, property)


def is_null(property: Expression[Any] | type[BaseObject]) -> Condition:
    """Return the condition that a property has no value: `groot.is_null(Hero.publisher)`.

    Args:
        property: A to-one relationship or an attribute of a class.

    Returns:
        The condition.

    Raises:
        TypeError: For any other value.
    """
    found: Any = property
    if not isinstance(found, (Expression, Path)):
        raise TypeError(f"{shorten(found)} is not a to-one relationship or an attribute of a class")
    return found._holds({"==": None})


def _identity(member: BaseObject, path: str) -> dict[str, Any]:
    """Return the predicate for the identity of an object."""
    entity = member._entity
    if not entity.identity:
        message = "the entity has no identity to find a member by; compare its properties with any"
        raise error(Status.INVALID_ARGUMENT, message, entity.name)
    found: dict[str, Any] = {}
    for name in entity.identity:
        value = member[name]
        place = f"{path}{name}"
        if isinstance(value, BaseObject):
            found.update(_identity(value, f"{place}."))
        else:
            key = f".{place}" if place in _RESERVED else place
            found[key] = {"==": plain(value.value if isinstance(value, Enum) else value)}
    return found
