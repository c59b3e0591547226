"""Feeds of many shapes, with their models, for the schemas of what is read and written."""

from __future__ import annotations

from typing import Any, NamedTuple

Json = dict[str, Any]


def attribute(type: str, path: str, *, notes: Json | None = None, **more: Any) -> Json:
    return {"type": type, "userInfo": {"JSONKeyPath": path, **(notes or {})}, **more}


def to_one(
    destination: str, path: str | None = None, *, notes: Json | None = None, **more: Any
) -> Json:
    info = {**({"JSONKeyPath": path} if path else {}), **(notes or {})}
    return {"destination": destination, "optional": True, "userInfo": info, **more}


def to_many(destination: str, path: str, **more: Any) -> Json:
    return to_one(destination, path, toMany=True, ordered=True, **more)


def entity(identity: str, attributes: Json, relationships: Json | None = None, **more: Any) -> Json:
    notes = {**({"identityAttributes": identity} if identity else {}), **more.pop("notes", {})}
    return {
        "userInfo": notes,
        "attributes": attributes,
        "relationships": relationships or {},
        **more,
    }


ID = attribute("integer64", "id")
NAME = attribute("string", "name")


class Feed(NamedTuple):
    """A model, a feed that it reads, and others that it must not."""

    entities: Json
    entity: str
    records: list[Any]
    wrong: list[Any]
    """Records that are not of the schema for reading."""


def member(key: str, value: Any, **more: Any) -> Json:
    return {"id": 1, key: value, **more}


