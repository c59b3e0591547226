"""Random models with annotations."""

from __future__ import annotations

from typing import Any

from shape_chance import Chance, Members


def attribute(path: str | None, type: str = "string", **annotations: str) -> Members:
    """Describe an attribute."""
    info = {**annotations} if path is None else {"JSONKeyPath": path, **annotations}
    return {"type": type, "optional": True, "userInfo": info}


class Annotated(Chance):
    """A random model with annotations."""

    def annotate(self) -> None:
        """Make a model with annotations."""
        self.entity("Other", {"identityAttributes": "id"})
        self.entities["Other"]["attributes"] |= {
            "id": attribute("id", "integer64"),
            "name": attribute("name"),
        }
        info: Members = {"identityAttributes": "id"}
        self.has_key = self.call != "array" and self.form == "keyed" and self.rarely(0.6)
        self.entity("Top", info)
        attributes = self.entities["Top"]["attributes"]
        attributes["id"] = attribute("@key" if self.has_key else "id", "integer64")
        if self.form == "grouped":
            attributes["group"] = attribute("@key")
        self.fill("Top", 0)
        self.mark("Top")
        if self.rarely(0.3):
            self.divide("Top")
        if "version" not in self.features and self.rarely(0.2):
            self.peers()
        if "kinds" not in self.features and self.rarely(0.15):
            self.tree()
        if self.call == "document":
            self.surround()

    def entity(self, name: str, info: Members) -> None:
        """Add an entity without properties."""
        self.entities[name] = {"userInfo": info, "attributes": {}, "relationships": {}}
        self.makers[name] = []

    def add(self, entity: str, path: str, type: str = "string", **annotations: str) -> None:
        """Add an attribute at a path."""
        described = attribute(path, type, **annotations)
        self.entities[entity]["attributes"][self.name("a")] = described

    def made(self, entity: str, maker: Any) -> None:
        """Add a function that writes into the records of an entity."""
        self.makers[entity].append(maker)

    def fill(self, entity: str, depth: int) -> None:
        """Add random properties."""
        for _ in range(self.chance.randint(0, 4)):
            self.value(entity)
        for _ in range(self.chance.randint(0, 3) if depth < 2 else 0):
            self.collection(entity, depth)
        if self.rarely(0.3):
            self.rest(entity)
        if self.rarely() and entity != "Other":
            self.link(entity)

    def mark(self, entity: str) -> None:
        """Add a version, a mark or a tombstone at random."""
        described, info = self.entities[entity], self.entities[entity]["userInfo"]
        if self.rarely():
            described["attributes"]["version"] = attribute("rev", "integer64")
            info["groot.version"] = "version"
            info["groot.versionRule"] = self.some("newerOrEqual", "newer")
            self.features.add("version")

            def number(record: Members, _: int) -> None:
                record["rev"] = self.some(1, 2, 3, None) if self.is_changing else 2

            self.made(entity, number)
        if self.rarely():
            described["attributes"]["gone"] = {"type": "boolean", "default": False}
            info["groot.deletionMark"] = "gone"
            self.features |= {"mark"} if entity == "Top" else set()
        if self.rarely():
            info["groot.tombstone"] = "state.dead=true"

            def kill(record: Members, _: int) -> None:
                if self.is_changing and self.rarely(0.1):
                    record["state"] = {"dead": True}

            self.made(entity, kill)

    def divide(self, entity: str) -> None:
        """Add sub-entities by a discriminator."""
        info, names = self.entities[entity]["userInfo"], (f"{entity}A", f"{entity}B")
        info["groot.discriminator"] = self.some("kind", "meta.kind")
        path = info["groot.discriminator"].split(".")
        if self.rarely(0.5):
            self.entities[entity]["abstract"] = True
        for name in names:
            self.entity(name, {})
            self.entities[name]["parent"] = entity
            self.value(name)
        self.entities[names[1]]["userInfo"]["groot.discriminatorValue"] = "2"

        def choose(record: Members, number: int) -> None:
            name = names[number % 2]
            inner = record.setdefault(path[0], {}) if len(path) > 1 else record
            inner[path[-1]] = "2" if name == names[1] else name
            for make in self.makers[name]:
                make(record, number)

        self.features.add("kinds")
        self.makers[entity].insert(0, choose)

    def tree(self) -> None:
        """Add records of `Top` that are nested in other records of `Top`."""
        form = "keyed" if self.has_key else "array"
        link = {"destination": "Top", "optional": True}
        self.entities["Top"]["relationships"] |= {
            "parent": {**link, "inverse": "children"},
            "children": {
                **link, "inverse": "parent", "toMany": True, "ordered": True,
                "deleteRule": self.some("nullify", "cascade"),
                "userInfo": {"JSONKeyPath": "children", "groot.form": form},
            },
        }  # fmt: skip
        self.features |= {"tree", "loose"}

        def put(record: Members, _: int) -> None:
            numbers = {self.known_number("Top"): None for _ in range(self.some(0, 1, 3))}
            record["children"] = [{"id": number} for number in numbers]
            if form == "keyed":
                record["children"] = {str(number): {} for number in numbers}

        self.made("Top", put)

    def peers(self) -> None:
        """Add a relationship from `Top` to `Top`, in both directions."""
        link = {"destination": "Top", "optional": True, "toMany": True}
        self.entities["Top"]["relationships"] |= {
            "from": {**link, "inverse": "peers"},
            "peers": {
                **link, "inverse": "from", "ordered": self.rarely(0.5),
                "userInfo": {"JSONKeyPath": "peers", "groot.export": "identifier"},
            },
        }  # fmt: skip
        self.features |= {"peers", "loose"}

        def put(record: Members, _: int) -> None:
            numbers = [1] if "kinds" in self.features else [1, 2, 3, 4, 5, 6]
            record["peers"] = self.chance.sample(numbers, self.some(0, 1, len(numbers) // 2))

        self.made("Top", put)

    def surround(self) -> None:
        """Add values and a link that are read from the root of the document."""
        if self.rarely(0.5):
            self.around["meta"] = {"page": self.scalar() or "p"}
            self.add(self.some("Top", *self.makers), "@root.meta.page")
            self.features.add("loose")
        if self.rarely():
            self.around["lead"] = {"id": 77, "name": "lead"}
            self.entities["Top"]["relationships"]["lead"] = {
                "destination": "Other", "optional": True,
                "userInfo": {"JSONKeyPath": self.some("@root.lead", "@root.lead", "@root.none")},
            }  # fmt: skip
            self.features.add("loose")

    def value(self, entity: str) -> None:
        """Add an attribute, or several in one array or object."""
        key = self.name("k")
        kind = self.some(
            "plain", "number", "omitted", "empty", "other", "escaped", "nested", "positions",
            "wrapped", "json",
        )  # fmt: skip
        scalar = self.scalar

        def put(make: Any, name: str = key) -> None:
            self.made(entity, lambda record, _: record.update({name: make()}))

        if kind == "plain":
            self.add(entity, key)
            put(scalar)
        elif kind == "number":
            self.add(entity, key, self.some("integer64", "double"))
            put(lambda: self.some(None, 0, -5, 2**40))
        elif kind == "omitted":
            self.add(entity, f"{key}.x", **{"groot.exportNull": "omit"})
            self.made(
                entity, lambda record, _: record.update({key: {"x": "y"}} if self.rarely() else {})
            )
        elif kind == "empty":
            self.add(entity, key, **{"groot.emptyText": "null"})
            put(lambda: self.some("", None, "x"))
            self.features.add("loose")
        elif kind == "other":
            self.add(entity, key, **{"groot.alternatives": f"{key}b, {key}c.d"})
            self.made(
                entity, lambda record, _: record.update({self.some(key, f"{key}b"): scalar()})
            )
            self.features.add("loose")
        elif kind == "escaped":
            self.add(entity, f"\\@{key}\\.b\\[0]")
            put(scalar, f"@{key}.b[0]")
        elif kind == "nested":
            self.add(entity, f"{key}.x")
            self.add(entity, f"{key}.y[1].z")
            put(lambda: {"x": scalar(), "y": [None, {"z": scalar()}]})
        elif kind == "positions":
            count = self.chance.randint(1, 4)
            for position in range(count):
                self.add(entity, f"{key}[{position}]")
            put(lambda: [scalar() for _ in range(count)])
        elif kind == "wrapped":
            self.add(entity, f"{key}[].x.y", "transformable")
            put(lambda: [{"x": {"y": scalar()}} for _ in range(self.some(0, 1, 3))])
        else:
            self.add(entity, key, "transformable")
            put(lambda: self.some(None, [1, {"a": []}], 1.5, {}))

    def rest(self, entity: str) -> None:
        """Add an attribute for unmapped keys, and such keys."""
        self.add(entity, "@rest", "transformable")
        self.features.add("rest")

        def fill(record: Members, _: int) -> None:
            for _ in range(self.chance.randint(0, 2)):
                record[self.name("unknown")] = self.some(None, 1, {"deep": [None]})
            for value in list(record.values()):
                if isinstance(value, dict) and "x" in value and self.rarely(0.5):
                    value[self.name("unknown")] = "left"

        self.made(entity, fill)

    def link(self, entity: str) -> None:
        """Add a to-one relationship to `Other`."""
        key = self.name("k")
        kind = self.some("identifier", "few")
        info = {"groot.export": "identifier"}
        if kind == "few":
            info = {"groot.exportProperties": "id", "groot.exportNull": "omit"}
        self.entities[entity]["relationships"][self.name("to")] = {
            "destination": "Other",
            "optional": True,
            "userInfo": {"JSONKeyPath": key, **info},
        }

        def put(record: Members, _: int) -> None:
            number = self.some(None, 1, 2, 3)
            if kind == "identifier":
                record[key] = number
            elif number:
                record[key] = {"id": number}

        self.made(entity, put)

    def collection(self, entity: str, depth: int) -> None:
        """Add a relationship to a new entity."""
        member, key = self.name("M"), self.name("k")
        form = self.some(
            "array", "wrapped", "keyed", "grouped", "positions", "scalars", "one", "one with id",
            "keyed by id", "keys alone", "identifiers", "nothing", "rows",
        )  # fmt: skip
        info = {"JSONKeyPath": f"{key}.edges[].node" if form == "wrapped" else key}
        if form in ("keyed", "grouped", "keyed by id", "keys alone"):
            info["groot.form"] = "grouped" if form == "grouped" else "keyed"
        identity = {
            "keyed": ["owner", "key"], "grouped": ["owner", "key", "index"],
            "positions": ["owner", "index"], "rows": ["owner", "index"], "one": ["owner"],
            "keys alone": ["key"], "nothing": [], "scalars": ["text"],
        }.get(form, ["id"])  # fmt: skip
        if form == "identifiers":
            info["groot.export"] = "identifier"
        if form == "nothing":
            self.features.add("unidentified")
        if self.rarely(0.5) and form in ("keyed", "grouped", "positions", "rows", "array"):
            info["groot.assignment"] = self.some("deleteMissing", "deleteMissingObjects", "union")
        link: Members = {"destination": member, "optional": True, "userInfo": info}
        if "owner" in identity or "groot.assignment" in info or self.rarely():
            link["inverse"] = "owner"
            link["deleteRule"] = self.some("nullify", "cascade")
        if form not in ("one", "one with id"):
            link |= {"toMany": True, "ordered": "index" not in identity or self.rarely(0.5)}
        name = f"to{member}"
        self.entities[entity]["relationships"][name] = link
        self.entity(member, {"identityAttributes": ", ".join(identity)} if identity else {})
        described = self.entities[member]
        if "inverse" in link:
            described["relationships"]["owner"] = {
                "destination": entity, "inverse": name, "optional": True,
            }  # fmt: skip
        for place, path, type in (
            ("id", "id", "integer64"), ("key", "@key", "string"), ("index", "@index", "integer32"),
        ):  # fmt: skip
            if place in identity:
                described["attributes"][place] = attribute(path, type)
        if form == "scalars":
            described["attributes"]["text"] = attribute("@value", **{"groot.alternatives": "text"})
            described["attributes"]["more"] = attribute("more")
        elif form == "rows":
            for position in range(2):
                self.add(member, f"[{position}]")
        elif form != "identifiers":
            self.fill(member, depth + 1)
            if "id" in identity:
                self.mark(member)
                if self.rarely(0.15):
                    self.divide(member)
            if entity == "Top":
                self.look_out(member)
        self.made(entity, lambda record, _: record.update({key: self.members(form, member)}))

    def look_out(self, member: str) -> None:
        """Add values and a link that a member of `Top` reads from the record around it."""
        described, key = self.entities[member], self.name("k")
        if self.rarely():
            described["attributes"]["ownerID"] = attribute("@parent.id", "integer64")
            self.features |= {"loose"} if self.has_key else set()
        if self.rarely(0.15):
            self.add(member, f"@parent.{key}b.name")
            described["relationships"]["around"] = {
                "destination": "Other", "optional": True,
                "userInfo": {"JSONKeyPath": f"@parent.{key}"},
            }  # fmt: skip
            self.features.add("loose")
            one = {"id": 50, "name": "around"}
            self.made(
                "Top", lambda record, _: record.update({key: dict(one), f"{key}b": dict(one)})
            )
