"""Swift types written from models; Tests/Generated compiles them and compares the models."""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from conftest import CASES

import groot
from groot.models import generate
from groot.models.generate import SwiftOptions, _json
from groot.models.generate._swift import literals, names, words

ROOT = CASES.parents[1]
GENERATED = ROOT / "Tests" / "Generated"
SHOP = GENERATED / "Models" / "shop.json"
ALL_MODELS = [SHOP, *(CASES / "models").glob("*.json"), *(GENERATED / "Models").glob("*.json")]


def written(entities: dict[str, Any], **options: Any) -> str:
    return generate.swift(groot.Model({"entities": entities}), SwiftOptions(**options))


def attribute(type: str, **more: Any) -> str:
    """Write an entity with one attribute, and return the line or lines of the attribute."""
    text = written({"Thing": {"attributes": {"value": {"type": type, **more}}}})
    found = re.search(r"let value = (.*?)\n  }\n", text, re.DOTALL)
    assert found
    return " ".join(found[1].split())


def members(names: list[str]) -> list[str]:
    attributes = {name: {"type": "string"} for name in names}
    text = written({"Thing": {"attributes": attributes}})
    return re.findall(r"^    let (\S+) = ", text, re.MULTILINE)


# Text


@pytest.mark.parametrize(
    ("expected", "options"),
    [
        ("shop", SwiftOptions()),
        ("shop-public", SwiftOptions(public=True, namespace="Shop")),
        ("shop-foundation", SwiftOptions(foundation=True)),
    ],
)
def test_the_text_is_the_expected_one(expected: str, options: SwiftOptions) -> None:
    text = generate.swift(groot.Model.load(SHOP), options)
    assert text == (GENERATED / "Expected" / f"{expected}.swift").read_text()


