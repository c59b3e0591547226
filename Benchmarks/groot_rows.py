#!/usr/bin/env python3
"""The rows of the benchmark that use Groot from Python."""

from __future__ import annotations

import gc
import json
import tempfile
from pathlib import Path

import groot
from groot import Attribute, Entity, attribute, cli
from groot.models.infer import InferOptions, infer
from groot.models.records import Records
from row import Input, main, require, timed

PART = 1_000


def integers(texts: list[str]) -> list[int]:
    return [int(text) for text in texts]


def mapping_for(given: Input, *, ids: str = "") -> groot.Mapping:
    model = groot.Model(json.loads(given.model.read_text()))
    registry = groot.Registry()
    if ids == "callback":
        registry.transformer("StringToInteger", int)
    elif ids == "batch":
        registry.batch_transformer("StringToInteger", integers)
    else:
        registry.builtin("StringToInteger", "integer-text")
    return groot.Mapping(model, registry=registry)


def context_for(given: Input, *, ids: str = "") -> groot.Context:
    return groot.Context(mapping_for(given, ids=ids))


def python_import(given: Input, *, ids: str = "") -> None:
    text = given.path.read_bytes()
    context = context_for(given, ids=ids)
    with timed(given.count):
        characters = context.load("Character", text)
    require(len(characters) == given.count, "not as many characters as expected")


def python_import_callback(given: Input) -> None:
    python_import(given, ids="callback")


def python_import_batch(given: Input) -> None:
    python_import(given, ids="batch")


def python_export(given: Input) -> None:
    context = context_for(given)
    characters = context.load_file("Character", given.path)
    with timed(given.count):
        text = context.dumps(characters)
    require(text == given.path.read_text(), "the output differs from the input")


def python_export_bytes(given: Input) -> None:
    context = context_for(given)
    characters = context.load_file("Character", given.path)
    with timed(given.count):
        text = context.dumpb(characters)
    require(text == given.path.read_bytes(), "the output differs from the input")


def python_read_attributes(given: Input) -> None:
    context = context_for(given)
    characters = list(context.load_file("Character", given.path))
    ratings = 0.0
    letters = 0
    with timed(2 * given.count):
        for character in characters:
            letters += len(character.name)
            ratings += character.rating
    require(ratings > 0 and letters > given.count, "the values are wrong")


class Character(Entity):
    """A character, as in the model of the other rows."""

    identifier: Attribute[int] = attribute("id", identity=True, transformer="integer-text")
    name: Attribute[str]
    rating: Attribute[float]


def python_read_typed(given: Input) -> None:
    """The attributes of objects of a class."""
    context = groot.Context(Character)
    characters = list(context.load_file(Character, given.path))
    ratings = 0.0
    letters = 0
    with timed(2 * given.count):
        for character in characters:
            letters += len(character.name)
            ratings += character.rating
    require(isinstance(characters[0], Character), "not an object of the class")
    require(ratings > 0 and letters > given.count, "the values are wrong")


def python_column(given: Input) -> None:
    """Numbers as a list of Python's."""
    characters = context_for(given).load_file("Character", given.path)
    with timed(given.count):
        ratings = characters.column("rating").tolist()
    require(len(ratings) == given.count and sum(ratings) > 0, "the values are wrong")


def python_text_column(given: Input) -> None:
    """Texts as a list of Python's."""
    characters = context_for(given).load_file("Character", given.path)
    with timed(given.count):
        names = characters.column("name").tolist()
    require(names[0] == characters[0].name and names[-1] == characters[-1].name, "wrong names")


def python_buffer(given: Input) -> None:
    """Numbers as a buffer, as NumPy takes it."""
    characters = context_for(given).load_file("Character", given.path)
    with timed(given.count):
        values = characters.column("rating").values
    require(values[0] == characters[0].rating, "the values are wrong")


def python_arrow(given: Input) -> None:
    """All attributes as a stream of Arrow."""
    characters = context_for(given).load_file("Character", given.path)
    with timed(given.count * 8):
        stream = characters.__arrow_c_stream__()
    require(stream is not None, "there is no stream")


def python_infer(given: Input) -> None:
    """A model of the file, with the check that it comes back."""
    gc.disable()  # as the command does
    with timed(given.count), Records([given.path]) as records:
        inference = infer(records, InferOptions(entity="Character"))
    require(inference.is_equal, "the sample does not come back")


def model_of_part(given: Input) -> groot.Model:
    """Infer a model of the first characters."""
    with Records([given.path]) as records:
        first = next(records.batches()).records[:PART]
    return groot.Model.infer(first, "Character")


def python_store(given: Input) -> None:
    """An import with the model of a part of the file into a new store, to compare with."""
    model = model_of_part(given)
    with tempfile.TemporaryDirectory() as folder, timed(given.count):
        context = groot.Context(groot.Mapping(model), store=Path(folder) / "characters.sqlite")
        context.load_file("Character", given.path)
        context.save()


def python_command(given: Input) -> None:
    """The same import by the command line."""
    model_text = model_of_part(given).document_text
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "model.json").write_text(model_text)
        store, model = folder / "characters.sqlite", folder / "model.json"
        arguments = ["import", store, "Character", given.path, "--model", model, "--quiet"]
        with timed(given.count):
            code = cli.main(list(map(str, arguments)))
        require(code == 0 and store.exists(), "the command failed")


if __name__ == "__main__":
    main(
        {
            row.__name__: row
            for row in (
                python_import,
                python_import_callback,
                python_import_batch,
                python_export,
                python_export_bytes,
                python_read_attributes,
                python_read_typed,
                python_column,
                python_text_column,
                python_buffer,
                python_arrow,
                python_infer,
                python_store,
                python_command,
            )
        }
    )
