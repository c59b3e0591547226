"""Stops with departures grouped by line, and the weather by hour."""

from __future__ import annotations

from typing import Any

_LINES = ("11", "12", "N3", "X7", "31", "T1", "45", "80")


def _departure(line: int, number: int) -> dict[str, Any]:
    return {"at": f"{6 + number:02}:{line:02}", "to": f"End {line}", "low_floor": number % 2 == 0}


def _stop(number: int) -> dict[str, Any]:
    lines = {(number + step) % 8 for step in (0, 3)}
    return {
        "code": f"STP{number:02}",
        "name": f"Stop {number}",
        "position": {"lat": 59.5 + number / 100, "lon": 10.25 - number / 100},
        "departures": {
            _LINES[line]: [_departure(line, one) for one in range(number % 3 + 1)]
            for line in sorted(lines)
        },
        "hours": {
            f"2024-05-01T{hour:02}:00": {"temp": 4.5 + hour, "wind": number + hour, "rain": 0.0}
            for hour in range(6 + number % 3, 11)
        },
        "level": {f"2024-05-0{day}": 120 + day * number for day in range(1, 4)},
        "next": [f"STP{(number + 1) % 10:02}"],
    }


SAMPLE = {"version": 3, "stops": [_stop(number) for number in range(10)]}
ENTITY = None
ROOTS = ["/stops"]
IDENTITIES = {
    "Stop": "code",
    "Position": "stop",
    "Departure": "stop, key, position",
    "Hour": "stop, key",
    "Level": "stop, key",
}
LINKS = {
    "Stop.position -> Position",
    "Stop.departures -> Departure[]",
    "Stop.hours -> Hour[]",
    "Stop.level -> Level[]",
    "Stop.next -> Stop[]",
}
