"""Text of Python that the library writes piece by piece."""

from __future__ import annotations

import random
import sys
from typing import Any

import pytest

import groot
from groot import _ffi

LETTERS = "a\x7f\x80\xe9\xff\u0100\u20ac\uffff\U00010000\U0010ffff"


def grown(pieces: list[bytes]) -> str:
    made = _ffi.GrowingText()
    try:
        for piece in pieces:
            made.add(piece, len(piece))
        return made.value()
    finally:
        made.release()


def check(pieces: list[bytes], expected: str) -> None:
    text = grown(pieces)
    assert text == expected
    # A text with more room than its characters need would equal no other and not be found.
    assert {expected: 1}[text] == 1
    assert text.encode() == expected.encode()
    assert sys.getsizeof(text) <= sys.getsizeof(str(expected.encode(), "utf-8")) + 8


def test_the_layout_of_this_python_is_known() -> None:
    assert _ffi.can_grow()


@pytest.mark.parametrize("first", LETTERS)
@pytest.mark.parametrize("second", LETTERS)
@pytest.mark.parametrize("length", [1, 17, 5000])
def test_pieces_of_all_kinds_become_one_text(first: str, second: str, length: int) -> None:
    texts = ["x" * length, first * length, "y", second, first, "z" * length]
    check([each.encode() for each in texts], "".join(texts))
    check(["".join(texts).encode()], "".join(texts))


def test_pieces_of_any_length_become_one_text() -> None:
    chance = random.Random(7)  # noqa: S311 (reproducible)
    for _ in range(300):
        most = chance.choice((3, 5, 8, len(LETTERS)))
        weights = [chance.random() ** 4 for _ in range(most)]
        texts = [
            "".join(chance.choices(LETTERS[:most], weights, k=chance.randrange(90)))
            for _ in range(chance.randrange(12))
        ]
        check([each.encode() for each in texts], "".join(texts))


@pytest.mark.parametrize("greater", LETTERS[2:])
def test_a_character_beyond_ascii_may_stand_anywhere(greater: str) -> None:
    plain = "".join(map(chr, range(0x21, 0x7F)))
    for before in range(70):
        for after in (0, 1, 13, 14, 15, 16, 29, 30, 31, 32, 33, 70):
            text = plain[:before] + greater + "b" + greater * 2 + plain[:after]
            check([text.encode()], text)


WRONG = [
    b"\x80",
    b"\xc3",
    b"\xc3(",
    b"\xe2\x82",
    b"\xed\xa0\x80",
    b"\xf0\x90\x80",
    b"\xf5",
    b"\xff",
]


@pytest.mark.parametrize("wrong", WRONG, ids=repr)
@pytest.mark.parametrize("before", ["", "plain", "\xe9", "\u20ac", "\U0001f333"])
@pytest.mark.parametrize("after", ["", "plain", "\xe9", "\u20ac", "\U0001f333"])
def test_invalid_utf8_is_replaced_as_python_does(wrong: bytes, before: str, after: str) -> None:
    piece = before.encode() + wrong + after.encode()
    check([piece, b"end"], piece.decode(errors="replace") + "end")


def test_an_unfinished_text_is_released() -> None:
    made = _ffi.GrowingText()
    made.add(b"plain", 5)
    made.release()
    made.release()


@pytest.mark.parametrize("at", [0, 1, 1999, 3999])
@pytest.mark.parametrize("character", ["x", "\xe9", "\u20ac", "\U0001f333"])
def test_exports_have_room_for_a_late_character(
    comics: groot.Context, character: str, at: int
) -> None:
    records: list[dict[str, Any]] = [{"id": str(n), "name": "a" * 40} for n in range(4000)]
    records[at]["name"] += character
    loaded = comics.load("Character", records)
    text = comics.dumps(loaded)
    assert text == comics.dumpb(loaded).decode()
    assert character in text
