"""Patterns of JSON Schema (ECMA 262, anywhere in a text) and of models (PCRE2, the whole text)."""

from __future__ import annotations

import re

_CLASSES = {"d": "0-9", "w": "A-Za-z0-9_"}
_OTHERS = {"D": "[^0-9]", "W": "[^A-Za-z0-9_]"}
_ANY = r"[\s\S]*"
_PCRE_ONLY = re.compile(r"\(\?(?![:=!]|<[=!])|\(\*|[+*?}]\+|\[\[|\[:|\\(?![dDwWsSbBnrtfv\W\d])")


def of_model(pattern: str) -> str:
    """Return the pattern that a whole text must match where `pattern` matches a part of it."""
    read, has_choice = _read(pattern)
    starts = read.startswith("^") and not has_choice
    ends = read.endswith("$") and not has_choice and not _is_escaped(read)
    if starts and ends:
        return read
    body = f"(?:{read})"
    return f"{'' if starts else _ANY}{body}{'' if ends else _ANY}"


def _is_escaped(text: str) -> bool:
    """Whether a backslash is before the last character."""
    before = text[:-1]
    return (len(before) - len(before.rstrip("\\"))) % 2 == 1


def _read(pattern: str) -> tuple[str, bool]:
    """Rewrite the syntax of ECMA, and say whether there is a choice outside of all groups."""
    found: list[str] = []
    depth, in_set, has_choice, at = 0, False, False, 0
    while at < len(pattern):
        character = pattern[at]
        at += 1
        if character == "\\" and at < len(pattern):
            escaped, at = _escape(pattern, at, in_set)
            found.append(escaped)
            continue
        if in_set:
            in_set = character != "]"
            found.append("\\[" if character == "[" else character)
            continue
        in_set = character == "["
        depth += {"(": 1, ")": -1}.get(character, 0)
        has_choice = has_choice or (character == "|" and depth == 0)
        found.append(character)
    return "".join(found), has_choice


def _escape(pattern: str, at: int, in_set: bool) -> tuple[str, int]:
    """Rewrite the escape whose letter is at a position; return it and the position behind it."""
    letter = pattern[at]
    if letter == "u":
        code = re.compile(r"u([0-9A-Fa-f]{4})|u\{([0-9A-Fa-f]+)\}").match(pattern, at)
        if code is not None:
            return f"\\x{{{code[1] or code[2]}}}", code.end()
    if letter in _CLASSES:
        return (_CLASSES[letter] if in_set else f"[{_CLASSES[letter]}]"), at + 1
    if letter in _OTHERS and not in_set:
        return _OTHERS[letter], at + 1
    return "\\" + letter, at + 1


def of_schema(pattern: str) -> str | None:
    """Return a model's pattern as one of JSON Schema; None if it has syntax that ECMA lacks."""
    if _PCRE_ONLY.search(pattern) is not None:
        return None
    try:
        re.compile(pattern)
    except (re.error, RecursionError, OverflowError):
        return None
    anchored = pattern.startswith("^") and pattern.endswith("$") and not _is_escaped(pattern)
    if anchored and "|" not in pattern:
        return pattern
    return f"^(?:{pattern})$"
