"""The variables that functions set: how each is freed, and its state after a failure."""

from __future__ import annotations

from declarations import Header, Missing, Parameter

# By type of the variable; {0} is its name.
NONE = {
    "groot_buffer": "{0}.data == NULL && {0}.size == 0",
    "groot_string": "{0}.data == NULL && {0}.size == 0",
    "groot_property": "{0} == -1",
    "groot_object_id": "{0} == 0",
    "size_t": "{0} == 0",
    "uint64_t": "{0} == 0",
    "int64_t": "{0} == 0",
    "int32_t": "{0} == 0",
    "groot_value": "{0}.kind == GROOT_VALUE_NULL",
    # These stay as the caller began them.
    "groot_issue": "{0}.struct_size == sizeof {0}",
    "groot_entity_info": "{0}.struct_size == sizeof {0}",
    "groot_property_info": "{0}.struct_size == sizeof {0}",
    "groot_column": "{0}.values == NULL && {0}.owner == NULL && {0}.count == 0",
    "struct ArrowArrayStream": "{0}.release == NULL",
}
FREE = {
    "groot_buffer": "groot_buffer_free(&{0});",
    "groot_column": "groot_column_free(&{0});",
    "struct ArrowArrayStream": "{0}.release(&{0});",
    "json_t *": "groot_json_free({0});",
    "groot_stream *": "groot_stream_cancel({0});",
}


def none(parameter: Parameter) -> str:
    """The condition that holds after a failure."""
    if parameter.target.endswith("*"):
        return f"{parameter.name} == NULL"
    if parameter.target not in NONE:
        raise Missing(f"results.py: the state of a {parameter.target} after a failure")
    return NONE[parameter.target].format(parameter.name)


def free(parameter: Parameter) -> list[str]:
    target = parameter.target
    if target in FREE:
        return [FREE[target].format(parameter.name)]
    if target.endswith("*"):
        return [f"{target[:-2]}_free({parameter.name});"]
    return []


def spoilt(parameter: Parameter, header: Header) -> list[str]:
    """A variable full of bytes that no function leaves there."""
    name = parameter.name
    space = "" if parameter.target.endswith("*") else " "
    lines = [f"{parameter.target}{space}{name};", f"memset(&{name}, 0x5a, sizeof {name});"]
    if "struct_size" in header.structs.get(parameter.target, ()):
        lines.append(f"{name}.struct_size = sizeof {name};")
    return lines
