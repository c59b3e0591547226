"""The records of JSON files, read piece by piece.

`Records` reads JSON documents, lines of JSON, and values of Python. The memory that it takes grows
with the largest record, not with the file::

    with Records(["heroes.json"], root="/data/heroes") as records:
        for batch in records.batches():
            for record, line in zip(batch.records, batch.places):
                ...

`Records.outline` shows the collections of a document, among which a root can be chosen.
"""

from __future__ import annotations

from groot.models.records._outline import Member, Outline
from groot.models.records._records import Batch, Records
from groot.models.records._sources import MARK, FileSource, source_of

__all__ = ["MARK", "Batch", "FileSource", "Member", "Outline", "Records", "source_of"]