def test_the_guide_shows_what_is_written() -> None:
    page = (ROOT / "docs" / "guides" / "generate-types.md").read_text()
    model = re.search(r"^```json library.json\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    shown = re.search(r"^```swift\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    assert model
    assert shown
    assert generate.swift(groot.Model(model[1])) == shown[1]


def shuffled(value: Any, source: random.Random) -> Any:
    if isinstance(value, dict):
        keys = list(value)
        source.shuffle(keys)
        return {key: shuffled(value[key], source) for key in keys}
    return [shuffled(one, source) for one in value] if isinstance(value, list) else value


@pytest.mark.parametrize("path", ALL_MODELS, ids=lambda path: path.stem)
def test_the_order_of_a_document_makes_no_difference(path: Path) -> None:
    document = groot.Model.load(path).document
    text = generate.swift(groot.Model(document))
    for seed in range(5):
        again = groot.Model(shuffled(document, random.Random(seed)))  # noqa: S311
        assert generate.swift(again) == text


def test_lines_keep_to_their_length() -> None:
    for path in ALL_MODELS:
        text = generate.swift(groot.Model.load(path), SwiftOptions(namespace="N", public=True))
        assert max(map(len, text.split("\n"))) <= 100
        assert not re.search(r"[ \t]$", text, re.MULTILINE)


# Members


@pytest.mark.parametrize(
    ("type", "more", "expected"),
    [
        ("integer16", {}, 'Attribute<Int16?>("value", isOptional: false)'),
        ("integer32", {"optional": True}, 'Attribute<Int32?>("value")'),
        ("integer64", {"default": 1}, 'Attribute<Int64>("value", default: 1)'),
        (
            "boolean",
            {"optional": True, "default": False},
            'Attribute<Bool?>("value", default: false)',
        ),
        ("float", {"default": 0.1}, 'Attribute<Float>("value", default: 0.1)'),
        ("double", {"default": 0.1}, 'Attribute<Double>("value", default: 0.1)'),
        (
            "double",
            {"default": 0.1692253173468138},
            'Attribute<Double>("value", default: 0x1.5a92cd9d473e4p-3)',
        ),
        ("decimal", {"default": 9.9}, 'Attribute<DecimalNumber>("value", default: 9.9)'),
        (
            "decimal",
            {"default": "0.12345678901234567890"},
            'Attribute<DecimalNumber>("value", default: DecimalNumber("0.1234567890123456789"))',
        ),
        ("uri", {"default": "x"}, 'Attribute<String>("value", type: .uri, default: "x")'),
        ("binary", {"default": "AAE="}, 'Attribute<[UInt8]>("value", default: [0, 1])'),
        ("composite", {}, 'Attribute<JSONValue?>("value", type: .composite, isOptional: false)'),
        (
            "transformable",
            {"default": [1.50, None]},
            'Attribute<JSONValue>("value", default: try? JSONValue(parsing: "[1.5,null]"))',
        ),
        (
            "string",
            {"default": '\\(1)"\n\u2028\u0301'},
            'Attribute<String>("value", default: "\\\\(1)\\"\\n\\u{2028}\u0301")',
        ),
    ],
)
def test_attributes(type: str, more: dict[str, Any], expected: str) -> None:
    assert attribute(type, **more) == expected


@pytest.mark.parametrize(
    ("annotations", "on_attribute"),
    [
        ({"identityAttributes": "other, value"}, {}),
        ({"identityAttribute": "value"}, {}),
        ({}, {"sync.isPrimaryKey": "YES"}),
        ({}, {"hyper.isPrimaryKey": "true"}),
    ],
)
def test_identity_attributes_have_values(
    annotations: dict[str, str], on_attribute: dict[str, str]
) -> None:
    attributes = {"value": {"type": "string", "userInfo": on_attribute}, "other": {"type": "date"}}
    text = written(
        {
            "Thing": {"attributes": attributes, "userInfo": annotations},
            "Part": {"parent": "Thing"},
        }
    )
    assert text.count('let value = Attribute<String>("value"') == 2
    assert "Attribute<Timestamp" in text


def test_comments_name_the_values() -> None:
    def comment_of(attribute: dict[str, Any]) -> str:
        text = written({"T": {"attributes": {"v": attribute}}})
        (found,) = re.findall(r"/// (An? (?:required|optional).*(?:\n +///.*)*)", text)
        return " ".join(found.replace("///", " ").split())

    assert comment_of({"type": "string"}) == "A required text."
    listed = {"type": "string", "values": ["open", "done", "a `b`"]}
    assert comment_of(listed) == "A required text, one of `open`, `done` or `a 'b'`."
    assert (
        comment_of({"type": "integer16", "values": [7]}) == "A required whole number, always `7`."
    )
    ten = {"type": "integer16", "optional": True, "values": list(range(10))}
    assert comment_of(ten).endswith("`6`, `7` or 2 others.")
    path = {**listed, "userInfo": {"JSONKeyPath": "state"}}
    assert comment_of(path).endswith("or `a 'b'`, from `state`.")


def test_foundation_only_where_it_holds_the_default() -> None:
    def type_of(type: str, default: Any) -> str:
        text = written(
            {"T": {"attributes": {"v": {"type": type, "default": default}}}}, foundation=True
        )
        return re.findall(r"Attribute<(.*)>\(", text)[0]

    assert type_of("uri", "https://example.org/a") == "URL"
    assert type_of("uri", "no url at all") == "String"
    assert type_of("date", "2020-01-01T00:00:00Z") == "Date"
    assert type_of("date", "0020-01-01T00:00:00Z") == "Timestamp"
    assert type_of("day", "2020-01-01") == "CalendarDay"
    assert type_of("decimal", 5) == "Decimal"
    assert type_of("decimal", "1e3000") == "DecimalNumber"


def test_literals_of_doubles_are_read_in_two_steps() -> None:
    # Rounded first to 80 bits, as on Intel, 0.1692253173468138 becomes its neighbour.
    assert literals.real(0.1692253173468138).startswith("0x")
    source = random.Random(1)  # noqa: S311
    for _ in range(2000):
        value = source.uniform(-1e9, 1e9) * 10.0 ** source.randrange(-300, 290)
        literal = literals.real(value)
        assert (float.fromhex(literal) if "0x" in literal else float(literal)) == value
    # Compilers warn of decimal literals this small.
    assert float.fromhex(literals.real(5e-324)) == 5e-324
    assert float.fromhex(literals.single(2.0**-149)) == 2.0**-149
    assert literals.real(-0.0) == "-0.0"


# Names


@pytest.mark.parametrize(
    ("name", "member"),
    [
        ("name", "name"),
        ("class", "`class`"),
        ("init", "initProperty"),
        ("self", "selfProperty"),
        ("Type", "TypeProperty"),
        ("managedObject", "managedObjectProperty"),
        ("hash", "hashProperty"),
        ("Attribute", "AttributeProperty"),
        ("Thing", "ThingProperty"),
        ("real name", "realName"),
        ("e-mail", "eMail"),
        ("2nd", "_2nd"),
        ("größe", "größe"),
        ("gro\u0308ße", "größe"),
        ("名前", "名前"),
        ("🦇", "unnamed"),
        ("_", "_Property"),
        ("$0", "_0"),
        ("a\u200bb\u202ec", "aBC"),
        ('x")\nimport Darwin //', "xImportDarwin"),
        ("`x`", "x"),
        ("\\(x)", "x"),
    ],
)
def test_names(name: str, member: str) -> None:
    assert members([name]) == [member]


def test_names_that_meet() -> None:
    assert members(["a b", "a-b", "aB", "aB2"]) == ["aB3", "aB4", "aB", "aB2"]
    text = written(
        {
            "Thing": {"attributes": {"aB": {"type": "string"}}},
            "Part": {"parent": "Thing", "attributes": {"a b": {"type": "string"}}},
        }
    )
    assert re.findall(r"let (\S+) = Attribute", text) == ["aB", "aB2", "aB"]


def test_names_of_entities() -> None:
    names = ["String", "Entity", "Character", "hero", "Hero", "big hero", "7", "...", "Properties"]
    text = written({name: {} for name in names})
    types = re.findall(r"^struct (\S+): Entity", text, re.MULTILINE)
    entities = re.findall(r'EntityDescription\("(.*?)"\)', text)
    assert dict(zip(entities, types)) == {
        "...": "Unnamed",
        "7": "_7",
        "Character": "Character",
        "Entity": "EntityEntity",
        "Hero": "Hero",
        "Properties": "PropertiesEntity",
        "String": "StringEntity",
        "big hero": "BigHero",
        "hero": "Hero2",
    }


def test_no_name_gets_into_the_code() -> None:
    hostile = 'x"; \\(evil()) */ `\n\r\u2028\x00\u202e//\nlet evil = evil()'
    more = {"userInfo": {"comment": hostile, hostile: hostile, "JSONKeyPath": hostile}}
    text = written(
        {
            hostile: {
                "attributes": {hostile: {"type": "string", "default": hostile, **more}},
                "relationships": {
                    "r": {"destination": hostile, "renamingIdentifier": hostile, **more},
                },
                **more,
            }
        }
    )
    code = re.sub(r'"(?:\\.|[^"\\])*"', '""', re.sub(r"///.*", "", text))
    assert "evil()" not in code
    assert "\\" not in code
    # `splitlines` splits at every character that could end a line.
    assert text.splitlines() == text.split("\n")[:-1]


def test_no_type_of_the_library_is_forgotten() -> None:
    kinds = "actor|class|enum|protocol|struct|typealias"
    declaration = rf"^(?:public|open) (?:[a-z]+ )*?(?:{kinds}) (\w+)"
    for folder in ROOT.glob("Sources/Groot*"):
        for path in folder.rglob("*.swift") if folder.name != "GrootC" else ():
            declared = set(re.findall(declaration, path.read_text(), re.MULTILINE))
            assert declared <= words.TYPES, path
    assert names.is_identifier("Shop")


# The command line


def run(*arguments: Any) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "groot", "generate", *map(str, arguments)]
    path = os.pathsep.join([str(Path(groot.__file__).parents[1]), os.environ.get("PYTHONPATH", "")])
    environment = {**os.environ, "PYTHONPATH": path, "PYTHONIOENCODING": "ascii"}
    return subprocess.run(
        command, capture_output=True, encoding="utf-8", check=False, env=environment
    )


