"""The completion for bash."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from groot.cli._completions._places import kind_of, places, valued
from groot.cli._described import Argument, Described

_FRAME = r"""# Completion of groot for bash, written by 'groot completion bash'.

_groot_commands='@COMMANDS@'

# Sets the options and the kinds of operands of a command; the last kind goes on if is_open.
_groot_about() {
  options='' kinds=() is_open=''
  case $1 in
@ABOUT@
  esac
}

# Sets the kind of the value of an option; fails for an option without one.
_groot_value() {
  case "$1 $2" in
@VALUES@
    *) return 1 ;;
  esac
}

# Takes the lines that begin with a text, and puts another text before them.
_groot_take() {
  local line
  while IFS= read -r line; do
    [[ $line == "$1"* ]] && COMPREPLY+=("${2-}$line")
  done
}

# Writes the names that a store remembers.
_groot_names() {
  local given=("${@//[\\\'\"]/}")
  groot completion --names "${given[@]/#\~\//$HOME/}" 2>/dev/null </dev/null
}

_groot() {
  local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
  local command=${COMP_WORDS[1]} options kinds is_open kind='' word index is_value='' operands=()
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    compopt +o default 2>/dev/null
    _groot_take "$current" <<<"${_groot_commands// /$'\n'}"
    return
  fi
  # bash takes the sign of --option=value for a word.
  if [[ $current == = ]]; then
    current=''
  elif [[ $before == = ]]; then
    before=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  _groot_about "$command"
  for ((index = 2; index < COMP_CWORD; index++)); do
    word=${COMP_WORDS[index]}
    if [[ $word == = ]]; then
      is_value=1
    elif [[ $is_value ]]; then
      is_value=''
    elif [[ $word == -?* ]]; then
      _groot_value "$command" "$word" && is_value=1
    else
      operands+=("$word")
    fi
  done
  if ! _groot_value "$command" "$before"; then
    index=${#operands[@]}
    [[ $is_open ]] && ((index >= ${#kinds[@]})) && index=$((${#kinds[@]} - 1))
    kind=${kinds[index]-text}
    [[ $current == -* ]] && kind="choice $options"
  fi
  case $kind in
    choice*)
      kind=${kind#choice }
      _groot_take "$current" <<<"${kind// /$'\n'}"
      ;;
    entity*) _groot_take "$current" < <(_groot_names "${operands[0]}") ;;
    properties)
      word=${current##*,}
      [[ $word == -* ]] && word=${word#-}
      compopt -o nospace 2>/dev/null
      _groot_take "$word" "${current%"$word"}" < <(_groot_names "${operands[@]:0:2}")
      ;;
  esac
  # Without candidates bash completes files by itself.
  case $kind in
    store | file | folder | entity-or-file) ;;
    *) compopt +o default 2>/dev/null ;;
  esac
}

complete -o default -F _groot groot
"""


def script(commands: Sequence[Described]) -> str:
    """Return the script.

    Args:
        commands: The commands.

    Returns:
        The script.
    """
    parts = {
        "COMMANDS": " ".join(command.name for command in commands),
        "ABOUT": "\n".join(map(_about, commands)),
        "VALUES": "\n".join(_values(commands)),
    }
    text = _FRAME
    for name, part in parts.items():
        text = text.replace(f"@{name}@", part)
    return text


def _about(command: Described) -> str:
    options = " ".join(name for option in command.options for name in option.names)
    found = list(places(command))
    kinds = " ".join(f"'{_with_choices(place.kind, place.operand)}'" for place in found)
    is_open = "1" if found and found[-1].is_last else "''"
    return f"    {command.name}) options='{options}' kinds=({kinds}) is_open={is_open} ;;"


def _values(commands: Sequence[Described]) -> list[str]:
    by_kind: dict[str, list[str]] = defaultdict(list)
    for command in commands:
        for option in valued(command):
            kind = _with_choices(kind_of(option), option)
            by_kind[kind] += [f"'{command.name} {name}'" for name in option.names]
    return [
        "    " + " | \\\n      ".join(names) + f") kind='{kind}' ;;"
        for kind, names in by_kind.items()
    ]


def _with_choices(kind: str, argument: Argument) -> str:
    return " ".join([kind, *argument.choices]) if kind == "choice" else kind
