"""People and cities with rules, for the tests of the dialect."""

from __future__ import annotations

from hyper_users import attributes

import groot

MODEL = {
    "entities": {
        "Person": {
            "attributes": attributes(
                name="string",
                surname="string",
                birthdate="date",
                likesCoffee="boolean",
                number="integer16",
                price="decimal",
            ),
            "relationships": {
                "home": {"destination": "City", "inverse": "people", "optional": True},
                "friends": {
                    "destination": "Person",
                    "toMany": True,
                    "inverse": "friends",
                    "optional": True,
                },
            },
        },
        "City": {
            "attributes": attributes(code="string", label="string"),
            "relationships": {
                "people": {
                    "destination": "Person",
                    "toMany": True,
                    "inverse": "home",
                    "optional": True,
                }
            },
        },
    }
}


RULES = {
    "person, people": {
        "Person.name": {
            "name1": "name",
            "name2": "surname",
            "caffeine": "likesCoffee",
            "bday": "Day:birthdate",
            "no": "number",
            "cost": "price",
            "town": "home.code",
            "friends": "friends.name",
        }
    },
    "cities": {
        "City.code": {
            "id": "code",
            "title": "label",
            "inhabitants": [{"people.name": {"n": "name", "s": "surname"}}],
        }
    },
}


def registry() -> groot.Registry:
    """Make the registry of the transformer of dates."""
    made = groot.Registry()
    made.transformer(
        "Day",
        lambda text: f"{text.replace('/', '-')}T00:00:00Z",
        reverse=lambda text: text[:10].replace("-", "/"),
    )
    return made


PEOPLE = [
    {"name1": "John", "name2": "Doe", "bday": "2001/01/01", "caffeine": 1},
    {"name1": "Ann", "name2": "Onymous", "bday": "1981/10/23", "caffeine": 1},
]
