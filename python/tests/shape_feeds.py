"""Random feeds of all dialects, and the calls that read and write them."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

from shape_chance import Members
from shape_models import Annotated

import groot

Records = dict[int, Members]

CALLS = ("array", "array", "keyed", "grouped", "document", "document")


class World(Annotated):
    """A random model, and the records of its entity `Top` by their numbers."""

    def __init__(self, seed: int) -> None:
        """Make the model and some records."""
        super().__init__(seed)
        self.rules: Members = {}
        self.dialect = self.some("groot", "groot", "groot", "groot", "groot", "hyper", "kvc")
        self.call = self.form = self.some(*CALLS)
        if self.call == "document":
            self.form = self.some("array", "keyed", "grouped")
        {"groot": self.annotate, "hyper": self.name_all, "kvc": self.rule}[self.dialect]()
        count = self.chance.randint(1, 5)
        self.records: Records = {number: self.record(number) for number in range(1, count + 1)}
        self.others: Records = {
            number: {"id": number, "name": self.scalar()} for number in range(1, 4)
        }

    # Models of naming conventions and of rules

    def name_all(self) -> None:
        """Make a model of naming conventions."""
        link = {"optional": True}
        texts = {name: {"type": "string", **link} for name in ("firstName", "pageURL", "note2")}
        whole = {"type": "integer32", **link}
        self.entities |= {
            "Top": {
                "attributes": {"id": whole, "someCount": whole, **texts},
                "relationships": {
                    "kids": {**link, "destination": "Kid", "toMany": True, "ordered": True,
                             "inverse": "top"},
                    "mate": {**link, "destination": "Mate"},
                },
            },
            "Kid": {
                "attributes": {"id": whole, "firstName": texts["firstName"]},
                "relationships": {"top": {**link, "destination": "Top", "inverse": "kids"}},
            },
            "Mate": {"attributes": {"id": whole, "note2": texts["note2"]}},
            "Other": {"attributes": {"id": whole, "name": texts["note2"]}},
        }  # fmt: skip
        self.makers = {"Top": [self.plain], "Kid": [], "Mate": [], "Other": []}

    def plain(self, record: Members, _: int) -> None:
        """Fill a record of naming conventions, or of rules."""
        for key in ("first_name", "page_url", "note2"):
            record[key] = self.scalar()
        record["some_count"] = self.some(None, 0, 7)
        record["kids"] = [
            {"id": self.known_number("Kid"), "first_name": self.scalar()}
            for _ in range(self.some(0, 1, 3))
        ]
        if self.dialect == "kvc":
            record["mate"] = self.some(None, 1, 2)
        elif self.rarely(0.5):
            record["mate"] = {"id": self.known_number("Mate"), "note2": self.scalar()}

    def rule(self) -> None:
        """Make the same model with rules."""
        self.name_all()
        if self.form == "grouped":
            self.form = "keyed"
        self.rules = {
            "tops": {"Top.id": {
                "id": "id", "first_name": "firstName", "page_url": "pageURL", "note2": "note2",
                "some_count": "someCount", "mate": "mate.id",
                "kids": {"kids.id": {"id": "id", "first_name": "firstName"}},
            }},
            "others": {"Other.id": {"id": "id", "name": "name"}},
        }  # fmt: skip

    # JSON

    def record(self, number: int) -> Members:
        """Make a record of `Top`."""
        record: Members = {} if self.dialect == "groot" and self.has_key else {"id": number}
        for make in self.makers["Top"]:
            make(record, number)
        return record

    def arranged(self, records: list[tuple[int, Any]]) -> Any:
        """Arrange records of `Top` in the form of the world, which may be a document."""
        data: Any = [record for _, record in records]
        if self.form == "keyed":
            data = {str(number): record for number, record in records}
        elif self.form == "grouped":
            data = {}
            for number, record in records:
                key = f"g{number % 2}" if self.dialect == "groot" else str(number)
                data.setdefault(key, []).append(record)
        if self.call != "document":
            return data
        others = list(self.others.values())
        if self.dialect == "kvc":
            return {"tops": data, "others": others}
        return {"top": data, "a": {"others": others}, **copy.deepcopy(self.around)}

    # Calls

    def mapping(self) -> groot.Mapping:
        """Compile the model."""
        model = groot.Model({"entities": self.entities})
        place, others = ("/tops", "/others") if self.dialect == "kvc" else ("/top", "/a/others")
        roots = {place: {"entity": "Top", "form": self.form}, others: "Other"}
        options: Members = {"roots": roots} if self.call == "document" else {}
        if self.dialect == "kvc":
            options["rules"] = self.rules
        return groot.Mapping(model, dialect=self.dialect, **options)

    def load(self, context: groot.Context, data: Any, **options: Any) -> groot.Report:
        """Import records, or a document."""
        if self.call == "document":
            return groot.report(context.load(None, data, **options))
        return groot.report(context.load("Top", data, form=self.form, **options))

    def sync(self, context: groot.Context, data: Any, **options: Any) -> groot.Report:
        """Synchronize `Top`."""
        if self.call == "document":
            options["root"] = "/tops" if self.dialect == "kvc" else "/top"
        return context.sync("Top", data, form=self.form, **options)

    def dump(self, context: groot.Context) -> Any:
        """Export `Top` in the order of the numbers, or the document."""
        rules: Members = {"subobjects": True, "to_many": True} if self.dialect == "kvc" else {}
        if self.call == "document":
            return context.dump(None, **rules)
        return context.dump(context.fetch("Top", sort="id"), form=self.form, **rules)

    def counts(self, context: groot.Context) -> dict[str, int]:
        """Count the objects of each entity."""
        return {name: context.count(name) for name in self.entities}

    def open(self, path: Path | None = None) -> groot.Context:
        """Make a context, in memory or on a store."""
        return groot.Context(self.mapping(), path)


def in_order(data: Any) -> Any:
    """Sort the outer lists of an export."""
    if isinstance(data, list):
        return sorted(data, key=lambda one: json.dumps(one, sort_keys=True))
    if isinstance(data, dict):
        return {key: in_order(value) for key, value in data.items()}
    return data
