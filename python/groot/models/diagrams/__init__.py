"""Models as diagrams, and as the tables of a store.

    print(diagrams.mermaid(groot.Model.load("heroes.json")))

Each function but `sql_of_store` takes a model, which is already checked, and returns a text that
ends with a line break. The text depends only on the model. Entities and properties have the order
of the document.
"""

from groot.drawing import svg
from groot.models.diagrams._dbml import dbml
from groot.models.diagrams._dot import dot
from groot.models.diagrams._mermaid import mermaid
from groot.models.diagrams._sql import sql, sql_of_store

__all__ = ["dbml", "dot", "mermaid", "sql", "sql_of_store", "svg"]
