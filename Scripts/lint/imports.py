#!/usr/bin/env python3
"""Checks the imports of a Python package: no circles, and each room imports the rooms below it.

usage: imports.py [PACKAGE]

Every import counts: those inside functions and those for type checkers only, too, since readers of
the one module have to read the other. `from package import name` is an import of the module of that
name where there is one, else of the package's `__init__`. The rooms above the public modules use
only names that a program may use. Prints each circle once, with the lines of its imports, and each
import and name that a room must not use, and fails when there is one.
"""

from __future__ import annotations

import argparse
import ast
import sys
from collections.abc import Iterator
from pathlib import Path

Imports = dict[str, dict[str, int]]
"""By module the modules that it imports, each with the first line that does."""


TOP = ""
"""The room of the public modules, those directly in the package."""
BELOW: dict[str, set[str]] = {
    "_ffi": set(),
    "_core": {"_ffi"},
    TOP: {"_ffi", "_core"},
    "models": {TOP},
    "typed": {"_core", TOP},
    "cli": {TOP, "models", "typed"},
    "__init__": {"_ffi", TOP, "models", "typed"},
    "__main__": {"cli"},
}
"""By room the rooms whose modules it may import, apart from its own."""
PUBLIC_NAMES_ONLY = ("models", "cli", "__main__")
WORDS = ("errors", "values", "calls", "progress")
"""Public modules that _core may import: the words that its calls and their users share."""


def modules_of(package: Path) -> dict[str, Path]:
    """Find the modules below a folder, by their names."""
    found = {}
    for path in sorted(package.rglob("*.py")):
        parts = path.relative_to(package.parent).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imported(tree: ast.AST, package: str) -> Iterator[tuple[str, str, int]]:
    """Yield what a module of `package` imports: module, name or nothing, line."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, "", node.lineno
        elif isinstance(node, ast.ImportFrom):
            base = package.split(".")[: len(package.split(".")) - node.level + 1]
            parts = base if node.level else []
            source = ".".join([*parts, *([node.module] if node.module else [])])
            for alias in node.names:
                yield source, alias.name, node.lineno


def imports_of(modules: dict[str, Path]) -> Imports:
    """Read what each module imports of the others."""
    found: Imports = {}
    for name, path in modules.items():
        package = name if path.name == "__init__.py" else name.rpartition(".")[0]
        targets = found.setdefault(name, {})
        for source, member, line in imported(ast.parse(path.read_text()), package):
            target = f"{source}.{member}" if f"{source}.{member}" in modules else source
            if target in modules and target != name:
                targets.setdefault(target, line)
    return found


def shortest_circle(imports: Imports, start: str) -> list[str]:
    """Find the shortest way from a module back to it; empty when there is none."""
    came_from: dict[str, str] = {}
    reached = [start]
    for module in reached:
        for target in imports[module]:
            if target == start:
                way = [module]
                while way[-1] != start:
                    way.append(came_from[way[-1]])
                return way[::-1]
            if target not in came_from:
                came_from[target] = module
                reached.append(target)
    return []


def circles(imports: Imports) -> list[list[str]]:
    """Find circles, until each module that is in one was shown in one."""
    found: list[list[str]] = []
    shown: set[str] = set()
    for module in imports:
        if module not in shown and (circle := shortest_circle(imports, module)):
            found.append(circle)
            shown.update(circle)
    return found


def room_of(module: str) -> str:
    """Find the room of a module."""
    _, *parts = module.split(".")
    if not parts:
        return "__init__"
    return parts[0] if parts[0] in BELOW else TOP


def crossings(imports: Imports) -> Iterator[tuple[str, int, str]]:
    """Yield the imports of rooms that are not below: module, line, message."""
    for module, targets in imports.items():
        room = room_of(module)
        for target, line in targets.items():
            other = room_of(target)
            is_word = room == "_core" and target.rpartition(".")[2] in WORDS
            if other not in {room, *BELOW[room]} and not (other == TOP and is_word):
                yield module, line, f"{module} must not import {target}"


def private_names(modules: dict[str, Path]) -> Iterator[tuple[str, int, str]]:
    """Yield the names with an underscore that a room uses and does not define itself."""
    trees = {
        module: ast.parse(path.read_text())
        for module, path in modules.items()
        if room_of(module) in PUBLIC_NAMES_ONLY
    }
    own: dict[str, set[str]] = {}
    for module, tree in trees.items():
        names = own.setdefault(room_of(module), set())
        names.update(module.split("."))
        for node in ast.walk(tree):
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                names.add(node.name)
            elif isinstance(node, (ast.Name, ast.Attribute)) and isinstance(node.ctx, ast.Store):
                names.add(node.id if isinstance(node, ast.Name) else node.attr)
    for module, tree in trees.items():
        for node in ast.walk(tree):
            used = [node.attr] if isinstance(node, ast.Attribute) else []
            if isinstance(node, ast.ImportFrom):
                used = [alias.name for alias in node.names] + (node.module or "").split(".")
            for name in used:
                is_private = name.startswith("_") and not name.endswith("__")
                if is_private and name not in own[room_of(module)]:
                    yield module, node.lineno, f"{module} uses {name}, which is not public"


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("package", nargs="?", default="python/groot", type=Path)
    package: Path = parser.parse_args().package
    modules = modules_of(package)
    if not modules:
        print(f"{package} has no modules", file=sys.stderr)
        return 1
    imports = imports_of(modules)
    found = circles(imports)
    for circle in found:
        for module, target in zip(circle, [*circle[1:], circle[0]]):
            print(f"{modules[module]}:{imports[module][target]}: {module} imports {target}")
        print(f"{' -> '.join([*circle, circle[0]])} is a circle\n")
    wrong = [*crossings(imports), *private_names(modules)]
    for module, line, message in wrong:
        print(f"{modules[module]}:{line}: {message}")
    print(f"imports: {len(found)} circles and {len(wrong)} wrong ways in {len(modules)} modules")
    return 1 if found or wrong else 0


if __name__ == "__main__":
    sys.exit(main())
