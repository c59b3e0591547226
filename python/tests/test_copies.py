"""Copies and pickles of each class: a true copy, the same object, or a TypeError with a hint."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import pytest
from conftest import document

import groot


@pytest.mark.parametrize("use", [copy.copy, copy.deepcopy])
def test_unchanging_objects_are_their_own_copies(
    use: Callable[[Any], Any], comics: groot.Context, batman: groot.Object
) -> None:
    found = comics.fetch("Character")
    column, table = found.column("name"), found.table("name")
    for one in (comics.mapping.model, comics.mapping, batman, found, column, table):
        assert use(one) is one
    assert copy.deepcopy({"all": [comics.mapping, found]})["all"][0] is comics.mapping


def test_a_model_is_pickled_as_its_document() -> None:
    model = groot.Model(document("comics"))
    again = pickle.loads(pickle.dumps(model))
    assert again is not model
    assert again.document == model.document
    assert again.warnings == model.warnings
    context = groot.Context(groot.Mapping(again, registry()))
    assert context.load("Power", {"id": "4", "name": "Agility"}).name == "Agility"


def registry() -> groot.Registry:
    """Make the registry that the comics need."""
    made = groot.Registry()
    made.builtin("StringToInteger", "integer-text")
    return made


@pytest.mark.parametrize("use", [copy.copy, copy.deepcopy, pickle.dumps])
def test_objects_of_the_library_are_not_copied(
    use: Callable[[Any], Any], comics: groot.Context, batman: groot.Object
) -> None:
    with comics.importing("Power") as stream:
        owned = [
            (registry(), "register the functions in another"),
            (comics, "dump its objects"),
            (batman.powers, r"list\(members\)"),
            (stream, "keep its text"),
            (comics.mapping._handle, "cannot be copied"),
        ]
        for one, hint in owned:
            with pytest.raises(TypeError, match=hint):
                use(one)
        stream.write("[]")
    comics.check()


def test_objects_of_a_context_are_not_pickled(comics: groot.Context, batman: groot.Object) -> None:
    found = comics.fetch("Character")
    for one, hint in (
        (batman, "dump it"),
        (found, "dump them"),
        (found.table("name"), "dump them"),
        (found.column("name"), r"list\(column\)"),
        (comics.mapping, "pickle its model"),
    ):
        with pytest.raises(TypeError, match=hint):
            pickle.dumps(one)