def test_the_command_writes_the_text(tmp_path: Path) -> None:
    done = run("swift", SHOP)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == (GENERATED / "Expected" / "shop.swift").read_text()
    file = tmp_path / "Shop.swift"
    done = run("swift", SHOP, "-o", file, "--public", "--namespace", "Shop")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert file.read_text() == (GENERATED / "Expected" / "shop-public.swift").read_text()


def test_implicit_names(tmp_path: Path) -> None:
    model = tmp_path / "model.json"
    model.write_text(
        """{"entities": {
          "Hero": {"attributes": {
              "id": {"type": "integer64"},
              "name": {"type": "string", "userInfo": {"JSONKeyPath": "full_name"}}},
            "relationships": {"team": {"destination": "Team", "optional": true}}},
          "Team": {"userInfo": {"groot.implicit": "false"},
            "attributes": {"city": {"type": "string"}}}}}"""
    )
    plain, implicit = run("swift", model), run("swift", model, "--implicit")
    assert plain.returncode == implicit.returncode == 0
    assert 'groot.implicit": "true' not in plain.stdout
    assert "/// A required whole number.\n" in plain.stdout
    for line in (
        "/// A required whole number, from `id`.",
        "/// A required text, from `full_name`.",
        "/// One `Team` or none, from `team`.",
        "/// A required text, from `city`.",
        'EntityDescription("Hero", userInfo: ["groot.implicit": "true"])',
        'EntityDescription("Team", userInfo: ["groot.implicit": "true"])',
    ):
        assert f"{line}\n" in implicit.stdout


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("#include <groot.h>", ["hero.c", "not a model document", "line 1"]),
        ('{"a": 1}', ["hero.c", "'a'", "$.a"]),
    ],
)
def test_a_file_that_is_not_a_model_is_named(tmp_path: Path, text: str, words: list[str]) -> None:
    file = tmp_path / "hero.c"
    file.write_text(text)
    done = run("swift", file)
    assert (done.returncode, done.stdout) == (1, "")
    assert all(word in done.stderr.splitlines()[0] for word in words)
    with pytest.raises(groot.Error, match=r"hero\.c"):
        groot.Model.load(file)


