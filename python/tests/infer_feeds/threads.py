"""Threads of a forum as GraphQL pages: edges with nodes, and where the page ends."""

from __future__ import annotations

from typing import Any


def _author(number: int) -> dict[str, Any]:
    return {"id": f"U{number}", "login": f"user{number}", "karma": number * 10}


def _page(nodes: list[dict[str, Any]]) -> dict[str, Any]:
    edges = [{"cursor": f"at:{one['id']}", "node": one} for one in nodes]
    end = edges[-1]["cursor"] if edges else None
    return {
        "totalCount": len(nodes),
        "edges": edges,
        "pageInfo": {"hasNextPage": len(nodes) > 2, "endCursor": end},
    }


def _reply(thread: int, number: int) -> dict[str, Any]:
    return {
        "id": f"R{thread}-{number}",
        "text": f"Reply {number}",
        "author": _author((thread + number) % 5),
        "createdAt": f"2024-01-{thread + 1:02}T12:0{number}:00Z",
    }


def _thread(number: int) -> dict[str, Any]:
    return {
        "id": f"T{number}",
        "title": f"Thread {number}",
        "author": _author(number % 5),
        "isLocked": number % 4 == 0,
        "replies": _page([_reply(number, one) for one in range(number % 4)]),
    }


SAMPLE = {"data": {"threads": _page([_thread(number) for number in range(12)])}}
ENTITY = "Thread"
ROOTS = ["/data/threads/edges"]
IDENTITIES = {
    "Thread": "node",
    "Node": "id",
    "Author": "id",
    "ReplyList": "node",
    "ReplyEdge": "replyList, position",
    "Reply": "id",
    "PageInfo": "replyList",
}
LINKS = {
    "Thread.node -> Node",
    "Node.author -> Author",
    "Node.replies -> ReplyList",
    "ReplyList.edges -> ReplyEdge[]",
    "ReplyList.pageInfo -> PageInfo",
    "ReplyEdge.node -> Reply",
    "Reply.author -> Author",
}
