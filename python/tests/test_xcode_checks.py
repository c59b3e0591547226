"""Identity from the uniqueness constraints of Xcode models, and their errors."""

from __future__ import annotations

import pytest
from xcode_text import convert

import groot


def errors(body: str) -> list[tuple[str | None, str | None, str]]:
    with pytest.raises(groot.Error) as raised:
        convert(body).make(groot.Model)
    assert raised.value.code == groot.Status.INVALID_MODEL
    for issue in raised.value.issues:
        assert issue.path == "contents"
        assert issue.line
    return [(one.entity, one.property, one.message) for one in raised.value.issues]


# Identity from uniqueness constraints


def entity(name: str, keyed: str, constraint: str, more: str = "", info: str = "") -> str:
    attributes = "".join(
        f'<attribute name="{one}" attributeType="String"><userInfo>'
        f'<entry key="JSONKeyPath" value="{one}"/></userInfo></attribute>'
        for one in keyed.split()
    )
    values = "".join(f'<constraint value="{one}"/>' for one in constraint.split())
    unique = f"<uniquenessConstraint>{values}</uniquenessConstraint>" if values else ""
    return (
        f'<entity name="{name}" {more}>{attributes}<attribute name="plain{name}" '
        f'attributeType="String"/><uniquenessConstraints>{unique}</uniquenessConstraints>'
        f"<userInfo>{info}</userInfo></entity>"
    )


ANNOTATED = '<entry key="identityAttribute" value="b"/>'


@pytest.mark.parametrize(
    ("entities", "identities"),
    [
        ([entity("A", "a b", "a b")], {"A": "a, b"}),
        ([entity("A", "a", "plainA")], {}),
        ([entity("A", "a b", "a", info=ANNOTATED)], {}),
        ([entity("A", "a", "a"), entity("B", "b", "b", 'parentEntity="A"')], {"A": "a"}),
        ([entity("A", "a", ""), entity("B", "b", "a b", 'parentEntity="A"')], {"B": "a, b"}),
        ([entity("A", "a", "a"), entity("B", "b", "", 'parentEntity="A"', ANNOTATED)], {}),
    ],
    ids=["composite", "no key path", "annotated", "inherited", "of a parent's", "annotated below"],
)
def test_identity(entities: list[str], identities: dict[str, str]) -> None:
    read = convert("".join(entities))
    groot.Mapping(read.make(groot.Model))
    found = {
        name: one.get("userInfo", {}).get("identityAttributes")
        for name, one in read.document["entities"].items()
    }
    assert {name: one for name, one in found.items() if one} == identities


# Errors


def test_all_errors_at_once() -> None:
    found = errors("""
        <entity/> <entity name="A"/> <entity name="A"/>
        <entity name="B" parentEntity="Nobody">
          <attribute attributeType="String"/>
          <attribute name="x" attributeType="Text"/>
          <attribute name="y" attributeType="String"/> <attribute name="y" attributeType="String"/>
          <attribute name="z" attributeType="Composite" composite="Nothing"/>
          <relationship name="to"/>
          <relationship name="r" destinationEntity="A" deletionRule="Explode"/>
          <relationship name="s" destinationEntity="A" inverseName="i" inverseEntity="C"/>
          <relationship name="t" destinationEntity="Missing"/>
        </entity>
        <entity name="C"/>""")
    expected = {
        (None, None): "no name",
        ("A", None): "two entities",
        ("B", None): "unnamed attribute",
        ("B", "x"): "'Text'",
        ("B", "y"): "another property",
        ("B", "z"): "'Nothing'",
        ("B", "to"): "destinationEntity",
        ("B", "r"): "'Explode'",
        ("B", "s"): "'C'",
        ("B", "t"): "'Missing'",
    }
    for (entity_name, name), part in expected.items():
        assert any((e, p) == (entity_name, name) and part in m for e, p, m in found), part


def test_errors_of_the_model_as_a_whole_have_their_place() -> None:
    with pytest.raises(groot.Error) as raised:
        convert(
            '<entity name="A">\n<relationship name="b" destinationEntity="A" inverseName="c" '
            'inverseEntity="A"/>\n</entity>'
        ).make(groot.Model)
    (issue,) = raised.value.issues
    assert (issue.path, issue.line, issue.entity, issue.property) == ("contents", 4, "A", "b")


@pytest.mark.parametrize("name", ["Place", "Pl\u00e4tze", "a b.c"])
def test_errors_in_the_document_have_their_place(name: str) -> None:
    read = convert(
        f'<entity name="{name}">\n<attribute name="{name}"\nattributeType="URI"/></entity>'
    )
    read.document["entities"][name]["attributes"][name]["type"] = "text"
    with pytest.raises(groot.Error) as raised:
        read.make(groot.Model)
    issue = raised.value.issues[0]
    assert (issue.path, issue.line, issue.entity, issue.property) == ("contents", 4, name, name)


@pytest.mark.parametrize("levels", [2, 30], ids=["wide", "deep"])
def test_composites_do_not_grow_without_bounds(levels: int) -> None:
    width = 100 if levels == 2 else 2
    composites = [
        f'<composite name="C{level}">'
        + "".join(
            f'<attribute name="a{index}" attributeType="Composite" composite="C{level + 1}"/>'
            for index in range(width)
        )
        + "</composite>"
        for level in range(levels)
    ]
    leaf = f'<composite name="C{levels}"><attribute name="x" attributeType="String"/></composite>'
    use = '<entity name="A"><attribute name="a" attributeType="Composite" composite="C0"/></entity>'
    messages = [message for _, _, message in errors("".join([use, *composites, leaf]))]
    assert any("too many" in message or "deep" in message for message in messages)


def test_a_composite_in_itself() -> None:
    part = '<attribute name="a" attributeType="Composite" composite="C"/>'
    body = f'<entity name="A">{part}</entity><composite name="C">{part}</composite>'
    assert "part of itself" in str(errors(body))
