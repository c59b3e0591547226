"""Models in other forms: read from Xcode's, inferred from samples, written as code.

`groot.models.infer` and `groot.models.records` are imported when they are needed first.
"""

from __future__ import annotations

from typing import Any

from groot.model import Model
from groot.models import generate, xcode

__all__ = ["generate", "xcode"]


def _infer(sample: Any, is_lines: bool, told: dict[str, Any]) -> Model:
    from groot.models.infer import make  # noqa: PLC0415, most programs do not infer

    return make(sample, is_lines, told)


Model.add_inference(_infer)
