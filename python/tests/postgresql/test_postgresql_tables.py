"""Tables of Arrow with the keys of the rows, for joins with the tables of the database."""

from __future__ import annotations

from servers import Server

import groot

MODEL = {
    "entities": {
        "Team": {
            "userInfo": {"identityAttributes": "id"},
            "attributes": {"id": {"type": "integer64", "userInfo": {"JSONKeyPath": "id"}}},
            "relationships": {
                "heroes": {"destination": "Hero", "toMany": True, "inverse": "team"},
            },
        },
        "Hero": {
            "userInfo": {"identityAttributes": "id"},
            "attributes": {"id": {"type": "integer64", "userInfo": {"JSONKeyPath": "id"}}},
            "relationships": {
                "team": {
                    "destination": "Team",
                    "inverse": "heroes",
                    "optional": True,
                    "userInfo": {"JSONKeyPath": "team"},
                },
            },
        },
    }
}


def test_keys_are_those_of_the_rows(server: Server, store: str, schema: str) -> None:
    mapping = groot.Mapping(groot.Model(MODEL))
    # Two writers, so that the keys of each have gaps.
    with groot.Context(mapping, store) as context, groot.Context(mapping, store) as other:
        for number in range(0, 20, 2):
            context.load("Hero", {"id": number, "team": {"id": number % 3}})
            context.save()
            other.load("Hero", {"id": number + 1})
            other.save()
        context.refresh()
        table = context.fetch("Hero", sort="id").table("id", "team", ids=True)
        found = [(row["id"], row["_id"], row["team._id"]) for row in table]
        teams = context.fetch("Team").table("heroes", ids=True)
        lists = [(row["_id"], key) for row in teams for key in row["heroes._id"]]
    rows = server.psql(f'SELECT id, _id, team FROM {schema}."Hero" ORDER BY id').splitlines()
    stored = [tuple(int(one) if one else None for one in row.split("|")) for row in rows]
    assert found == stored
    assert len(found) == 20
    assert sorted(lists) == sorted((team, key) for _, key, team in stored if team)
