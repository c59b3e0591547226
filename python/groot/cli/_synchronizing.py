"""The synchronization of a context with files."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

from groot.cli._feeds import Feed
from groot.cli._results import Results
from groot.context import Context
from groot.errors import Error, Status


class Synchronizing:
    """A synchronization that can be tried again with another limit of deletions."""

    def __init__(
        self, options: argparse.Namespace, feed: Feed, context: Context, results: Results
    ) -> None:
        """Take the options of a command, its files, the context, and the results to add to."""
        self._options = options
        self._feed = feed
        self._context = context
        self._results = results

    def run(
        self,
        limit: int | float | None,
        is_allowed: Callable[[argparse.Namespace, Error], bool | None] | None = None,
    ) -> None:
        """Synchronize.

        Args:
            limit: The limit of deletions.
            is_allowed: A function that is asked when the limit is exceeded. It has told the
                failure unless it returns None.

        Raises:
            groot.Error: If the context, the files or the limit do not allow it. Faults in the files
                are in the results instead.
        """
        if self._options.where is not None:  # its faults are not those of the files
            self._context.fetch(self._results.entity, self._options.where, limit=0)
        try:
            self._once(limit)
        except Error as failure:
            if failure.code != Status.TOO_MANY_DELETIONS or is_allowed is None:
                raise
            answer = is_allowed(self._options, failure)
            if answer is None:
                raise
            if answer:
                self._once(None)
            else:
                self._results.failure = failure

    def _once(self, limit: int | float | None) -> None:
        options, feed, results = self._options, self._feed, self._results
        given: dict[str, Any] = {
            "changes": options.dry_run,
            "delete": not options.no_delete,
            "max_deletions": limit,
            "where": options.where,
        }
        place = results.place
        if len(feed.sources) == 1:
            source = feed.sources[0]
            with results.reading(source), feed.path(source) as path:
                given.update(root=place.root, form=place.form, lines=feed.has_lines(source))
                results.add(self._context.sync_file(results.entity, path, **given))
            return
        listed = feed.listed(place.root, place.form)
        with results.listing(listed):
            results.add(self._context.sync(results.entity, listed.records, **given))
