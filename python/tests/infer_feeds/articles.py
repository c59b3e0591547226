"""Articles with authors and comments beside them, as JSON:API writes them."""

from __future__ import annotations

from typing import Any

_PEOPLE = (("Ida", "Berg"), ("Jon", "Lund"), ("Mia", "Holm"), ("Per", "Vik"))


def _names(kind: str, number: int) -> dict[str, str]:
    return {"type": kind, "id": str(number)}


def _links(kind: str, number: int, name: str) -> dict[str, str]:
    own = f"/{kind}/{number}"
    return {"self": f"{own}/relationships/{name}", "related": f"{own}/{name}"}


def _comments_of(article: int) -> list[int]:
    return [one for one in range(1, 13) if one % 9 + 1 == article]


def _article(number: int) -> dict[str, Any]:
    comments = [_names("comments", one) for one in _comments_of(number)]
    author = _names("people", number % 4 + 1)
    return {
        **_names("articles", number),
        "attributes": {
            "title": f"Part {number}",
            "body": f"The story goes on, for the time {number}.",
            "created": f"2023-05-{number:02}T14:56:29Z",
            "words": 300 + number,
        },
        "relationships": {
            "author": {"links": _links("articles", number, "author"), "data": author},
            "comments": {"links": _links("articles", number, "comments"), "data": comments},
        },
        "links": {"self": f"/articles/{number}"},
    }


def _person(number: int) -> dict[str, Any]:
    first, last = _PEOPLE[number - 1]
    return {
        **_names("people", number),
        "attributes": {"firstName": first, "lastName": last, "age": 30 + number},
        "links": {"self": f"/people/{number}"},
    }


def _comment(number: int) -> dict[str, Any]:
    return {
        **_names("comments", number),
        "attributes": {"body": f"Well said, {number} times."},
        "relationships": {"author": {"data": _names("people", number % 4 + 1)}},
        "links": {"self": f"/comments/{number}"},
    }


SAMPLE = {
    "links": {"self": "/articles", "next": "/articles?page=2", "last": "/articles?page=9"},
    "data": [_article(number) for number in range(1, 10)],
    "included": [_person(number) for number in range(1, 5)]
    + [_comment(number) for number in range(1, 13)],
}
ENTITY = None
ROOTS = ["/data", "/included"]
IDENTITIES = {
    "Article": "id",
    "ArticleAttribute": "article",
    "ArticleRelationship": "article",
    "ArticleRelationshipAuthor": "articleRelationship",
    "ArticleRelationshipAuthorLink": "articleRelationshipAuthor, commentList",
    "CommentList": "articleRelationship",
    "IncludedLink": "article, included",
    "Included": "type, id",
    "Person": "",
    "Comment": "",
    "PersonAttribute": "person",
    "CommentAttribute": "comment",
    "CommentRelationship": "comment",
    "CommentRelationshipAuthor": "commentRelationship",
}
LINKS = {
    "Article.attributes -> ArticleAttribute",
    "Article.relationships -> ArticleRelationship",
    "Article.links -> IncludedLink",
    "ArticleRelationship.author -> ArticleRelationshipAuthor",
    "ArticleRelationship.comments -> CommentList",
    "ArticleRelationshipAuthor.links -> ArticleRelationshipAuthorLink",
    "ArticleRelationshipAuthor.data -> Included",
    "CommentList.links -> ArticleRelationshipAuthorLink",
    "CommentList.data -> Included[]",
    "Included.links -> IncludedLink",
    "Person.attributes -> PersonAttribute",
    "Comment.attributes -> CommentAttribute",
    "Comment.relationships -> CommentRelationship",
    "CommentRelationship.author -> CommentRelationshipAuthor",
    "CommentRelationshipAuthor.data -> Included",
}
