"""Xcode's Core Data models, read into model documents.

`read` takes a `.xcdatamodeld` bundle, a `.xcdatamodel` folder or the `contents` file in one.
`read_contents` takes the bytes of such a file. `groot.Model.load` calls `read` for Xcode models;
this package is for programs that need the model document.

An Xcode model is converted to a model document in this way:

- `userInfo` of entities, attributes, relationships and the attributes of composites is kept
  unchanged. Parts of an attribute or a relationship that a model document cannot express become
  annotations: the prefix `xcode.` and the name in the file, such as `xcode.defaultValueString`.
  Examples are a default that is not a number, and the expression of a derived attribute.
- An undefined attribute becomes `transformable`. A derived attribute becomes optional, since only a
  store can compute its value.
- `minValueString` and `maxValueString` of a string are limits of its length.
- Uniqueness constraints are kept. The first constraint whose attributes all have a `JSONKeyPath` is
  also written as the annotation `identityAttributes`. This does not happen if the entity, an
  ancestor or a descendant declares an identity.
- Fetch requests, indexes, configurations, class names, and entries for code generation or the
  editor are left out. Fetched properties are left out with a warning.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

from groot.model import Model
from groot.models.xcode._files import is_xcode
from groot.models.xcode._model import XcodeModel, read, read_contents

__all__ = ["XcodeModel", "is_xcode", "load", "read", "read_contents"]


def load(path: Path, version: str | None) -> Model:
    """Make a model of an Xcode model, for `groot.Model.load`.

    Args:
        path: The path of a bundle, a folder or a file.
        version: The name of a version in a bundle; None for the current one.

    Returns:
        The model with the warnings of the conversion.

    Raises:
        groot.Error: If the file or the version cannot be read, or has no model.
    """
    found = read(path, version)
    return found.make(partial(Model, warnings=found.warnings))
