"""Users with notes and a company, for the tests of the dialect."""

from __future__ import annotations

from typing import Any

TYPES = {
    "id": "integer64",
    "firstName": "string",
    "lastName": "string",
    "createdAt": "date",
    "updatedAt": "date",
    "publishedAt": "date",
    "numberOfAttendees": "integer32",
    "hobbies": "binary",
    "expenses": "transformable",
    "balance": "decimal",
    "key": "uuid",
    "homepage": "uri",
    "entity": "string",
}


def attributes(**types: str) -> dict[str, Any]:
    return {name: {"type": type, "optional": True} for name, type in types.items()}


def users() -> dict[str, Any]:
    """Make the document of a model of users, their notes and their company."""
    user, note, company = attributes(**TYPES), {"id": "integer64", "text": "string"}, {}
    company = {"id": "integer64", "name": "string"}
    link = {"optional": True}
    return {
        "entities": {
            "User": {
                "attributes": user,
                "relationships": {
                    "notes": {**link, "destination": "Note", "toMany": True, "inverse": "user"},
                    "company": {**link, "destination": "Company", "inverse": "users"},
                },
            },
            "Note": {
                "attributes": attributes(**note),
                "relationships": {"user": {**link, "destination": "User", "inverse": "notes"}},
            },
            "Company": {
                "attributes": attributes(**company),
                "relationships": {
                    "users": {**link, "destination": "User", "toMany": True, "inverse": "company"}
                },
            },
        }
    }


JOHN = {"id": 7, "first_name": "John", "last_name": "Hyperseed"}
