"""The command `infer`, and `groot.Model.infer`."""

from __future__ import annotations

import gc
import gzip
import json
import os
import pty
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import groot
from groot.cli import main
from groot.models import infer
from groot.models.records import Records

HEROES = [{"id": n, "name": f"n{n}", "home": f"p{n % 3}"} for n in range(1, 10)]
WORLD = {"heroes": HEROES, "planets": [{"key": f"p{n}", "size": n} for n in range(3)]}


@pytest.fixture
def heroes(tmp_path: Path) -> Path:
    """Write a sample."""
    file = tmp_path / "heroes.json"
    file.write_text(json.dumps(HEROES))
    return file


def entity(text: str, name: str = "Hero") -> dict[str, Any]:
    """Return an entity of a written model."""
    found: dict[str, Any] = json.loads(text)["entities"][name]
    return found


def test_a_model_is_written_to_standard_output(heroes: Path, capsys: Any) -> None:
    assert main(["infer", str(heroes)]) == 0
    out, err = capsys.readouterr()
    assert entity(out)["userInfo"]["identityAttributes"] == "id"
    assert err == ""
    assert max(map(len, out.splitlines())) <= 110


def test_a_model_is_written_to_a_file(heroes: Path, tmp_path: Path, capsys: Any) -> None:
    target = tmp_path / "model.json"
    assert main(["infer", str(heroes), "-o", str(target), "--entity", "Person"]) == 0
    assert capsys.readouterr().out == ""
    context = groot.Context(groot.Mapping(groot.Model.load(target)))
    people = context.load_file("Person", heroes)
    assert context.dump(people) == HEROES


def test_the_collector_is_on_again_after_the_command(heroes: Path, tmp_path: Path) -> None:
    for file in (heroes, tmp_path / "missing.json"):
        main(["infer", str(file), "-o", str(tmp_path / "model.json")])
        assert gc.isenabled()


def test_the_same_sample_gives_the_same_text(heroes: Path, capsys: Any) -> None:
    texts = set()
    for _ in range(3):
        assert main(["infer", str(heroes)]) == 0
        texts.add(capsys.readouterr().out)
    assert len(texts) == 1


@pytest.mark.parametrize("form", ["python", "swift"])
def test_a_model_is_written_as_code(form: str, heroes: Path, capsys: Any) -> None:
    assert main(["infer", str(heroes), "--format", form]) == 0
    word = "class Hero(" if form == "python" else "struct Hero: Entity"
    assert word in capsys.readouterr().out


def test_classes_of_a_sample_import_it(heroes: Path, capsys: Any) -> None:
    assert main(["infer", str(heroes), "--format", "python"]) == 0
    names: dict[str, Any] = {"__name__": "heroes"}
    exec(compile(capsys.readouterr().out, "heroes.py", "exec"), names)  # noqa: S102
    hero = names["Hero"]
    context = groot.Context(hero)
    assert context.dump(context.load_file(hero, heroes)) == HEROES


@pytest.mark.parametrize("kind", ["lines", "gzip", "several", "standard input", "bytes"])
def test_a_sample_is_read_from(
    kind: str, heroes: Path, tmp_path: Path, capsys: Any, monkeypatch: Any
) -> None:
    lines = "\n".join(map(json.dumps, HEROES))
    arguments = [str(tmp_path / "hero.ndjson")]
    if kind == "lines":
        Path(arguments[0]).write_text(lines)
    elif kind == "gzip":
        arguments = [str(tmp_path / "hero.json.gz")]
        Path(arguments[0]).write_bytes(gzip.compress(heroes.read_bytes()))
    elif kind == "several":
        Path(arguments[0]).write_text(lines)
        more = tmp_path / "more.json"
        more.write_text('[{"id": 77, "name": "x", "home": "p1"}]')
        arguments.append(str(more))
    elif kind == "standard input":
        source = tmp_path / "in"
        source.write_text(lines)
        with source.open() as file:
            monkeypatch.setattr(sys, "stdin", file)
            assert main(["infer", "-", "--lines", "--entity", "Hero"]) == 0
        assert "id" in entity(capsys.readouterr().out)["attributes"]
        return
    else:
        with Records([heroes.open("rb")]) as records:
            assert infer.infer(records).is_equal
        return
    assert main(["infer", *arguments]) == 0
    described = entity(capsys.readouterr().out)
    count = 10 if kind == "several" else 9
    assert described["userInfo"]["groot.inferred"].startswith(f"{count} objects")


def test_an_explanation_is_a_table_on_standard_error(tmp_path: Path, capsys: Any) -> None:
    file = tmp_path / "world.json"
    file.write_text(json.dumps(WORLD))
    assert main(["infer", str(file), "--explain"]) == 0
    out, err = capsys.readouterr()
    json.loads(out)
    assert "Hero.name" in err
    assert "9 objects at /; id is unique in 9 of 9" in err
    assert "not taken: all values are identifiers of Planet; --link Hero.home=Planet" in err


