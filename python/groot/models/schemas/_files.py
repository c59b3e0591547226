"""Files with a schema: how they are recognized, and read as JSON or YAML."""

from __future__ import annotations

import importlib
import json
import math
import os
import re
from datetime import date
from pathlib import Path
from typing import Any

from groot.errors import Status, file_error
from groot.models.schemas._notes import refusal

_MAXIMUM_SIZE = 16 << 20
_MAXIMUM_YAML = 4 << 20
_DEPTH = 256
_NODES = 2_000_000
_DIGITS = 400
_YAML = (".yaml", ".yml")
_WORD = re.compile(
    rb'"(openapi|swagger|\$schema|\$ref|\$defs|definitions|properties|items|allOf|oneOf|anyOf|'
    rb'additionalProperties)"\s*:'
)
_SURE = re.compile(rb'"openapi"\s*:\s*"|"\$schema"\s*:\s*"https?://json-schema\.org/')
_MEMBERS = ("$defs", "definitions", "properties", "$ref", "allOf", "oneOf", "anyOf", "items")
_TYPES = ("object", "array", "string", "number", "integer", "boolean", "null")


def is_schema(path: str | os.PathLike[str]) -> bool:
    """Return whether a file has a JSON Schema or an OpenAPI document.

    These are files with a suffix of YAML, and JSON that has keywords of a schema at the top and is
    not a model document.

    Args:
        path: The path of a file. It may be missing.

    Returns:
        Whether `read` is the function for the file.
    """
    file = Path(path)
    if file.is_dir() or (file.exists() and not file.is_file()):
        return False
    if file.suffix in _YAML:
        return True
    try:
        with file.open("rb") as opened:
            data = opened.read(_MAXIMUM_SIZE + 1)
    except OSError:
        return False
    if _WORD.search(data) is None:
        return False
    try:
        return looks_like(json.loads(data))
    except (ValueError, RecursionError):
        return _SURE.search(data) is not None


def looks_like(document: Any) -> bool:
    """Return whether a JSON value has the keywords of a schema at the top."""
    if not isinstance(document, dict):
        return False
    if "openapi" in document or "swagger" in document:
        return True
    if "json-schema.org" in str(document.get("$schema")):
        return True
    if isinstance(document.get("entities"), dict):
        return False
    listed = [document[key] for key in _MEMBERS if key in document]
    if any(isinstance(one, (dict, list, str)) for one in listed):
        return True
    return isinstance(document.get("additionalProperties"), dict) or document.get("type") in _TYPES


def load(path: str | os.PathLike[str]) -> Any:
    """Read a file as JSON, or as YAML if its suffix says so.

    Raises:
        groot.Error: For a file that cannot be read, is too large or nests too deep.
    """
    file = Path(path)
    try:
        with file.open("rb") as opened:
            data = opened.read(_MAXIMUM_SIZE + 1)
    except OSError as cause:
        raise file_error(file, "read", cause) from cause
    if len(data) > _MAXIMUM_SIZE:
        limit = f"{_MAXIMUM_SIZE >> 20} MiB"
        raise refusal(file, f"it is larger than the limit of {limit}", Status.LIMIT_EXCEEDED)
    found = _yaml(file, data) if file.suffix in _YAML else _json(file, data)
    return checked(found, str(file))


def _json(file: Path, data: bytes) -> Any:
    try:
        text = data.decode("utf-8-sig")
    except ValueError as cause:
        raise refusal(file, f"it is not UTF-8: {cause}", Status.INVALID_UTF8) from None
    try:
        return json.loads(text, parse_int=_integer, parse_float=_real, parse_constant=_real)
    except RecursionError:
        raise refusal(file, _too_deep(), Status.LIMIT_EXCEEDED) from None
    except ValueError as cause:
        raise refusal(file, f"it is not JSON: {cause}", Status.INVALID_JSON) from None


def _integer(digits: str) -> int:
    if len(digits) > _DIGITS:
        raise ValueError(f"a number has more than {_DIGITS} digits")
    return int(digits)


def _real(text: str) -> float:
    found = float(text)
    if not math.isfinite(found):
        raise ValueError(f"{text[:40]} is beyond the range of numbers")
    return found


def _yaml(file: Path, data: bytes) -> Any:
    try:
        yaml = importlib.import_module("yaml")
    except ImportError:
        message = "it is YAML, which is read with PyYAML; run pip install pyyaml, or give JSON"
        raise refusal(file, message, Status.UNSUPPORTED) from None
    if len(data) > _MAXIMUM_YAML:
        limit = f"{_MAXIMUM_YAML >> 20} MiB"
        message = f"it is larger than the limit of {limit} for YAML; give JSON"
        raise refusal(file, message, Status.LIMIT_EXCEEDED)
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        return yaml.load(data, Loader=loader)
    except RecursionError:
        raise refusal(file, _too_deep(), Status.LIMIT_EXCEEDED) from None
    except (yaml.YAMLError, ValueError, TypeError) as cause:
        reason = " ".join(str(cause).split())
        raise refusal(file, f"it is not YAML: {reason}", Status.INVALID_JSON) from None


def _too_deep() -> str:
    return f"it nests more than {_DEPTH} levels deep"


def checked(document: Any, file: str) -> Any:
    """Return a document with keys of text only, within the limits of depth and size.

    References of YAML can make a small text a large document, or one that contains itself. So each
    mention counts.
    """
    count = 0

    def copied(value: Any, depth: int) -> Any:
        nonlocal count
        count += 1
        if depth > _DEPTH:
            raise refusal(file, _too_deep(), Status.LIMIT_EXCEEDED)
        if count > _NODES:
            message = f"it has more than {_NODES:,} values"
            raise refusal(file, message, Status.LIMIT_EXCEEDED)
        if isinstance(value, dict):
            return {_key(key): copied(below, depth + 1) for key, below in value.items()}
        if isinstance(value, (list, tuple)):
            return [copied(below, depth + 1) for below in value]
        if isinstance(value, date):
            return value.isoformat()
        if value is None or isinstance(value, (str, bool, int)):
            return value
        if isinstance(value, float) and math.isfinite(value):
            return value
        raise refusal(file, f"it has a value that JSON does not have: {str(value)[:100]!r}")

    return copied(document, 0)


def _key(key: Any) -> str:
    return key if isinstance(key, str) else json.dumps(key, default=str)
