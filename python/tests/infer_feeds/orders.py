"""Orders of a shop in list objects: money as text, maps of metadata, seconds since 1970."""

from __future__ import annotations

from typing import Any

_PRODUCTS = (("Kettle", "24.90"), ("Mug", "6.50"), ("Teapot", "31.00"), ("Spoon", "2.20"))
_CITIES = ("Bergen", "Odense", "Turku")


def _list(url: str, data: list[Any]) -> dict[str, Any]:
    return {"object": "list", "data": data, "has_more": False, "url": url}


def _address(number: int) -> dict[str, Any]:
    return {
        "line1": f"Quay {number}",
        "line2": None if number % 2 else "Back yard",
        "city": _CITIES[number % 3],
        "postal_code": f"{5000 + number}",
        "country": "NO",
    }


def _customer(number: int) -> dict[str, Any]:
    return {
        "id": f"cus_{number:04}",
        "object": "customer",
        "email": f"guest{number}@shop.example",
        "name": f"Guest {number}",
        "created": 1_600_000_000 + number * 86_400,
        "address": _address(number),
        "metadata": {f"source_{number % 3}": "web", f"level_{number % 4}": "gold"},
    }


def _product(number: int) -> dict[str, Any]:
    name, price = _PRODUCTS[number]
    return {
        "id": f"prod_{name}",
        "object": "product",
        "active": True,
        "name": name,
        "unit_price": price,
    }


def _line(number: int) -> dict[str, Any]:
    product = _product(number % 4)
    return {
        "description": product["name"],
        "quantity": number % 3 + 1,
        "price": product["unit_price"],
        "product": product,
    }


def _refund(number: int) -> dict[str, Any]:
    return {
        "id": f"re_{number:04}",
        "object": "refund",
        "amount": "6.50",
        "created": 1_700_500_000 + number,
        "reason": None if number % 2 else "duplicate",
    }


def _order(number: int) -> dict[str, Any]:
    own = f"or_{number:04}"
    refunds = [_refund(number)] if number % 4 == 0 else []
    return {
        "id": own,
        "object": "order",
        "amount_total": f"{19 + number}.90",
        "currency": "nok",
        "created": 1_700_000_000 + number * 3600,
        "status": ("open", "paid", "sent")[number % 3],
        "customer": _customer(number % 7),
        # Where the call asked for it, a charge is written in full.
        "latest_charge": f"ch_{number}" if number % 2 else {"id": f"ch_{number}", "paid": True},
        "invoice": None if number % 5 else f"in_{number}",
        "shipping_address": _address(number + 20),
        "line_items": _list(
            f"/v1/orders/{own}/line_items", [_line(number + one) for one in range(number % 3 + 1)]
        ),
        "refunds": _list(f"/v1/orders/{own}/refunds", refunds),
        "metadata": {f"note_{number % 6}": "fragile", f"gift_{number % 5}": "yes"},
        "tags": ["new", "post"][: number % 3],
    }


SAMPLE = {
    "object": "list",
    "url": "/v1/orders",
    "has_more": False,
    "data": [_order(number) for number in range(20)],
}
ENTITY = "Order"
ROOTS = ["/data"]
IDENTITIES = {
    "Order": "id",
    "Customer": "id",
    "Address": "customer, order",
    "Metadata": "order, key",
    "CustomerMetadata": "customer, key",
    "LineItemList": "url",
    "LineItem": "lineItemList, position",
    "Product": "id",
    "RefundList": "url",
    "Refund": "id",
}
LINKS = {
    "Order.customer -> Customer",
    "Order.shipping_address -> Address",
    "Order.line_items -> LineItemList",
    "Order.refunds -> RefundList",
    "Order.metadata -> Metadata[]",
    "Customer.address -> Address",
    "Customer.metadata -> CustomerMetadata[]",
    "LineItemList.data -> LineItem[]",
    "LineItem.product -> Product",
    "RefundList.data -> Refund[]",
}
