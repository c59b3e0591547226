"""The check of a feed against a model: has the feed changed?

`check` reads all records of a feed and finds key paths of the model that lead to nothing, unmapped
keys, and values that do not fit::

    drift = check(Model.load("heroes.model.json"), Records(["heroes.json"]))
    for line in drift.lines():
        print(line)

The memory that it takes does not grow with the feed.
"""

from __future__ import annotations

from groot.models.drift._check import check
from groot.models.drift._drift import Drift, Gone
from groot.models.drift._keys import NewKey
from groot.models.drift._values import Misfit

__all__ = ["Drift", "Gone", "Misfit", "NewKey", "check"]
