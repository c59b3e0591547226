#!/usr/bin/env python3
"""Writes the models of the tests as Swift, for the program in this folder to compare.

Each model gives a file of types in Sources/Generated/Models, and its document in the folder that is
named, under the name of the types' enumeration. The list of all goes to the first folder too.

usage: write.py FOLDER
"""

import json
import re
import shutil
import sys
from pathlib import Path

import groot
from groot.models import generate, xcode

ROOT = Path(__file__).resolve().parents[2]
SOURCES = Path(__file__).resolve().parent / "Sources" / "Generated" / "Models"
# Of the models of Xcode there is one that nothing reads.
REFUSED = ROOT / "Tests" / "Models" / "Entities.xcdatamodel"


def models() -> list[Path]:
    """All models; of a bundle each version."""
    found = [
        ROOT / "examples" / "comics.json",
        *(ROOT / "Tests" / "Cases" / "models").glob("*.json"),
        *(ROOT / "Tests" / "Generated" / "Models").glob("*.json"),
        *(ROOT / "Tests" / "Models").rglob("*.xcdatamodel"),
    ]
    return sorted(path for path in found if path != REFUSED)


def document(path: Path) -> str:
    """The document that a model is made of."""
    if path.suffix == ".json":
        return path.read_text()
    return json.dumps(xcode.read(path).document)


def main() -> None:
    documents = Path(sys.argv[1])
    for folder in (SOURCES, documents):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
    names = []
    for path in models():
        is_plain = path.parent.name not in ("Models", "models")
        folder = path.parent if is_plain else path.parents[1]
        name = re.sub(r"\W", "_", f"{folder.name}_{path.stem}")
        options = generate.SwiftOptions(namespace=name)
        text = generate.swift(groot.Model.load(path), options)
        (SOURCES / f"{name}.swift").write_text(text)
        (documents / f"{name}.json").write_text(document(path))
        names.append(name)
    lines = [
        "import Groot",
        "",
        "/// The types of all models by the names of their files.",
        "var generated: [(name: String, entities: [any Entity.Type])] {",
        "  [",
        *(f'    ("{name}", {name}.entities),' for name in names),
        "  ]",
        "}",
    ]
    (SOURCES / "All.swift").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
