"""A league in one document: collections that refer to each other, some from both sides."""

from __future__ import annotations

from typing import Any

_PEOPLE = 18
_TEAMS = 6


def _teams_of(person: int) -> list[int]:
    return sorted({person % _TEAMS, (person * 5 + 1) % _TEAMS})


def _team(number: int) -> dict[str, Any]:
    members = [1000 + one for one in range(_PEOPLE) if number in _teams_of(one)]
    return {
        "id": 200 + number,
        "name": f"Team {number}",
        "founded": 1901 + number * 7,
        "members": members,
        # A name that does not say person: a candidate, no link.
        "captain_id": members[0],
        "division_id": f"D{number % 3 + 4}",
    }


def _person(number: int) -> dict[str, Any]:
    return {
        "id": 1000 + number,
        "name": f"Person {number}",
        "born": f"19{70 + number}-03-{number + 1:02}",
        "teams": [200 + one for one in _teams_of(number)],
        # Of two who are friends, each names the other.
        "friends": [1000 + (number ^ 1)],
        "shirt": number % 11 + 1,
    }


def _division(number: int) -> dict[str, Any]:
    return {
        "id": f"D{number}",
        "label": f"Division {number}",
        "parent_id": None if number < 2 else f"D{number // 2}",
    }


def _match(number: int) -> dict[str, Any]:
    return {
        "id": f"M{number:02}",
        "home_team_id": 200 + number % _TEAMS,
        "away_team": 200 + (number + 1) % _TEAMS,
        "venue": f"V{number % 4}",
        "played_at": f"2024-09-{number + 1:02}T18:00:00Z",
        "goals": [{"minute": 9 * one + number, "scorer": 1000 + number + one} for one in range(2)],
        "score": {"home": number % 3, "away": 1},
    }


def _venue(number: int) -> dict[str, Any]:
    return {"code": f"V{number}", "name": f"Ground {number}", "seats": 400 * number + 50}


SAMPLE = {
    "season": "2024",
    "divisions": [_division(number) for number in range(1, 8)],
    "teams": [_team(number) for number in range(_TEAMS)],
    "people": [_person(number) for number in range(_PEOPLE)],
    "venues": [_venue(number) for number in range(4)],
    "matches": [_match(number) for number in range(16)],
}
ENTITY = None
ROOTS = ["/divisions", "/teams", "/people", "/venues", "/matches"]
IDENTITIES = {
    "Division": "id",
    "Team": "id",
    "Person": "id",
    "Venue": "code",
    "Match": "id",
    "Goal": "match, position",
    "Score": "match",
}
LINKS = {
    "Division.parent_id -> Division",
    "Team.members -> Person[]",
    "Team.division_id -> Division",
    "Person.teams -> Team[]",
    "Person.friends -> Person[]",
    "Match.home_team_id -> Team",
    "Match.away_team -> Team",
    "Match.venue -> Venue",
    "Match.goals -> Goal[]",
    "Match.score -> Score",
}
INVERSES = {
    ("Team.members", "Person.teams"),
    ("Person.teams", "Team.members"),
    ("Person.friends", "Person.friends"),
}
