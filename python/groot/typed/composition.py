"""The model that classes declare together."""

from __future__ import annotations

from typing import Any

from groot._core.declared import Composition
from groot.errors import Error, Status, error
from groot.key_paths import escaped
from groot.registry import Registry
from groot.typed.declaration import Declaration
from groot.typed.drafts import named
from groot.typed.resolved import Property

_NOTES = {
    "discriminator": "groot.discriminator",
    "discriminator_value": "groot.discriminatorValue",
    "unknown_discriminator": "groot.unknownDiscriminator",
    "version_rule": "groot.versionRule",
    "tombstone": "groot.tombstone",
    "unknown_keys": "groot.unknownKeys",
}
_PROPERTY_NOTES = {"version": "groot.version", "deletion_mark": "groot.deletionMark"}
_FUNCTION_NOTES = {
    "entity_mapper": "entityMapperName",
    "dictionary_transformer": "JSONDictionaryTransformerName",
}


class Composer:
    """The declarations of a model, and the document that they give."""

    def __init__(self, declarations: list[Declaration]) -> None:
        """Gather declarations, those that they inherit from, and those that they lead to."""
        self._declarations: dict[str, Declaration] = {}
        self._functions: dict[str, tuple[str, tuple[Any, ...]]] = {}
        self._gather(declarations)

    def compose(self) -> Composition:
        """Make the document, with the inverses that no class declares."""
        entities = {name: self._entity(one) for name, one in self._declarations.items()}
        for declaration in self._declarations.values():
            for property in declaration.own.values():
                if property.destination is not None and property.description.get("inverse"):
                    self._make_inverse(entities, declaration, property)
        classes = {name: one.owner for name, one in self._declarations.items()}
        builtins = Registry.builtins()
        for entity in entities.values():
            for attribute in entity["attributes"].values():
                name = attribute.get("userInfo", {}).get("JSONTransformerName")
                if name in builtins:
                    self._functions.setdefault(name, ("builtin", (name,)))
        return Composition({"entities": entities}, self._functions, classes)

    def _gather(self, given: list[Declaration]) -> None:
        rest = list(reversed(given))
        while rest:
            declaration = rest.pop()
            if declaration.is_template:
                message = "the class has type parameters; give classes that inherit from it"
                raise error(Status.INVALID_MODEL, message, declaration.name)
            known = self._declarations.setdefault(declaration.name, declaration)
            if known is not declaration:
                if declaration in given or not _is_same(known, declaration):
                    raise _twice(known, declaration)
                continue
            needed = [one.destination for one in declaration.own.values() if one.destination]
            found = [one._groot for one in needed]
            parent = declaration.parent
            found += [] if parent is None else [parent]
            rest += [one for one in found if self._declarations.get(one.name) is not one]

    def _entity(self, declaration: Declaration) -> dict[str, Any]:
        """Describe an entity, without the inverses that are made."""
        head = declaration.head
        described: dict[str, Any] = {"attributes": {}, "relationships": {}}
        parent = declaration.parent
        if parent is not None:
            described["parent"] = parent.name
        if head.get("abstract"):
            described["abstract"] = True
        if "renaming_identifier" in head:
            described["renamingIdentifier"] = head["renaming_identifier"]
        if "unique" in head:
            described["uniquenessConstraints"] = [
                list(map(declaration.name_in_model, group)) for group in head["unique"]
            ]
        notes = self._notes(declaration)
        if notes:
            described["userInfo"] = notes
        for property in declaration.own.values():
            kind = "attributes" if property.destination is None else "relationships"
            described[kind][property.name] = self._property(declaration, property)
        return described

    def _notes(self, declaration: Declaration) -> dict[str, str]:
        head = declaration.head
        notes: dict[str, str] = {}
        if declaration.own_identity:
            notes["identityAttributes"] = ", ".join(declaration.own_identity)
        if head.get("implicit"):
            notes["groot.implicit"] = "true"
        for key, note in _NOTES.items():
            if key in head:
                notes[note] = head[key]
        for key, note in _PROPERTY_NOTES.items():
            if key in head:
                notes[note] = declaration.name_in_model(head[key])
        for key, note in _FUNCTION_NOTES.items():
            if key in head:
                name = f"{declaration.name}.{key}"
                found, functions = named(note, head[key], key, name)
                notes.update(found)
                self._functions.update(functions)
        notes.update(head.get("annotations", {}))
        return notes

    def _property(self, declaration: Declaration, property: Property) -> dict[str, Any]:
        self._functions.update(property.functions)
        described = dict(property.description)
        if property.destination is not None:
            described["destination"] = property.destination._groot.name
            inverse = self._inverse(property)
            if inverse is not None:
                described["inverse"] = inverse.name
        else:
            inverse = None
        is_by_name = declaration.head.get("implicit") is None and not property.is_path_given
        if is_by_name and not (inverse is not None and inverse.has_path):
            notes = described.get("userInfo", {})
            described["userInfo"] = {"JSONKeyPath": escaped(property.name), **notes}
        return described

    def _inverse(self, property: Property) -> Property | None:
        """Find the declared inverse of a relationship."""
        name = property.description.get("inverse")
        if name is None:
            return None
        found: Property | None = property.destination._groot.find(name)
        return found

    def _make_inverse(
        self, entities: dict[str, Any], declaration: Declaration, property: Property
    ) -> None:
        """Add the inverse of a relationship, unless a class declares it."""
        if self._inverse(property) is not None:
            return
        name = property.description["inverse"]
        made = {
            "destination": declaration.name,
            "toMany": True,
            "optional": True,
            "inverse": property.name,
        }
        relationships = entities[property.destination._groot.name]["relationships"]
        if relationships.setdefault(name, made) is not made:
            example = f"relationship(inverse={property.member!r})"
            message = (
                f"the inverse {name!r} is made for another relationship already; declare this one: "
                f'{name}: ToMany["{declaration.owner.__name__}"] = {example}'
            )
            raise error(Status.INVALID_MODEL, message, declaration.name, property.member)


def _is_same(known: Declaration, other: Declaration) -> bool:
    """Whether one class is another definition of the other, as in a notebook."""
    one, two = known.owner, other.owner
    return (one.__module__, one.__qualname__) == (two.__module__, two.__qualname__)


def _twice(known: Declaration, other: Declaration) -> Error:
    one, two = (f"{each.owner.__module__}.{each.owner.__qualname__}" for each in (known, other))
    message = (
        f"{one} and {two} declare an entity of the same name; give one another name, as in "
        f'class {other.owner.__name__}(Entity, name="Other{other.name}")'
    )
    return error(Status.INVALID_MODEL, message, other.name)