def test_flags_decide(tmp_path: Path, capsys: Any) -> None:
    file = tmp_path / "world.json"
    sample = {**WORLD, "heroes": [{**one, "names": [{"a": 1}], "m": {"x": 1}} for one in HEROES]}
    file.write_text(json.dumps(sample))
    flags = [
        *("--link", "Hero.home=Planet", "--identity", "Hero=name", "--type", "Hero.id=integer64"),
        *("--keyed", "/m", "--entity-name", "/names=Alias"),
    ]
    assert main(["infer", str(file), *flags]) == 0
    hero = entity(capsys.readouterr().out)
    assert hero["userInfo"]["identityAttributes"] == "name"
    assert hero["attributes"]["id"]["type"] == "integer64"
    assert hero["relationships"]["home"]["destination"] == "Planet"
    assert hero["relationships"]["names"]["destination"] == "Alias"
    assert hero["relationships"]["m"]["userInfo"]["groot.form"] == "keyed"


def test_a_told_type_may_write_values_in_another_form(tmp_path: Path, capsys: Any) -> None:
    file = tmp_path / "a.json"
    file.write_text('[{"id": 1, "at": "2020-01-01T10:00:00+02:00"}, {"id": 2, "at": null}]')
    assert main(["infer", str(file), "--type", "A.at=date"]) == 0
    assert entity(capsys.readouterr().out, "A")["attributes"]["at"]["type"] == "date"


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (["--identity", "Hero"], "'Hero' is not of the form NAME=VALUE"),
        (["--link", "home=Planet"], "'home' is not of the form ENTITY.KEY"),
        (["--link", "Hero.home=Planet"], "the sample lacks the entity 'Planet'; it has Hero"),
        (["--type", "Hero.x=day"], "the sample lacks the key 'x' of Hero; it has home, id, name"),
        (["--entity-name", "/x=Y"], "the sample lacks objects at '/x'"),
        (["--ask"], "--ask needs a terminal; use --link and --identity"),
    ],
)
def test_a_wrong_flag_is_an_error_with_a_remedy(
    flags: list[str], words: str, heroes: Path, capsys: Any
) -> None:
    assert main(["infer", str(heroes), *flags]) == 2
    assert words in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[]", "the sample has no records"),
        ("[1, 2]", "the sample has no objects at its root"),
        ('{"a": ', "the text ends too early"),
        ("[NaN]", "NaN"),
    ],
)
def test_a_wrong_sample_is_an_error(text: str, words: str, tmp_path: Path, capsys: Any) -> None:
    file = tmp_path / "a.json"
    file.write_text(text)
    assert main(["infer", str(file)]) != 0
    out, err = capsys.readouterr()
    assert words in err
    assert out == ""


def test_a_sample_that_does_not_come_back_is_an_error_with_its_place(
    tmp_path: Path, capsys: Any
) -> None:
    file = tmp_path / "hero.json"
    file.write_text('[{"name": "a", "x": 1}, {"name": "a", "x": 2}]')
    assert main(["infer", str(file), "--identity", "Hero=name"]) == 1
    out, err = capsys.readouterr()
    assert entity(out)["userInfo"]["identityAttributes"] == "name"
    assert "error: record 0/x: an export has 2 in place of 1" in err
    with pytest.raises(groot.Error, match="record 0/x") as raised:
        groot.Model.infer(file, identities={"Hero": "name"})
    assert raised.value.code == groot.Status.INVALID_MODEL


def test_open_links_are_asked_for_on_a_terminal(tmp_path: Path) -> None:
    file, target = tmp_path / "world.json", tmp_path / "model.json"
    file.write_text(json.dumps(WORLD))
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "groot", "infer", str(file), "--ask", "-o", str(target)]
    environment = {**os.environ, "PYTHONPATH": str(Path(groot.__file__).parents[1])}
    process = subprocess.Popen(command, stdin=theirs, stderr=theirs, env=environment)
    os.close(theirs)
    asked = b""
    while b"[y/N]" not in asked:
        asked += os.read(ours, 1024)
    os.write(ours, b"y\n")
    assert process.wait(60) == 0
    os.close(ours)
    assert b"Are the values of Hero.home objects of Planet?" in asked
    assert "home" in entity(target.read_text())["relationships"]


def test_a_model_is_inferred_from_values() -> None:
    model = groot.Model.infer(WORLD, links={"Hero.home": "Planet"}, types={"Hero.id": "integer64"})
    hero = model.document["entities"]["Hero"]
    assert hero["relationships"]["home"]["destination"] == "Planet"
    assert hero["attributes"]["id"]["type"] == "integer64"
    assert "Person" in groot.Model.infer(HEROES, "Person").document["entities"]


def test_the_root_is_kept_with_the_model(tmp_path: Path, capsys: Any) -> None:
    file, target = tmp_path / "page.json", tmp_path / "model.json"
    file.write_text(json.dumps({"page": 1, "items": HEROES}))
    assert main(["infer", str(file), "--entity", "Hero", "-o", str(target)]) == 0
    assert entity(target.read_text())["userInfo"]["groot.root"] == "/items"
    assert groot.Mapping(groot.Model.load(target)).warnings == ()
    assert main(["check", str(target), str(file)]) == 0
    file.write_text(json.dumps({"page": 1, "items": [{**HEROES[0], "new": 1}]}))
    assert main(["check", str(target), str(file)]) == 1
    assert "new" in capsys.readouterr().out
