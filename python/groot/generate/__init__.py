"""Models written as code: the entities of a model as types of Swift.

`swift` takes a model, which is checked already, and gives the text of a source file. The text
depends on nothing but the model: entities and properties are sorted by their names, so that the
order in which a document has them makes no difference.
"""

from groot.generate._file import swift
from groot.generate._options import SwiftOptions

__all__ = ["SwiftOptions", "swift"]
