"""Events of several types on repositories of code, whose payload depends on the type."""

from __future__ import annotations

from typing import Any

API = "https://code.example"
_TITLES = ("Crash on start", "Typo in the guide", "Slow import", "Dark colours")
_LABELS = [
    {"id": 501, "name": "bug", "color": "d73a4a"},
    {"id": 502, "name": "docs", "color": "0075ca"},
    {"id": 503, "name": "speed", "color": "a2eeef"},
]


def _user(number: int) -> dict[str, Any]:
    login = ("ada", "grace", "linus", "barbara", "ken")[number]
    return {
        "id": 100 + number,
        "login": login,
        "url": f"{API}/users/{login}",
        "avatar_url": f"{API}/avatars/{100 + number}?",
    }


def _actor(number: int) -> dict[str, Any]:
    user = _user(number)
    return {**user, "display_login": user["login"].title()}


def _repo(number: int) -> dict[str, Any]:
    name = ("ada/engine", "looms/jacquard", "looms/thread")[number]
    return {"id": 9000 + number, "name": name, "url": f"{API}/repos/{name}"}


def _issue(number: int) -> dict[str, Any]:
    is_closed = number % 2 == 1
    return {
        "id": 70_000 + number,
        "number": 10 + number,
        "title": _TITLES[number],
        "user": _user(number),
        "labels": _LABELS[number % 3 : number % 3 + number % 2 + 1],
        "state": "closed" if is_closed else "open",
        "comments": number * 2,
        "created_at": f"2024-02-0{number + 1}T08:00:00Z",
        "closed_at": "2024-03-01T12:30:00Z" if is_closed else None,
        "body": f"Steps for number {number}.",
    }


def _commit(number: int) -> dict[str, Any]:
    sha = f"{number * 7919:040x}"
    name = ("Ada", "Grace", "Linus")[number % 3]
    return {
        "sha": sha,
        "author": {"email": f"{name.lower()}@code.example", "name": name},
        "message": f"Change {number}",
        "distinct": number % 4 > 0,
        "url": f"{API}/commits/{sha}",
    }


def _payload(kind: str, number: int) -> dict[str, Any]:
    if kind == "PushEvent":
        return {
            "push_id": 880_000 + number,
            "size": number % 3 + 1,
            "ref": "refs/heads/main",
            "head": f"{number * 7919:040x}",
            "commits": [_commit(number * 10 + one) for one in range(number % 3 + 1)],
        }
    if kind == "IssuesEvent":
        action = "closed" if number % 4 % 2 else "opened"
        return {"action": action, "issue": _issue(number % 4)}
    if kind == "IssueCommentEvent":
        comment = {
            "id": 60_000 + number,
            "user": _user(number % 5),
            "created_at": f"2024-03-{number + 1:02}T09:00:00Z",
            "body": f"Comment {number}",
        }
        return {"action": "created", "issue": _issue(number % 4), "comment": comment}
    if kind == "WatchEvent":
        return {"action": "started"}
    return {
        "ref": f"v1.{number}",
        "ref_type": "tag",
        "master_branch": "main",
        "description": None if number % 2 else "An engine",
    }


def _event(number: int) -> dict[str, Any]:
    kinds = ("PushEvent", "IssuesEvent", "IssueCommentEvent", "WatchEvent", "CreateEvent")
    kind = kinds[number % 5]
    repo = _repo(number % 3)
    event = {
        "id": str(38_000_000_000 + number),
        "type": kind,
        "actor": _actor(number * 3 % 5),
        "repo": repo,
        "payload": _payload(kind, number),
        "public": True,
        "created_at": f"2024-03-{number + 1:02}T10:{number:02}:00Z",
    }
    if number % 3:
        event["org"] = {"id": 40, "login": "looms", "avatar_url": f"{API}/avatars/40?"}
    return event


SAMPLE = [_event(number) for number in range(30)]
ENTITY = "Event"
ROOTS = [""]
IDENTITIES = {
    "Event": "id",
    "PushEvent": "",
    "IssuesEvent": "",
    "IssueCommentEvent": "",
    "WatchEvent": "",
    "CreateEvent": "",
    "Actor": "id",
    "Repo": "id",
    "Org": "id",
    "PushEventPayload": "push_id",
    "IssuesEventPayload": "issuesEvent",
    "IssueCommentEventPayload": "issueCommentEvent",
    "WatchEventPayload": "watchEvent",
    "CreateEventPayload": "createEvent",
    "Commit": "sha",
    "Author": "commit",
    "Issue": "id",
    "Comment": "id",
    "Label": "id",
}
LINKS = {
    "Event.actor -> Actor",
    "Event.repo -> Repo",
    "Event.org -> Org",
    "PushEvent.payload -> PushEventPayload",
    "IssuesEvent.payload -> IssuesEventPayload",
    "IssueCommentEvent.payload -> IssueCommentEventPayload",
    "WatchEvent.payload -> WatchEventPayload",
    "CreateEvent.payload -> CreateEventPayload",
    "PushEventPayload.commits -> Commit[]",
    "Commit.author -> Author",
    "IssuesEventPayload.issue -> Issue",
    "IssueCommentEventPayload.issue -> Issue",
    "IssueCommentEventPayload.comment -> Comment",
    "Issue.user -> Actor",
    "Issue.labels -> Label[]",
    "Comment.user -> Actor",
}
