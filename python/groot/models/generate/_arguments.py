"""The check of the arguments of the functions."""

from __future__ import annotations

import reprlib
from typing import Any

from groot.errors import Status, error
from groot.model import Model


def check(model: Any, options: Any, kind: type[Any]) -> None:
    """Raise `groot.Error` for a model or options of another type."""
    if not isinstance(model, Model):
        message = f"model is {reprlib.repr(model)}, not a groot.Model"
        raise error(Status.INVALID_ARGUMENT, message)
    if options is not None and not isinstance(options, kind):
        message = f"options is {reprlib.repr(options)}, not a {kind.__name__} or None"
        raise error(Status.INVALID_ARGUMENT, message)
