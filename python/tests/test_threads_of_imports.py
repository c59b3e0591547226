"""Imports whose records a second thread scans ahead."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import groot


def records(count: int) -> list[dict[str, Any]]:
    return [
        {
            "id": str(number),
            "name": f"Hero\n{number}",
            "powers": [{"id": str(number % 7), "name": f"Power {number % 7}"}],
        }
        for number in range(count)
    ]


def test_a_second_thread_makes_the_same_objects(comics: groot.Context, tmp_path: Path) -> None:
    text = json.dumps(records(5_000))
    path = tmp_path / "heroes.json"
    path.write_text(text)
    expected = comics.dump(comics.load("Character", text))
    for given in (text, text.encode()):
        loaded = comics.load("Character", given, threads=2)
        assert comics.dump(loaded) == expected
        assert groot.report(loaded).unchanged == 5_000 + 7
    assert comics.dump(comics.load_file("Character", path, threads=2)) == expected


@pytest.mark.parametrize("at", [0, 1, 300, 4_999])
def test_errors_are_those_of_one_thread(comics: groot.Context, at: int) -> None:
    wrong = records(5_000)
    wrong[at]["id"] = {"not": "an id"}
    broken = json.dumps(records(5_000)).replace(f'"{at}", "name"', f'"{at}" "name"')
    for text in (json.dumps(wrong), json.dumps(wrong, indent=1), broken):
        found = []
        for threads in (1, 2):
            with pytest.raises(groot.Error) as raised:
                comics.load("Character", text, threads=threads)
            found.append((str(raised.value), raised.value.issues))
        assert found[0] == found[1]
    assert comics.count("Character") == 0


def test_functions_run_in_the_thread_of_the_call(comics: groot.Context) -> None:
    def stop(_: groot.Progress) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        comics.load("Character", json.dumps(records(5_000)), threads=2, progress=stop)
    assert comics.count("Character") == 0


@pytest.mark.parametrize("threads", [0, 3, True, "2"])
def test_a_wrong_number_of_threads_is_refused(comics: groot.Context, threads: Any) -> None:
    with pytest.raises(groot.Error, match="threads") as raised:
        comics.load("Character", "[]", threads=threads)
    assert raised.value.code == groot.Status.INVALID_ARGUMENT
