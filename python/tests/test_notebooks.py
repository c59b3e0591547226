"""HTML for notebooks: escaped, cut, and never an exception."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Any

import groot

HOSTILE = "<script>alert(\"1\" + '2') & more</script>"
ALLOWED = {"p", "table", "thead", "tbody", "tr", "th", "td", "br", "pre"}
DRAWN = {"svg", "rect", "path", "text"}
SHAPED = re.compile(r"[-\w .,:;?/#()]*")
"""The attributes of a drawing: numbers, and no text of a model."""


class Page(HTMLParser):
    """The tags, attributes and text of a page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[tuple[str, str | None]] = set()
        self.text = ""
        self.drawn: set[str] = set()
        self.feed(html)
        self.close()
        assert self.tags <= ALLOWED | DRAWN, html
        assert self.attributes <= {("style", "text-align: left")}, html
        assert not self.drawn & {"href", "id", "class"}, html

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        if tag in DRAWN:
            assert all(SHAPED.fullmatch(value or "") for _, value in attrs), attrs
            assert not any(name.startswith("on") for name, _ in attrs), attrs
            self.drawn.update(name for name, _ in attrs)
        else:
            self.attributes.update(attrs)

    def handle_data(self, data: str) -> None:
        self.text += f"{data}\n"


def page(shown: Any) -> str:
    """Return the text of an object's HTML, after its tags are checked."""
    return Page(shown._repr_html_()).text


def model(name: str = "Hero", attribute: str = "name", **more: Any) -> groot.Model:
    """Make a model of one entity whose objects have friends."""
    link = {"destination": name, "inverse": "friends", "toMany": True, "optional": True}
    return groot.Model(
        {
            "entities": {
                name: {
                    "userInfo": {"identityAttributes": "id"},
                    "attributes": {
                        "id": {"type": "integer64", "optional": True},
                        attribute: {"type": "string", "optional": True},
                        **more,
                    },
                    "relationships": {"friends": link},
                }
            }
        }
    )


def context_of(described: groot.Model) -> groot.Context:
    """Make a context whose JSON has the names of the properties."""
    return groot.Context(groot.Mapping(described, implicit=True))


def test_every_name_and_value_is_escaped() -> None:
    described = model("<b>&\"'", "<i>&\"'")
    context = context_of(described)
    loaded = context.load("<b>&\"'", [{"id": 1, "<i>&\"'": HOSTILE}], changes=True)
    loaded[0].friends.add(loaded[0])
    shown = (described, context, loaded, loaded[0], loaded[0].friends, groot.report(loaded))
    for one in shown:
        html = one._repr_html_()
        assert "<b>&\"'" in page(one)
        assert not any(raw in html for raw in ("<script", "<b>", "<i>", "&\"'", "\"'"))
    for one in (loaded, loaded[0], loaded[0].friends):
        assert HOSTILE in page(one)


def test_an_object_shows_its_properties() -> None:
    hero = context_of(model()).load("Hero", {"id": 7, "name": "Ann"})
    hero.friends.add(hero)
    for text in ("Hero id=7", "name\nAnn", "friends\n1 member"):
        assert text in page(hero)


def test_a_sequence_shows_the_first_rows_and_the_number_of_all() -> None:
    context = context_of(model())
    found = context.load("Hero", [{"id": number, "name": f"n{number}"} for number in range(1500)])
    text = page(found)
    assert "1,500 objects" in text
    assert "n9\n" in text
    assert "n10\n" not in text
    assert "… 1,490 more" in text
    assert "0 objects" in page(found[:0])


def test_objects_of_several_entities_show_their_identity() -> None:
    described = {"attributes": {"id": {"type": "integer64"}}}
    described["userInfo"] = {"identityAttributes": "id"}
    entities = groot.Model({"entities": {"A": described, "B": described}})
    mapping = groot.Mapping(entities, implicit=True, roots={"/a": "A", "/b": "B"})
    loaded = groot.Context(mapping).load(None, {"a": [{"id": 1}], "b": [{"id": 2}]})
    assert "A id=1\nB id=2\n" in page(loaded)


