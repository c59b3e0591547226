#!/usr/bin/env python3
"""The row of the benchmark that reads dates with Python alone."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

from row import Input, main, require, timed

PASSES = 20
"""As in the other programs that read dates: a list is read so many times."""

UNIX = datetime(1970, 1, 1, tzinfo=timezone.utc)


def dates_fromisoformat(given: Input) -> None:
    *dates, total = given.path.read_text().split()
    read = datetime.fromisoformat
    with timed(given.count * PASSES):
        for _ in range(PASSES):
            for text in dates:
                read(text)
    found = sum((read(text) - UNIX) // timedelta(microseconds=1) for text in dates)
    require(len(dates) == given.count, "not as many dates as expected")
    require(found % 2**64 == int(total), "a date is read as another")


if __name__ == "__main__":
    main({"dates_fromisoformat": dates_fromisoformat})
