"""The arguments for the comparisons of twins and of exports."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Optional

Texts = Sequence[Optional[str]]

DEEP = 400  # C promises no more than 4,095 characters in a literal
THINGS = (
    '[{"id": 1, "name": "a", "price": 12.5, "parts": [{"id": 2, "price": 0.1}, {"id": 3}]},'
    ' {"id": 4, "name": "b", "price": "12345678901234567890.5", "extra": {"x": [1, null]}}]'
)
MODELS = [
    '{"entities": {}}',
    '{"entities": {"A": {"attributes": {"d": {"type": "decimal", "default": 0.1},'
    ' "s": {"type": "string", "maxLength": 3, "pattern": "^a"}}},'
    ' "B": {"parent": "A", "userInfo": {"x": [1, null, {"y": "z"}]}}}}',
    '{"entities": {"A": {"userInfo": {"x": ' + "[" * DEEP + "]" * DEEP + "}}}}",
    "[]",
    "{}",
    "5",
    '{"entities": {"A": {"parent": "B", "attributes": {"a": {"type": "c"}}}}}',
]
REQUESTS = [
    None,
    "{}",
    '{"sort": ["-price", "id"], "limit": 2, "offset": 1}',
    '{"where": {"price": {">": 0.1}}}',
    '{"where": {"price": 12.50}}',
    '{"where": {"or": [{"name": {"like": "a*"}}, {"not": {"owner": null}}]}}',
    '{"where": {"owner.name": "a"}, "sort": ["id"]}',
    '{"where": {"name": "\\u0000"}}',
    '{"where": {"nothing": 1}}',
    '{"where": {"id": [1, {}]}}',
    '{"where": {"id": 1.5}}',
    '{"where": ' + '{"not": ' * DEEP + "{}" + "}" * DEEP + "}",
    '{"limit": -1}',
    '{"limit": 0}',
    '{"sort": "id"}',
    '{"values": {"n": "count"}}',
    "[]",
    "5",
]
AGGREGATES = [
    None,
    "{}",
    '{"values": {"n": "count", "s": {"sum": "price"}, "a": {"average": "id"}}}',
    '{"values": {"m": {"max": "price"}}, "by": ["name"]}',
    '{"values": {"n": "count"}, "where": {"id": {"in": [1, 3]}}}',
    '{"values": {"n": {"sum": "name"}}}',
    '{"values": 5}',
    '{"limit": 1}',
    "[]",
]
# A single value is no text to import, but a json_t can be one.
RECORDS = [
    '{"id": 1, "name": "new", "price": 0.1}',
    "[]",
    "{}",
    "[1, null]",
    '[{"id": 1, "small": 70000}]',
    '[{"id": "x"}]',
    "[[], 7]",
    '[{"id": 5, "extra": ' + "[" * DEEP + "]" * DEEP + "}]",
    '{"id": 10, "parts": [' * 20 + "]}" * 20,
    THINGS,
]
# The texts that a parameter is given, by patterns of the functions' names.
TEXTS: dict[str, Texts] = {
    "groot_model_create text": MODELS,
    "groot_context_* entity": ["Thing", "Nobody"],
    "groot_export_* entity": ["Thing", "Nobody"],
    "groot_import_* entity": ["Thing", "Nobody"],
    "groot_sync_* entity": ["Thing", "Nobody"],
    "groot_context_distinct property": ["price", "-name", "owner.name", "parts", "nothing"],
    "groot_context_aggregate request": AGGREGATES,
    "groot_context_* request": REQUESTS,
    "groot_export_* request": REQUESTS,
    "groot_*_text text": RECORDS,
}
# The arrays of twins.h that a parameter has its values from.
ARRAYS = {
    "groot_model_* model": "s->models",
    "groot_mapping_* mapping": "s->mappings",
    "groot_context_conflicts context": "s->stores",
    "groot_context_changes context": "s->contexts",
    "groot_export_document_* context": "s->documents",
    "groot_export_object_* object": "s->exported.objects",
    "groot_object_fill_* object": "t.objects",
}
