"""Xcode models from the text of their elements."""

from __future__ import annotations

from typing import Any

from groot.models import xcode


def contents(body: str) -> bytes:
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<model>\n{body}\n</model>'.encode()


def convert(body: str) -> xcode.XcodeModel:
    return xcode.read_contents(contents(body))


def thing(attributes: str) -> dict[str, Any]:
    """Convert the attributes of one entity, which must not have errors."""
    read = convert(f'<entity name="Thing">{attributes}</entity>')
    assert read.errors == ()
    return read.document["entities"]["Thing"]["attributes"]
