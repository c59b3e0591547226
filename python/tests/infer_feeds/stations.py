"""Stations of hired bicycles as rows: a header, then an array for each."""

from __future__ import annotations

from typing import Any

_STREETS = ("Mill Lane", "Harbour", "Old Gate", "North Square", "Canal Bridge")
_HEADER = ["station_id", "name", "lat", "lng", "opened", "docks", "electric", "note"]


def _row(number: int) -> list[Any]:
    return [
        f"S{number:03}",
        f"{_STREETS[number % 5]} {number}",
        59.9 + number / 1000,
        10.7 - number / 500,
        f"2019-04-{number + 1:02}",
        12 + number % 4,
        number % 3 == 0,
        None if number % 4 else f"closed on day {number}",
    ]


SAMPLE = [_HEADER, *(_row(number) for number in range(24))]
ENTITY = "Station"
ROOTS = [""]
IDENTITIES = {"Station": "station_id"}
LINKS: set[str] = set()
