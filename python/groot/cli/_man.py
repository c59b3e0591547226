"""The man page of all commands, in roff."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from groot.cli import _codes
from groot.cli._described import ENVIRONMENT, PROGRAM, SUMMARY, Argument, Described
from groot.cli._pages import choices_of
from groot.version import __version__

_SPECIAL = str.maketrans(
    {"\\": r"\e", "-": r"\-", "'": r"\(aq", "`": r"\(ga", "^": r"\(ha", "~": r"\(ti", '"': r"\(dq"}
)


def page(commands: Iterable[Described]) -> str:
    """Return the man page.

    Args:
        commands: The commands.

    Returns:
        The text, with a line break at the end.
    """
    return "\n".join(_lines(list(commands))) + "\n"


def _lines(commands: list[Described]) -> Iterator[str]:
    yield f'.TH {PROGRAM.upper()} 1 "" "{PROGRAM} {escaped(__version__)}" "Commands"'
    yield ".SH NAME"
    yield rf"{PROGRAM} \- {escaped(SUMMARY)}"
    yield ".SH SYNOPSIS"
    yield rf"\fB{PROGRAM}\fP \fICOMMAND\fP [\fIarguments\fP]"
    yield ".br"
    yield rf"\fB{PROGRAM} help\fP [\fICOMMAND\fP]"
    yield ".SH DESCRIPTION"
    yield f"The commands of {PROGRAM} keep a store equal to a JSON feed, read it, and work on the"
    yield "model of the feed. Standard output has data, and standard error has messages."
    for command in commands:
        yield from _command(command)
    yield ".SH EXIT STATUS"
    for code, meaning in _codes.MEANINGS.items():
        yield from _term(rf"\fB{code}\fP", meaning)
    yield ".SH ENVIRONMENT"
    for name, meaning in ENVIRONMENT.items():
        yield from _term(rf"\fB{escaped(name)}\fP", meaning)
    yield ".SH SEE ALSO"
    yield r"\fBjq\fP(1), \fBsqlite3\fP(1)"


def _command(command: Described) -> Iterator[str]:
    yield f'.SH "{PROGRAM.upper()} {escaped(command.name.upper())}"'
    yield _text(command.summary[:1].upper() + command.summary[1:] + ".")
    yield from _verbatim(command.synopsis)
    yield _text(command.description)
    for one in command.operands:
        yield from _term(rf"\fI{escaped(one.label)}\fP", one.help + choices_of(one))
    for title, options in command.groups().items():
        if title is not None:
            yield f'.SS "{escaped(title[:1].upper() + title[1:])}"'
        for one in options:
            yield from _term(_label(one), one.help + choices_of(one))
    yield ".SS Examples"
    for example in command.examples:
        comment = () if example.comment is None else (f"# {example.comment}",)
        yield from _verbatim((*comment, example.command))


def _label(option: Argument) -> str:
    names = ", ".join(rf"\fB{escaped(name)}\fP" for name in option.names)
    if option.value is None:
        return names
    value = rf"\fI{escaped(option.value)}\fP"
    return f"{names} {value}" if option.needs_value else f"{names} [{value}]"


def _term(label: str, meaning: str) -> Iterator[str]:
    yield ".TP"
    yield label
    yield _text(meaning)


def _verbatim(lines: Iterable[str]) -> Iterator[str]:
    yield from (".PP", ".RS 4", ".nf")
    yield from map(_text, lines)
    yield from (".fi", ".RE", ".PP")


def _text(line: str) -> str:
    # A point at the beginning of a line would be a request; so would a quote, which is escaped.
    found = escaped(line)
    return rf"\&{found}" if found.startswith(".") else found


def escaped(text: str) -> str:
    r"""Escape text for roff, so that it can be copied from the page as it is.

    Args:
        text: The text.

    Returns:
        The text in which backslashes, hyphens and quotes are escaped, as in ``\-``.
    """
    return text.translate(_SPECIAL)