def test_members_show_their_owner_and_their_number() -> None:
    context = context_of(model())
    first, second = context.load("Hero", [{"id": 1}, {"id": 2, "name": "Bob"}])
    first.friends.add(second)
    text = page(first.friends)
    assert "Hero id=1, friends: 1 member" in text
    assert "Bob" in text


def test_a_context_shows_the_number_of_objects_of_each_entity() -> None:
    entities = {"Person": {"attributes": {"n": {"type": "string", "optional": True}}}}
    entities["Hero"] = {"parent": "Person"}
    context = groot.Context(groot.Mapping(groot.Model({"entities": entities}), implicit=True))
    context.load("Hero", [{}, {}])
    context.load("Person", {})
    assert "Person\n3\n" in page(context)
    assert "Hero (Person)\n2\n" in page(context)


def test_a_report_shows_its_counts_and_its_changes() -> None:
    context = context_of(model())
    report = groot.report(context.load("Hero", {"id": 7, "name": "Ann"}, changes=True))
    assert "1 inserted" in page(report)
    assert "+ Hero id=7: name='Ann'" in page(report)
    without = groot.report(context.load("Hero", {"id": 8}))
    assert page(without) == "1 inserted, 0 updated, 0 unchanged, 0 deleted\n"


def test_a_model_is_a_diagram_of_its_entities() -> None:
    shown = model()._repr_html_()
    text = Page(shown).text
    for part in ("Hero\n", "name: string?\n", "friends ⇉ Hero"):
        assert part in text
    assert "<svg" in shown
    assert shown.count("<rect") == 1


def test_a_diagram_has_one_line_for_two_inverses_and_a_dashed_one_to_a_parent() -> None:
    link = {"toMany": True, "optional": True}
    described = groot.Model(
        {
            "entities": {
                "A": {"relationships": {"bs": {**link, "destination": "B", "inverse": "as"}}},
                "B": {"relationships": {"as": {**link, "destination": "A", "inverse": "bs"}}},
                "C": {"parent": "A", "relationships": {"b": {**link, "destination": "B"}}},
            }
        }
    )
    shown = described._repr_html_()
    assert shown.count('fill="none" stroke="currentColor"') == 3 + 2 + 1
    assert shown.count("stroke-dasharray") == 1


def test_a_model_of_many_entities_is_a_table() -> None:
    text = page(groot.Model({"entities": {f"E{number}": {} for number in range(41)}}))
    assert "41 entities" in text
    assert "relationships" in text


def test_long_values_and_tables_are_cut() -> None:
    many = {f"a{number}": {"type": "integer16", "optional": True} for number in range(90)}
    described = model(**many)
    context = context_of(described)
    hero = context.load("Hero", {"id": 1, "name": "x" * 5000})
    text = page(hero)
    assert "(5,000 characters)" in text
    assert "x" * 100 not in text
    assert "… 43 more" in text
    assert "20 of 92 properties" in page(context.fetch("Hero"))
    assert "… 68 more" in page(described)


def test_deleted_objects_are_shown_as_deleted() -> None:
    context = context_of(model())
    found = context.load("Hero", [{"id": 1}, {"id": 2}])
    hero, friends = found[0], found[0].friends
    context.delete(hero)
    number = groot.object_id(hero)
    assert f"Hero #{number} is deleted" in page(hero)
    assert f"#{number} is deleted" in page(found)
    assert "Hero id=2" in page(found)
    assert "deleted" in page(friends)


def test_a_closed_context_is_shown_as_closed() -> None:
    context = context_of(model())
    found = context.load("Hero", [{"id": 1}], changes=True)
    hero, friends, report = found[0], found[0].friends, groot.report(found)
    context.close()
    for one in (context, found, hero, friends):
        assert "closed" in page(one)
    assert "1 inserted" in page(report)


def test_a_context_in_use_is_shown_as_in_use() -> None:
    context = context_of(model())
    hero = context.load("Hero", {"id": 1})
    with context.importing("Hero") as stream:
        for one in (context, hero):
            assert "in use" in page(one)
        stream.write("[]")
