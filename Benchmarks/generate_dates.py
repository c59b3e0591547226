#!/usr/bin/env python3
"""Writes dates for the benchmark, one a line, and as the last line a sum to check readers with.

usage: generate_dates.py COUNT FILE whole|fraction

Whole seconds are written `2016-01-09T12:40:08Z`, fractions `2014-01-02T12:40:08.123456+00:00`. The
sum is of microseconds since 1970, modulo 2 to the power of 64.
"""

import sys
from datetime import datetime, timedelta, timezone

from generate import EPOCH, SPAN, Words

UNIX = datetime(1970, 1, 1, tzinfo=timezone.utc)
FORMS = {"whole": "%Y-%m-%dT%H:%M:%SZ", "fraction": "%Y-%m-%dT%H:%M:%S.%f+00:00"}


def main() -> None:
    if len(sys.argv) != 4 or sys.argv[3] not in FORMS:
        sys.exit(__doc__)
    count, path, form = int(sys.argv[1]), sys.argv[2], sys.argv[3]
    below = Words(1).below
    total = 0
    with open(path, "w", encoding="ascii", newline="") as file:
        for _ in range(count):
            date = EPOCH + timedelta(seconds=below(SPAN))
            if form == "fraction":
                date += timedelta(microseconds=below(1_000_000))
            total += (date - UNIX) // timedelta(microseconds=1)
            file.write(date.strftime(FORMS[form]) + "\n")
        file.write(f"{total % 2**64}\n")


if __name__ == "__main__":
    main()
