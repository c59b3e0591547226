#!/usr/bin/env python3
"""Tells which modules of a Python package import one another in a circle.

usage: import-circles.py [PACKAGE]

Every import counts: those inside functions and those for type checkers only, too, since whoever
reads the one module has to read the other. `from package import name` is an import of the module
of that name where there is one, else of the package's `__init__`. Prints each circle once, with
the lines of its imports, and fails when there is one.
"""

from __future__ import annotations

import argparse
import ast
import sys
from collections.abc import Iterator
from pathlib import Path

Imports = dict[str, dict[str, int]]
"""By module the modules that it imports, each with the first line that does."""


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
    count = len(found)
    print(f"imports: {count} {'circle' if count == 1 else 'circles'} in {len(modules)} modules")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
