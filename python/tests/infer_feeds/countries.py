"""Countries with codes of their neighbours, and maps by code of currency and language."""

from __future__ import annotations

from typing import Any

_LANGUAGES = {"avo": "Avonese", "bel": "Belish", "cor": "Corvan", "dun": "Dunnish"}
_MONEY = {
    "AVC": {"name": "Avon crown", "symbol": "c"},
    "BLF": {"name": "Belish franc", "symbol": "F"},
    "CRM": {"name": "Corvan mark", "symbol": "M"},
}
_OTHERS = ("deu", "fra", "ita", "jpn", "spa")


def _code(number: int) -> str:
    return "ABCDEFGHIJKLMNOPQRST"[number] + "LN"


def _pick(values: dict[str, Any], number: int, count: int) -> dict[str, Any]:
    keys = sorted(values)
    chosen = {keys[(number + one) % len(keys)] for one in range(count)}
    return {key: values[key] for key in sorted(chosen)}


def _country(number: int) -> dict[str, Any]:
    common = "ABCDEFGHIJKLMNOPQRST"[number] + "land"
    spoken = _pick(_LANGUAGES, number, number % 2 + 1)
    country: dict[str, Any] = {
        "name": {
            "common": common,
            "official": f"Republic of {common}",
            "nativeName": {
                code: {"official": f"{code} {common}", "common": f"{common}ia"} for code in spoken
            },
        },
        "cca2": _code(number)[:2],
        "cca3": _code(number),
        "ccn3": f"{number * 4 + 8:03}",
        "independent": number % 7 > 0,
        "currencies": _pick(_MONEY, number, 1 + (number % 5 == 0)),
        "idd": {"root": "+4", "suffixes": [str(number + 1)]},
        "capital": [f"{common} City"] if number % 6 else [],
        "region": ("North", "South", "West")[number % 3],
        "languages": spoken,
        "translations": {
            code: {"official": f"{code} R. {common}", "common": f"{common}-{code}"}
            for code in _OTHERS
        },
        "latlng": [60.0 - number, 10.5 + number],
        "landlocked": number % 4 == 0,
        "area": 1000.5 * (number + 1),
        "population": 100_000 * (number + 1) + number,
        "timezones": ["UTC+01:00"],
    }
    if number < 18:
        country["borders"] = [_code((number + step) % 18) for step in (1, 17)]
    return country


SAMPLE = [_country(number) for number in range(20)]
ENTITY = "Country"
ROOTS = [""]
IDENTITIES = {
    "Country": "cca3",
    "Name": "country",
    "Translation": "name, country, key",
    "Currency": "country, key",
    "Language": "country, key",
    "Idd": "country",
}
LINKS = {
    "Country.name -> Name",
    "Country.currencies -> Currency[]",
    "Country.idd -> Idd",
    "Country.languages -> Language[]",
    "Country.translations -> Translation[]",
    "Country.borders -> Country[]",
    "Name.nativeName -> Translation[]",
}
