"""Models as Python classes."""
