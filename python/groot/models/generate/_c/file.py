"""The header: macros of the names and numbers."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import Any

from groot.errors import Status, error
from groot.model import Model
from groot.models._distinct import distinct
from groot.models._identity import own_identity
from groot.models._lineage import Lineage
from groot.models.generate import _json
from groot.models.generate._arguments import check
from groot.models.generate._c.names import is_family, is_macro, is_reserved, macro, stem
from groot.models.generate._c.options import COptions
from groot.models.generate._comments import about_entity, visible

_HEAD = """\
/*
 * The names and numbers of a model, written by `groot generate c`.
 * Changes here are lost when the file is written again.
 *
 * The number of an entity is that of groot_model_entity. The number of a property is its
 * groot_property: valid for the entity that declares it and for all sub-entities, in all contexts
 * of the model. Another model has other numbers: groot_model_entity_number and
 * groot_context_property tell them.
 */"""
_ENTITY, _NUMBER = "_ENTITY", "_NUMBER"


def c(model: Model, options: COptions | None = None) -> str:
    """Write the names and numbers of a model as a header for C and C++.

    Args:
        model: The model.
        options: The form of the header; by default `COptions()`.

    Returns:
        The text of the file.

    Raises:
        groot.Error: With `Status.INVALID_ARGUMENT` for a prefix that no macro can have, and with
            `Status.LIMIT_EXCEEDED` for a default that nests too deep.
    """
    check(model, options, COptions)
    options = options or COptions()
    _check_prefix(options.prefix)
    if not isinstance(options.file, str):
        message = f"file is {options.file!r}, not the name of a file, such as 'heroes.h'"
        raise error(Status.INVALID_ARGUMENT, message)
    guard = stem(options.prefix, options.file)
    try:
        lineage = Lineage(_json.read(model.document_text))
    except RecursionError:
        raise error(Status.LIMIT_EXCEEDED, "a default nests too deep for Python") from None
    lines = [_HEAD, f"#ifndef {guard}", f"#define {guard}", ""]
    lines += _Writer(lineage, options.prefix, guard).lines()
    return "\n".join([*lines, f"#endif /* {guard} */"]) + "\n"


def _check_prefix(prefix: Any) -> None:
    if prefix == "":
        return
    if not isinstance(prefix, str) or not is_macro(prefix):
        message = f"prefix is {prefix!r}; use letters, digits and single '_', such as 'SHOP_'"
        raise error(Status.INVALID_ARGUMENT, message)
    if is_family(prefix.upper()):
        message = f"prefix is {prefix!r}, which other headers use; use another, such as 'SHOP_'"
        raise error(Status.INVALID_ARGUMENT, message)


class _Writer:
    """The writer of the macros."""

    def __init__(self, lineage: Lineage, prefix: str, guard: str) -> None:
        self._lineage = lineage
        self._used = {guard}
        self._macros: dict[tuple[str, str], str] = {}
        stems = distinct(lineage.entities, lambda name: stem(prefix, name), join="_")
        for name in lineage.entities:
            self._choose(name, "", f"{stems[name]}{_ENTITY}")
        for name, described in lineage.entities.items():
            for one in _own(described):
                self._choose(name, one, f"{stems[name]}_{macro(one)}")

    def _choose(self, entity: str, name: str, wanted: str) -> None:
        """Choose the macro of a name, such that the macro of its number is free, too."""
        found, count = wanted, 1
        while self._is_taken(found) or self._is_taken(found + _NUMBER):
            count += 1
            found = f"{wanted}_{count}"
        self._used.update((found, found + _NUMBER))
        self._macros[entity, name] = found

    def _is_taken(self, name: str) -> bool:
        return name in self._used or is_reserved(name)

    def lines(self) -> Iterator[str]:
        """Yield the lines of all entities, an empty one after each."""
        numbers = _numbers(self._lineage)
        for number, (name, described) in enumerate(self._lineage.entities.items()):
            yield from self._comment(name, described)
            yield from _macro(self._macros[name, ""], name, number)
            for one in _own(described):
                yield from _macro(self._macros[name, one], one, numbers[name, one])
            yield ""

    def _comment(self, name: str, described: dict[str, Any]) -> Iterator[str]:
        identity = {one for each in self._lineage.line(name) for one in self._declared(each)}
        text = about_entity(
            described, [one for one in described["allProperties"] if one in identity]
        )
        if described["parent"] is not None:
            text += f" `{described['parent']}` has its inherited properties."
        text = visible(text).replace("*/", "* /").replace("/*", "/ *").replace("??", "? ?")
        lines = textwrap.wrap(text, 94, break_long_words=False, break_on_hyphens=False)
        if len(lines) == 1:
            yield f"/* {lines[0]} */"
            return
        yield "/*"
        yield from (f" * {line}" for line in lines)
        yield " */"

    def _declared(self, name: str) -> list[str]:
        return own_identity(self._lineage.entities[name])


def _numbers(lineage: Lineage) -> dict[tuple[str, str], int]:
    """Number the properties of each hierarchy: the root's, then those of its children in turn."""
    numbers = {}
    for root, described in lineage.entities.items():
        if described["parent"] is not None:
            continue
        rest, count = [root], 0
        while rest:
            name = rest.pop()
            for one in _own(lineage.entities[name]):
                numbers[name, one] = count
                count += 1
            rest += reversed(lineage.children(name))
    return numbers


def _own(described: dict[str, Any]) -> Iterator[str]:
    """Yield the own properties, attributes before relationships."""
    yield from described["attributes"]
    yield from described["relationships"]


def _macro(name: str, text: str, number: int) -> Iterator[str]:
    yield f"#define {name} {_literal(text)}"
    yield f"#define {name}{_NUMBER} {number}"


def _literal(text: str) -> str:
    """Write a text as a literal: bytes outside ASCII, and `?` because of trigraphs, as codes."""
    found = ""
    for byte in text.encode():
        character = chr(byte)
        if not 32 <= byte < 127 or character == "?":
            found += f"\\{byte:03o}"
        else:
            found += f"\\{character}" if character in '\\"' else character
    return f'"{found}"'
