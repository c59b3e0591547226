"""The functions, structs and numbers that the headers of Groot declare."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

HEADERS = ("groot.h", "groot_ffi.h")

COMMENT = re.compile(r"/\*.*?\*/", re.S)
DECLARATION = re.compile(
    r"(?:/\*\*((?:(?!\*/).)*)\*/\s*)?^GROOT_API\s+([^;(]*?)(\bgroot_\w+)\s*\(([^;]*?)\)\s*;",
    re.S | re.M,
)
FUNCTION_PARAMETER = re.compile(r"void \(\*(\w+)\)\([^)]*\)")
STRUCT = re.compile(r"typedef struct (\w+) \{(.*?)\} \1;", re.S)
STATUS = re.compile(r"^#define (GROOT_\w+) (\d+)\b", re.M)
NUMBER_TYPE = re.compile(r"^typedef u?int\d+_t (groot_\w+);", re.M)
HANDLE = re.compile(r"^typedef struct (groot_\w+) \1;", re.M)
SIMILAR = re.compile(r"\b(?:as|that|that of) (groot_\w+)")


class Missing(Exception):
    """A declaration that a generator has no line for."""


@dataclass(frozen=True)
class Parameter:
    type: str  # without const, such as "char *"
    name: str
    is_const: bool

    def __str__(self) -> str:
        return f"{self.type}{'' if self.type[-1] == '*' else ' '}{self.name}"

    @property
    def is_pointer(self) -> bool:
        return self.type.endswith(("*", "_function"))

    @property
    def target(self) -> str:
        """The type of the variable that a result goes to."""
        return self.type[:-1].strip()

    @property
    def is_options(self) -> bool:
        return self.type.endswith("_options *")


@dataclass(frozen=True)
class Function:
    result: str
    name: str
    parameters: tuple[Parameter, ...]
    comment: str


@dataclass(frozen=True)
class Header:
    functions: dict[str, Function]
    structs: dict[str, tuple[str, ...]]  # the members of each
    number_types: tuple[str, ...]
    statuses: tuple[str, ...]
    handles: tuple[str, ...]

    def is_result(self, parameter: Parameter) -> bool:
        """A function sets what the pointer leads to."""
        is_data = parameter.type.endswith("*") and not parameter.is_const
        return is_data and parameter.target not in (*self.handles, "void", "json_t")

    def may_be_null(self, function: Function) -> set[str]:
        """The parameters for which the comment, or that of a similar function, allows NULL."""
        allowed = set()
        for sentence in re.split(r"(?<=\.)\s", function.comment):
            if "NULL" in sentence and not re.search(r"^If\b|\b(?:must not|never)\b", sentence):
                allowed |= set(re.findall(r"`(\w+)`", sentence))
        for name in SIMILAR.findall(function.comment):
            if name in self.functions and name != function.name:
                allowed |= self.may_be_null(self.functions[name])
        return allowed & {parameter.name for parameter in function.parameters}


def parameter(text: str) -> Parameter:
    match = re.fullmatch(r"(.*?)(\w+)", text.strip(), re.S)
    assert match, text
    words = match.group(1).split()
    kept = " ".join(word for word in words if word != "const")
    return Parameter(kept, match.group(2), "const" in words)


def function(comment: str, result: str, name: str, parameters: str) -> Function:
    named = FUNCTION_PARAMETER.sub(r"groot_destroy_function \1", parameters)
    parts = [] if named.strip() == "void" else named.split(",")
    plain = " ".join(comment.replace("\n *", "\n").split())
    return Function(" ".join(result.split()), name, tuple(map(parameter, parts)), plain)


def members(text: str) -> tuple[str, ...]:
    code = re.sub(r"\{[^{}]*\}", "", COMMENT.sub("", text))
    return tuple(re.findall(r"(\w+)(?:\[\d+\])?\s*;", code))


def read(folder: Path) -> Header:
    text = "\n".join((folder / name).read_text() for name in HEADERS)
    code = COMMENT.sub("", text)
    found = [function(*parts) for parts in DECLARATION.findall(text)]
    statuses = re.search(r"#define GROOT_OK 0.*?typedef struct groot_error", text, re.S)
    if statuses is None or len(found) != len(re.findall(r"^GROOT_API\b", code, re.M)):
        raise Missing("declarations.py cannot read all of the header")
    return Header(
        {one.name: one for one in found},
        {name: members(body) for name, body in STRUCT.findall(text)},
        tuple(NUMBER_TYPE.findall(code)),
        tuple(name for name, _ in STATUS.findall(statuses.group())),
        tuple(HANDLE.findall(code)),
    )
