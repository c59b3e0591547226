"""Models written as code: the entities of a model as Swift types or Python classes.

`swift` and `python` take a model, which is already checked, and return the text of a source file.
The text depends only on the model and the options. Entities and properties are sorted by name, so
their order in the model document makes no difference.
"""

from groot.models.generate._python.file import python
from groot.models.generate._python.options import PythonOptions
from groot.models.generate._swift.file import swift
from groot.models.generate._swift.options import SwiftOptions

__all__ = ["PythonOptions", "SwiftOptions", "python", "swift"]
