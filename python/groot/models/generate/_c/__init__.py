"""The names and numbers of a model as a C header."""
