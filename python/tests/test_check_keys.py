"""The key paths of a model that lead to nothing in a feed, and unmapped keys of the feed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from check_models import ID, OTHERS, checked, entity, link, links, read

from groot.models.drift import Drift


def gone(drift: Drift) -> list[str]:
    return [str(one) for one in drift.gone]


# the attributes and relationships of Hero, a document, what is gone, the new keys
KEYS: dict[str, tuple[dict[str, Any], dict[str, Any], Any, list[str], list[str]]] = {
    "missing_everywhere": (
        {"id": ID, "home": read("home.city")},
        {},
        [{"id": 1, "home": {"town": "Ulm"}}, {"id": 2, "home": {}}],
        ["Hero.home: nothing at home.city in 2 records"],
        ["$[].home.town"],
    ),
    "there_once": ({"id": ID, "home": read("home")}, {}, [{"id": 1}, {"home": None}], [], []),
    "null_on_the_way": ({"home": read("home.city")}, {}, [{"home": None}], [], []),
    "null_beside_objects": (
        {"home": read("home.city")},
        {},
        [{"home": None}, {"home": {"x": 1}}],
        ["Hero.home: nothing at home.city in 2 records"],
        ["$[].home.x"],
    ),
    "alternatives": (
        {
            "name": read("name.en", annotations={"groot.alternatives": "name.de, title"}),
            "age": read("age", "integer32", annotations={"groot.alternatives": "years"}),
        },
        {},
        [{"title": "A"}, {"name": {"de": "B"}}],
        ["Hero.age: nothing at age or years in 2 records"],
        [],
    ),
    "escaped_dots": (
        {"page": read(r"links.ex\.org")},
        {},
        [{"links": {"ex.org": "", "b": 1}}],
        [],
        ["$[].links.b"],
    ),
    "positions": (
        {"x": read("at[0]", "double"), "y": read("at[1]", "double"), "z": read("at[2]", "double")},
        {},
        [{"at": [1.5, 2]}],
        ["Hero.z: nothing at at[2] in 1 record"],
        [],
    ),
    "more_positions": ({"x": read("at[0]", "double")}, {}, [{"at": [1, 2]}], [], ["$[].at[1]"]),
    "elements": (
        {
            "codes": read("langs[].code", "transformable"),
            "names": read(
                "langs[].name", "transformable", annotations={"groot.direction": "import"}
            ),
        },
        {},
        [{"langs": [{"code": 1, "x": 2}, {"code": 2}]}],
        ["Hero.names: nothing at langs[].name in 1 record"],
        ["$[].langs[].x"],
    ),
    "arrays_on_the_way": (
        {"names": read("powers.name", "transformable")},
        {},
        [{"powers": [{"name": "A"}, {"id": 1}]}],
        [],
        ["$[].powers[].id"],
    ),
    "below_values": (
        {"rest": read("rest", "transformable"), "all": read("all", "composite")},
        {},
        [{"rest": {"a": [{"b": 1}]}, "all": {"c": {}}}],
        [],
        [],
    ),
    "exports": (
        {"id": ID, "seen": read("seen", annotations={"groot.direction": "export"})},
        {},
        [{"id": 1}, {"id": 2, "seen": {"x": 1}}],
        [],
        [],
    ),
    "members": (
        {"id": ID},
        {"powers": links("Power", "powers")},
        [{"id": 1, "powers": [{"level": 1, "x": 2}, None]}, {"id": 2, "powers": [{"x": 1}]}],
        [],
        ["$[].powers[].x"],
    ),
    "members_without_a_key": (
        {},
        {"powers": links("Power", "map.edges[].node")},
        [{"map": {"edges": [{"node": {"lvl": 1}, "cursor": 2}]}}],
        ["Power.level: nothing at level in 1 record"],
        ["$[].map.edges[].cursor", "$[].map.edges[].node.lvl"],
    ),
    "no_members": (
        {"id": ID},
        {"powers": links("Power", "powers")},
        [{"id": 1, "powers": []}],
        [],
        [],
    ),
    "keyed_members": (
        {},
        {"prices": links("Price", "prices", form="keyed")},
        [{"prices": {"EUR": {"value": 3, "x": 1}, "USD": 4}}],
        [],
        ["$[].prices.*.x"],
    ),
    "grouped_members": (
        {},
        {"prices": links("Price", "prices", form="grouped")},
        [{"prices": {"EUR": [{"amount": 3}, 4], "USD": None}}],
        [],
        ["$[].prices.*[].amount"],
    ),
    "recursion": (
        {"id": ID},
        {"friends": links("Hero", "friends")},
        [{"id": 1, "friends": [{"id": 2, "x": 1, "friends": [{"id": 3, "x": 1}]}]}],
        [],
        ["$[].friends[].x"],
    ),
    "rest": (
        {"id": ID, "more": read("@rest", "transformable")},
        {},
        [{"id": 1, "a": {"b": 1}}],
        [],
        ["$[].a"],
    ),
    "parent": (
        {"id": ID},
        {"towns": links("Town", "map.towns")},
        [{"id": 1, "map": {"land": "NO", "towns": [{"name": "Oslo"}]}}],
        ["Town.code: nothing at @parent.code in 1 record"],
        [],
    ),
}


@pytest.mark.parametrize("name", KEYS)
def test_paths_are_gone_and_keys_are_new(name: str) -> None:
    attributes, relationships, document, is_gone, is_new = KEYS[name]
    own = {"identityAttributes": "id"} if "id" in attributes else {}
    entities = {"Hero": entity(attributes, relationships, **own), **OTHERS}
    drift = checked(entities, document, entity="Hero")
    assert gone(drift) == is_gone
    assert list(drift.new) == is_new
    assert (drift.retyped, drift.misfits) == ([], [])
    assert drift.is_changed == bool(is_gone)


def test_new_keys_are_counted_with_the_first_line(tmp_path: Path) -> None:
    path = tmp_path / "feed.json"
    path.write_text('[{"id": 1},\n{"id": 2, "x": 1},\n{"id": 3, "x": null}]')
    drift = checked({"Hero": entity({"id": ID})}, str(path))
    assert [(one.count, one.file, one.line) for one in drift.new.values()] == [(2, str(path), 2)]


def test_an_attribute_that_keys_stand_for_is_not_gone() -> None:
    code = entity({"code": read("code"), "name": read("name")}, identityAttributes="code")
    hero = entity({"id": ID}, {"lands": links("Land", "lands", form="keyed")})
    lands = {"NO": {"name": "Norway"}}
    entities = {"Hero": hero, "Land": code}
    assert gone(checked(entities, {"id": 1, "lands": lands}, entity="Hero")) == []
    assert gone(checked({"Land": code}, lands, entity="Land", form="keyed")) == []
    assert gone(checked({"Land": code}, [{"name": "Norway"}])) == [
        "Land.code: nothing at code in 1 record"
    ]


def test_a_link_that_the_other_side_names_is_not_gone() -> None:
    inner = {**link("Hero", "hero"), "inverse": "powers"}
    outer = {**links("Power", "powers"), "inverse": "hero"}
    entities = {"Hero": entity({"id": ID}, {"powers": outer}), "Power": entity({}, {"hero": inner})}
    assert gone(checked(entities, [{"id": 1, "powers": [{}]}], entity="Hero")) == []
    assert gone(checked(entities, [{"x": 1}], entity="Power")) == [
        "Power.hero: nothing at hero in 1 record"
    ]


ANIMALS = {
    "Animal": {
        **entity({"id": ID}, groot={"discriminator": "type", "unknownDiscriminator": "skip"}),
        "abstract": True,
    },
    "Bird": entity(
        {"wings": read("wings", "integer32")}, parent="Animal", groot={"discriminatorValue": "aves"}
    ),
    "Fish": entity({"depth": read("depth", "integer32")}, parent="Animal"),
}


def test_a_path_of_a_sub_entity_counts_for_its_records() -> None:
    birds = [{"type": "aves", "id": 1, "depth": 3}, {"type": "aves", "id": 2}]
    drift = checked(ANIMALS, birds)
    assert gone(drift) == ["Bird.wings: nothing at wings in 2 records"]
    assert list(drift.new) == ["$[].depth"]
    assert drift.records == {"Animal": 2, "Bird": 2}
    drift = checked(ANIMALS, [*birds, {"type": "Fish", "id": 3, "depth": 1}, {"type": "Ant"}])
    assert gone(drift) == ["Bird.wings: nothing at wings in 2 records"]
    assert drift.records["Animal"] == 3


def test_sub_entities_that_nothing_tells_apart_share_their_paths() -> None:
    entities = {
        "Animal": entity({"id": ID}, entityMapperName="kinds"),
        "Bird": entity({"wings": read("wings", "integer32")}, parent="Animal"),
        "Fish": entity({"depth": read("depth", "integer32")}, parent="Animal"),
    }
    drift = checked(entities, [{"id": 1, "wings": 2, "x": 1}])
    assert gone(drift) == ["Fish.depth: nothing at depth in 1 record"]
    assert list(drift.new) == ["$[].x"]
