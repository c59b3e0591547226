"""Statuses of a social network: users repeated in each, and the status that one repeats."""

from __future__ import annotations

from typing import Any

_FIRST = 505_874_900_000_000_000
_NAMES = ("runa", "otto", "mina", "erik", "lea", "sam")


def _user(number: int) -> dict[str, Any]:
    own = 2_700_000_000 + number * 7
    return {
        "id": own,
        "id_str": str(own),
        "name": _NAMES[number].title(),
        "screen_name": _NAMES[number],
        "description": None if number % 2 else f"Writes on {number} things.",
        "followers_count": number * 131,
        "created_at": f"Mon Sep {10 + number} 03:35:21 +0000 2012",
        "verified": number == 3,
        "lang": "en",
    }


def _entities(number: int) -> dict[str, Any]:
    user = _user((number + 2) % 6)
    hashtags = [{"text": "tea", "indices": [4, 8]}, {"text": "tea", "indices": [20, 24]}]
    url = f"https://t.example/{number % 5}"
    urls = [{"url": url, "expanded_url": f"{url}/long", "indices": [number, number + 20]}]
    mention = {
        "screen_name": user["screen_name"],
        "name": user["name"],
        "id": user["id"],
        "id_str": user["id_str"],
        "indices": [number, number + 5],
    }
    return {
        "hashtags": hashtags[: number % 3],
        "urls": urls if number % 2 else [],
        "user_mentions": [mention] if number % 4 else [],
    }


def _status(number: int) -> dict[str, Any]:
    own = _FIRST + number * 1_000_003
    answered = number - 4 if number % 5 == 4 else None
    status = {
        "created_at": f"Sun Aug {number + 1:02} 00:29:15 +0000 2014",
        "id": own,
        "id_str": str(own),
        "text": f"Tea number {number}",
        "source": "<a href='https://t.example'>Web</a>",
        "truncated": False,
        "in_reply_to_status_id": None,
        "in_reply_to_user_id": None,
        "user": _user(number % 6),
        "retweet_count": number * 3,
        "favorite_count": number % 7,
        "entities": _entities(number),
        "favorited": False,
        "lang": "en",
    }
    if answered is not None:
        status["in_reply_to_status_id"] = _FIRST + answered * 1_000_003
        status["in_reply_to_user_id"] = _user(answered % 6)["id"]
    # A repeated status may be older than the statuses of the page.
    if number in (7, 11, 16, 21):
        status["retweeted_status"] = _status(number - 6 if number > 7 else 28)
    return status


SAMPLE = {
    "statuses": [_status(number) for number in range(24)],
    "search_metadata": {"completed_in": 0.087, "count": 24, "query": "tea"},
}
ENTITY = "Status"
ROOTS = ["/statuses"]
IDENTITIES = {
    "Status": "id",
    "User": "id",
    "Entity": "status",
    "Hashtag": "entity, position",
    "Url": "entity, url",
    "UserMention": "entity, id",
}
LINKS = {
    "Status.user -> User",
    "Status.entities -> Entity",
    "Status.retweeted_status -> Status",
    "Status.in_reply_to_status_id -> Status",
    "Status.in_reply_to_user_id -> User",
    "Entity.hashtags -> Hashtag[]",
    "Entity.urls -> Url[]",
    "Entity.user_mentions -> UserMention[]",
}