FEEDS = {
    "values": Feed(
        {
            "Lamp": entity(
                "id",
                {
                    "id": attribute("integer16", "id"),
                    "watts": attribute("decimal", "watts", min=0, optional=True),
                    "color": attribute("string", "color", values=["red", "blue"], optional=True),
                    "code": attribute("string", "code", pattern="[A-Z]{2}", optional=True),
                    "made": attribute("date", "made", optional=True),
                    "on": attribute("boolean", "state.on", default=False),
                    "extra": attribute("transformable", "extra", optional=True),
                },
            )
        },
        "Lamp",
        [
            {"id": 1, "watts": 4.5, "color": "red", "code": "AB", "state": {"on": True}},
            {"id": 2, "color": None, "made": "2020-01-01T00:00:00Z", "extra": [1, {}]},
        ],
        [
            {"watts": 4.5},
            {"id": "1"},
            {"id": 1.5},
            {"id": 40_000},
            {"id": 1, "watts": -1},
            {"id": 1, "color": "green"},
            {"id": 1, "code": "ABC"},
            {"id": 1, "made": 5},
            {"id": 1, "state": {"on": 1}},
            {"id": 1, "state": 5},
        ],
    ),
    "paths": Feed(
        {
            "Country": entity(
                "id",
                {
                    "id": ID,
                    "east": attribute("double", "position[1]"),
                    "codes": attribute("transformable", "languages[].code", optional=True),
                    "home": attribute("string", r"links.example\.com", optional=True),
                },
                {"towns": to_many("Town", "map.edges[].node")},
            ),
            "Town": entity(
                "name",
                {"name": NAME, "cursor": attribute("string", "@parent.cursor", optional=True)},
            ),
        },
        "Country",
        [
            {
                "id": 1,
                "position": [62.0, 10.0],
                "languages": [{"code": "nb"}, {}],
                "links": {"example.com": "/no"},
                "map": {"edges": [{"cursor": "x", "node": {"name": "Oslo"}}, {"node": None}]},
            }
        ],
        [
            {"id": 1},
            {"id": 1, "position": [62.0]},
            {"id": 1, "position": [62.0, "10"]},
            {"id": 1, "position": [0, 1], "links": {"example.com": 5}},
            {"id": 1, "position": [0, 1], "map": {"edges": {"node": {}}}},
            {"id": 1, "position": [0, 1], "map": {"edges": [{"node": {"name": 5}}]}},
        ],
    ),
    "keyed": Feed(
        {
            "Hall": entity(
                "id",
                {"id": ID},
                {
                    "seats": to_many("Seat", "seats", notes={"groot.form": "keyed"}),
                    "rates": to_many(
                        "Rate", "rates", notes={"groot.form": "grouped"}, inverse="hall"
                    ),
                    "names": to_many(
                        "Name", "names", notes={"groot.form": "keyed"}, inverse="hall"
                    ),
                },
            ),
            "Seat": entity(
                "number",
                {"number": attribute("integer64", "@key"), "row": attribute("string", "row")},
            ),
            "Rate": entity(
                "hall, kind, position",
                {
                    "kind": attribute("string", "@key"),
                    "position": attribute("integer32", "@index"),
                    "price": attribute("integer32", "price"),
                },
                {"hall": to_one("Hall", inverse="rates")},
            ),
            "Name": entity(
                "hall, language",
                {"language": attribute("string", "@key"), "text": attribute("string", "@value")},
                {"hall": to_one("Hall", inverse="names")},
            ),
        },
        "Hall",
        [
            {
                "id": 1,
                "seats": {"4711": {"row": "A"}},
                "rates": {"evening": [{"price": 30}, {"price": 20}], "late": [{"price": 1}]},
                "names": {"en": "North", "de": "Nord"},
            }
        ],
        [
            member("seats", {"a": {"row": "A"}}),
            member("seats", {"1": {"row": 5}}),
            member("seats", [{"row": "A"}]),
            member("rates", {"evening": {"price": 30}}),
            member("rates", {"evening": [{"price": "30"}]}),
            member("names", {"en": 5}),
        ],
    ),
    "kinds": Feed(
        {
            "Event": entity(
                "id",
                {"id": ID},
                {"by": to_one("User", "by", notes={"groot.export": "identifier"})},
                abstract=True,
                notes={"groot.discriminator": "kind"},
            ),
            "Note": entity("", {"text": attribute("string", "body.text")}, parent="Event"),
            "Upload": entity(
                "",
                {"size": attribute("integer32", "size")},
                parent="Event",
                notes={"groot.discriminatorValue": "file-upload"},
            ),
            "User": entity("login", {"login": attribute("string", "login")}),
        },
        "Event",
        [
            {"kind": "Note", "id": 1, "by": "ann", "body": {"text": "Done."}},
            {"kind": "file-upload", "id": 2, "by": None, "size": 5},
        ],
        [
            {"id": 1, "by": "ann", "body": {"text": "Done."}},
            {"kind": "Upload", "id": 2, "size": 5},
            {"kind": "file-upload", "id": 2, "body": {"text": "Done."}},
            {"kind": "file-upload", "id": 2, "size": 5, "by": 7},
        ],
    ),
    "identifiers": Feed(
        {
            "Team": entity(
                "id",
                {"id": ID, "name": NAME},
                {
                    "rivals": to_many("Team", "rivals", notes={"groot.export": "identifier"}),
                    "home": to_one(
                        "Place", "home", notes={"groot.exportProperties": "suit, value"}
                    ),
                },
            ),
            "Place": entity(
                "suit, value",
                {
                    "suit": attribute("string", "suit"),
                    "value": attribute("integer32", "value"),
                    "size": attribute("integer32", "size", optional=True),
                },
            ),
        },
        "Team",
        [
            {"id": 1, "name": "A", "rivals": [2], "home": {"suit": "x", "value": 1, "size": 3}},
            {"id": 2, "name": "B", "rivals": [{"id": 1, "name": "A"}, None]},
        ],
        [
            {"id": 1},
            {"id": 1, "name": None},
            {"id": 1, "name": "A", "rivals": ["2"]},
            {"id": 1, "name": "A", "rivals": 2},
            {"id": 1, "name": "A", "home": 5},
        ],
    ),
    "policies": Feed(
        {
            "Thing": entity(
                "id",
                {
                    "id": ID,
                    "size": attribute("integer32", "size", notes={"groot.conversion": "lenient"}),
                    "title": attribute(
                        "string", "title.en", notes={"groot.alternatives": "title.de, t"}
                    ),
                    "note": attribute(
                        "string", "note", optional=True, notes={"groot.missing": "required"}
                    ),
                    "made": attribute(
                        "date",
                        "made",
                        optional=True,
                        notes={"groot.dateFormat": "unixSeconds | dd.MM.yyyy"},
                    ),
                    "secret": attribute(
                        "string", "secret", optional=True, notes={"groot.direction": "import"}
                    ),
                    "visits": attribute(
                        "integer32", "visits", default=0, notes={"groot.direction": "export"}
                    ),
                    "phone": attribute(
                        "string", "phone", optional=True, notes={"groot.exportNull": "omit"}
                    ),
                },
                notes={"groot.unknownKeys": "error"},
            )
        },
        "Thing",
        [
            {"id": 1, "size": "5", "title": {"de": "A"}, "note": None, "made": 0, "secret": "x"},
            {"id": 2, "size": 5, "t": "B", "note": "n", "made": "31.12.1999", "phone": "1"},
        ],
        [
            {"id": 1, "size": 5, "title": {"en": "A"}},
            {"id": 1, "size": 5, "note": None},
            {"id": 1, "size": 5, "t": "A", "note": None, "more": 5},
            {"id": 1, "size": 5, "t": "A", "note": None, "visits": 5},
            {"id": 1, "size": 5, "t": "A", "note": None, "made": True},
        ],
    ),
    "tombstones": Feed(
        {
            "Note": entity(
                "id",
                {
                    "id": ID,
                    "text": attribute("string", "text"),
                    "rev": attribute("integer64", "rev"),
                },
                notes={"groot.tombstone": "deleted=true", "groot.version": "rev"},
            )
        },
        "Note",
        [{"id": 1, "text": "a", "rev": 1}, {"id": 2, "deleted": True, "rev": 2}],
        [{"id": 2, "deleted": False, "rev": 2}, {"deleted": True}],
    ),
    "rest": Feed(
        {
            "Box": entity(
                "", {"name": NAME, "rest": attribute("transformable", "@rest", optional=True)}
            )
        },
        "Box",
        [{"name": "a", "b": 5, "c": {"d": []}}],
        [{"name": 5}, {"b": 5}, 7],
    ),
    "values on links": Feed(
        {
            "Way": entity("id", {"id": ID}, {"stops": to_many("Stop", "nodes", inverse="way")}),
            "Stop": entity(
                "way, place",
                {"place": attribute("integer32", "@index")},
                {"way": to_one("Way", inverse="stops"), "node": to_one("Node", "@value")},
            ),
            "Node": entity("id", {"id": ID}),
        },
        "Way",
        [{"id": 1, "nodes": [7, 8, 7]}],
        [{"id": 1, "nodes": ["7"]}, {"id": 1, "nodes": 7}],
    ),
}
