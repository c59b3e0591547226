"""Xcode's Core Data models, read into model documents.

`read` takes a `.xcdatamodeld` bundle, a `.xcdatamodel` folder or the `contents` file in one, and
`read_contents` the bytes of such a file. `groot.Model.load` does all this by itself; this package
is for those who want the model document, or the warnings.

The rewriting of an Xcode model into a model document:

- `userInfo` of entities, attributes, relationships and the attributes of composites is kept as it
  stands. Parts of an attribute or a relationship that a model document cannot express are kept as
  annotations. They have the prefix `xcode.` and their name in the file, such as
  `xcode.defaultValueString`. Examples are a default that cannot be a number, and the expression of
  a derived attribute.
- An undefined attribute is `transformable`. A derived attribute is optional, since nobody but a
  store can give it its value.
- `minValueString` and `maxValueString` of a string are its lengths.
- Uniqueness constraints are kept. Where neither an entity nor one above or below it says what
  identifies its objects, and all attributes of a constraint have a `JSONKeyPath`, the first such
  constraint is also written as the annotation `identityAttributes`.
- Fetch requests, indexes, configurations, class names, and what only code generation or the editor
  looks at, are left out. Fetched properties are left out with a warning.
"""

from groot.xcode._files import is_xcode
from groot.xcode._model import XcodeModel, read, read_contents

__all__ = ["XcodeModel", "is_xcode", "read", "read_contents"]
