"""The completion for fish."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from groot.cli._completions._places import kind_of, places, valued
from groot.cli._described import Argument, Described

_FRAME = r"""# Completion of groot for fish, written by 'groot completion fish'.

function __groot_has_value
    switch "$argv"
        case @VALUED@
            return 0
    end
    return 1
end

function __groot_operands
    set -l words (commandline -opc)
    set -l is_value 0
    for word in $words[3..-1]
        if test $is_value = 1
            set is_value 0
        else if string match -q -- '-?*' $word
            __groot_has_value $words[2] $word; and set is_value 1
        else
            string replace -r -- '^~/' "$HOME/" $word
        end
    end
end

function __groot_is_first
    test (count (commandline -opc)) -eq 1
end

function __groot_uses
    set -l words (commandline -opc)
    test (count $words) -gt 1; and test "$words[2]" = $argv[1]
end

# Whether the next operand of a command has a number, or with a third argument a later one.
function __groot_is_at
    __groot_uses $argv[1]; or return 1
    set -l next (math 1 + (count (__groot_operands)))
    test $next -eq $argv[2]; and return 0
    test (count $argv) -gt 2; and test $next -gt $argv[2]
end

function __groot_entities
    set -l given (__groot_operands)
    test (count $given) -gt 0; and groot completion --names $given[1] 2>/dev/null </dev/null
end

function __groot_properties
    set -l given (__groot_operands)
    test (count $given) -gt 1; and groot completion --names $given[1..2] 2>/dev/null </dev/null
end

complete -c groot -e
complete -c groot -f
"""
_VALUES = {
    "store": "-rF",
    "file": "-rF",
    "folder": "-x -a '(__fish_complete_directories)'",
    "entity": "-x -a '(__groot_entities)'",
    "properties": "-x -a '(__fish_complete_list , __groot_properties)'",
    "text": "-x",
}
_OPERANDS = {
    "store": "-F",
    "file": "-F",
    "folder": "-a '(__fish_complete_directories)'",
    "entity": "-a '(__groot_entities)'",
    "entity-or-file": "-F -a '(__groot_entities)'",
}


def script(commands: Sequence[Described]) -> str:
    """Return the script.

    Args:
        commands: The commands.

    Returns:
        The script.
    """
    names = [
        f"{command.name} {name}"
        for command in commands
        for option in valued(command)
        for name in option.names
    ]
    lines = [line for command in commands for line in _command(command)]
    head = _FRAME.replace("@VALUED@", " \\\n            ".join(map(_quoted, names)))
    return head + "\n".join(lines) + "\n"


def _command(command: Described) -> Iterator[str]:
    summary = _quoted(command.summary)
    yield ""
    yield f"complete -c groot -n __groot_is_first -a {command.name} -d {summary}"
    for place in places(command):
        if place.kind == "choice":
            action = f"-a {_quoted(' '.join(place.operand.choices))}"
        elif place.kind in _OPERANDS:
            action = _OPERANDS[place.kind]
        else:
            continue
        more = " more" if place.is_last else ""
        condition = _quoted(f"__groot_is_at {command.name} {place.number}{more}")
        yield f"complete -c groot -n {condition} {action}"
    for option in command.options:
        condition = _quoted(f"__groot_uses {command.name}")
        words = " ".join([*map(_name, option.names), *_value(option)])
        yield f"complete -c groot -n {condition} {words} -d {_quoted(option.help)}"


def _name(name: str) -> str:
    return f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}"


def _value(option: Argument) -> Iterator[str]:
    if option.value is None:
        return
    kind = kind_of(option)
    yield f"-x -a {_quoted(' '.join(option.choices))}" if kind == "choice" else _VALUES[kind]


def _quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
