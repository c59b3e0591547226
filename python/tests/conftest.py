"""Fixtures: the comic-book model of the shared cases, and a context of it."""

from __future__ import annotations

import json
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import groot

CASES = Path(__file__).resolve().parents[2] / "Tests" / "Cases"
CASE_FILES = sorted(path for path in CASES.glob("*/*.json") if path.parent.name != "models")

BATMAN = {
    "id": "1699",
    "name": "Batman",
    "real_name": "Bruce Wayne",
    "powers": [{"id": "4", "name": "Agility"}, {"id": "9", "name": "Insanely Rich"}],
    "publisher": {"id": "10", "name": "DC Comics"},
}


def document(name: str) -> Any:
    """Read a model document of the shared cases."""
    return json.loads((CASES / "models" / f"{name}.json").read_text())


def one_attribute(type: str, **more: Any) -> dict[str, Any]:
    """Make a model document of an entity Thing with an attribute `value`."""
    attribute = {"type": type, "optional": True, "userInfo": {"JSONKeyPath": "value"}, **more}
    return {"entities": {"Thing": {"attributes": {"value": attribute}}}}


def transformed(
    forward: Callable[[Any], Any],
    reverse: Callable[[Any], Any] | None = None,
    type: str = "transformable",
) -> groot.Context:
    """Make a context of an entity Thing with a transformer for `value`."""
    model = one_attribute(type)
    model["entities"]["Thing"]["attributes"]["value"]["userInfo"]["JSONTransformerName"] = "T"
    registry = groot.Registry()
    registry.transformer("T", forward, reverse=reverse)
    return groot.Context(groot.Mapping(groot.Model(model), registry))


def messages(mapper: Callable[[Any], Any]) -> groot.Context:
    """Make a context of the messages of the shared cases, with an entity mapper."""
    registry = groot.Registry()
    registry.entity_mapper("MessageMapper", mapper)
    return groot.Context(groot.Mapping(groot.Model(document("messages")), registry))


@pytest.fixture(scope="module")
def benchmarks() -> Iterator[None]:
    """Find the modules of the benchmark, whose names are common, during these tests only."""
    folder = CASES.parents[1] / "Benchmarks"
    before = set(sys.modules)
    sys.path.insert(0, str(folder))
    yield
    sys.path.remove(str(folder))
    for name in set(sys.modules) - before:
        source = getattr(sys.modules[name], "__file__", None) or ""
        if Path(source).parent == folder:
            del sys.modules[name]


@pytest.fixture(scope="session", autouse=True)
def interruptible() -> None:
    """Let SIGINT interrupt, even if a shell started the tests in the background."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def batman_json() -> dict[str, Any]:
    """Return the JSON of Batman."""
    return json.loads(json.dumps(BATMAN))


@pytest.fixture(scope="session")
def comics_mapping() -> groot.Mapping:
    """Make the mapping of the comic-book model."""
    registry = groot.Registry()
    registry.builtin("StringToInteger", "integer-text")
    return groot.Mapping(groot.Model(document("comics")), registry)


@pytest.fixture
def comics(comics_mapping: groot.Mapping) -> Iterator[groot.Context]:
    """Yield an empty context of the comic-book model, and check it afterwards."""
    with groot.Context(comics_mapping) as context:
        yield context
        context.check()


@pytest.fixture
def batman(comics: groot.Context, batman_json: dict[str, Any]) -> groot.Object:
    """Return the loaded object Batman."""
    return comics.load("Character", batman_json)


@pytest.fixture(scope="session")
def types_mapping() -> groot.Mapping:
    """Make the mapping of the model with an attribute of every type."""
    return groot.Mapping(groot.Model(document("types")))


@pytest.fixture
def types(types_mapping: groot.Mapping) -> Iterator[groot.Context]:
    """Yield an empty context of that model, and check it afterwards."""
    with groot.Context(types_mapping) as context:
        yield context
        context.check()
