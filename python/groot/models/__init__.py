"""Models in other forms: read from Xcode's and from schemas, written as code and schemas."""

from groot.models import generate, schemas, xcode

__all__ = ["generate", "schemas", "xcode"]
