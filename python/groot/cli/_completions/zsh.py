"""The completion for zsh."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from groot.cli._completions._places import Place, kind_of, places
from groot.cli._described import Argument, Described

_FRAME = r"""#compdef groot
# Completion of groot for zsh, written by 'groot completion zsh'.

# Adds the names that a store remembers.
_groot_names() {
  local -a names
  names=(${(f)"$(groot completion --names ${${(Q)@}/#\~\//$HOME/} 2>/dev/null </dev/null)"})
  (( $#names )) && compadd "$how[@]" -a names
}

_groot_entities() {
  local -a how
  [[ -n $line[1] ]] && _groot_names $line[1]
}

_groot_properties() {
  local -a how
  how=(-q -S ,)
  compset -P '*,'
  compset -P '-'
  [[ -n $line[1] && -n $line[2] ]] && _groot_names $line[1] $line[2]
}

_groot_entities_or_files() {
  _groot_entities || _files
}

_groot() {
  local -a commands line
  local name=$words[2]
  if (( CURRENT == 2 )); then
    commands=(
@COMMANDS@
    )
    _describe command commands
    return
  fi
  shift words
  (( CURRENT-- ))
  case $name in
@CASES@
  esac
}

# A file in $fpath is the function itself, one that is sourced defines it.
if [[ $funcstack[1] == _groot ]]; then
  _groot "$@"
else
  compdef _groot groot
fi
"""
_ACTIONS = {
    "store": "_files",
    "file": "_files",
    "folder": "_files -/",
    "entity": "_groot_entities",
    "entity-or-file": "_groot_entities_or_files",
    "properties": "_groot_properties",
    "text": " ",
}


def script(commands: Sequence[Described]) -> str:
    """Return the script.

    Args:
        commands: The commands.

    Returns:
        The script.
    """
    names = "\n".join(f"      {_quoted(f'{one.name}:{one.summary}')}" for one in commands)
    cases = "\n".join(line for command in commands for line in _case(command))
    return _FRAME.replace("@COMMANDS@", names).replace("@CASES@", cases)


def _case(command: Described) -> Iterator[str]:
    specs = [spec for option in command.options for spec in _option(option)]
    specs += [_operand(place) for place in places(command)]
    yield f"    {command.name})"
    yield "      _arguments -s \\"
    yield " \\\n".join(f"        {_quoted(spec)}" for spec in specs)
    yield "      ;;"


def _option(option: Argument) -> Iterator[str]:
    for name in option.names:
        excluded = (*(() if option.is_repeated else option.names), *option.excludes)
        before = f"({' '.join(excluded)})" + ("*" if option.is_repeated else "")
        before = before.replace("()", "")
        if option.value is None:
            yield f"{before}{name}[{_plain(option.help)}]"
            continue
        sign = "=" if name.startswith("--") else "+"
        colon = ":" if option.needs_value else "::"
        action = _action(kind_of(option), option)
        text = f"[{_plain(option.help)}]{colon}{_plain(option.value)}:{action}"
        yield f"{before}{name}{sign}{text}"


def _operand(place: Place) -> str:
    number = "*" if place.is_last else str(place.number)
    colon = ":" if place.is_last or place.operand.is_required else "::"
    words = (place.operand.value or "").split() or [""]
    word = words[min(place.number, len(words)) - 1] if len(words) > 1 else words[0]
    return f"{number}{colon}{_plain(word.lower())}:{_action(place.kind, place.operand)}"


def _action(kind: str, argument: Argument) -> str:
    return f"({' '.join(argument.choices)})" if kind == "choice" else _ACTIONS[kind]


def _plain(text: str) -> str:
    for sign in ("\\", "[", "]", ":"):
        text = text.replace(sign, f"\\{sign}")
    return text


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"
