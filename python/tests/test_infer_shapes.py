"""Shapes of JSON at which an inference once failed: one small sample for each."""

from __future__ import annotations

from typing import Any

import pytest
from infer_checks import identities, inferred, links, types


def reference(number: int) -> dict[str, str]:
    """Return a reference by name and address."""
    return {"name": f"s{number}", "url": f"/s/{number}"}


def test_a_tree_whose_branches_come_before_its_other_members_is_one_entity() -> None:
    def chain(number: int) -> dict[str, Any]:
        leaf = {"to": [], "kind": reference(number)}
        return {"chain": {"to": [leaf], "kind": reference(number)}, "id": number}

    sample = {
        "chains": [chain(number) for number in range(4)],
        "kinds": [{"color": reference(number % 3), "id": number} for number in range(5)],
    }
    found = links(inferred(sample))
    assert len([link for link in found if ".to -> " in link]) == 1
    assert len({link.rpartition(" ")[2] for link in found if ".kind" in link}) == 1


def test_a_name_that_records_have_is_not_taken_where_there_is_another() -> None:
    def chain(number: int) -> dict[str, Any]:
        return {"id": number, "chain": {"level": 1, "to": [{"level": number, "to": []}]}}

    inference = inferred({"chains": [chain(number) for number in range(4)], "page": 1})
    assert links(inference) == {"Chain.chain -> To", "To.to -> To[]"}


@pytest.mark.parametrize("codes", [("en", "de"), ("deu", "fra", "jpn"), ("en-GB", "pt_BR")])
def test_the_same_languages_in_every_record_are_keys_of_a_map(codes: tuple[str, ...]) -> None:
    sample = [
        {"id": number, "names": {code: {"long": f"{code}{number}", "short": "x"} for code in codes}}
        for number in range(9)
    ]
    inference = inferred(sample, entity="Country")
    assert identities(inference)["Name"] == "country, key"


def test_an_id_and_a_no_are_members_of_a_record() -> None:
    inference = inferred([{"id": number, "no": number % 3} for number in range(9)], entity="Hero")
    assert types(inference, "Hero") == {"id": "integer32", "no": "integer32"}


def named(kind: str, number: int) -> dict[str, Any]:
    """Return the type and id of an object."""
    return {"type": kind, "id": str(number)}


def test_a_type_and_id_that_objects_have_names_these() -> None:
    sample = {
        "data": [{**named("book", n), "writer": named("person", n % 4)} for n in range(9)],
        "included": [{**named("person", n), "born": 1900 + n} for n in range(4)]
        + [{**named("shop", n), "town": "Oslo", "rooms": n} for n in range(4)],
    }
    inference = inferred(sample)
    assert links(inference) == {"Book.writer -> Included"}
    assert identities(inference)["Included"] == "type, id"


def test_a_type_and_id_that_some_objects_have_not_are_objects_of_their_own() -> None:
    sample = {
        "data": [{**named("book", n), "writer": named("person", n % 6)} for n in range(9)],
        "included": [{**named("person", n), "born": 1900 + n} for n in range(4)]
        + [{**named("shop", n), "town": "Oslo", "rooms": n} for n in range(4)],
    }
    assert links(inferred(sample)) == {"Book.writer -> Writer"}


def test_the_owner_with_most_objects_names_what_has_a_name_of_others() -> None:
    def hero(number: int) -> dict[str, Any]:
        few, many = {"mark": {"x": number, "y": 1}}, {"mark": {"z": 1, "text": "a"}}
        return {"id": number, "few": few, "many": [many, {**many, "rank": number}]}

    for turned in (False, True):
        sample = [hero(number) for number in range(9)]
        if turned:
            sample = [dict(reversed(list(one.items()))) for one in sample]
        assert {link.rpartition(" ")[2] for link in links(inferred(sample, entity="Hero"))} == {
            "Few", "FewMark", "Many[]", "ManyMark"
        }  # fmt: skip


def test_objects_of_known_kinds_inside_one_of_them_are_of_the_same_entity() -> None:
    def form(number: int) -> dict[str, Any]:
        if number % 3 == 2:
            return {"type": "group", "parts": [form(0), form(1)]}
        return {"type": "dot", "at": [1, 2]} if number % 3 else {"type": "ring", "size": number}

    inference = inferred([{"id": n, "form": form(n)} for n in range(9)], entity="Hero")
    assert links(inference) == {"Hero.form -> Form", "Group.parts -> Form[]"}
    assert set(inference.document["entities"]) == {"Hero", "Form", "Dot", "Ring", "Group"}


