"""Feeds of our own, each in the shape of a well-known API, and the models of their JSON by hand.

Each module has `SAMPLE`, the name of the records' `ENTITY`, and the lists that a modeller would
write: `ROOTS`, `IDENTITIES` and `LINKS`.
"""
