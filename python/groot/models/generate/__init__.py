"""Models written as code: the entities of a model as Swift types.

`swift` takes a model, which is already checked, and returns the text of a source file. The text
depends only on the model and the options. Entities and properties are sorted by name, so their
order in the model document makes no difference.
"""

from groot.models.generate._swift.file import swift
from groot.models.generate._swift.options import SwiftOptions

__all__ = ["SwiftOptions", "swift"]
