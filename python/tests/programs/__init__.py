"""Tests of other programs on a store: see docs/guides/other-programs.md."""
