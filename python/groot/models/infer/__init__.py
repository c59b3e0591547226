"""Models inferred from samples of JSON.

`infer` reads a sample, and returns a model document that imports the sample without an issue and
exports it as it came::

    with Records(["heroes.json"]) as records:
        inference = infer(records, InferOptions(entity="Hero"))
    print(pretty(inference.document))

Each guess is in the annotation `groot.inferred`, with its evidence; `explain` makes a table of all.
`groot.Model.infer` is the short way.
"""

from __future__ import annotations

from groot.models.infer._explanation import explain
from groot.models.infer._inference import Inference, InferOptions, infer
from groot.models.infer._pretty import pretty
from groot.models.infer._told import issue_of, make, member_of

__all__ = [
    "InferOptions",
    "Inference",
    "explain",
    "infer",
    "issue_of",
    "make",
    "member_of",
    "pretty",
]
