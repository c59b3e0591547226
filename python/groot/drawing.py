"""Drawings of models as files."""

from __future__ import annotations

from groot._core.diagrams import document
from groot._core.text import refusal
from groot.model import Model


def svg(model: Model) -> str:
    """Draw a model as an SVG document with colours for light and dark pages.

    Args:
        model: The model.

    Returns:
        The text of the document, which ends with a line break.

    Raises:
        groot.Error: With `Status.INVALID_ARGUMENT` for something other than a model.
    """
    if not isinstance(model, Model):
        raise refusal("model", model, "a groot.Model")
    return document(model.document["entities"]) + "\n"
