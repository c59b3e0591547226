"""The source file: its head, and a type for each entity."""

from __future__ import annotations

from collections.abc import Iterator

from groot.errors import Status, error
from groot.model import Model
from groot.models.generate import _json
from groot.models.generate._arguments import check
from groot.models.generate._comments import about_entity, about_property
from groot.models.generate._swift import members
from groot.models.generate._swift.comments import comment
from groot.models.generate._swift.layout import Code, Group, lines
from groot.models.generate._swift.names import escaped, is_identifier
from groot.models.generate._swift.options import SwiftOptions
from groot.models.generate._swift.schema import Entity, Property, Schema

_HEAD = (
    "// The entities of a model as types, written by `python -m groot generate swift`.",
    "// Changes here are lost when the file is written again.",
)


def swift(model: Model, options: SwiftOptions | None = None) -> str:
    """Write the entities of a model as Swift types, each an `Entity` of the library.

    Args:
        model: The model.
        options: The form of the types; by default `SwiftOptions()`.

    Returns:
        The text of the file.

    Raises:
        groot.Error: With `Status.INVALID_ARGUMENT` for a namespace that is not an identifier, and
            with `Status.LIMIT_EXCEEDED` for a default that nests too deep.
    """
    check(model, options, SwiftOptions)
    options = options or SwiftOptions()
    namespace = options.namespace
    is_name = isinstance(namespace, str) and is_identifier(namespace)
    if namespace is not None and not is_name:
        message = f"namespace is '{options.namespace}', not a name that a Swift type may have here"
        raise error(Status.INVALID_ARGUMENT, message)
    try:
        document = _json.read(model.document_text)
        if options.implicit:
            for entity in document["entities"].values():
                entity["userInfo"]["groot.implicit"] = "true"
        schema = Schema(document)
        return "\n".join(_Writer(schema, options).lines()) + "\n"
    except RecursionError:
        raise error(Status.LIMIT_EXCEEDED, "a default nests too deep for Python") from None


class _Writer:
    """The writer of the lines of a file."""

    def __init__(self, schema: Schema, options: SwiftOptions) -> None:
        self._schema = schema
        self._options = options
        self._access = "public " if options.public else ""
        self._indent = 0 if options.namespace is None else 2

    def lines(self) -> Iterator[str]:
        """Yield all lines."""
        if self._options.foundation:
            yield "import Foundation"
        yield "import Groot"
        if self._options.foundation:
            yield "import GrootFoundation"
        yield ""
        yield from _HEAD
        yield ""
        if self._options.namespace is not None:
            yield from self._namespace(self._options.namespace)
        for number, entity in enumerate(self._schema.entities()):
            if number or self._indent:
                yield ""
            yield from self._entity(entity)
        if self._indent:
            yield "}"

    def _namespace(self, name: str) -> Iterator[str]:
        yield "/// The entities of a model."
        yield f"{self._access}enum {name} {{"
        yield from comment("All of them, for `ManagedObjectModel(_:)`.", self._indent)
        yield self._line(f"{self._access}static var entities: [any Entity.Type] {{")
        types = Group("[", [f"{type}.self" for type in self._schema.types.values()], "]")
        yield from lines(types, " " * (self._indent + 2), self._indent + 2)
        yield self._line("}")

    def _entity(self, entity: Entity) -> Iterator[str]:
        identity = [one.name for one in entity.properties if one.is_identity]
        yield from comment(about_entity(entity.description, identity), self._indent)
        yield self._line(f"{self._access}struct {entity.type}: Entity {{")
        yield from self._properties(entity)
        inner = self._indent + 2
        yield from self._documented("The properties.", inner)
        yield self._line(f"{self._access}static let properties = Properties()", 2)
        yield from self._documented("The declaration of the entity in the model.", inner)
        yield from self._constant(
            "static let entity", members.entity(entity.name, entity.description), inner
        )
        yield from self._documented("The object as any other.", inner)
        yield self._line(f"{self._access}let managedObject: ManagedObject", 2)
        if self._options.public:
            yield ""
            yield from self._documented("Takes an object for one of the entity, unchecked.", inner)
            yield self._line("public init(managedObject: ManagedObject) {", 2)
            yield self._line("self.managedObject = managedObject", 4)
            yield self._line("}", 2)
        yield self._line("}")

    def _properties(self, entity: Entity) -> Iterator[str]:
        yield from self._documented("The properties by their names.", self._indent + 2)
        opening = f"{self._access}struct Properties: Sendable {{"
        if not entity.properties and not self._options.public:
            yield self._line(f"{opening}}}", 2)
            return
        yield self._line(opening, 2)
        inner = self._indent + 4
        for property in entity.properties:
            own = property.name if self._options.implicit else None
            path = property.description["userInfo"].get("JSONKeyPath", own)
            yield from comment(about_property(property.description, path), inner)
            yield from self._constant(
                f"let {escaped(property.member)}", self._code(property), inner
            )
        if self._options.public:
            if entity.properties:
                yield ""
            yield from self._documented("Makes the properties.", inner)
            yield self._line("public init() {}", 4)
        yield self._line("}", 2)

    def _code(self, property: Property) -> Code:
        if property.is_attribute:
            return members.attribute(property, self._options.foundation)
        return members.relationship(property, self._schema)

    def _constant(self, declaration: str, code: Code, indent: int) -> list[str]:
        return lines(code, f"{' ' * indent}{self._access}{declaration} = ", indent)

    def _documented(self, text: str, indent: int) -> list[str]:
        """Write a comment for a member, only if the types are public."""
        return comment(text, indent) if self._options.public else []

    def _line(self, text: str, indent: int = 0) -> str:
        return " " * (self._indent + indent) + text
