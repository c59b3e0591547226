"""Classes as entities: the model in annotations, and conditions that type checkers read."""

from groot.typed.conditions import Condition
from groot.typed.entity import Entity
from groot.typed.expressions import Expression, is_null
from groot.typed.properties import Attribute, ToMany, ToOne, attribute, relationship
from groot.typed.types import bits

__all__ = [
    "Attribute",
    "Condition",
    "Entity",
    "Expression",
    "ToMany",
    "ToOne",
    "attribute",
    "bits",
    "is_null",
    "relationship",
]
