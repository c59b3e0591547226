"""The descriptions of commands: help, lists, the man page, completions of shells."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import groot
from groot.cli import _codes, main
from groot.cli._commands import COMMANDS, joined
from groot.cli._completions import SHELLS
from groot.cli._described import Described, all_commands, describe
from groot.models import stores

NAMES = [command.name for command in COMMANDS]
DESCRIBED = all_commands()
HERO = {
    "entities": {
        "Thing": {"attributes": {"id": {"type": "string"}, "$(touch x)": {"type": "string"}}},
        "Hero": {
            "parent": "Thing",
            "attributes": {"name": {"type": "string"}, "nature": {"type": "string"}},
            "relationships": {"friends": {"destination": "Hero", "toMany": True}},
        },
        "Home": {"attributes": {"id": {"type": "string"}}},
    }
}


def output(capsys: Any, *arguments: str) -> str:
    assert main(arguments) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    return str(captured.out)


def by_name(function: Any) -> Any:
    return pytest.mark.parametrize("command", DESCRIBED, ids=NAMES)(function)


@by_name
def test_each_argument_has_help(command: Described) -> None:
    silent = [one.label for one in (*command.operands, *command.options) if not one.help.strip()]
    assert silent == []
    assert command.description.endswith(".")
    assert command.options[0].names == ("-h", "--help")


@by_name
def test_each_command_has_examples_that_its_parser_reads(command: Described) -> None:
    assert command.examples
    parser = next(one for one in COMMANDS if one.name == command.name).parser()
    for example in command.examples:
        words = shlex.split(example.command.replace("<(", "").rstrip(")"))
        start = words.index("groot")
        assert words[start + 1] == command.name
        own = words[start + 2 :]
        end = next((index for index, word in enumerate(own) if word in ("|", ">")), len(own))
        parser.parse_args(joined(own[:end]))


@by_name
@pytest.mark.parametrize("width", [80, 100, 250])
def test_help_is_as_wide_as_the_terminal(
    command: Described, width: int, capsys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    lines = output(capsys, "help", command.name).splitlines()
    assert [line for line in lines if len(line) > min(width, 100)] == []
    assert lines[1].startswith(f"    groot {command.name} - ")
    titles = [line for line in lines if line.isupper() and not line.startswith(" ")]
    assert titles[:3] == ["NAME", "SYNOPSIS", "DESCRIPTION"]
    assert titles[-5:] == ["OPTIONS", "EXAMPLES", "EXIT STATUS", "ENVIRONMENT", "SEE ALSO"]
    assert ("ARGUMENTS" in titles) == bool(command.operands)


@by_name
def test_the_examples_of_help_can_be_copied(
    command: Described, capsys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    text = output(capsys, "help", command.name)
    examples = text.partition("\nEXAMPLES\n")[2].partition("\n\n")[0]
    found = shlex.split(examples.replace("\\\n", ""))
    for example in command.examples:
        words = shlex.split(example.command)
        assert any(found[at : at + len(words)] == words for at in range(len(found)))


def test_the_overview_has_all_commands_codes_and_variables(capsys: Any) -> None:
    text = output(capsys, "help")
    for command in COMMANDS:
        assert f"  {command.name} " in text
        assert command.summary in text
    for code, meaning in _codes.MEANINGS.items():
        assert re.search(rf"^  {code} +{re.escape(meaning)}$", text, re.MULTILINE)
    assert "\n  NO_COLOR " in text
    assert text.startswith(output(capsys, "--help").partition("\n\n'groot")[0])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["help", "snyc"], "unknown command 'snyc'; did you mean 'sync'?"),
        (["help", "sync", "--man"], "--man writes one page for all commands"),
        (["completion"], "the shell is missing; give bash, zsh, fish"),
        (["completion", "--names", "missing.sqlite"], "missing.sqlite cannot be read"),
    ],
)
def test_a_wrong_command_line_is_refused(
    arguments: list[str], message: str, capsys: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert message in captured.err


def test_the_list_has_a_line_for_each_command(capsys: Any) -> None:
    lines = output(capsys, "commands").splitlines()
    assert [line.split(maxsplit=1) for line in lines] == [
        [one.name, one.summary] for one in COMMANDS
    ]


def test_the_list_for_programs_has_all_that_the_parsers_take(capsys: Any) -> None:
    text = output(capsys, "commands", "--json")
    assert output(capsys, "commands", "--json") == text
    found = json.loads(text)
    assert (found["version"], found["program_version"]) == (1, groot.__version__)
    assert [one["name"] for one in found["commands"]] == NAMES
    assert [one["code"] for one in found["exit_codes"]] == [0, 1, 2, 3, 4, 130]
    assert [one["name"] for one in found["environment"]] == [
        "COLUMNS", "GROOT_LIBRARY", "GROOT_TRACEBACK", "NO_COLOR",
    ]  # fmt: skip
    for command, described in zip(COMMANDS, found["commands"]):
        usage = command.parser().format_help()
        for option in described["options"]:
            assert all(name in usage for name in option["names"])


def test_the_list_for_programs_describes_arguments(capsys: Any) -> None:
    found = json.loads(output(capsys, "commands", "--json"))
    commands = {one["name"]: one for one in found["commands"]}
    sync, query, diff = commands["sync"], commands["query"], commands["diff"]
    assert [(one["value"], *one["kinds"], one["is_repeated"]) for one in sync["arguments"]] == [
        ("STORE", "store", False), ("ENTITY", "entity", False), ("FILE", "file", True),
    ]  # fmt: skip
    assert sync["synopsis"] == ["groot sync STORE ENTITY FILE... [options]"]
    assert diff["arguments"][0]["kinds"] == ["store", "entity", "file"]
    assert not query["arguments"][2]["is_required"]
    options = {name: one for one in query["options"] for name in one["names"]}
    assert options["--output"] is options["-o"]
    assert options["--sort"]["kinds"] == ["properties"]
    assert options["--csv"]["excludes"] == ["--table", "--json", "--markdown"]
    assert (options["--csv"]["value"], options["--wait"]["default"]) == (None, 10.0)
    assert options["--dialect"]["choices"] == ["groot", "hyper", "kvc"]
    assert options["--dialect"]["group"] == "the model, which a store remembers"
    assert "50%" in next(one["help"] for one in sync["options"] if "50" in one["help"])


def test_the_man_page_has_no_warnings_and_all_commands(capsys: Any, tmp_path: Path) -> None:
    text = output(capsys, "help", "--man")
    assert not re.search(r"^['.](?![A-Z]|fi|nf|br)", text, re.MULTILINE)
    for command in DESCRIBED:
        for option in command.options:
            for name in option.names:
                assert r"\fB" + name.replace("-", r"\-") + r"\fP" in text
    groff = shutil.which("groff")
    if groff is None:
        pytest.skip("groff is not installed")
    page = tmp_path / "groot.1"
    page.write_text(text)
    formatted = [groff, "-man", "-Tascii", "-P-cbou", "-rLL=200n", "-ww", str(page)]
    done = subprocess.run(formatted, capture_output=True, text=True, check=True)
    assert done.stderr == ""
    for one in DESCRIBED:
        assert f"GROOT {one.name.upper()}\n" in done.stdout
        for example in one.examples:
            assert example.command in done.stdout


# ---- completions -----------------------------------------------------------------------------


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a store that remembers a model, and the command `groot` for shells."""
    path = tmp_path / "my heroes.sqlite"
    with groot.Context(groot.Mapping(groot.Model(HERO), implicit=True), store=str(path)) as heroes:
        stores.remember(heroes, stores.Remembered(json.dumps(HERO), implicit=True))
        heroes.save()
    (tmp_path / "bin").mkdir()
    program = tmp_path / "bin" / "groot"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m groot "$@"\n')
    program.chmod(0o755)
    monkeypatch.setenv("PYTHONPATH", str(Path(groot.__file__).parents[1]))
    monkeypatch.setenv("PATH", str(tmp_path / "bin"), prepend=":")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "feed.json").write_text("[]")
    return path


