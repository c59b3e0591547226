"""Servers of PostgreSQL for the tests, which are skipped where it is not installed."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "Tests" / "PostgreSQL"))

from proxy import Proxy
from servers import Missing, Server, owner, programs

_numbers = itertools.count(1)


@pytest.fixture(scope="session", autouse=True)
def _installed() -> None:
    """Skip aloud without PostgreSQL."""
    try:
        programs()
        owner()
    except Missing as missing:
        pytest.skip(f"not installed: {missing}")


@pytest.fixture(scope="session")
def server(_installed: None) -> Iterator[Server]:
    """Start a server that all tests share; each test has a schema of its own."""
    with Server(tcp=True) as server:
        yield server


@pytest.fixture(scope="module")
def durable_server(_installed: None) -> Iterator[Server]:
    """Start a server that waits for the disk, and that tests may kill."""
    with Server(
        {"recovery_init_sync_method": "syncfs", "max_wal_size": "64MB"}, fsync=True
    ) as server:
        yield server


@pytest.fixture
def schema() -> str:
    """Name a schema that no other test has."""
    return f"s{next(_numbers)}"


@pytest.fixture
def proxy(server: Server) -> Iterator[Proxy]:
    """Make a proxy with TCP before the shared server."""
    with Proxy(server.socket, tcp=True) as proxy:
        yield proxy


@pytest.fixture
def store(server: Server, schema: str) -> str:
    """Return the URL of a store in that schema, not made yet."""
    return f"{server.url}&groot.schema={schema}"
