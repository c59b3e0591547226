"""Rules of inference: one small sample for each.

Numbers in the names of cases are issues of other projects that failed there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from infer_checks import identities, inferred, links, types

from groot.models.infer import Inference, infer
from groot.models.records import Records

Sample = list[dict[str, Any]]


def heroes(make: Callable[[int], dict[str, Any]], count: int = 30) -> Sample:
    """Return records with an id and some members."""
    return [{"id": number, **make(number)} for number in range(1, count + 1)]


def attribute(inference: Inference, name: str, entity: str = "Hero") -> dict[str, Any]:
    """Return an attribute of the document."""
    found: dict[str, Any] = inference.document["entities"][entity]["attributes"][name]
    return found


def evidence(inference: Inference, name: str, entity: str = "Hero") -> str:
    """Return the evidence for a property."""
    described = inference.document["entities"][entity]
    part = "attributes" if name in described.get("attributes", {}) else "relationships"
    found: str = described[part][name]["userInfo"]["groot.inferred"]
    return found


TYPES: dict[str, tuple[Callable[[int], Any], str]] = {
    "small integers": (lambda n: n, "integer32"),
    "integers that soon need 64 bits": (lambda n: 2**30 + n, "integer64"),
    "integers beyond 64 bits": (lambda n: 2**63 + n, "decimal"),
    "integers beyond 38 digits": (lambda n: 10**40 + n, "transformable"),
    "real numbers": (lambda n: n / 4, "double"),
    "a late real number, duckdb 25786": (lambda n: n if n < 30 else 1.5, "double"),
    "a late true, duckdb 25786": (lambda n: n if n < 30 else True, "transformable"),
    "nulls among integers, duckdb 12861": (lambda n: n if n % 3 else None, "integer32"),
    "truth values": (lambda n: n % 2 == 0, "boolean"),
    "texts of digits, duckdb 5794": (lambda n: f"{n:04}", "string"),
    "texts of numbers, miller 178": (lambda n: "1.0", "string"),
    "days": (lambda n: f"2020-01-{n:02}", "day"),
    "days but for one": (lambda n: f"2020-01-{n:02}" if n < 30 else "soon", "string"),
    "days that are not in the calendar": (lambda n: f"2021-02-{n:02}", "string"),
    "days of another form": (lambda n: f"{n:02}.01.2020", "day"),
    "dates": (lambda n: f"2020-01-{n:02}T10:00:00Z", "date"),
    "dates with milliseconds": (lambda n: f"2020-01-{n:02}T10:00:00.{n:03}Z", "date"),
    "dates without a zone": (lambda n: f"2020-01-{n:02}T10:00:00", "date"),
    "dates with an offset": (lambda n: f"2020-01-{n:02}T10:00:00+02:00", "string"),
    "Z beside offsets, duckdb 22103": (
        lambda n: f"2020-01-{n:02}T10:00:00" + ("Z" if n % 2 else "+00:00"), "string",
    ),
    "dates of tweets": (lambda n: "Mon Sep 24 03:35:21 +0000 2012", "date"),
    "dates of mail": (lambda n: "Mon, 24 Sep 2012 03:35:21 +0000", "date"),
    "uuids": (lambda n: f"abcdef00-0000-0000-0000-0000000000{n:02}", "uuid"),
    "uuids in capitals": (lambda n: f"ABCDEF00-0000-0000-0000-0000000000{n:02}", "string"),
    "addresses": (lambda n: f"https://example.com/{n}", "uri"),
    "what looks like base64": (lambda n: "aGVsbG8gd29ybGQ=", "string"),
    "mixed scalars": (lambda n: n if n % 2 else "many", "transformable"),
    "only null": (lambda n: None, "transformable"),
    "only empty lists, genson 88": (lambda n: [], "transformable"),
    "only empty objects": (lambda n: {}, "transformable"),
    "lists of numbers": (lambda n: [n / 2, n / 4], "transformable"),
    "lists of lists": (lambda n: [[n], []], "transformable"),
    "lists with nulls and objects": (lambda n: [None, {"a": n}], "transformable"),
    "objects and texts": (lambda n: {"a": n} if n % 2 else "none", "transformable"),
}  # fmt: skip


@pytest.mark.parametrize("rule", TYPES)
def test_the_type_is_that_of_all_values(rule: str) -> None:
    make, type = TYPES[rule]
    inference = inferred(heroes(lambda number: {"value": make(number)}), entity="Hero")
    assert attribute(inference, "value")["type"] == type


def test_a_number_with_more_digits_than_a_double_is_a_decimal(tmp_path: Any) -> None:
    file = tmp_path / "a.json"
    file.write_text('[{"id": 1, "v": 0.12345678901234567890123}, {"id": 2, "v": 1.5}]')
    with Records([file]) as records:
        inference = infer(records)
    assert inference.is_equal
    assert types(inference, "A")["v"] == "decimal"


def test_a_sparse_member_keeps_its_type_duckdb_10823() -> None:
    inference = inferred(heroes(lambda n: {"rare": 5} if n == 7 else {}), entity="Hero")
    rare = attribute(inference, "rare")
    assert rare["type"] == "integer32"
    assert rare["optional"]
    assert rare["userInfo"]["groot.exportNull"] == "omit"


def test_values_that_change_a_type_are_counted() -> None:
    inference = inferred(heroes(lambda n: {"rank": n if n < 30 else 1.5}), entity="Hero")
    counted = "1 of 30 numbers have a fraction or exponent; record 29: 1.5"
    assert evidence(inference, "rank") == counted
    inference = inferred(
        heroes(lambda n: {"born": f"2020-01-{n:02}" if n < 30 else "soon"}), entity="Hero"
    )
    assert evidence(inference, "born") == "29 of 30 are ISO days; record 29: 'soon'"


def test_seconds_since_1970_are_dates_where_the_name_says_so() -> None:
    inference = inferred(
        heroes(lambda n: {"created_at": 1500000000 + n, "size": 1500000000 + n}), entity="Hero"
    )
    assert attribute(inference, "created_at")["userInfo"]["groot.dateFormat"] == "unixSeconds"
    assert types(inference, "Hero")["size"] == "integer64"


def test_few_texts_in_many_values_are_an_enumeration() -> None:
    def member(number: int) -> dict[str, Any]:
        return {"side": ("light", "dark")[number % 2], "name": f"n{number % 20}"}

    inference = inferred(heroes(member), entity="Hero")
    assert attribute(inference, "side")["values"] == ["dark", "light"]
    assert "values" not in attribute(inference, "name")
    few = inferred(heroes(member, 9), entity="Hero")
    assert "values" not in attribute(few, "side")


@pytest.mark.parametrize("first", [None, {}], ids=["null", "missing"])
def test_nothing_first_and_an_object_later_is_a_to_one_dlt_3034_3125(first: Any) -> None:
    def member(number: int) -> dict[str, Any]:
        home = {"home": {"city": "Gotham", "zip": "1"}}
        return home if number > 20 else {} if first == {} else {"home": None}

    inference = inferred(heroes(member), entity="Hero")
    assert "Hero.home -> Home" in links(inference)
    assert identities(inference)["Home"] == "hero"


def test_null_beside_a_missing_member_is_kept_apart_by_rest() -> None:
    def member(number: int) -> dict[str, Any]:
        return {} if number % 3 == 0 else {"nick": None if number % 3 == 1 else "Bats"}

    inference = inferred(heroes(member), entity="Hero")
    assert attribute(inference, "rest")["userInfo"]["JSONKeyPath"] == "@rest"


def test_a_list_that_is_missing_null_and_empty_comes_back() -> None:
    def member(number: int) -> dict[str, Any]:
        values: list[dict[str, Any]] = [{}, {"powers": None}, {"powers": []}]
        return [*values, {"powers": [{"name": "a", "level": 1}]}][number % 4]

    inference = inferred(heroes(member), entity="Hero")
    assert "Hero.powers -> Power[]" in links(inference)


# ---- identities ------------------------------------------------------------------------------


IDENTITIES: dict[str, tuple[Sample, str]] = {
    "an id": (heroes(lambda n: {"name": f"n{n}"}), "id"),
    "an _id": ([{"_id": f"x{n}", "name": "n"} for n in range(9)], "id"),
    "the entity's own id before others": (
        [{"team_id": n * 2, "hero_id": n, "name": "n"} for n in range(9)], "hero_id",
    ),
    "an isbn": ([{"isbn": f"978{n}", "title": "t"} for n in range(9)], "isbn"),
    "a url": ([{"url": f"https://e.com/{n}", "title": "t"} for n in range(9)], "url"),
    "type and id together": (
        [{"type": "ab"[n % 2], "id": n // 2, "name": "n"} for n in range(9)], "type, id",
    ),
    "two ids together": (
        [{"order_id": n // 3, "item_id": n % 3, "count": 1} for n in range(9)], "item_id, order_id",
    ),
    "none": ([{"name": f"n{n}"} for n in range(9)], ""),
}  # fmt: skip


@pytest.mark.parametrize("rule", IDENTITIES)
def test_the_identity_is_unique_and_named_so(rule: str) -> None:
    sample, identity = IDENTITIES[rule]
    assert identities(inferred(sample, entity="Hero"))["Hero"] == identity


def test_a_unique_member_of_another_name_is_a_candidate() -> None:
    inference = inferred([{"name": f"n{n}", "rank": 1} for n in range(9)], entity="Hero")
    assert inference.entities[0].candidates == ["name"]
    told = inferred(
        [{"name": f"n{n}", "rank": 1} for n in range(9)],
        entity="Hero",
        identities={"Hero": ("name",)},
    )
    assert identities(told)["Hero"] == "name"


def test_duplicate_ids_are_counted() -> None:
    sample = [{"id": number % 8, "name": "n"} for number in range(9)]
    inference = inferred(sample, entity="Hero")
    info = inference.document["entities"]["Hero"]["userInfo"]
    assert "identityAttributes" not in info
    assert "id has 8 values in 9 objects" in info["groot.inferred"]


def test_an_id_with_two_contents_does_not_identify() -> None:
    def member(number: int) -> dict[str, Any]:
        return {"home": {"id": number % 3, "name": f"n{number}"}}

    inference = inferred(heroes(member), entity="Hero")
    assert identities(inference)["Home"] == "hero"


def test_a_unique_member_that_others_refer_to_is_the_identity() -> None:
    def record(number: int) -> dict[str, Any]:
        return {"cca3": f"C{number}", "borders": [f"C{(number + 1) % 30}", f"C{(number + 7) % 30}"]}

    inference = inferred([record(number) for number in range(30)], entity="Country")
    assert identities(inference) == {"Country": "cca3"}
    assert links(inference) == {"Country.borders -> Country[]"}


def test_members_without_identity_are_identified_by_owner_and_place() -> None:
    def member(number: int) -> dict[str, Any]:
        return {"stops": [{"at": 1}, {"at": 1}], "home": {"at": 2, "of": 3}}

    inference = inferred(heroes(member), entity="Hero")
    assert identities(inference) == {"Hero": "id", "Stop": "hero, position", "Home": "hero"}


def test_members_that_are_unique_in_their_list_are_identified_within_the_owner() -> None:
    def member(number: int) -> dict[str, Any]:
        return {"lines": [{"number": 1, "text": f"a{number}"}, {"number": 2, "text": "b"}]}

    inference = inferred(heroes(member), entity="Hero")
    assert identities(inference)["Line"] == "hero, number"


def test_the_same_object_in_two_places_is_one_object() -> None:
    def member(number: int) -> dict[str, Any]:
        return {"name": f"n{number}", "boss": {"id": number % 5 + 1, "name": f"n{number % 5 + 1}"}}

    inference = inferred(heroes(member), entity="Hero")
    assert links(inference) == {"Hero.boss -> Hero"}
    boss = inference.document["entities"]["Hero"]["relationships"]["boss"]
    assert boss["userInfo"]["groot.exportProperties"] == "id, name"


def test_objects_of_one_shape_in_several_places_are_one_entity() -> None:
    def member(number: int) -> dict[str, Any]:
        return {"home": {"lat": number, "lng": 1}, "work": {"lat": 1, "lng": number}}

    inference = inferred(heroes(member), entity="Hero")
    assert links(inference) == {"Hero.home -> Home", "Hero.work -> Home"}
    assert identities(inference)["Home"] == "heroHome, heroWork"


def test_a_shape_inside_itself_is_one_entity() -> None:
    def reply(depth: int) -> dict[str, Any]:
        return {"text": f"t{depth}", "replies": [reply(depth - 1)] * 2 if depth else []}

    inference = inferred([{"id": n, "comments": [reply(3)]} for n in range(3)], entity="Post")
    assert links(inference) == {"Post.comments -> Reply[]", "Reply.replies -> Reply[]"}


def test_collections_with_a_few_common_keys_stay_apart_quicktype_3055() -> None:
    sample = {
        "movies": [{"id": n, "title": "t", "year": 1999} for n in range(5)],
        "people": [{"id": n, "title": "Dr", "name": "x"} for n in range(5)],
    }
    inference = inferred(sample)
    assert identities(inference) == {"Movie": "id", "Person": "id"}
    assert [root.pointer for root in inference.roots] == ["/movies", "/people"]


# ---- links -----------------------------------------------------------------------------------


def test_lists_of_identifiers_are_links_whatever_their_name() -> None:
    inference = inferred(heroes(lambda n: {"x": [n % 30 + 1, (n + 3) % 30 + 1]}), entity="Hero")
    assert links(inference) == {"Hero.x -> Hero[]"}


def test_lists_with_repeats_stay_json() -> None:
    inference = inferred(heroes(lambda n: {"x": [1, 2, 1, 3]}), entity="Hero")
    assert types(inference, "Hero")["x"] == "transformable"


def test_lists_that_name_others_stay_json() -> None:
    inference = inferred(heroes(lambda n: {"x": [n, 99]}), entity="Hero")
    assert types(inference, "Hero")["x"] == "transformable"


def planets(make: Callable[[int], dict[str, Any]]) -> dict[str, Sample]:
    """Return a document of heroes and planets."""
    planets = [{"id": 100 + number, "name": f"p{number}"} for number in range(5)]
    return {"heroes": heroes(make), "planets": planets}


@pytest.mark.parametrize("key", ["planet", "planet_id", "planetId", "home_planet"])
def test_a_foreign_key_is_a_link_by_its_values_and_its_name(key: str) -> None:
    inference = inferred(planets(lambda n: {key: 100 + n % 5}))
    assert f"Hero.{key} -> Planet" in links(inference)


def test_a_name_alone_makes_no_link() -> None:
    inference = inferred(planets(lambda n: {"planet_id": 200 + n}))
    assert links(inference) == set()


def test_contained_values_of_another_name_are_a_candidate() -> None:
    sample = planets(lambda n: {"home": 100 + n % 5})
    inference = inferred(sample)
    assert links(inference) == set()
    assert [(one.owner.name, one.key) for one in inference.possible] == [("Hero", "home")]
    told = inferred(sample, links={("Hero", "home"): "Planet"})
    assert links(told) == {"Hero.home -> Planet"}
    assert (
        links(inferred(planets(lambda n: {"planet": 100}), links={("Hero", "planet"): ""})) == set()
    )


def test_both_sides_of_a_link_are_one_relationship() -> None:
    sample = {
        "heroes": [{"id": n, "teams": [100 + n % 3, 100 + (n + 1) % 3]} for n in range(9)],
        "teams": [
            {"id": 100 + t, "members": [n for n in range(9) if t in (n % 3, (n + 1) % 3)]}
            for t in range(3)
        ],
    }  # fmt: skip
    inference = inferred(sample)
    hero = inference.document["entities"]["Hero"]["relationships"]["teams"]
    assert hero["inverse"] == "members"
    friends = inferred([{"id": n, "friends": [n + 1 if n % 2 == 0 else n - 1]} for n in range(30)])
    assert (
        friends.document["entities"]["Record"]["relationships"]["friends"]["inverse"] == "friends"
    )


def test_a_told_type_is_taken_for_links_and_objects() -> None:
    sample = planets(lambda n: {"planet_id": 100 + n % 5, "home": {"x": n}})
    told = {("Hero", "planet_id"): "integer64", ("Hero", "home"): "composite"}
    inference = inferred(sample, types=told)
    found = types(inference, "Hero")
    assert (found["planet_id"], found["home"]) == ("integer64", "composite")
    assert links(inference) == set()


def test_one_side_of_a_link_has_no_inverse_in_json() -> None:
    inference = inferred(heroes(lambda n: {"friends": [n % 30 + 1]}), entity="Hero")
    assert "inverse" not in inference.document["entities"]["Hero"]["relationships"]["friends"]


# ---- maps ------------------------------------------------------------------------------------


def form(inference: Inference, name: str, entity: str = "Hero") -> str | None:
    """Return the form of a relationship, None for an array or no relationship."""
    described = inference.document["entities"][entity].get("relationships", {}).get(name, {})
    found: str | None = described.get("userInfo", {}).get("groot.form")
    return found


MAPS: dict[str, tuple[Callable[[int], Any], str | None]] = {
    "keys that vary": (lambda n: {f"k{(n * 7 + i) % 40}": i for i in range(3)}, "keyed"),
    "three keys that vary, quicktype 1258": (lambda n: {f"k{n % 3}": 1}, "keyed"),
    "objects under keys that vary, quicktype 1639": (
        lambda n: {f"k{(n + i) % 9}": {"a": i, "b": n} for i in range(2)}, "keyed",
    ),
    "days": (lambda n: {f"2020-01-{n:02}": {"high": n, "low": 1}}, "keyed"),
    "numbers": (lambda n: {str(n): "x", str(n + 1): "y"}, "keyed"),
    "translations": (lambda n: {"en": "Batman", "de": "Fledermaus"}, "keyed"),
    "groups": (lambda n: {f"s{(n + i) % 9}": [{"x": 1, "y": i}] for i in range(2)}, "grouped"),
    "the same three keys": (lambda n: {"width": n, "height": 2, "depth": 3}, None),
    "keys of different types": (lambda n: {f"k{n}": n if n % 2 else "x"}, None),
}  # fmt: skip


@pytest.mark.parametrize("rule", MAPS)
def test_objects_with_keys_that_vary_and_values_of_one_shape_are_maps(rule: str) -> None:
    make, expected = MAPS[rule]
    inference = inferred(heroes(lambda n: {"map": make(n)}), entity="Hero")
    assert form(inference, "map") == expected


def test_fifty_texts_that_every_record_has_are_fields_quicktype_2818() -> None:
    sample = heroes(lambda n: {f"field{i}": f"v{n}{i}" for i in range(50)})
    assert len(types(inferred(sample, entity="Hero"), "Hero")) == 51


def test_a_told_map_is_one() -> None:
    sample = heroes(lambda n: {"size": {"width": n, "height": 2}})
    inference = inferred(sample, entity="Hero", keyed=("/size",))
    assert form(inference, "size") == "keyed"


def test_records_under_keys_are_identified_by_the_key() -> None:
    inference = inferred({f"k{n}": {"name": f"n{n}", "rank": n} for n in range(9)}, entity="Hero")
    assert identities(inference) == {"Hero": "key"}
    info = inference.document["entities"]["Hero"]["userInfo"]
    assert (info["groot.root"], info["groot.rootForm"]) == ("", "keyed")


# ---- kinds -----------------------------------------------------------------------------------


def test_a_text_that_goes_with_other_keys_chooses_the_kind_quicktype_1647() -> None:
    def member(number: int) -> dict[str, Any]:
        return (
            {"type": "dog", "bark": 1} if number % 2 else {"type": "bird", "wings": 2, "song": "x"}
        )

    inference = inferred(heroes(member), entity="Animal")
    entities = inference.document["entities"]
    assert entities["Animal"]["abstract"]
    assert entities["Animal"]["userInfo"]["groot.discriminator"] == "type"
    assert list(entities["Animal"]["attributes"]) == ["id"]
    assert (entities["Dog"]["parent"], entities["Bird"]["parent"]) == ("Animal", "Animal")
    assert list(entities["Bird"]["attributes"]) == ["wings", "song"]


def test_a_text_that_goes_with_other_keys_of_an_object_inside_chooses_the_kind() -> None:
    def member(number: int) -> dict[str, Any]:
        payload = {"ref": "main", "size": 1} if number % 2 else {"action": "opened"}
        return {"type": "Push" if number % 2 else "Issue", "payload": payload}

    inference = inferred(heroes(member), entity="Event")
    assert links(inference) == {
        "Push.payload -> PushPayload", "Issue.payload -> IssuePayload"
    }  # fmt: skip


def test_a_text_whose_records_have_the_same_keys_is_an_attribute() -> None:
    inference = inferred(heroes(lambda n: {"type": "ab"[n % 2], "x": 1}), entity="Hero")
    assert set(inference.document["entities"]) == {"Hero"}


def test_records_that_repeat_in_each_document_need_a_value_around_them() -> None:
    def document(**around: Any) -> dict[str, Any]:
        return {**around, "hours": [{"number": hour, "rain": hour / 2} for hour in range(5)]}

    documents = [document(place={"city": city}, country="NO") for city in ("Oslo", "Bergen")]
    with Records(documents) as records:
        inference = infer(records)
    assert inference.is_equal
    assert identities(inference) == {"Hour": "city, number"}
    assert attribute(inference, "city", "Hour")["userInfo"]["JSONKeyPath"] == "@root.place.city"
    with Records([document(page=1), document(page=2)]) as records:
        assert identities(infer(records)) == {"Hour": ""}


# ---- roots and names -------------------------------------------------------------------------


ROOTS: dict[str, tuple[Any, list[str]]] = {
    "the top": ([{"id": 1, "a": 1}], [""]),
    "the only list": ({"page": 1, "heroes": [{"id": 1, "a": 1}]}, ["/heroes"]),
    "the only list inside": ({"page": {"heroes": [{"id": 1, "a": 1}]}}, ["/page/heroes"]),
    "the list named data": ({"errors": [{"code": 1, "text": "x"}], "data": [{"id": 1}]}, ["/data"]),
    "several collections": ({"heroes": [{"id": 1}], "teams": [{"id": 2}]}, ["/heroes", "/teams"]),
    "one record": ({"name": "x", "size": {"a": 1}}, [""]),
}  # fmt: skip


@pytest.mark.parametrize("rule", ROOTS)
def test_the_root_is(rule: str) -> None:
    sample, roots = ROOTS[rule]
    inference = inferred(sample)
    assert [root.pointer for root in inference.roots] == roots
    entities = inference.document["entities"]
    infos = [entities[root.entity.name]["userInfo"] for root in inference.roots]
    assert [info["groot.root"] for info in infos] == roots


def test_entities_are_named_in_the_singular() -> None:
    def member(number: int) -> dict[str, Any]:
        return {
            "special_powers": [{"a": 1, "b": 2}], "entries": [{"c": 1, "d": 2}],
            "address": {"e": 1, "f": 2}, "children": [{"g": 1, "h": 2}],
        }  # fmt: skip

    inference = inferred(heroes(member), entity="Hero")
    assert set(inference.document["entities"]) == {
        "Hero", "SpecialPower", "Entry", "Address", "Child"
    }  # fmt: skip


def test_a_told_name_is_taken() -> None:
    sample = heroes(lambda n: {"x": [{"a": 1, "b": 2}]})
    inference = inferred(sample, entity="Hero", names={"/x/*": "Power"})
    assert "Hero.x -> Power[]" in links(inference)


def test_records_that_are_arrays_have_the_titles_of_their_header() -> None:
    rows = [[f"B{n}", f"Phone {n}", n / 2] for n in range(9)]
    inference = inferred([["asin", "title", "rating"], *rows], entity="Phone")
    assert identities(inference) == {"Phone": "asin"}
    assert types(inference, "Phone") == {
        "asin": "string", "title": "string", "rating": "transformable"
    }  # fmt: skip
    plain = inferred(rows, entity="Phone")
    assert list(types(plain, "Phone")) == ["column0", "column1", "column2"]


def test_any_key_comes_back() -> None:
    keys = [
        "",
        "a.b",
        "@key",
        "*",
        "x[0]",
        "\\",
        "a b",
        "é",
        "class",
        "1st",
        "a_b",
        "aB",
        "rest",
        "\u0001",
    ]
    inferred(heroes(lambda n: dict.fromkeys(keys, n)), entity="Hero")
    inferred(heroes(lambda n: {key: {"x": n, key: [1]} for key in keys}), entity="Hero")