def test_the_names_of_a_store_are_those_a_shell_can_take(store: Path, capsys: Any) -> None:
    before = store.read_bytes()
    entities = output(capsys, "completion", "--names", str(store)).split()
    assert sorted(entities) == ["Hero", "Home", "Thing"]
    names = output(capsys, "completion", "--names", str(store), "Hero").split()
    assert sorted(names) == ["friends", "id", "name", "nature"]
    assert output(capsys, "completion", "--names", str(store), "Nothing") == ""
    assert store.read_bytes() == before


@pytest.mark.parametrize("shell", SHELLS)
def test_a_completion_is_a_script_of_its_shell(shell: str, capsys: Any, tmp_path: Path) -> None:
    program = shutil.which(shell)
    if program is None:
        pytest.skip(f"{shell} is not installed")
    script = tmp_path / "script"
    script.write_text(output(capsys, "completion", shell))
    done = subprocess.run([program, "-n", str(script)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize("shell", SHELLS)
def test_a_completion_has_all_commands_and_options(shell: str, capsys: Any) -> None:
    script = output(capsys, "completion", shell)
    for command in DESCRIBED:
        assert re.search(rf"\b{command.name}\b", script)
        for option in command.options:
            for name in option.names:
                assert (name if shell != "fish" else name.lstrip("-")) in script
    assert not re.search(r"@[A-Z]+@", script)


FILES = "files"
LINES: list[tuple[list[str], list[str] | str]] = [
    (["sy"], ["sync"]),
    ([""], NAMES),
    (["sync", "--rep"], ["--report"]),
    (["sync", "--report", ""], ["text", "json"]),
    (["sync", "--report", "=", "j"], ["json"]),
    (["sync", "--report", "="], ["text", "json"]),
    (["sync", ""], FILES),
    (["sync", "my\\ heroes.sqlite", ""], ["Hero", "Home", "Thing"]),
    (["sync", "'my heroes.sqlite'", "He"], ["Hero"]),
    (["sync", "--quiet", "--wait", "3", "my\\ heroes.sqlite", "He"], ["Hero"]),
    (["sync", "--wait", "=", "3", "my\\ heroes.sqlite", "He"], ["Hero"]),
    (["sync", "missing.sqlite", ""], []),
    (["sync", "missing.sqlite", "Hero", ""], FILES),
    (["sync", "missing.sqlite", "Hero", "one.json", ""], FILES),
    (["sync", "missing.sqlite", "Hero", "-", ""], FILES),
    (["sync", "--model", ""], FILES),
    (["sync", "--where", ""], []),
    (["diff", "my\\ heroes.sqlite", "Ho"], ["Home"]),
    (["diff", "feed.json", ""], FILES),
    (["query", "my\\ heroes.sqlite", "Hero", "--columns", "na"], ["name", "nature"]),
    (["query", "my\\ heroes.sqlite", "Hero", "--columns", "id,f"], ["id,friends"]),
    (["query", "my\\ heroes.sqlite", "Hero", "--sort", "-id,-nam"], ["-id,-name"]),
    (["export", "my\\ heroes.sqlite", "Hero", ""], []),
    (["generate", "s"], ["swift"]),
    (["generate", "swift", ""], FILES),
    (["help", "sy"], ["sync"]),
    (["nothing", ""], []),
]


@pytest.mark.parametrize(("words", "expected"), LINES, ids=[" ".join(line[0]) for line in LINES])
def test_bash_completes(
    words: list[str], expected: list[str] | str, store: Path, capsys: Any
) -> None:
    script = output(capsys, "completion", "bash")
    # The option +o default takes away the files that bash would complete.
    program = f"""
{script}
compopt() {{ [[ $* == '+o default' ]] && files=; }}
files=files
COMP_WORDS=(groot "$@") COMP_CWORD=$#
_groot groot "${{COMP_WORDS[COMP_CWORD]}}" "${{COMP_WORDS[COMP_CWORD - 1]}}"
echo "${{files}}"
((${{#COMPREPLY[@]}})) && printf '%s\\n' "${{COMPREPLY[@]}}"
complete -p groot
"""
    bash = str(shutil.which("bash"))
    done = subprocess.run(
        [bash, "-u", "-c", program, "-", *words], capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
    files, *found, registered = done.stdout.splitlines()
    assert registered == "complete -o default -F _groot groot"
    if expected == FILES:
        assert (files, found) == (FILES, [])
    else:
        assert sorted(found) == sorted(expected)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("groot sy", ["sync"]),
        ("groot sync --rep", ["--report"]),
        ("groot sync --report ", ["json", "text"]),
        ("groot sync my\\ heroes.sqlite He", ["Hero"]),
        ("groot sync --wait 3 my\\ heroes.sqlite He", ["Hero"]),
        ("groot sync my\\ heroes.sqlite Hero fe", ["feed.json"]),
        ("groot query my\\ heroes.sqlite Hero --columns id,f", ["id,friends"]),
        ("groot generate s", ["swift"]),
        ("groot export my\\ heroes.sqlite Hero fe", []),
    ],
)
def test_fish_completes(line: str, expected: list[str], store: Path, capsys: Any) -> None:
    fish = shutil.which("fish")
    if fish is None:
        pytest.skip("fish is not installed")
    script = store.with_name("groot.fish")
    script.write_text(output(capsys, "completion", "fish"))
    done = subprocess.run(
        [fish, "--no-config", "-c", f"source {script}; complete -C $argv", line],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == ""
    assert sorted(one.split("\t")[0] for one in done.stdout.splitlines()) == expected


def test_a_hidden_argument_is_not_described() -> None:
    command = next(one for one in COMMANDS if one.module == "completion")
    assert "--names" not in [name for one in describe(command).options for name in one.names]
