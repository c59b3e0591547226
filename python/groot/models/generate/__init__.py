"""Models written as code: Swift types, Python classes, or the names and numbers for C.

Each function takes a model, which is already checked, and returns the text of a source file. The
text depends only on the model and the options. `swift` sorts entities and properties by name, so
their order in the model document makes no difference. The numbers of `c` follow that order.
"""

from groot.models.generate._c.file import c
from groot.models.generate._c.options import COptions
from groot.models.generate._python.file import python
from groot.models.generate._python.options import PythonOptions
from groot.models.generate._swift.file import swift
from groot.models.generate._swift.options import SwiftOptions

__all__ = ["COptions", "PythonOptions", "SwiftOptions", "c", "python", "swift"]
