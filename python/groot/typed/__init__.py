"""Classes of a program's own for the entities of a model."""
