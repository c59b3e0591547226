"""Models: entities, attributes and relationships with their annotations."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from collections.abc import Mapping as Dictionary
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

from groot import _ffi, _late
from groot._core.declared import is_declared
from groot._core.handle import Handle, Unchanging, room
from groot._core.input import looks_like_path, mistaken
from groot._core.json import decode, encode
from groot._core.text import encode_text, is_store_url, refusal, shorten
from groot._ffi import byref, lib
from groot.errors import Error, Issue, Status, call, error, file_error

if TYPE_CHECKING:
    from pathlib import Path

Recognizes = Callable[["Path", "str | None"], bool]
Reads = Callable[["Path", "str | None"], "Model"]
Infers = Callable[[Any, bool, "dict[str, Any]"], "Model"]


class Model(Unchanging):
    """A model, checked as a whole. It never changes; any thread may use it.

    A copy is the same model. Unpickling makes a new model of the document.
    """

    _readers: ClassVar[list[tuple[Recognizes, Reads]]] = []
    _infers: ClassVar[Infers | None] = None

    def __init__(
        self, document: Dictionary[str, Any] | str | bytes, *, warnings: Iterable[Issue] = ()
    ) -> None:
        """Make a model of a model document.

        Args:
            document: A dict, or JSON text as str or bytes.
            warnings: The warnings of the reader that made the document of a file.

        Raises:
            groot.Error: With `Status.INVALID_MODEL` and all issues. With `Status.INVALID_JSON` or
                `Status.INVALID_UTF8` for a text that is not JSON, and with `Status.WRONG_TYPE` for
                a dict with a value that is not JSON.
        """
        if isinstance(document, os.PathLike):
            raise refusal("document", document, "a dict or JSON text; read a file with Model.load")
        if not isinstance(warnings, Iterable):
            raise refusal("warnings", warnings, "a list of issues")
        if isinstance(document, str):
            text = encode_text(document)
        elif isinstance(document, (bytes, bytearray)):
            text = bytes(document)
        else:
            text = encode(dict(document) if isinstance(document, Dictionary) else document)
        pointer = _ffi.ModelHandle()
        self._handle = Handle(lib.model_free, pointer)
        try:
            call(lib.model_create, text, len(text), byref(pointer))
        except Error as wrong:
            raise _advised(document, wrong) from None
        self._warnings = tuple(warnings)
        self._functions: Dictionary[str, tuple[str, tuple[Any, ...]]] = {}
        self._classes: dict[str, Any] = {}

    @classmethod
    def of(cls, *classes: type[Any]) -> Model:
        """Make a model of the classes of entities.

            groot.Model.of(Hero, Power, Publisher).document

        Args:
            *classes: The classes, each a `groot.Entity`. Those that they inherit from and those
                that their relationships lead to may be left out.

        Returns:
            The model. Its mappings give instances of the classes, and have the functions that the
            classes name.

        Raises:
            groot.Error: As the initialiser, and for an annotation that cannot be resolved, with the
                class and the property.
        """
        if not classes or not all(is_declared(one) for one in classes):
            message = f"{shorten(classes)} are not classes of groot.Entity; give one or more"
            raise error(Status.INVALID_ARGUMENT, message)
        first: Any = classes[0]
        composition = first._groot.compose(classes)
        model = cls(composition.document)
        model._functions = composition.functions
        model._classes = composition.classes
        return model

    @classmethod
    def load(cls, path: str | os.PathLike[str], version: str | None = None) -> Model:
        """Make a model of a file: a model document, an Xcode model, a schema, or a store.

        Args:
            path: The path of a model document, a `.xcdatamodeld` bundle, a `.xcdatamodel` folder or
                the `contents` file in one, a JSON Schema, an OpenAPI document, or a store that
                remembers its model. `groot.models.xcode`, `schemas` and `stores` describe how
                these are read.
            version: The name of a version in a bundle. By default it is the version that the bundle
                marks as current, or else the last one.

        Returns:
            The model. Its `warnings` name the parts of another format that were left out, or read
            with another meaning.

        Raises:
            groot.Error: As the initialiser. It is a `groot.FileError` if the file or the version
                cannot be read.
        """
        from pathlib import Path  # noqa: PLC0415 (a program may make its models without files)

        if not isinstance(path, (str, os.PathLike)):
            raise refusal("path", path, "the path of a file, a str or a pathlib.Path")
        is_url = version is None and is_store_url(os.fsencode(path))
        # A Path would take "//" for "/".
        file: Any = os.fspath(path) if is_url else Path(path)
        _late.run()
        for recognizes, read in cls._readers:
            if recognizes(file, version):
                return read(file, version)
        try:
            text = file.read_bytes()
        except OSError as cause:
            raise file_error(file, "read", cause) from cause
        try:
            return cls(text)
        except Error as wrong:
            raise _of_file(file, wrong) from None

    @classmethod
    def add_reader(cls, recognizes: Recognizes, read: Reads) -> None:
        """Let `load` read models of another format.

        `groot.models` adds those of Xcode models and of schemas. They are tried first.

        Args:
            recognizes: A function of a path and the `version` of `load`. It returns whether the
                path has a model of the format.
            read: A function of the same two arguments that returns the model.
        """
        _late.run()
        cls._readers.append((recognizes, read))

    @classmethod
    def infer(
        cls,
        records: Any,
        entity: str | None = None,
        *,
        root: str | None = None,
        lines: bool = False,
        identities: Dictionary[str, str | Iterable[str]] | None = None,
        links: Dictionary[str, str | None] | None = None,
        types: Dictionary[str, str] | None = None,
        keyed: Iterable[str] = (),
        names: Dictionary[str, str] | None = None,
    ) -> Model:
        """Make a model of a sample, which it imports without an issue and exports as it came.

            model = groot.Model.infer("heroes.json", entity="Hero")
            heroes = groot.Context(groot.Mapping(model)).load_file("Hero", "heroes.json")

        The annotation `groot.inferred` has the evidence of each guess. Arguments decide without
        a guess. `groot.models.infer.infer` returns the guesses one by one.

        Args:
            records: The sample: a path or a list of paths, a file that is open for bytes, a list of
                records, or a document with records in it.
            entity: The name of the entity of the records; by default their `type`, their key or
                the name of the file.
            root: The JSON Pointer to the records in a document.
            lines: Whether each line of a file is a record.
            identities: The keys that identify the objects of an entity: `{"Hero": "id"}`.
            links: Keys with identifiers: `{"Hero.home": "Planet"}`; None means plain values.
            types: Types of attributes: `{"Hero.born": "day"}`.
            keyed: JSON Pointers into a record of objects whose keys are data: `["/names"]`.
            names: Names of entities by JSON Pointers into a record: `{"/names": "Name"}`.

        Returns:
            The model.

        Raises:
            groot.Error: If the sample cannot be read or has no records. With
                `Status.INVALID_MODEL` and the places if the sample does not come back as it came.
        """
        _late.run()
        if cls._infers is None:
            raise error(Status.INVALID_ARGUMENT, "groot.models is missing; import groot")
        told = {
            "entity": entity, "root": root, "identities": dict(identities or {}),
            "links": dict(links or {}), "types": dict(types or {}), "keyed": tuple(keyed),
            "names": dict(names or {}),
        }  # fmt: skip
        return cls._infers(records, lines, told)

    @classmethod
    def add_inference(cls, infers: Infers) -> None:
        """Let `infer` make models; `groot.models` does.

        Args:
            infers: A function of the sample, `lines` and the other arguments of `infer` by name,
                that returns the model.
        """
        cls._infers = infers

    @property
    def warnings(self) -> tuple[Issue, ...]:
        """The parts of another format that were left out, or read with another meaning."""
        return self._warnings

    @property
    def document(self) -> dict[str, Any]:
        """The model as a model document, with every default spelled out."""
        document: dict[str, Any] = decode(self.document_text)
        return document

    @property
    def document_text(self) -> str:
        """The model document as JSON text, in which numbers keep all digits."""
        text, _owner = room()
        call(lib.model_document, self._handle.pointer, byref(text))
        return _ffi.text_of(text)

    def __reduce__(self) -> Any:
        """Pickle the document and the warnings, or the classes by their names."""
        if self._classes:
            return type(self).of, tuple(self._classes.values())
        return _remade, (type(self), self.document, self._warnings)

    def _repr_html_(self) -> str:
        """Show the entities and relationships as a diagram in notebooks."""
        from groot._core.notebooks import model_page  # noqa: PLC0415 (only notebooks need it)

        return model_page(self.document["entities"])

    def __repr__(self) -> str:
        """List the entities."""
        return f"<groot.Model {', '.join(self.document['entities'])}>"


def _of_file(file: Path, wrong: Error) -> Error:
    """Return an error of a model document with the name of the file in each message."""
    kind = "not a model document and not an Xcode model: " if wrong.code in _NO_TEXT else ""
    issues = [replace(one, message=f"{file}: {kind}{one.message}") for one in wrong.issues]
    return Error(wrong.code, tuple(issues))


def _advised(document: Any, wrong: Error) -> Error:
    """Return an error of a document with the right call for a probable mistake."""
    if looks_like_path(document):
        return mistaken(document, wrong, "Model.load")
    if isinstance(document, Dictionary) and document and "entities" not in document:
        form = '{"entities": {...}}'
        message = f'{shorten(document)} has no entities, which come under "entities": {form}'
        return error(wrong.code, message)
    return wrong


_NO_TEXT = (Status.INVALID_JSON, Status.INVALID_UTF8)


def _remade(made: type[Model], document: dict[str, Any], warnings: tuple[Issue, ...]) -> Model:
    """Make the model of a pickle."""
    return made(document, warnings=warnings)
