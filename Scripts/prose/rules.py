"""The rules of plain words, each with its sentence in CONTRIBUTING.md."""

from __future__ import annotations

import re
from collections.abc import Iterator

LONGEST = 35

SUBJECT = re.compile(r"(?:^|; |: |; and |; but )((?:[Ww]hat|[Ww]ho|[Ww]hoever|[Tt]hat which|[Tt]hose who|[Ww]hatever)\b)(?!ever)")
NEGATION = re.compile(
    r"(?<!there )(?<!There )\b((?:is|are|was|were|be|been|being|isn't) (?:no|none)\b)(?! longer| more than| less than| later than| earlier than)"
)
#: Words that are not the field's, and the word that is.
WORDS = {
    r"inside of\b": "inside, nested",
    r"nobody has looked at\b": "untrusted",
    r"(?:comes?|came|named?|stands?) twice": "duplicate, repeats",
    r"ga(?:ve|ve it|ve them) up\b|gave it up|given up": "cancelled",
    r"that (?:is|are) not there\b": "missing",
    r"(?:is|are) not there\b": "is missing",
    r"that (?:is|are) there\b": "existing",
    r"no (?:key )?path names": "unmapped",
    r"stands? for no\b": "names no, does not name",
}


def sentences(text: str) -> Iterator[str]:
    """The sentences of a passage."""
    text = re.sub(r"\b(e\.g|i\.e|etc|vs|cf|St|Dr)\.", r"\1", text)
    yield from (part for part in re.split(r"(?<=[.!?])[)\"']? +(?=[A-Z0-9\"'(\ufffd])", text) if part)


def problems(text: str) -> Iterator[tuple[str, str]]:
    """What breaks a rule in a passage: the name of the rule, and the sentence."""
    for sentence in sentences(text):
        if sentence.endswith("?"):
            continue
        if SUBJECT.search(sentence):
            yield "subject", sentence
        if NEGATION.search(sentence):
            yield "negation", sentence
        if len(sentence.split()) > LONGEST:
            yield "length", sentence
        for pattern, better in WORDS.items():
            if re.search(rf"\b(?:{pattern})", sentence, re.IGNORECASE):
                yield f"word ({better})", sentence
