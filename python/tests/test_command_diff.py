"""The command `diff`: as a user runs it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_checks import HEROES, MODEL, Folder, dump

CHANGED = [{**HEROES[0], "name": "Bruce"}, {**HEROES[2], "publisher": {"id": 1}}]
LINES = [
    "Hero id=1: name 'Batman' → 'Bruce'",
    "Hero id=3: publisher Publisher id=2 → Publisher id=1",
    "- Hero id=2",
]


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    folder = Folder(tmp_path)
    folder.heroes()
    folder.write("changed.json", CHANGED)
    return folder


def test_a_store_is_compared_with_a_feed_and_stays(folder: Folder) -> None:
    before = dump(folder.path / "heroes.sqlite")
    done = folder.groot("diff", "heroes.sqlite", "Hero", "changed.json")
    assert (done.code, done.out.splitlines()) == (1, LINES)
    assert done.err == "0 inserted, 4 updated, 3 unchanged, 1 deleted\n"
    assert dump(folder.path / "heroes.sqlite") == before
    done = folder.groot("diff", "heroes.sqlite", "Hero", "heroes.json", "--quiet")
    assert done == (0, "", "")


def test_without_deletions_the_changes_are_those_of_an_import(folder: Folder) -> None:
    done = folder.groot("diff", "heroes.sqlite", "Hero", "changed.json", "--no-delete")
    assert (done.code, done.out.splitlines()) == (1, LINES[:2])


def test_the_scope_is_a_predicate(folder: Folder) -> None:
    scope = ("--where", '{"publisher.id": 2}')
    done = folder.groot("diff", "heroes.sqlite", "Hero", "changed.json", *scope)
    assert (done.code, done.out.splitlines()) == (1, LINES[:2])


@pytest.mark.parametrize("model", ["heroes.model.json", "heroes.sqlite"])
def test_two_feeds_are_compared(folder: Folder, model: str) -> None:
    arguments = ("diff", "heroes.json", "changed.json", "--model", model)
    done = folder.groot(*arguments, "--entity", "Hero")
    assert (done.code, done.out.splitlines()) == (1, LINES)
    done = folder.groot(*arguments)
    assert done.code == 2
    assert "the entity of the records is not clear; give --entity" in done.err
    done = folder.groot("diff", "heroes.json", "heroes.json", "--model", model, "--entity", "Hero")
    assert (done.code, done.out) == (0, "")


def test_two_feeds_are_compared_without_a_model(folder: Folder) -> None:
    done = folder.groot("diff", "heroes.json", "changed.json", "--entity", "Hero")
    assert done.code == 1
    assert "- Hero id=2" in done.out.splitlines()
    assert done.err.startswith("inferred a model of 4 entities from heroes.json: ")


def test_the_changes_are_json_for_programs_and_may_be_limited(folder: Folder) -> None:
    arguments = ("diff", "heroes.sqlite", "Hero", "changed.json")
    done = folder.groot(*arguments, "--report", "json", "--limit", "2")
    report = json.loads(done.out)
    assert (done.code, report["version"], report["deleted"]) == (1, 1, 1)
    assert report["changes"] == [
        {
            "change": "updated",
            "entity": "Hero",
            "identity": 1,
            "properties": {"name": {"old": "Batman", "new": "Bruce"}},
        },
        {
            "change": "updated",
            "entity": "Hero",
            "identity": 3,
            "properties": {"publisher": {"old": 2, "new": 1}},
        },
    ]
    (gone,) = (
        one
        for one in json.loads(folder.groot(*arguments, "--report=json").out)["changes"]
        if one["change"] == "deleted"
    )
    assert (gone["identity"], gone["properties"]["name"]) == (2, {"old": "Bane", "new": None})
    done = folder.groot(*arguments, "--limit", "1")
    assert done.out.splitlines() == [LINES[0], "… 2 more changes"]


def test_faults_are_those_of_an_import(folder: Folder) -> None:
    folder.write("changed.json", [{"id": 1, "name": 5}])
    done = folder.groot("diff", "heroes.sqlite", "Hero", "changed.json")
    assert (done.code, done.out) == (1, "")
    assert done.err.splitlines()[0] == "changed.json:1:20: $[0].name: Hero.name: 5 is not a string"


def test_one_of_two_feeds_may_be_standard_input(folder: Folder) -> None:
    arguments = ("--model", "heroes.model.json", "--entity", "Hero")
    text = json.dumps(CHANGED)
    done = folder.groot("diff", "heroes.json", "-", *arguments, stdin=text)
    assert (done.code, done.out.splitlines()) == (1, LINES)
    assert folder.groot("diff", "-", "-", *arguments, stdin=text).code == 2


WRONG = {
    "a missing store": (("no.sqlite", "Hero", "heroes.json"), "no.sqlite cannot be read"),
    "a store that is none": (("heroes.json", "Hero", "heroes.json"), "is not a store of Groot"),
    "one file": (("heroes.json",), "give a store, an entity and a file; or two files"),
    "a store without a file": (("heroes.sqlite", "Hero"), "give a store, an entity and a file"),
    "an entity as an option": (
        ("heroes.sqlite", "Hero", "heroes.json", "--entity", "Hero"),
        "leave out --entity",
    ),
    "a dialect of a store": (
        ("heroes.json", "changed.json", "--model", "heroes.sqlite", "--dialect", "hyper"),
        "leave out --dialect",
    ),
    "an entity": (("heroes.sqlite", "Her", "heroes.json"), "did you mean 'Hero'?"),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_wrong_command_line_is_2(folder: Folder, case: str) -> None:
    arguments, words = WRONG[case]
    done = folder.groot("diff", *arguments)
    assert (done.code, done.out) == (2, ""), done
    assert words in done.err
    assert "no.sqlite" not in folder.names()


def test_a_store_that_a_program_made_needs_the_model(folder: Folder) -> None:
    import groot

    model = groot.Model(MODEL)
    with groot.Context(groot.Mapping(model), store=folder.path / "made.sqlite") as made:
        made.load("Hero", HEROES)
        made.save()
    arguments = ("diff", "made.sqlite", "Hero", "changed.json")
    done = folder.groot(*arguments)
    assert done.code == 2
    assert "remembers no model" in done.err
    assert folder.groot(*arguments, "--model", "heroes.model.json").out.splitlines() == LINES
