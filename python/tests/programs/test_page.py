"""The recipes of the page run, and leave a store."""

from __future__ import annotations

from pathlib import Path

import pytest

from programs.atlas import BLOCKS, opened, program, run, run_python

RECIPES = [
    (language, words.removeprefix("no-run: needs "), code)
    for language, words, code in BLOCKS
    if words.startswith("no-run: ")
]


@pytest.mark.parametrize(("language", "tool", "code"), RECIPES, ids=lambda value: value[:20])
def test_a_recipe_runs(folder: Path, language: str, tool: str, code: str) -> None:
    if tool.endswith("extension sqlite"):
        pytest.importorskip("duckdb")
        from programs.test_frames import without_extension

        if without_extension():
            pytest.skip("not installed: the extension sqlite of DuckDB")
    if language == "sh":
        run(folder, "sh", "-e", "-c", code)
    else:
        (folder / "atlas.sqlite").unlink()
        run_python(folder, program() + code)
    with opened(folder / "atlas.sqlite") as atlas:
        atlas.check()
        assert atlas.count("Country") >= 3


def test_a_page_has_a_recipe_for_each_tool() -> None:
    tools = {tool.split()[0] for _, tool, _ in RECIPES}
    assert tools == {
        "sqlalchemy", "django", "datasette", "sqlite-utils", "duckdb", "pandas", "fastapi",
    }  # fmt: skip