def test_two_sorts_of_kinds_that_have_only_their_texts_alike_stay_apart() -> None:
    def hero(number: int) -> dict[str, Any]:
        is_even = number % 2 == 0
        pet = {"type": "cat", "lives": 9} if is_even else {"type": "dog", "bark": "x"}
        car = {"type": "van", "seats": 5} if is_even else {"type": "bus", "stops": [1]}
        return {"id": number, "pet": pet, "car": car}

    inference = inferred([hero(number) for number in range(10)], entity="Hero")
    assert links(inference) == {"Hero.pet -> Pet", "Hero.car -> Car"}


def test_the_places_of_a_second_collection_are_pointers_into_its_records() -> None:
    sample = {"heroes": [{"id": 1, "home": {"x": 1}}], "teams": [{"id": 2, "base": {"y": 2}}]}
    inference = inferred(sample, names={"/base": "Fort"})
    assert links(inference) == {"Hero.home -> Home", "Team.base -> Fort"}
    assert "\0" not in str(inference.document)


def test_an_object_that_stands_for_a_list_leaves_the_name_to_its_members() -> None:
    def order(number: int) -> dict[str, Any]:
        lines = {"total": 1, "data": [{"price": "1.50", "count": number}]}
        edges = [{"cursor": "a", "node": {"id": number, "text": "b"}}]
        return {"id": number, "line_items": lines, "notes": {"more": False, "edges": edges}}

    assert links(inferred([order(number) for number in range(9)], entity="Order")) == {
        "Order.line_items -> LineItemList", "LineItemList.data -> LineItem[]",
        "Order.notes -> NoteList", "NoteList.edges -> NoteEdge[]", "NoteEdge.node -> Note",
    }  # fmt: skip


def test_evidence_names_a_column_by_its_title() -> None:
    rows = [["isbn", "title"], *([f"978{number}", "A book"] for number in range(9))]
    inference = inferred(rows, entity="Book")
    assert "isbn is unique" in inference.document["entities"]["Book"]["userInfo"]["groot.inferred"]


def test_the_text_that_chooses_the_kind_names_no_object() -> None:
    def sign(number: int) -> dict[str, Any]:
        other = {"size": 1} if number % 3 else {"text": "a", "color": "red"}
        return {"id": number, "type": f"s{number % 3}", **other}

    sample = {
        "signs": [sign(number) for number in range(12)],
        "shops": [{"key": f"s{number}", "name": "b"} for number in range(5)],
    }
    inference = inferred(sample)
    assert links(inference) == set()
    assert not [one for one in inference.possible if one.key == "type"]


ROWS: dict[str, list[Any]] = {
    "texts": [["a", "b"], ["c", "d"], ["e", "f"]],
    "numbers": [[1, 2], [3, 4], [5, 6]],
    "days as keys": [{"2020-01-01": 1, "2020-01-02": 2}, {"2020-01-01": 3, "2020-01-03": 4}],
    "languages as keys": [{"en": "a", "de": "b"}, {"en": "c"}],
    "1,200 keys": [{f"k{60 * n + one}": one for one in range(60)} for n in range(20)],
}


@pytest.mark.parametrize("name", ROWS)
def test_a_record_stays_a_record_whatever_its_keys_are(name: str) -> None:
    assert types(inferred(ROWS[name], entity="Hero"), "Hero")


def rule(number: int, depth: int) -> dict[str, Any]:
    """Return a tree of rules of several kinds."""
    if not depth or number % 4 == 0:
        return {"op": "leaf", "value": number}
    if number % 4 == 1:
        return {"op": "not", "arg": rule(number + 1, depth - 1)}
    key = "all" if number % 4 == 2 else "any"
    return {"op": key, f"{key}_of": [rule(number + step, depth - 1) for step in (1, 3)]}


@pytest.mark.parametrize("depth", range(2, 13))
def test_a_tree_of_kinds_of_any_depth_comes_back(depth: int) -> None:
    inference = inferred([{"id": n, "rule": rule(n, depth)} for n in range(16)], entity="Test")
    names = set(inference.document["entities"])
    assert names <= {"Test", "Rule", "Arg", "AllOf", "AnyOf", "Leaf", "Not", "All", "Any"}
    if depth < 5:
        assert len(names) == 6


@pytest.mark.parametrize(
    "sample",
    [
        [{}, {"parent_id": "x", "y": {"parent_id": "x", "value": "a"}, "value": []}],
        [{"id": 0}, {"x": {"id": 0, "items": []}, "items": {}}],
    ],
    ids=["missing", "mixed"],
)
def test_objects_inside_share_no_identity_that_some_records_have_not(sample: Any) -> None:
    inferred(sample, entity="Hero")


def test_a_ring_of_links_is_not_its_own_inverse() -> None:
    for start in range(40):
        names = [f"stop{start}x{number}" for number in range(4)]
        sample = [{"id": one, "next": [names[(n + 1) % 4]]} for n, one in enumerate(names)]
        assert links(inferred(sample, entity="Stop")) == {"Stop.next -> Stop[]"}