def test_the_command_reads_models_of_xcode() -> None:
    comics = ROOT / "Tests" / "Models" / "Comics.xcdatamodeld"
    current, first = run("swift", comics), run("swift", comics, "--version", "Comics")
    assert current.returncode == first.returncode == 0
    assert "struct Character: Entity" in current.stdout
    assert current.stdout != first.stdout


def test_an_invalid_model_gives_its_issues(tmp_path: Path) -> None:
    model = tmp_path / "model.json"
    model.write_text('{"entities": {"A": {"parent": "B"}, "": {}}}')
    done = run("swift", model, "-o", tmp_path / "out.swift")
    assert (done.returncode, done.stdout) == (1, "")
    assert len(done.stderr.splitlines()) == 2
    assert "'B'" in done.stderr
    assert not (tmp_path / "out.swift").exists()


@pytest.mark.parametrize(
    "arguments",
    [
        ("swift",),
        ("swift", "nowhere.json"),
        ("kotlin", SHOP),
        ("swift", SHOP, "-o", "nowhere/out.swift"),
        ("swift", SHOP, "--version", "2"),
        ("swift", SHOP, "--namespace", "a b"),
        ("swift", SHOP, "--namespace", "Entity"),
        ("swift", SHOP, "--namespace", "class"),
    ],
)
def test_wrong_calls(arguments: tuple[Any, ...]) -> None:
    done = run(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr


def test_a_default_that_nests_too_deep(monkeypatch: pytest.MonkeyPatch) -> None:
    def too_deep(text: bytes) -> Any:
        raise RecursionError(text)

    monkeypatch.setattr(_json, "read", too_deep)
    with pytest.raises(groot.Error, match="nests too deep") as raised:
        written({})
    assert raised.value.code == groot.Status.LIMIT_EXCEEDED
