"""Species with references of name and address, translations in lists, and trees of evolution."""

from __future__ import annotations

from typing import Any

_API = "https://beasts.example/api"
_NAMES = (
    "mossling", "mosshart", "mossoak", "emberfin", "emberray", "drizzlet",
    "stormet", "pebblor", "bouldron", "wisp", "lantern", "loner",
)  # fmt: skip
_BEFORE = {1: 0, 2: 1, 4: 3, 6: 5, 8: 7, 10: 9}
_CHAINS = {0: 1, 3: 2, 5: 3, 7: 4, 9: 5, 11: 6}


def _reference(kind: str, name: str) -> dict[str, str]:
    return {"name": name, "url": f"{_API}/{kind}/{name}/"}


def _first(number: int) -> int:
    while number in _BEFORE:
        number = _BEFORE[number]
    return number


def _species(number: int) -> dict[str, Any]:
    name = _NAMES[number]
    before = _BEFORE.get(number)
    colors, habitats = ("green", "red", "blue", "grey"), ("forest", "sea", "cave")
    # Some species have one name in two languages.
    names = {"en": name.title(), "de": name.title() if number % 4 == 0 else f"{name.title()}chen"}
    return {
        "id": number + 1,
        "name": name,
        "order": number * 2 + 1,
        "base_happiness": 70 if number % 3 else 35,
        "is_baby": number == 9,
        "gender_rate": number % 4 - 1,
        "color": _reference("color", colors[number % 4]),
        "habitat": _reference("habitat", habitats[number % 3]) if number % 5 else None,
        "evolves_from_species": None if before is None else _reference("species", _NAMES[before]),
        "evolution_chain": {"url": f"{_API}/evolution-chain/{_CHAINS[_first(number)]}/"},
        "egg_groups": [
            _reference("egg-group", one) for one in ("plant", "water", "stone")[number % 3 :]
        ],
        "names": [
            {"language": _reference("language", language), "name": text}
            for language, text in names.items()
        ],
        "flavor_text_entries": [
            {
                "flavor_text": f"It is seen\nat hour {number}.",
                "language": _reference("language", "en"),
                "version": _reference("version", version),
            }
            for version in ("gold", "opal")[: number % 3]
        ],
        "varieties": [{"is_default": True, "beast": _reference("beast", name)}],
    }


def _link(number: int) -> dict[str, Any]:
    after = [one for one, before in _BEFORE.items() if before == number]
    return {
        "species": _reference("species", _NAMES[number]),
        "min_level": None if number not in _BEFORE else 10 + number,
        "is_baby": number == 9,
        "evolves_to": [_link(one) for one in after],
    }


SAMPLE = {
    "species": [_species(number) for number in range(len(_NAMES))],
    "chains": [
        {"id": number, "baby_trigger_item": None, "chain": _link(first)}
        for first, number in _CHAINS.items()
    ],
}
ENTITY = None
ROOTS = ["/species", "/chains"]
IDENTITIES = {
    "Species": "id",
    "Chain": "id",
    "Reference": "url",
    "EvolutionChain": "url",
    "Name": "species, position",
    "FlavorTextEntry": "species, position",
    "Variety": "species, position",
    "EvolvesTo": "chain, evolvesTo, position",
}
LINKS = {
    "Species.color -> Reference",
    "Species.habitat -> Reference",
    "Species.evolves_from_species -> Reference",
    "Species.evolution_chain -> EvolutionChain",
    "Species.egg_groups -> Reference[]",
    "Species.names -> Name[]",
    "Species.flavor_text_entries -> FlavorTextEntry[]",
    "Species.varieties -> Variety[]",
    "Name.language -> Reference",
    "FlavorTextEntry.language -> Reference",
    "FlavorTextEntry.version -> Reference",
    "Variety.beast -> Reference",
    "Chain.chain -> EvolvesTo",
    "EvolvesTo.species -> Reference",
    "EvolvesTo.evolves_to -> EvolvesTo[]",
}
