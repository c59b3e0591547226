"""The annotations of classes, resolved when they are first needed.

A name is looked up in the class's own types, its module, the entities of the program, and the types
of attributes. So names may be imported for type checkers only, and modules may import each other.
"""

from __future__ import annotations

import ast
import builtins
import decimal
import importlib
import sys
import typing
import uuid
from collections.abc import Iterator, Mapping
from datetime import date, datetime
from typing import Any, TypeVar, Union, get_args, get_origin
from weakref import WeakValueDictionary

from groot.typed import properties, types
from groot.typed.properties import Attribute, ToMany, ToOne

KINDS = (Attribute, ToOne, ToMany)
_UNION = "__union__"
_DATES = {"datetime.date": date, "datetime.datetime": datetime}
_WELL_KNOWN: dict[str, Any] = {
    **_DATES,
    **{one.__name__: one for one in (decimal, typing, uuid)},
    **{one.__name__: one for one in types.known()},
    **{name: getattr(properties, name) for name in ("Attribute", "ToOne", "ToMany")},
    **{
        name: getattr(typing, name)
        for name in ("Annotated", "Any", "ClassVar", "Dict", "List", "Literal", "Optional", "Union")
    },
    "bits": types.bits,
    _UNION: Union,
}


class UnresolvedError(Exception):
    """An annotation that cannot be resolved; the text has the reason."""


class Entities:
    """The classes of entities of the program, by their names."""

    def __init__(self) -> None:
        """Make an empty collection."""
        self._classes: WeakValueDictionary[tuple[str, str], Any] = WeakValueDictionary()

    def add(self, entity: Any) -> None:
        """Add a class; a class that was defined again replaces the earlier one."""
        self._classes[entity.__module__, entity.__qualname__] = entity

    def find(self, name: str, near: Any) -> Any:
        """Return the class of a name, the nearest to another class; None if there is none.

        Raises:
            UnresolvedError: If several are equally near.

        """
        classes = [reference() for reference in self._classes.valuerefs()]
        found = [one for one in classes if one is not None and one.__name__ == name]
        module, scope = near.__module__, near.__qualname__.rpartition(".")[0]
        in_module = [one for one in found if one.__module__ == module]
        in_scope = [one for one in in_module if one.__qualname__.rpartition(".")[0] == scope]
        nearest = in_scope or in_module or found
        if len(nearest) > 1:
            modules = ", ".join(sorted(f"{one.__module__}.{one.__qualname__}" for one in nearest))
            raise UnresolvedError(f"{name!r} may be any of {modules}; import the one that is meant")
        return nearest[0] if nearest else None


ENTITIES = Entities()


class _Names(Mapping[str, Any]):
    """The names that an annotation of a class may use."""

    def __init__(self, owner: Any) -> None:
        self._owner = owner
        self._module = getattr(sys.modules.get(owner.__module__), "__dict__", {})

    def __getitem__(self, name: str) -> Any:
        own = self._owner.__dict__.get(name)
        if isinstance(own, type):
            return own
        for parameter in getattr(self._owner, "__parameters__", ()):
            if parameter.__name__ == name:
                return parameter
        first, _, rest = name.partition(".")
        if first in self._module:
            found = self._module[first]
            return getattr(found, rest) if rest else found
        if hasattr(builtins, name):
            return getattr(builtins, name)
        found = ENTITIES.find(name, self._owner)
        return _WELL_KNOWN[name] if found is None else found

    def __iter__(self) -> Iterator[str]:
        return iter(self._module)

    def __len__(self) -> int:
        return len(self._module)


class _Rewriting(ast.NodeTransformer):
    """Writes `A | B` as a subscript of Union, which Python 3.9 knows, and which takes texts.

    `datetime.date` becomes one name: in a program that imports the module for checkers only, the
    name before the dot would be the class.
    """

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        self.generic_visit(node)
        whole = ast.unparse(node)
        return ast.Name(whole, ast.Load()) if whole in _DATES else node

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        if not isinstance(node.op, ast.BitOr):
            return node
        parts = ast.Tuple([node.left, node.right], ast.Load())
        return ast.Subscript(ast.Name(_UNION, ast.Load()), parts, ast.Load())


def own_annotations(owner: Any) -> dict[str, Any]:
    """Return the annotations in the body of a class, as objects or as texts."""
    if sys.version_info < (3, 14):
        return dict(vars(owner).get("__annotations__", ()))
    annotationlib = importlib.import_module("annotationlib")
    found = annotationlib.get_annotations(owner, format=annotationlib.Format.FORWARDREF)
    texts = annotationlib.get_annotations(owner, format=annotationlib.Format.STRING)
    return {name: texts[name] if _is_open(one) else one for name, one in found.items()}


def _is_open(annotation: Any) -> bool:
    """Whether an annotation has a name that was unknown when it was evaluated."""
    if isinstance(annotation, typing.ForwardRef):
        return True
    return any(map(_is_open, get_args(annotation)))


def resolve(annotation: Any, owner: Any, arguments: Mapping[Any, Any]) -> Any:
    """Return an annotation with texts evaluated and type parameters replaced by their arguments.

    Raises:
        UnresolvedError: For a name that is unknown, and a text that is not an annotation.

    """
    if isinstance(annotation, typing.ForwardRef):
        annotation = annotation.__forward_arg__
    if isinstance(annotation, str):
        return resolve(_evaluated(annotation, owner), owner, arguments)
    if isinstance(annotation, TypeVar):
        return arguments.get(annotation, annotation)
    if get_origin(annotation) is typing.Literal:
        return annotation
    parts = get_args(annotation)
    if not parts:
        return annotation
    if get_origin(annotation) is typing.Annotated:
        inner = resolve(parts[0], owner, arguments)
        annotated: Any = typing.Annotated
        return annotated[(inner, *annotation.__metadata__)]
    resolved = tuple(
        one if isinstance(one, list) else resolve(one, owner, arguments) for one in parts
    )
    return annotation if resolved == parts else _with(annotation, resolved)


def _with(annotation: Any, parts: tuple[Any, ...]) -> Any:
    """Return a generic alias with other arguments."""
    origin = get_origin(annotation)
    if origin in types.UNIONS:
        return Union[parts]
    return origin[parts if len(parts) > 1 else parts[0]]


def _evaluated(text: str, owner: Any) -> Any:
    try:
        tree = ast.fix_missing_locations(_Rewriting().visit(ast.parse(text.strip(), mode="eval")))
        code = compile(tree, "<annotation>", "eval")
        return eval(code, {}, _Names(owner))  # noqa: S307 - a text of the program itself
    except UnresolvedError:
        raise
    except NameError as wrong:
        raise UnresolvedError(
            f"the name {wrong.args[0].split(chr(39))[1]!r} in the annotation {text!r} is unknown; "
            "define or import it before the class is used"
        ) from None
    except Exception as wrong:
        raise UnresolvedError(f"the annotation {text!r} is invalid: {wrong}") from None
