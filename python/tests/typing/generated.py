"""The entities of a model as classes, written by `groot generate python`.

Changes here are lost when the file is written again.
"""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from typing import Annotated, Any
from uuid import UUID

from groot import Attribute, Entity, ToMany, ToOne, attribute, bits, relationship


class Item(
    Entity,
    abstract=True,
    unique=[["code"]],
    annotations={"documentation": "What is sold."},
):
    """What is sold."""

    code: Attribute[str] = attribute(identity=True, minimum_length=1)
    price: Attribute[Decimal] = attribute(default=Decimal("9.9"), minimum=Decimal("0"))
    # The day it came into the shop.
    since: Attribute[dt.datetime] = attribute(
        "meta.since",
        renaming_identifier="from",
        annotations={"comment": "The day it came into the shop."},
    )
    shelf: ToOne[Shelf | None] = relationship("shelf", inverse="items")


class Book(Item):
    """An entity without identity."""

    size: Attribute[dict[str, Any] | None] = attribute(
        type="composite",
        elements={
            "height": {"optional": True, "type": "double", "userInfo": {}},
            "width": {"default": 0.1, "type": "double", "userInfo": {}},
        },
    )
    cover: Attribute[str | None] = attribute(type="uri")
    pages: Attribute[Annotated[int, bits(32)] | None] = attribute(
        minimum=1,
        maximum=10000,
        transformer="StringToInteger",
    )


class Shelf(Entity, implicit=False):
    """An entity without identity."""

    number: Attribute[Annotated[int, bits(16)]] = attribute(
        annotations={"sync.isPrimaryKey": "YES"},
    )
    class_: Attribute[UUID | None] = attribute(name="class", transient=True)
    items: ToMany[Item] = relationship(
        inverse="shelf",
        ordered=True,
        maximum_count=20,
        delete_rule="deny",
    )
