"""What hatchling asks when it builds the package: which files, and for which systems.

A wheel has the shared library inside, as `groot/libgroot.so`: that of `GROOT_LIBRARY`, else that of
the source tree. Without both it leaves the library out when the system has one installed, else it
builds one with Swift. A source distribution has the library's sources, in `library`. A wheel also
has the man page and the completions of shells, which the package writes about itself.
"""

from __future__ import annotations

import ctypes
import importlib.util
import os
import runpy
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

HERE = Path(__file__).resolve().parent
LIBRARY = "library"
NAMES = runpy.run_path(str(HERE / "groot" / "_ffi" / "library.py"))
VARIABLE: str = NAMES["VARIABLE"]
NAME: str = NAMES["NAME"]
SONAME: str = NAMES["SONAME"]

README = "README.md"
BUNDLED = "inflection"
LICENCES = ("LICENSE", "NOTICE")
# The tests and examples are there because Package.swift wants to see the folders of its targets.
SOURCES = (
    "Makefile",
    "Package.swift",
    "Scripts/package/glibc.c",
    "Scripts/package/groot.map",
    "Scripts/package/names.cpp",
    "Scripts/package/runtime.c",
    "Scripts/package/install",
    "Sources",
    "Tests/GrootFoundationTests",
    "Tests/GrootTests",
    "Tests/Laws",
    "examples/mirror",
    "examples/swift",
    "include",
    "mk",
)


# The descriptions of the command line, by their places in Unix the arguments that write them.
SHARED = {
    "share/man/man1/groot.1": ("help", "--man"),
    "share/bash-completion/completions/groot": ("completion", "bash"),
    "share/zsh/site-functions/_groot": ("completion", "zsh"),
    "share/fish/vendor_completions.d/groot.fish": ("completion", "fish"),
}


def first_file(name: str) -> Path | None:
    """Find a document of the project: here in a source distribution, else above."""
    found = (folder / name for folder in (HERE, HERE.parent))
    return next((path for path in found if path.is_file()), None)


def find_tree() -> Path | None:
    """Find the folder of the library's sources; none when the package stands alone."""
    for folder in (HERE.parent, HERE / LIBRARY):
        if (folder / "Package.swift").exists() and (folder / "include" / "groot.h").exists():
            return folder
    return None


def is_installed() -> bool:
    """Whether the loader finds a library on this system."""
    for name in (SONAME, NAME):
        try:
            ctypes.CDLL(name)
        except OSError:
            continue
        return True
    return False


def build_library(tree: Path) -> Path:
    """Build the library of the source tree, which takes some minutes."""
    missing = [command for command in ("make", "swift") if not shutil.which(command)]
    if missing:
        raise RuntimeError(
            f"groot needs its shared library {NAME}, which is not built, and not installed either. "
            f"Name one in {VARIABLE}, or install what builds it here: {', '.join(missing)} "
            "(the README says what else)"
        )
    subprocess.run(["make", "-C", str(tree), "lib"], check=True)  # noqa: S603, S607
    return tree / "build" / "lib" / NAME


def find_library() -> Path | None:
    """Find the library for a wheel; none when that of the system is to be used."""
    chosen = os.environ.get(VARIABLE)
    if chosen:
        if not Path(chosen).is_file():
            raise RuntimeError(f"{VARIABLE} is {chosen}, which is not a file")
        return Path(chosen)
    tree = find_tree()
    built = tree / "build" / "lib" / NAME if tree else None
    if built and built.exists():
        return built
    if is_installed():
        return None
    if not tree:
        raise RuntimeError(
            f"groot needs its shared library {NAME}, whose sources are not here. Name one in "
            f"{VARIABLE}, or install one"
        )
    return build_library(tree)


def write_shared(folder: Path, library: Path | None) -> dict[str, str]:
    """Write what describes the command line into a folder, and name its places by the files."""
    environment = {**os.environ, "PYTHONPATH": str(HERE), "PYTHONDONTWRITEBYTECODE": "1"}
    if library:
        environment[VARIABLE] = str(library.resolve())
    places = {}
    for place, arguments in SHARED.items():
        file = folder / place
        file.parent.mkdir(parents=True)
        with file.open("wb") as output:
            command = [sys.executable, "-m", "groot", *arguments]
            subprocess.run(command, env=environment, stdout=output, check=True)  # noqa: S603
        places[str(file)] = place
    return places


def find_bundled() -> Path | None:
    """Find a package that a wheel contains; none where it is not installed."""
    found = importlib.util.find_spec(BUNDLED)
    return Path(found.origin) if found and found.origin else None


class Metadata(MetadataHookInterface):
    """Gives the description, which is the README of the project."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Set what pyproject.toml leaves to this hook."""
        path = first_file(README)
        text = path.read_text(encoding="utf-8") if path else ""
        metadata["readme"] = {"content-type": "text/markdown", "text": text}


class Build(BuildHookInterface[Any]):
    """Adds to each kind of distribution what is not in this folder."""

    _shared: tempfile.TemporaryDirectory[str] | None = None

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Choose the files, and for a wheel its tag."""
        add = build_data["force_include"]
        if self.target_name == "sdist":
            self._add_sources(add)
            return
        for name in LICENCES:
            path = first_file(name)
            if path:
                add[str(path)] = f"groot_graph-{self.metadata.version}.dist-info/licenses/{name}"
        library = None if version == "editable" else find_library()
        if library:
            add[str(library.resolve())] = f"groot/{NAME}"
            platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
            build_data["pure_python"] = False
            build_data["tag"] = f"py3-none-{platform}"
        bundled = None if version == "editable" else find_bundled()
        if bundled:
            add[str(bundled)] = f"groot/_bundled/{BUNDLED}.py"
        if version != "editable":
            self._shared = tempfile.TemporaryDirectory()
            build_data["shared_data"].update(write_shared(Path(self._shared.name), library))

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove what was written for the wheel."""
        if self._shared is not None:
            self._shared.cleanup()

    def _add_sources(self, add: dict[str, str]) -> None:
        """Add what is above this folder; of a source distribution all of it is in the folder."""
        for name in (*LICENCES, README):
            if (HERE.parent / name).exists() and not (HERE / name).exists():
                add[str(HERE.parent / name)] = name
        if find_tree() == HERE.parent:
            add.update({str(HERE.parent / name): f"{LIBRARY}/{name}" for name in SOURCES})
