"""JSON Schema and OpenAPI: read into model documents, and written from models.

`read` takes a file with a JSON Schema (2020-12, draft 7) or an OpenAPI document (3.0, 3.1),
`read_document` such a document as a dict. `groot.Model.load` calls `read` for these files.
`json_schema` writes the JSON Schema of the JSON that a model reads or writes.

A schema is converted to a model document in this way:

- Each definition of an object becomes an entity with its name. The entity of the root has its title
  or the name of the file, that of a nested object its title or the names of its owner and its key.
- A reference to an object becomes a to-one relationship, a list of objects an ordered to-many, an
  object with `additionalProperties` a keyed to-many. Other values become attributes.
- `oneOf` and `anyOf` with a discriminator, or with a key that has another constant in each schema,
  become an abstract entity and its kinds. A part of `allOf` with a discriminator is the parent of
  an entity. The properties of other parts are copied.
- `x-groot-identity` has the keys of the identity. `x-groot` has annotations.
- All else that a model cannot express is a warning.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

from groot.model import Model
from groot.models.schemas._files import is_schema
from groot.models.schemas._model import SchemaModel, read, read_document
from groot.models.schemas._writing.file import json_schema

__all__ = ["SchemaModel", "is_schema", "json_schema", "load", "read", "read_document"]


def load(path: Path) -> Model:
    """Make a model of a schema, for `groot.Model.load`.

    Args:
        path: The path of the file.

    Returns:
        The model with the warnings of the conversion.

    Raises:
        groot.Error: If the file cannot be read, or has no model.
    """
    found = read(path)
    return found.make(partial(Model, warnings=found.warnings))
