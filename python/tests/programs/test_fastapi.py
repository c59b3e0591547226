"""FastAPI serves objects as they are exported, from several threads."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import httpx
import pytest

import groot
from programs.atlas import Writer, block, opened


@pytest.fixture
def app(store: Path) -> Any:
    """Make the application of the page."""
    names: dict[str, Any] = {
        "groot": groot,
        "mapping": groot.Mapping(groot.Model.load("atlas.json"), implicit=True),
    }
    exec(block("no-run: needs fastapi"), names)
    return names["app"]


def get(app: Any, path: str, times: int = 1) -> list[httpx.Response]:
    """Get a page several times at once."""

    async def run() -> list[httpx.Response]:
        transport = httpx.ASGITransport(app=app)
        async with httpx.AsyncClient(transport=transport, base_url="http://atlas") as client:
            return await asyncio.gather(*(client.get(path) for _ in range(times)))

    return asyncio.run(run())


def test_a_response_is_the_export(app: Any, store: Path) -> None:
    (response,) = get(app, "/countries")
    assert response.headers["content-type"] == "application/json"
    with opened(store, read_only=True) as atlas:
        assert response.content == atlas.dumpb(atlas.fetch("Country", sort="code"), depth=1)


def test_requests_at_once_use_contexts_of_their_own(app: Any) -> None:
    responses = get(app, "/countries", times=200)
    assert {response.status_code for response in responses} == {200}
    assert len({response.content for response in responses}) == 1


def test_a_request_sees_a_save_of_another_process(app: Any, folder: Path) -> None:
    assert get(app, "/countries")[0].json()[0]["area"] == 41284.0
    assert Writer(folder, "CHE").save() == "saved"
    assert get(app, "/countries")[0].json()[0]["area"] == 1.0
