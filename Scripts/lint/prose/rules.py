"""The rules of plain words in CONTRIBUTING.md that a program can check."""

from __future__ import annotations

import re
from collections.abc import Iterator

#: The greatest number of words of a sentence.
LONGEST = 35

ABBREVIATION = re.compile(r"\b(e\.g|i\.e|etc|vs|cf)\.")
END = re.compile(r"(?<=[.!?])[)\"']? +(?=[A-Z0-9\"'(\ufffd])")
SUBJECT = re.compile(
    r"(?:^|[;:] |; and |; but )(?:what|whatever|who|whoever|that which|those who)\b", re.IGNORECASE
)
NEGATION = re.compile(
    r"(?<!there )\b(?:is|are|was|were|be|been|being) (?:no|none)\b"
    r"(?! (?:longer|more than|less than|later than|earlier than)\b)",
    re.IGNORECASE,
)
#: Words that are not the field's, and the field's word.
WORDS = {
    r"inside of": "inside, nested",
    r"nobody has looked at": "untrusted",
    r"(?:comes?|came|named?|stands?) twice": "duplicate",
    r"(?:given?|gave) (?:\w+ )?up": "cancelled",
    r"(?:is|are) not there": "missing",
    r"that (?:is|are) there": "existing",
    r"no (?:key )?path names": "unmapped",
    r"stands? (?:for|under) no": "does not name, lacks",
    r"nobody (?:has|knows|asked|else|is)": "untrusted, unknown, without",
    r"there (?:is|are) not(?! (?:enough|many))": "there is no",
    r"as new": "not newer than",
    r"mends?": "prevents",
}
PATTERNS = {re.compile(rf"\b{found}\b", re.IGNORECASE): word for found, word in WORDS.items()}


def sentences(text: str) -> list[str]:
    """The sentences of a passage."""
    return [part for part in END.split(ABBREVIATION.sub(r"\1", text)) if part]


def problems(text: str) -> Iterator[tuple[str, str]]:
    """Each broken rule in a passage, with the sentence; questions are exempt."""
    for sentence in sentences(text):
        if sentence.endswith("?"):
            continue
        if SUBJECT.search(sentence):
            yield "the subject is a noun", sentence
        if NEGATION.search(sentence):
            yield "'not a', 'without' or 'invalid'", sentence
        if len(sentence.split()) > LONGEST:
            yield f"at most {LONGEST} words", sentence
        for pattern, word in PATTERNS.items():
            if pattern.search(sentence):
                yield f"the field's word: {word}", sentence
