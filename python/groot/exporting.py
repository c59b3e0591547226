"""The exports of contexts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import IO, TYPE_CHECKING, Any, Literal, overload

from groot._core import exports
from groot._core.options import Given, explained
from groot._core.requests import Names, Where
from groot._core.session import Session
from groot.objects import BaseObject, EntityName
from groot.options import DumpOptions, FilePath, PlainDumpOptions

if TYPE_CHECKING:
    from typing_extensions import Unpack


class Exporting:
    """The exports of a `groot.Context`."""

    __slots__ = ()

    _session: Session

    @overload
    def dump(
        self, exported: BaseObject | None, **options: Unpack[DumpOptions]
    ) -> dict[str, Any]: ...

    @overload
    def dump(
        self,
        exported: Iterable[BaseObject],
        *,
        form: Literal["keyed", "grouped"],
        **options: Unpack[PlainDumpOptions],
    ) -> dict[str, Any]: ...

    @overload
    def dump(
        self,
        exported: Iterable[BaseObject],
        *,
        form: Literal["array"] = "array",
        **options: Unpack[PlainDumpOptions],
    ) -> list[dict[str, Any]]: ...

    @explained(DumpOptions)
    def dump(self, exported: Any, **options: Any) -> Any:
        """Export an object as a dict, or several as a list of dicts.

        Args:
            exported: An object, or several. None exports all objects at the `roots` of the mapping
                as one document.
            **options: The options in `groot.options.DumpOptions`.

        Returns:
            A dict for one object, for a document, and for a keyed or grouped form; otherwise a list
            of dicts. With positional rules an object is a list.

        Raises:
            groot.Error: For a deleted object, an object of another context, and JSON that nests too
                deep. An exception of a reverse transformer is raised unchanged.
        """
        return exports.values(self._session, exported, Given(DumpOptions, options))

    def dumps(
        self, exported: BaseObject | Iterable[BaseObject] | None, **options: Unpack[DumpOptions]
    ) -> str:
        """Export as `dump` does, as the text of a JSON object or array.

        Args:
            exported: As for `dump`.
            **options: The options in `groot.options.DumpOptions`.

        Returns:
            The JSON text.

        Raises:
            groot.Error: As `dump`.
        """
        return exports.text(self._session, exported, Given(DumpOptions, options))

    def dumpb(
        self, exported: BaseObject | Iterable[BaseObject] | None, **options: Unpack[DumpOptions]
    ) -> bytes:
        """Export as `dumps` does, as UTF-8 bytes: for files, sockets and responses.

        A `str` of the same text takes longer: with one character beyond Latin-1, Python's text has
        two bytes for each.

        Args:
            exported: As for `dump`.
            **options: The options in `groot.options.DumpOptions`.

        Returns:
            The JSON text.

        Raises:
            groot.Error: As `dump`.
        """
        return exports.data(self._session, exported, Given(DumpOptions, options))

    def dump_file(
        self,
        exported: BaseObject | Iterable[BaseObject] | None,
        target: FilePath | IO[bytes],
        **options: Unpack[DumpOptions],
    ) -> None:
        """Export as `dumps` does, into a file: a path, or a file object opened for bytes.

        Args:
            exported: As for `dump`.
            target: A path, or a file object. The file at a path appears, or is replaced, only when
                it is complete. A file object gets the text of several objects or of a document in
                pieces, so memory does not grow with it.
            **options: The options in `groot.options.DumpOptions`.

        Raises:
            groot.Error: As `dump`. It is a `groot.FileError` if the file cannot be written. An
                exception of the file object is raised unchanged.
        """
        exports.to_file(self._session, exported, target, Given(DumpOptions, options))

    def dump_fetched(
        self,
        entity: EntityName | None,
        target: FilePath | IO[bytes],
        where: Where | None = None,
        *,
        sort: Names | None = None,
        limit: int | None = None,
        offset: int | None = None,
        **options: Unpack[DumpOptions],
    ) -> int:
        """Export the objects that `fetch` would give into a file, as `dump_file` does.

        On a store the objects are read in portions, so memory does not grow with their number.

        Args:
            entity: The entity of the objects: its name, or its class. None exports all objects at
                the `roots` of the mapping, and excludes `where`, `sort`, `limit` and `offset`.
            target: As for `dump_file`.
            where: As for `fetch`.
            sort: As for `fetch`.
            limit: As for `fetch`.
            offset: As for `fetch`.
            **options: The options in `groot.options.DumpOptions`.

        Returns:
            The number of objects written.

        Raises:
            groot.Error: As `fetch` and `dump_file`.
        """
        parts = {"where": where, "sort": sort, "limit": limit, "offset": offset}
        given = Given(DumpOptions, options)
        return exports.fetched(self._session, entity, target, parts, given)
