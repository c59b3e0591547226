"""The imports and synchronizations of contexts."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Mapping as Dictionary
from typing import IO, TYPE_CHECKING, Any, overload

from groot._core import imports
from groot._core.options import Given, explained
from groot._core.references import identifier_of
from groot._core.session import Session
from groot.objects import BaseObject, E, EntityName, Object
from groot.options import (
    FilePath,
    FillOptions,
    JSONText,
    LoadOptions,
    OneLoadOptions,
    SyncOptions,
)
from groot.reports import Report, read
from groot.sequence import Objects, loaded, loaded_objects, synchronized
from groot.streams import ImportStream

if TYPE_CHECKING:
    from typing_extensions import Unpack


class Importing:
    """The imports of a `groot.Context`."""

    __slots__ = ()

    _session: Session

    @overload
    def load(
        self, entity: type[E], data: dict[str, Any], **options: Unpack[OneLoadOptions]
    ) -> E: ...

    @overload
    def load(
        self, entity: type[E], data: list[Any] | tuple[Any, ...], **options: Unpack[LoadOptions]
    ) -> Objects[E]: ...

    @overload
    def load(
        self, entity: str, data: dict[str, Any], **options: Unpack[OneLoadOptions]
    ) -> Object: ...

    @overload
    def load(
        self, entity: str, data: list[Any] | tuple[Any, ...], **options: Unpack[LoadOptions]
    ) -> Objects: ...

    @overload
    def load(
        self, entity: None, data: dict[str, Any] | JSONText, **options: Unpack[LoadOptions]
    ) -> Objects: ...

    @overload
    def load(
        self,
        entity: EntityName | None,
        data: Dictionary[str, Any] | Iterator[Any] | IO[Any] | JSONText,
        **options: Unpack[LoadOptions],
    ) -> Any: ...

    @explained(LoadOptions)
    def load(self, entity: EntityName | None, data: Any, **options: Any) -> Any:
        """Import JSON into `entity`: one object, or an array of objects, identifiers or both.

        Objects are found by their identity and updated; missing ones are made. If the import fails,
        the graph is unchanged. Values in `data` may be decimals, dates, datetimes with a time zone,
        and scalars of numpy. A byte order mark at the beginning of a text is skipped.

            heroes = context.load("Hero", [{"id": 1, "name": "Batman"}])
            groot.report(heroes).inserted

        Args:
            entity: The entity of the objects: its name, or its class. None imports a document of
                several entities: the records at the `roots` of the mapping. With rules the document
                is an envelope: a dict with lists of records, or single records, under their
                external names.
            data: A dict or another mapping, a list, or JSON text as str or bytes. A file object of
                bytes or text is read piece by piece. An iterator, such as a generator, yields one
                record at a time. File objects and iterators keep the context busy during the
                import, and exclude `batch`.
            **options: The options in `groot.options.LoadOptions`.

        Returns:
            The `Object` of a JSON object, or None if it is missing and `create` is False. All other
            data gives an `Objects`, with one object for each element that is not null: an array, a
            file object, an iterator or a document, and any data with `root`, `lines`, `form` or
            `batch`. A JSON object that "skip" or a dry run leaves out gives an empty `Objects`.
            `groot.report` of the result has the changes.

        Raises:
            groot.Error: With the path, line and column of each issue. An exception of `progress` is
                raised unchanged. With "abort" so is an exception of a registered function, with a
                `groot.Error` of the location as its `__cause__`. With "collect" and "skip" that
                exception is an issue of its record, and the `__cause__` of the `groot.Error` if one
                is raised.
        """
        given = Given(LoadOptions, options)
        return loaded(imports.load(self._session, entity, data, given))

    def load_file(
        self, entity: EntityName | None, path: FilePath, **options: Unpack[LoadOptions]
    ) -> Any:
        """Import the JSON file at `path`, piece by piece; otherwise as `load`.

        Args:
            entity: As for `load`.
            path: The path of the file. A pipe or a device always gives an `Objects`.
            **options: The options in `groot.options.LoadOptions`.

        Returns:
            As `load`.

        Raises:
            groot.Error: As `load`. It is a `groot.FileError` if the file cannot be read.
        """
        given = Given(LoadOptions, options)
        return loaded(imports.load_file(self._session, entity, path, given))

    @overload
    def importing(self, entity: type[E], **options: Unpack[LoadOptions]) -> ImportStream[E]: ...

    @overload
    def importing(self, entity: str | None, **options: Unpack[LoadOptions]) -> ImportStream: ...

    def importing(self, entity: EntityName | None, **options: Unpack[LoadOptions]) -> Any:
        """Begin an import whose text comes in pieces of any size, such as from a network.

            with context.importing("Character") as stream:
                for piece in response:
                    stream.write(piece)
            characters = stream.result

        The context is busy until the end of the block. If an exception leaves the block, the import
        is cancelled and has changed nothing.

        Args:
            entity: As for `load`.
            **options: The options in `groot.options.LoadOptions`.

        Returns:
            The stream. Its `result` is always an `Objects`.

        Raises:
            groot.Error: For an unknown entity and invalid options. The stream's methods and the end
                of the block raise the errors of the import.
        """
        return ImportStream(self._session, entity, Given(LoadOptions, options), loaded_objects)

    @explained(FillOptions)
    def fill(
        self, filled: BaseObject, data: dict[str, Any] | JSONText, **options: Unpack[FillOptions]
    ) -> Report:
        """Set the attributes of an object from a JSON object, whatever identity the JSON has.

        Relationships are not touched. If the call fails, the object is unchanged.

        Args:
            filled: The object.
            data: A dict, or the text of a JSON object.
            **options: The options in `groot.options.FillOptions`.

        Returns:
            The report of the changes.

        Raises:
            groot.Error: As `load`, and for a deleted object or one of another context.
        """
        given = Given(FillOptions, options)
        identifier = identifier_of(filled, self._session)
        return read(imports.fill(self._session, identifier, data, given))

    @explained(SyncOptions)
    def sync(
        self,
        entity: EntityName,
        data: list[Any] | tuple[Any, ...] | dict[str, Any] | JSONText,
        **options: Unpack[SyncOptions],
    ) -> Report:
        """Make the objects of `entity` equal to a JSON array: insert, update and delete.

        Objects are found by their identity. Objects that are not listed are deleted by the delete
        rules of the model; an empty array deletes all. A listed object stays even if a cascade
        reaches it. If the call fails, the graph is unchanged.

        An entry without a usable identity is left out and becomes one of `report.issues`. In that
        case nothing is deleted, since any object that is not listed may be that entry's.
        `report.withheld` has the objects that stay for this reason.

        Args:
            entity: The entity of the objects, which needs an identity.
            data: A list, or the text of a JSON array. An entry may be an identifier. A single
                object counts as the only entry, and needs a usable identity.
            **options: The options in `groot.options.SyncOptions`.

        Returns:
            The report, which has the objects of the entries in order as `objects`.

        Raises:
            groot.Error: As `load`, and for an entity without identity.
        """
        given = Given(SyncOptions, options)
        return synchronized(imports.sync(self._session, entity, data, given))

    def sync_file(
        self, entity: EntityName, path: FilePath, **options: Unpack[SyncOptions]
    ) -> Report:
        """Synchronize with the JSON file at `path`, piece by piece; otherwise as `sync`.

        Args:
            entity: As for `sync`.
            path: The path of the file.
            **options: The options in `groot.options.SyncOptions`.

        Returns:
            As `sync`.

        Raises:
            groot.Error: As `sync`. It is a `groot.FileError` if the file cannot be read.
        """
        given = Given(SyncOptions, options)
        return synchronized(imports.sync_file(self._session, entity, path, given))
