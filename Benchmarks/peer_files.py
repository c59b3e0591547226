"""The files that peers write: where they are, and what must be in them."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from peer_rows import Graph, link_dicts
from row import Input, require


class Found(NamedTuple):
    """The contents of a file, as far as they are checked."""

    characters: int
    powers: int
    publishers: int
    links: int
    value: tuple[Any, ...]
    """Name, rating and strength of the first character, its publisher's name, the year it was made,
    and the number of its powers."""


def expected(given: Input) -> Found:
    graph = Graph()
    link_dicts(json.loads(given.path.read_bytes()), graph)
    require(len(graph.characters) == given.count, "not as many characters as expected")
    first = next(iter(graph.characters.values()))
    assert first.publisher is not None
    assert first.created_at is not None
    return Found(
        len(graph.characters),
        len(graph.powers),
        len(graph.publishers),
        sum(len(one.powers) for one in graph.characters.values()),
        (
            *(first.name, first.rating, first.strength, first.publisher.name),
            *(first.created_at.year, len(first.powers)),
        ),
    )


@contextmanager
def folder(given: Input) -> Iterator[Path]:
    """A folder beside the text, so on the disk of the other rows, that is removed in the end."""
    with tempfile.TemporaryDirectory(dir=given.path.parent, prefix="store-peers-") as made:
        yield Path(made)


def apart(work: Callable[[], None]) -> None:
    """Work in a process of its own, whose memory does not count."""
    child = os.fork()
    if child == 0:
        try:
            work()
        except BaseException as error:
            print(f"bench: {error}", file=sys.stderr)
            os._exit(1)
        os._exit(0)
    require(os.waitpid(child, 0)[1] == 0, "the tables to begin with were not made")
