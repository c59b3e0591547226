"""Models in other forms: read from Xcode's, written as code."""

from groot.models import generate, xcode

__all__ = ["generate", "xcode"]
