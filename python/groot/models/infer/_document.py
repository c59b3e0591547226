"""The model document of entities, identities and links."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from groot.key_paths import escaped
from groot.models.infer import _maps
from groot.models.infer._counterexamples import Odd, Search
from groot.models.infer._decisions import Choices, Property, Root
from groot.models.infer._entities import Around, Edge, Entity
from groot.models.infer._links import Link
from groot.models.infer._naming import class_name, counted, pointers, property_name, unique
from groot.models.infer._paths import has_path
from groot.models.infer._places import Place, find
from groot.models.infer._types import Type, told_type, type_of
from groot.models.infer._uses import Use, use_of

_OWNED = {"deleteRule": "cascade"}
_DELETE = {"groot.assignment": "deleteMissing"}


class Draft:
    """A model document in the making."""

    def __init__(
        self, entities: list[Entity], links: list[Link], roots: list[Root], choices: Choices
    ) -> None:
        """Build the document.

        Args:
            entities: The entities, with names and identities.
            links: The links between them.
            roots: The places of records.
            choices: Decisions that come before the evidence.
        """
        self._links = {(id(one.owner), one.key): one for one in links}
        self._named = {id(one.target) for one in links}
        self._roots = {id(root.entity): root for root in roots}
        self._choices = choices
        self.entities: dict[str, dict[str, Any]] = {}
        self.properties: list[Property] = []
        self._names: dict[tuple[int, str], str] = {}
        self._taken: dict[int, set[str]] = {}
        self._inverses: dict[int, str] = {}
        self._entity_names = {entity.name for entity in entities}
        for entity in entities:
            self.entities[entity.name] = {
                "parent": None, "abstract": None,
                "userInfo": {}, "attributes": {}, "relationships": {},
            }  # fmt: skip
            self._name_properties(entity)
        identities = [self._identity(entity) for entity in entities]
        for entity, identity in zip(entities, identities):
            self._describe(entity, identity)
        for name, described in self.entities.items():
            self.entities[name] = {part: value for part, value in described.items() if value}

    @property
    def document(self) -> dict[str, Any]:
        """The model document."""
        return {"entities": self.entities}

    # ---- names -------------------------------------------------------------------------------

    def _name_properties(self, entity: Entity) -> None:
        taken = self._taken[id(entity)] = set()
        if entity.base is not None:
            taken |= self._taken[id(entity.base)]
        for key in entity.members:
            if has_path(key) and key != entity.split:
                wanted = key
                root = self._roots.get(id(entity))
                if root is not None and root.is_positional:
                    wanted = entity.titles.get(key, f"column{key}")
                self._names[id(entity), key] = self._name(entity, property_name(wanted))

    def _name(self, entity: Entity, wanted: str) -> str:
        taken = self._taken[id(entity)]
        name = unique(wanted, taken)
        taken.add(name)
        return name

    def name_of(self, entity: Entity, key: str) -> str:
        """Return the name of the property with a key, which the base may have."""
        found = self._names.get((id(entity), key))
        if found is None and entity.base is not None:
            return self.name_of(entity.base, key)
        return found or property_name(key)

    # ---- entities ----------------------------------------------------------------------------

    def _describe(self, entity: Entity, identity: list[str]) -> None:
        described = self.entities[entity.name]
        info = described["userInfo"]
        if entity.base is not None:
            described["parent"] = entity.base.name
            if entity.kind != entity.name:
                info["groot.discriminatorValue"] = entity.kind
        if entity.split is not None:
            described["abstract"] = True
            info["groot.discriminator"] = escaped(entity.split)
        if identity:
            info["identityAttributes"] = ", ".join(identity)
        root = self._roots.get(id(entity))
        if root is not None:
            info["groot.root"] = root.pointer
            if root.form != "array":
                info["groot.rootForm"] = root.form
        is_map = any(place.entries is not None for place in entity.places)
        rest = "the keys of the records are data" if is_map else ""
        for key, place in entity.members.items():
            reason = self._member(entity, key, place)
            rest = rest or reason
        if rest:
            name = self._name(entity, "rest")
            self._attribute(
                entity, name, "@rest", "transformable", rest, is_optional=True, key=None
            )
        info["groot.inferred"] = self._evidence(entity)

    def _evidence(self, entity: Entity) -> str:
        where = [one or "/" for one in pointers(entity)]
        more = f" and {len(where) - 3} more places" if len(where) > 3 else ""
        parts = [f"{counted(entity.objects, 'object')} at {', '.join(where[:3])}{more}"]
        if entity.reason:
            parts.append(entity.reason)
        elif entity.is_owned and entity.base is None:
            parts.append("identified by the owner" + " and place" * _has_many(entity))
        elif entity.base is None:
            parts.append("no identity: each import makes new objects")
        parts += entity.rejected
        if entity.candidates:
            parts.append(f"unique, but not named so: {', '.join(entity.candidates)}")
        return "; ".join(parts)

    def _identity(self, entity: Entity) -> list[str]:
        """Name the identity, and add the attributes for owners and places that it needs."""
        if entity.base is not None:
            return []
        root = self._roots.get(id(entity))
        owners = [edge for edge in entity.owners if not self._is_json(edge.owner, edge.key)]
        forms = {edge.use for edge in owners}
        names = []
        if root is not None and root.form != "array":
            name = self._place(entity, "@key", "string")
            if root.form == "keyed":
                return [name]
        if entity.around is not None:
            names = [self._around(entity, entity.around)]
        if entity.is_owned:
            names = [self._inverse(entity, edge, owners) for edge in owners]
        if forms & {Use.KEYED, Use.GROUPED}:
            name = self._place(entity, "@key", "string")
            names += [name] if entity.is_owned else []
        if entity.is_owned and not entity.identity and forms & {Use.LIST, Use.GROUPED}:
            names.append(self._place(entity, "@index", "integer32"))
        return names + [self._identity_name(entity, key) for key in entity.identity]

    def _identity_name(self, entity: Entity, key: str) -> str:
        if key == entity.split:
            name = self._name(entity, property_name(key))
            self._attribute(entity, name, escaped(key), "string", "it chooses the kind", key=key)
            return name
        return self.name_of(entity, key)

    def _place(self, entity: Entity, path: str, type: str) -> str:
        name = self._name(entity, "key" if path == "@key" else "position")
        is_only = all(
            (edge.use in (Use.KEYED, Use.GROUPED))
            if path == "@key"
            else (edge.use in (Use.LIST, Use.GROUPED))
            for edge in entity.owners
        )
        words = "the key under which it stands" if path == "@key" else "the place in its list"
        self._attribute(entity, name, path, type, words, is_optional=not is_only, key=None)
        return name

    def _around(self, entity: Entity, around: Around) -> str:
        """Add the attribute with a value of the document."""
        name = self._name(entity, property_name(around.path[-1]))
        path = ".".join(["@root", *map(escaped, around.path)])
        words = "of the document around the record"
        self._attribute(entity, name, path, around.type, words, key=None)
        return name

    def _inverse(self, entity: Entity, edge: Edge, owners: list[Edge]) -> str:
        """Add the relationship to the owner, which needs no key path."""
        owner = edge.owner.name
        wanted = owner[:1].lower() + owner[1:]
        if sum(one.owner is edge.owner for one in owners) > 1:
            wanted += class_name(edge.key)
        name = self._name(entity, wanted)
        self._inverses[id(edge)] = name
        self.entities[entity.name]["relationships"][name] = {
            "destination": owner,
            "inverse": self.name_of(edge.owner, edge.key),
            "optional": True,
        }
        return name

    # ---- members -----------------------------------------------------------------------------

    def _is_json(self, entity: Entity, key: str) -> str:
        """Return why a member is kept as JSON, or nothing."""
        if not has_path(key):
            return "a key that cannot be a path"
        json = self._choices.json.get((entity.name, key))
        if json:
            return json
        if (entity.name, key) in self._choices.types and key in entity.edges:
            return "told"
        edge = entity.edges.get(key)
        return edge.json if edge is not None else ""

    def _member(self, entity: Entity, key: str, place: Place) -> str:
        """Describe a member, and return why the entity needs `@rest` for it, or nothing."""
        if key == entity.split:
            return ""
        if not has_path(key):
            return f"the key {key[:20]!r} cannot be a path"
        use, name = use_of(place), self.name_of(entity, key)
        path = self._path(entity, key)
        json = self._is_json(entity, key)
        link = self._links.get((id(entity), key))
        edge = entity.edges.get(key)
        needs_rest = ""
        info: dict[str, str] = {}
        is_attribute = bool(json) or not (edge or link or use is Use.KEYED_VALUES)
        is_list = not is_attribute and use not in (Use.SCALAR, Use.ONE)
        variants = _variants(entity, place, is_list=is_list)
        if variants and not (variants == {"null"} and not is_list) and variants != {"empty"}:
            info["groot.exportNull"] = "omit"
            if len(variants) > 1 or (is_list and "null" in variants):
                needs_rest = f"{key} is {' or '.join(sorted(variants))} without a value"
        if is_attribute:
            self._scalar(entity, key, place, use, json, info, is_optional=bool(variants))
        elif edge is not None:
            self._relationship(entity, name, path, edge, info)
        elif link is not None:
            self._link(entity, name, path, link, info)
        else:
            self._values(entity, key, name, path, place, info)
        return needs_rest

    def _path(self, entity: Entity, key: str) -> str:
        root = self._roots.get(id(entity))
        return f"[{key}]" if root is not None and root.is_positional else escaped(key)

    def _scalar(
        self, entity: Entity, key: str, place: Place, use: Use, json: str, info: dict[str, str], *,
        is_optional: bool,
    ) -> None:  # fmt: skip
        told = self._choices.types.get((entity.name, key))
        if told:
            found = told_type(place, told)
        elif json:
            is_text = json.startswith("text") and use is Use.SCALAR
            found = Type("string" if is_text else "transformable", json)
        else:
            found = type_of(place, key, use)
        top = entity.base or entity
        # An identifier may come before its record, and a store keeps what has all that is required.
        is_named = id(top) in self._named or any(
            key not in edge.properties for edge in top.references
        )
        identity = top.identity
        is_partial = is_named and key not in identity
        if key in identity:
            found.members = {}
        self._attribute(
            entity, self.name_of(entity, key), self._path(entity, key), found.name, found.reason,
            is_optional=is_optional or is_partial, key=key, more=found.members,
            info={**found.annotations, **info}, odd=found.odd,
        )  # fmt: skip

    def _attribute(
        self, entity: Entity, name: str, path: str, type: str, reason: str, *,
        key: str | None, is_optional: bool = False, more: Mapping[str, Any] = {},
        info: Mapping[str, str] = {}, odd: Odd | None = None,
    ) -> None:  # fmt: skip
        described: dict[str, Any] = {"type": type}
        if is_optional:
            described["optional"] = True
        described |= more
        described["userInfo"] = {"JSONKeyPath": path, **info, "groot.inferred": reason}
        self.entities[entity.name]["attributes"][name] = described
        search = (
            None if odd is None else Search(odd, [(*one.path, str(key)) for one in entity.places])
        )
        self.properties.append(Property(entity.name, name, key, reason, search))

    def note_counterexamples(self) -> None:
        """Add the counterexamples that were found to the evidence."""
        for one in self.properties:
            if one.search is not None and one.search.found:
                one.reason += f"; {one.search.found}"
                described = self.entities[one.entity]["attributes"][one.name]
                described["userInfo"]["groot.inferred"] = one.reason

    def _relationship(
        self, entity: Entity, name: str, path: str, edge: Edge, info: dict[str, str]
    ) -> None:
        use = edge.use
        described: dict[str, Any] = {"destination": edge.target.name}
        if use is not Use.ONE:
            described |= {"toMany": True, "ordered": True}
        described["optional"] = True
        if edge.target.is_owned:
            described |= {"inverse": self._inverses[id(edge)], **_OWNED}
        annotations = {"JSONKeyPath": path}
        if use in (Use.KEYED, Use.GROUPED):
            annotations["groot.form"] = "keyed" if use is Use.KEYED else "grouped"
        if edge.target.is_owned and use is not Use.ONE:
            annotations |= _DELETE
        if edge.properties:
            names = [self.name_of(edge.target, key) for key in edge.properties]
            annotations["groot.exportProperties"] = ", ".join(names)
        number = edge.place.objects or edge.place.arrays
        forms = {
            Use.ONE: "an object",
            Use.LIST: "lists of objects",
            Use.GROUPED: "groups of objects",
        }
        reason = f"{forms.get(use, 'objects under keys')} in {number} of {edge.place.count}"
        if use is not Use.ONE and edge.place.entries is not None:
            reason = _maps.evidence(edge.place)
        described["userInfo"] = {**annotations, **info, "groot.inferred": reason}
        self._relate(entity, name, described, edge.key, reason)

    def _link(self, entity: Entity, name: str, path: str, link: Link, info: dict[str, str]) -> None:
        described: dict[str, Any] = {"destination": link.target.name}
        if link.is_to_many:
            described |= {"toMany": True, "ordered": True}
        described["optional"] = True
        reason = link.reason
        if link.inverse is not None:
            described["inverse"] = self.name_of(link.inverse.owner, link.inverse.key)
            reason += f"; {link.target.name}.{link.inverse.key} has the same pairs"
        annotations = {"JSONKeyPath": path, "groot.export": "identifier"}
        described["userInfo"] = {**annotations, **info, "groot.inferred": reason}
        self._relate(entity, name, described, link.key, reason)

    def _values(
        self, entity: Entity, key: str, name: str, path: str, place: Place, info: dict[str, str]
    ) -> None:
        """Describe values under keys: an entity with the key and the value."""
        if place.entries is None:
            return
        owner = entity.name[:1].lower() + entity.name[1:]
        value = unique(class_name(key), self._entity_names, entity.name)
        self._entity_names.add(value)
        inner = find(place.entries)
        found = type_of(inner, key, use_of(inner))
        reason = _maps.evidence(place)
        taken = unique(owner, {"key", "value"})
        self.entities[value] = {
            "userInfo": {"identityAttributes": f"{taken}, key", "groot.inferred": reason},
            "attributes": {
                "key": {"type": "string", "userInfo": {"JSONKeyPath": "@key"}},
                "value": {
                    "type": found.name, "optional": True, **found.members,
                    "userInfo": {
                        "JSONKeyPath": "@value", **found.annotations, "groot.inferred": found.reason
                    },
                },
            },
            "relationships": {
                taken: {"destination": entity.name, "inverse": name, "optional": True}
            },
        }  # fmt: skip
        described = {
            "destination": value, "toMany": True, "ordered": True, "optional": True,
            "inverse": taken, **_OWNED,
            "userInfo": {
                "JSONKeyPath": path, "groot.form": "keyed", **_DELETE, **info,
                "groot.inferred": reason,
            },
        }  # fmt: skip
        self._relate(entity, name, described, key, reason)

    def _relate(
        self, entity: Entity, name: str, described: dict[str, Any], key: str, reason: str
    ) -> None:
        self.entities[entity.name]["relationships"][name] = described
        self.properties.append(Property(entity.name, name, key, reason))


def _has_many(entity: Entity) -> bool:
    return any(edge.use is not Use.ONE for edge in entity.owners)


def _variants(entity: Entity, place: Place, *, is_list: bool) -> set[str]:
    """Return the ways in which a member has no value."""
    found = set()
    if place.nulls:
        found.add("null")
    if place.count < entity.objects:
        found.add("missing")
    if is_list and (place.empty_arrays or place.empty_objects):
        found.add("empty")
    return found
