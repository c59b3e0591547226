"""Comparisons of each function with its twin for jansson, and of the sinks of each export."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fnmatch import fnmatch
from typing import TypeVar

import results
from declarations import Function, Header, Missing, Parameter
from inputs import ARRAYS, TEXTS, THINGS, Texts

Value = TypeVar("Value")

# Functions that give no JSON, compared by the suites of calls and of exceptions.
LEFT_OUT = "groot_registry_set_*"
AS_JSON = {
    "groot_buffer": "taken(&{})",
    "json_t *": "{}",
    "groot_objects *": "ids({})",
    "groot_model *": "described({})",
    "size_t": "json_integer((json_int_t){})",
}
SINKS = ("text", "write", "file", "json")
SINK_PARAMETERS = ("text", "write", "userdata", "path", "json", "error")


def quoted(text: str | None) -> str:
    if text is None:
        return "NULL"
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def fits(key: str, function: Function, name: str) -> bool:
    pattern, parameter = key.split()
    return parameter == name and fnmatch(function.name, pattern)


def found(table: dict[str, Value], function: Function, name: str) -> Value | None:
    return next((value for key, value in table.items() if fits(key, function, name)), None)


def unused(header: Header) -> list[str]:
    """The keys of the tables that no parameter has."""
    names = [(one, part.name) for one in header.functions.values() for part in one.parameters]
    return [key for key in (*TEXTS, *ARRAYS) if not any(fits(key, *name) for name in names)]


@dataclass
class Variants:
    """Loops over the values of parameters, and the arguments inside them."""

    arrays: dict[str, Texts]  # the texts in the file, by name
    lines: list[str]
    arguments: dict[str, str]
    label: str = '""'

    def loop(self, name: str, array: str) -> str:
        counted = "s->things.objects" if array == "t.objects" else array
        self.lines.append(f"for (size_t {name}_ = 0; {name}_ < COUNT({counted}); {name}_++)")
        return f"{array}[{name}_]"

    def add(self, function: Function, parameter: Parameter, context: str) -> None:
        name = parameter.name
        texts, array = found(TEXTS, function, name), found(ARRAYS, function, name)
        if texts is not None:
            title = next((key for key, value in self.arrays.items() if value == texts), "")
            title = title or f"{name}_{len(self.arrays)}"
            self.arrays[title] = texts
            self.arguments[name] = self.label = self.loop(name, title)
        elif array is not None:
            self.arguments[name] = self.loop(name, array)
        elif parameter.type == "groot_context *":
            self.arguments[name] = context
        elif parameter.type == "size_t" and name == "length":
            self.arguments[name] = "GROOT_NTS"
        elif parameter.type == "groot_object_id *":
            self.arguments[name] = self.loop(name, "s->lists") + ".data"
            self.arguments["count"] = f"s->lists[{name}_].size"
        elif name not in self.arguments:
            raise Missing(f"twins.py: {function.name}: no inputs for '{parameter}'")


def call(function: Function, arguments: dict[str, str]) -> str:
    given = [arguments.get(one.name, f"&{one.name}") for one in function.parameters]
    return f"{function.name}({', '.join(given)})"


def gives(header: Header, function: Function, call: str, target: str, ended: str) -> list[str]:
    """A call, and its outcome in `target`."""
    variables = [
        one for one in function.parameters if header.is_result(one) and one.name != "error"
    ]
    lines = []
    for one in variables:
        lines += results.spoilt(one, header)
    lines += [f"status = {call};", "json_t *given = NULL;", "if (status == GROOT_OK) {"]
    lines.append("  given = json_array();")
    for one in variables:
        value = AS_JSON.get(one.target)
        if value is None:
            raise Missing(f"twins.py: {function.name}: no JSON for a result '{one.target}'")
        lines.append(f"  json_array_append_new(given, {value.format(one.name)});")
    lines.append("} else {")
    lines += [f"  CHECK({results.none(one)});" for one in variables]
    lines += ["}", f"{target} = {ended}(status, &error, given);"]
    return lines


def block(lines: list[str]) -> list[str]:
    return ["{", *(f"  {line}" for line in lines), "}"]


def compare_twins(
    header: Header, text: Function, json: Function, arrays: dict[str, Texts]
) -> list[str]:
    """The comparison of a function with its twin, on two graphs when it changes one."""
    options = next((one for one in text.parameters if one.is_options), None)
    changes = options is not None and "report" in header.structs[options.target]
    variants = Variants(arrays, [], {})
    context = "t.fixture.context" if changes else "s->things.fixture.context"
    if changes:
        variants.lines.append("for (size_t flags_ = 0; flags_ < COUNT(reading_flags); flags_++)")
        variants.arguments["options"] = "&options"
    for one in text.parameters:
        if one.name != "error" and not header.is_result(one):
            variants.add(text, one, context)
    # The twin has a json_t in place of the text, under the same name or instead of `text`.
    data = next((one for one in json.parameters if one.type == "json_t *"), None)
    arguments = dict(variants.arguments)
    source = None
    if data is not None:
        source = arguments[data.name if data.name in arguments else "text"]
        arguments[data.name] = "tree"
    lines = ["groot_status status;", "outcome made[2];"]
    if source:
        lines.append(f"json_t *tree = tree_of({source});")
    for index, (function, given) in enumerate(((text, variants.arguments), (json, arguments))):
        ended = "ended"
        before, after = [], []
        if changes and options:
            ended = "ended_without_places"
            before = ["things t = open_things();", "groot_buffer report = {NULL, 0};"]
            before += ["groot_counts counts = GROOT_COUNTS_INIT;"]
            before += [f"{options.target} options = {options.target.upper()}_INIT;"]
            before += ["options.flags = reading_flags[flags_];"]
            before += ["options.report = &report;", "options.counts = &counts;"]
            after = [f"close_things(&t, &made[{index}], &report, &counts);"]
        body = gives(header, function, call(function, given), f"made[{index}]", ended)
        lines += block(before + body + after)
    lines.append(f'compare(&made[0], &made[1], "{text.name[6:]}", {variants.label});')
    lines += ["drop(&made[0]);", "drop(&made[1]);"]
    lines += ["json_decref(tree);"] if source else []
    return [*variants.lines, *block(lines)]


def compare_sinks(target: str, sinks: dict[str, Function], arrays: dict[str, Texts]) -> list[str]:
    """The comparison of the sinks of an export with that into text."""
    missing = [sink for sink in SINKS if sink not in sinks]
    if missing or len(sinks) > len(SINKS):
        raise Missing(f"twins.py: {target} has the sinks {', '.join(sinks)}")
    arguments = {"options": "&options", "write": "collect", "userdata": "&sink", "path": "s->path"}
    arguments |= {"text": "&sink.text", "json": "&sink.tree", "error": "&error"}
    variants = Variants(arrays, [], arguments)
    for one in sinks["text"].parameters:
        if one.name not in (*SINK_PARAMETERS, "options"):
            variants.add(sinks["text"], one, "s->exported.fixture.context")
    variants.lines.append("for (size_t options_ = 0; options_ < COUNT(s->options); options_++)")
    lines = [f"outcome made[{len(SINKS)}];"]
    for index, name in enumerate(SINKS):
        body = ["struct sink sink = {{NULL, 0}, NULL, 99, NULL, 0};"]
        body += ["groot_export_options options = s->options[options_];"]
        body += ["options.count = &sink.count;"]
        body += [f"groot_status status = {call(sinks[name], variants.arguments)};"]
        body += [f"made[{index}] = sunk(status, &error, &sink, s->path);"]
        lines += block(body)
    for index in range(1, len(SINKS)):
        lines.append(
            f'compare(&made[0], &made[{index}], "{target}_{SINKS[index]}", {variants.label});'
        )
    lines += [f"drop(&made[{index}]);" for index in range(len(SINKS))]
    return [*variants.lines, *block(lines)]


def write(header: Header) -> list[str]:
    arrays: dict[str, Texts] = {}
    parts: dict[str, list[str]] = {}
    targets: dict[str, dict[str, Function]] = {}
    for name, function in header.functions.items():
        export = re.fullmatch(r"groot_(export_[a-z]+)_([a-z]+)", name)
        if name == "groot_export_options_init":
            continue
        if export:
            targets.setdefault(export.group(1), {})[export.group(2)] = function
            continue
        base = name.removesuffix("_json")
        if base == name or name == "groot_json_free" or fnmatch(name, LEFT_OUT):
            continue
        text = header.functions.get(f"{base}_text") or header.functions.get(base)
        if text is None:
            raise Missing(f"twins.py: {name} has no twin")
        parts[base[6:]] = compare_twins(header, text, function, arrays)
    if unused(header):
        raise Missing(f"inputs.py: no function has {', '.join(unused(header))}")
    for target, sinks in targets.items():
        parts[target] = compare_sinks(target, sinks, arrays)
    lines = ['#include "twins.h"', "", "#include <string.h>", ""]
    lines += [f"const char things_text[] = {quoted(THINGS)};", ""]
    for name, texts in arrays.items():
        lines += [f"static const char *const {name}[] = {{"]
        lines += [*(f"    {quoted(text)}," for text in texts), "};"]
    for name, body in parts.items():
        lines += ["", f"static void compare_{name}(scene *s) {{", "  (void)s;"]
        lines += ["  groot_error *error = NULL;", *(f"  {line}" for line in body), "}"]
    lines += ["", "void compare_all(scene *s) {"]
    lines += [*(f"  compare_{name}(s);" for name in parts), "}"]
    return lines
