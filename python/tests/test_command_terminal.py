"""The command line on a terminal: tables, colours, questions, pipes."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from command_checks import HEROES, Folder, command, dump, environment
from terminals import Terminal

BOLD, RED, PLAIN = "\x1b[1m", "\x1b[31m", "\x1b[0m"
QUESTION = "Delete them? [y/N] "
LONG = "A name that is much longer than the window of the terminal, in which it must fit"
CITIES = {
    "entities": {
        "City": {
            "userInfo": {"identityAttributes": "id"},
            "attributes": {
                name: {"type": kind, "optional": name != "id", "userInfo": {"JSONKeyPath": name}}
                for name, kind in (("id", "integer64"), ("name", "string"), ("founded", "date"))
            },
        }
    }
}
LIST = [
    {"id": 1, "name": "東京", "founded": "2024-01-01T03:00:00Z"},
    {"id": 2, "name": "Oslo", "founded": "2024-07-01T12:30:00Z"},
]


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path)


def cities(folder: Folder, records: list[dict[str, Any]]) -> str:
    """Make a store of cities."""
    folder.write("cities.model.json", CITIES)
    folder.write("cities.json", records)
    done = folder.groot(
        "import", "cities.sqlite", "City", "cities.json", "--model", "cities.model.json"
    )
    assert done.code == 0, done
    return "cities.sqlite"


def shown(folder: Folder, *arguments: Any, **more: Any) -> tuple[int, str]:
    """Run a command on a terminal, and return its exit code and all that it showed."""
    with Terminal(command(*arguments), folder.path, **more) as terminal:
        return terminal.end(), terminal.shown


def piped(folder: Folder, *arguments: Any, **more: str) -> str:
    done = folder.groot("query", *arguments, **more)
    assert (done.code, done.err) == (0, "")
    return done.out


def test_a_query_is_a_table_that_fits_the_terminal(folder: Folder) -> None:
    records = [{"id": 1, "name": LONG}, {"id": 22, "name": "Oslo"}]
    store = cities(folder, records)
    code, text = shown(folder, "query", store, "City", "--columns", "id,name", columns=60)
    assert (code, text.replace(BOLD, "").replace(PLAIN, "").splitlines()) == (
        0,
        ["id  name", f"--  {'-' * 56}", f" 1  {LONG[:55]}…", "22  Oslo"],
    )


def test_columns_of_one_width_are_narrowed_alike(folder: Folder) -> None:
    store = cities(folder, [{"id": 1, "name": LONG[:25], "founded": "2024-01-01T03:00:00Z"}])
    arguments = ("query", store, "City", "--columns", "name,founded")
    _, text = shown(folder, *arguments, columns=40, TZ="UTC")
    assert text.splitlines()[1:] == [
        f"{'-' * 19}  {'-' * 19}",
        f"{LONG[:18]}…  2024-01-01 03:00:0…",
    ]


@pytest.mark.parametrize(
    ("more", "is_bold"), [({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)]
)
def test_the_header_is_bold_unless_the_user_wants_no_colours(
    folder: Folder, more: dict[str, str], is_bold: bool
) -> None:
    store = folder.heroes()
    _, text = shown(folder, "query", store, "Hero", "--columns", "id,name", **more)
    head = text.splitlines()[0]
    assert head == (f"{BOLD}id  name{PLAIN}" if is_bold else "id  name")
    assert ("\x1b" in text) == is_bold


def test_a_later_number_widens_its_column_instead_of_being_cut(folder: Folder) -> None:
    store = cities(folder, [{"id": number, "name": "x"} for number in range(1201)])
    arguments = ("query", store, "City", "--columns", "id,name")
    _, text = shown(folder, *arguments, "--sort", "id")
    assert text.splitlines()[-1] == "1200  x"
    assert "…" not in text


def test_a_pipe_has_lines_of_json_without_colours(folder: Folder) -> None:
    store = folder.heroes()
    out = piped(folder, store, "Hero", "--columns", "name,publisher.name")
    assert [json.loads(line)["name"] for line in out.splitlines()] == ["Batman", "Bane", "Hulk"]
    with Terminal(
        command("query", store, "Hero", "--columns", "name,publisher.name"),
        folder.path,
        stdout=subprocess.PIPE,
    ) as terminal:
        assert terminal.process.stdout is not None
        assert terminal.process.stdout.read().decode() == out
        assert (terminal.end(), terminal.shown) == (0, "")


def test_a_table_in_a_pipe_is_whole_and_without_colours(folder: Folder) -> None:
    store = cities(folder, [{"id": 1, "name": LONG}])
    out = piped(folder, store, "City", "--table", "--columns", "id,name", COLUMNS="20")
    assert out.splitlines() == ["id  name", f"--  {'-' * len(LONG)}", f" 1  {LONG}"]


def test_dates_are_in_the_zone_of_the_terminal_and_in_a_pipe_in_utc(folder: Folder) -> None:
    store = cities(folder, LIST)
    arguments = (store, "City", "--columns", "founded", "--table", "--sort", "id")
    _, text = shown(folder, "query", *arguments, TZ="EST5")
    assert text.splitlines()[2:] == ["2023-12-31 22:00:00-05:00", "2024-07-01 07:30:00-05:00"]
    lines = piped(folder, *arguments, TZ="EST5").splitlines()[2:]
    assert lines == ["2024-01-01T03:00:00Z", "2024-07-01T12:30:00Z"]


@pytest.mark.parametrize("is_terminal", [True, False])
def test_wide_characters_keep_columns_aligned(folder: Folder, is_terminal: bool) -> None:
    store = cities(folder, LIST)
    arguments = (store, "City", "--columns", "name,id", "--table", "--sort", "id")
    text = shown(folder, "query", *arguments)[1] if is_terminal else piped(folder, *arguments)
    assert text.splitlines()[1:] == ["----  --", "東京   1", "Oslo   2"]


def test_a_cut_between_wide_characters_keeps_columns_aligned(folder: Folder) -> None:
    store = cities(folder, [{"id": 1, "name": "東京都千代田区丸の内"}, {"id": 2, "name": "Oslo"}])
    arguments = (store, "City", "--columns", "name,id", "--sort", "id")
    _, text = shown(folder, "query", *arguments, columns=14)
    assert text.splitlines()[1:] == ["----------  --", "東京都千…    1", "Oslo         2"]


@pytest.mark.parametrize(
    ("more", "is_red"), [({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)]
)
def test_errors_are_red_unless_the_user_wants_no_colours(
    folder: Folder, more: dict[str, str], is_red: bool
) -> None:
    store = folder.heroes()
    code, text = shown(folder, "query", store, "Her", **more)
    assert code == 2
    assert text.startswith(f"{RED}error{PLAIN}: " if is_red else "error: ")
    assert ("\x1b" in text) == is_red


def test_errors_in_a_pipe_have_no_colours(folder: Folder) -> None:
    store = folder.heroes()
    with Terminal(command("query", store, "Her"), folder.path, stderr=subprocess.PIPE) as terminal:
        assert terminal.process.stderr is not None
        assert terminal.process.stderr.read().startswith(b"error: ")
        assert (terminal.end(), terminal.shown) == (2, "")


@pytest.mark.parametrize(
    ("keys", "code"),
    [("y\n", 0), ("YES\n", 0), ("n\n", 4), ("\n", 4), ("yesterday\n", 4), ("\x04", 4)],
)
def test_sync_asks_before_it_deletes_most(folder: Folder, keys: str, code: int) -> None:
    store = folder.heroes()
    folder.write("one.json", HEROES[:1])
    before = dump(folder.path / store)
    with Terminal(command("sync", store, "Hero", "one.json"), folder.path) as terminal:
        terminal.wait_for(QUESTION)
        terminal.type(keys)
        assert terminal.end() == code
    told, _, rest = terminal.shown.partition(QUESTION)
    assert (told.count("\n"), "2 of the 3 objects" in told) == (1, True)
    if code:
        assert rest == f"{keys.strip(chr(4)).strip()}\ngroot sync: nothing was changed\n"
        assert dump(folder.path / store) == before
    else:
        assert rest.endswith(" 2 deleted\n")
        assert piped(folder, store, "Hero", "--columns", "name") == '{"name":"Batman"}\n'


def test_ctrl_c_at_the_question_changes_nothing(folder: Folder) -> None:
    store = folder.heroes()
    folder.write("one.json", HEROES[:1])
    before = dump(folder.path / store)
    with Terminal(command("sync", store, "Hero", "one.json"), folder.path) as terminal:
        terminal.wait_for(QUESTION)
        terminal.rest()
        terminal.type("\x03")
        assert terminal.end() == 130
    assert terminal.shown.endswith(f"{QUESTION}^C\ngroot: interrupted; nothing was changed\n")
    assert dump(folder.path / store) == before


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["--yes"], 0),
        (["--max-deletions", "2"], 0),
        (["--max-deletions", "1"], 4),
        (["--max-deletions", "50%"], 4),
        (["--dry-run"], 4),
        (["--json-errors"], 4),
    ],
)
def test_options_that_say_what_to_do_ask_nothing(
    folder: Folder, arguments: list[str], code: int
) -> None:
    store = folder.heroes()
    folder.write("one.json", HEROES[:1])
    found, text = shown(folder, "sync", store, "Hero", "one.json", *arguments)
    assert (found, "[y/N]" in text) == (code, False)
    left = 3 if code else 1
    assert piped(folder, store, "Hero", "--columns", "name").count("\n") == left


@pytest.mark.parametrize("file", ["stdin", "stderr"])
def test_sync_asks_nothing_where_nobody_can_read_and_answer(folder: Folder, file: str) -> None:
    store = folder.heroes()
    folder.write("one.json", HEROES[:1])
    more: dict[str, Any] = {file: subprocess.DEVNULL}
    code, text = shown(folder, "sync", store, "Hero", "one.json", **more)
    assert (code, "[y/N]" in text) == (4, False)
    assert ("--yes" in text) == (file == "stdin")


def test_sync_of_standard_input_asks_nothing(folder: Folder) -> None:
    store = folder.heroes()
    folder.write("one.json", HEROES[:1])
    with Terminal(command("sync", store, "Hero", "-"), folder.path) as terminal:
        terminal.type(json.dumps(HEROES[:1]) + "\n\x04\x04")
        assert terminal.end() == 4
    assert "[y/N]" not in terminal.shown


def test_infer_asks_for_what_the_evidence_leaves_open(folder: Folder) -> None:
    homes = ["gotham", "metropolis", "krypton", "gotham"]
    planets = [{"key": home, "size": size} for size, home in enumerate(homes[:3])]
    heroes = [{"id": number, "home": home} for number, home in enumerate(homes)]
    folder.write("feed.json", {"heroes": heroes, "planets": planets})
    arguments = ("infer", "feed.json", "-o", "model.json", "--ask")
    for answer in ("n", "y"):
        with Terminal(command(*arguments), folder.path) as terminal:
            terminal.wait_for("Are the values of Hero.home objects of Planet? [y/N] ")
            terminal.type(f"{answer}\n\x04\x04\x04")
            assert terminal.end() == 0, terminal.shown
        model = json.loads((folder.path / "model.json").read_text())
        assert ("home" in model["entities"]["Hero"].get("relationships", {})) == (answer == "y")


@pytest.mark.parametrize("file", ["stdin", "stderr"])
def test_infer_refuses_to_ask_without_a_terminal(folder: Folder, file: str) -> None:
    folder.write("heroes.json", HEROES)
    more: dict[str, Any] = {file: subprocess.DEVNULL}
    code, text = shown(folder, "infer", "heroes.json", "-o", "model.json", "--ask", **more)
    assert (code, folder.names()) == (2, ["heroes.json"])
    assert ("--ask needs a terminal" in text) == (file == "stdin")


@pytest.mark.parametrize("form", ["--json", "--csv", "--table", "--markdown"])
def test_a_closed_pipe_ends_a_query_without_a_message(folder: Folder, form: str) -> None:
    store = cities(folder, [{"id": number, "name": LONG} for number in range(3000)])
    with subprocess.Popen(
        command("query", store, "City", form),
        cwd=folder.path,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as running:
        assert running.stdout is not None
        assert running.stdout.readline()
        running.stdout.close()
        assert running.stderr is not None
        assert (running.stderr.read(), running.wait(60)) == (b"", 0)
