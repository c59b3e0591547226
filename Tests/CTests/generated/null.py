"""Calls of every function with NULL for one pointer, and good arguments for all others."""

from __future__ import annotations

from fnmatch import fnmatch

import results
from declarations import Function, Header, Missing, Parameter

# The good arguments by type and name.
GOOD = {
    "groot_call *call": "s->call",
    "groot_context *context": "s->fixture.context",
    "groot_context *source": "s->source",
    "groot_context *target": "s->target",
    "groot_error *error": "s->failure",
    "groot_mapping *mapping": "s->fixture.mapping",
    "groot_model *model": "s->fixture.model",
    "groot_registry *registry": "s->fixture.registry",
    "groot_stream *stream": "stream",
    "groot_object_id object": "s->character",
    "groot_object_id member": "s->power",
    "groot_arrow_column *columns": '&(groot_arrow_column){"+s", "", 0, 0, 0, 1, {0}, {0}}',
    "groot_object_id *objects": "&s->power",
    "groot_object_id *members": "&s->power",
    "size_t count": "1",
    "uint32_t low": "(uint32_t)s->character",
    "uint32_t high": "(uint32_t)(s->character >> 32)",
    "groot_property property": "s->powers",
    "groot_value *value": "&s->value",
    "char *text": '"[]"',
    "size_t length": "GROOT_NTS",
    "char *data": '"["',
    "size_t size": "1",
    "char *message": '"why"',
    "char *entity": '"Power"',
    "char *name": '"name"',
    "char *property": '"name"',
    "char *properties": '"[\\"name\\"]"',
    "char *request": '"{}"',
    "char *builtin": '"integer-text"',
    "json_t *document": "s->document",
    "json_t *json": "s->array",
    "json_t *request": "s->object",
    "groot_transform_function forward": "pass_on",
    "groot_transform_function reverse": "pass_on",
    "groot_transform_function mapper": "pass_on",
    "groot_transform_function transformer": "pass_on",
    "groot_transform_json_function forward": "pass_on_json",
    "groot_transform_json_function reverse": "pass_on_json",
    "groot_transform_json_function mapper": "pass_on_json",
    "groot_transform_json_function transformer": "pass_on_json",
    "groot_progress_function progress": "go_on",
    "groot_write_function write": "swallow",
    "groot_destroy_function destroy": "forget",
    "void *userdata": "s",
    "void *exception": "s",
    "void *text": '"[]"',
    "void *units": "(char[256]){0}",
    "size_t *count": "&(size_t){0}",
    "uint32_t flags": "0",
    "uint32_t greatest": "0x7F",
    "size_t index": "0",
    "size_t number": "0",
    "size_t entity": "0",
    "uint64_t bytes": "0",
}
# Those of some functions, by patterns of their names.
SPECIAL = {
    "groot_model_create text": '"{\\"entities\\": {}}"',
    "groot_model_create_file path": '"Tests/Cases/models/comics.json"',
    "groot_context_open path": "s->store",
    "groot_store_describe path": "s->first",
    "groot_export_*_file path": "s->exported",
    "groot_import_file path": "s->imported",
    "groot_sync_file path": "s->imported",
    "groot_sync_* entity": '"Publisher"',  # an empty list deletes all objects of the entity
    "groot_object_fill_text text": '"{}"',
    "groot_object_fill_json json": "s->object",
    "groot_object_[gs]et property": "s->name",
    "groot_object_integer property": "s->name",
    "groot_object_real property": "s->name",
    "groot_object_text property": "s->name",
    "groot_object_kind property": "s->name",
    "groot_object_delete object": "doomed(s)",
    "groot_registry_remove name": "registered(s)",
    "groot_mapping_create model": "s->rooted.model",  # it needs no registry
    "groot_export_document_* context": "s->rooted.context",
}
# The header's conventions allow NULL for these in every function.
ALLOWED = ("error", "options", "userdata", "destroy", "exception")
# Results that mean "none", for functions without a status.
NONE = {
    "size_t": "{} == 0",
    "groot_object_id": "{} == 0",
    "const groot_object_id *": "{} == NULL",
    "const char *": "{} == NULL",
    "void *": "{} == NULL",
    "groot_string": "{0}.data == NULL && {0}.size == 0",
    "int32_t": "{} == -1",
    "int64_t": "{} == INT64_MIN",
    "double": "isnan({})",
}
# A stream of its own for each call that takes one, and its end.
STREAMS = {
    "groot_stream_write": ('groot_stream *stream = begun(s, "");', "groot_stream_cancel(stream);"),
    "groot_stream_finish": ('groot_stream *stream = begun(s, "[]");', ""),
}


class Calls:
    """The calls of one function."""

    def __init__(self, header: Header, function: Function, used: set[str]) -> None:
        self.header, self.function, self.used = header, function, used
        self.pointers = [one for one in function.parameters if one.is_pointer]
        self.results = [one for one in function.parameters if self.is_result(one)]
        self.allowed = {*ALLOWED, *header.may_be_null(function)}
        if function.name.startswith("groot_error_"):
            self.allowed.discard("error")

    def is_result(self, parameter: Parameter) -> bool:
        has_result = self.function.result == "groot_status" and parameter.type != "groot_error **"
        return has_result and self.header.is_result(parameter)

    def good(self, parameter: Parameter) -> str:
        name = parameter.name
        if parameter in self.results or parameter.is_options or parameter.type == "groot_error **":
            return f"&{name}"
        special = [
            key
            for key in SPECIAL
            if key.split()[1] == name and fnmatch(self.function.name, key.split()[0])
        ]
        key = str(parameter)
        if special or key in GOOD:
            self.used.add((special or [key])[0])
            return SPECIAL[special[0]] if special else GOOD[key]
        raise Missing(f"null.py: {self.function.name}: no good argument for '{key}'")

    def call(self, given: dict[str, str]) -> str:
        """The call with some arguments given, and good ones for all others."""
        arguments = [given.get(one.name) or self.good(one) for one in self.function.parameters]
        return f"{self.function.name}({', '.join(arguments)})"

    def block(self, given: dict[str, str], fails: bool, has_error: bool = True) -> list[str]:
        """One call with the variables that it needs and the checks that follow it."""
        function, call = self.function, self.call(given)
        before, after = [], []
        for one in function.parameters:
            if given.get(one.name) == "NULL":
                continue
            if one.is_options:
                before.append(f"{one.target} options = {one.target.upper()}_INIT;")
            if one in self.results:
                before += results.spoilt(one, self.header)
                after += [f"CHECK({results.none(one)});"] if fails else results.free(one)
            if one.type == "groot_stream *":
                if function.name not in STREAMS:
                    raise Missing(f"null.py: {function.name}: no stream for it")
                begin, end = STREAMS[function.name]
                before.append(begin)
                after.append(end)
        if function.result == "void":
            check = f"{call};"
        elif function.result != "groot_status":
            if function.result not in NONE:
                raise Missing(f"null.py: {function.name}: no result that means none")
            none = NONE[function.result].format(call)
            # A handle may have none of what it is asked for; a number is there.
            is_none = fails or function.result.endswith("*")
            check = f"CHECK({none});" if is_none else f"CHECK(!({none}));"
        elif not has_error:
            refused = fails and "GROOT_OK when" not in function.comment
            check = f"CHECK_EQUAL({call}, {'GROOT_INVALID_ARGUMENT' if refused else 'GROOT_OK'});"
        else:
            check = (
                f"CHECK_FAILS({call}, GROOT_INVALID_ARGUMENT);" if fails else f"CHECK_OK({call});"
            )
        return ["  {", *(f"    {line}" for line in [*before, check, *after] if line), "  }"]

    def lines(self) -> list[str]:
        """All calls of the function."""
        function = self.function
        has_error = any(one.type == "groot_error **" for one in function.parameters)
        lines = []
        for index, one in enumerate(function.parameters):
            if not one.is_pointer:
                continue
            given = {one.name: "NULL"}
            following = [
                after.name
                for after in function.parameters[index + 1 : index + 2]
                if not after.is_pointer
            ]
            of_error = one.type == "groot_error **"
            fails = one.name not in self.allowed
            lines += self.block(given, fails, has_error and not of_error)
            if following in (["length"], ["size"]):
                lines += self.block({**given, following[0]: "3"}, fails, has_error)
            if following == ["count"]:  # nothing at NULL is an empty list
                lines += self.block({**given, "count": "0"}, False, has_error)
        if any(one.name not in self.allowed for one in self.pointers):
            every = {one.name: "NULL" for one in self.pointers}
            lines += self.block(every, True, has_error=False)
        return lines


def write(header: Header) -> list[str]:
    used: set[str] = set()
    lines = ['#include "null.h"', "", "#include <groot_ffi.h>", "#include <math.h>"]
    lines += ["#include <string.h>", ""]
    names: tuple[list[str], list[str]] = ([], [])
    for function in header.functions.values():
        calls = Calls(header, function, used)
        body = calls.lines()
        if not body:
            continue
        has_error = any("&error" in line for line in body)
        lines += [f"static void null_{function.name[6:]}(scene *s) {{", "  (void)s;"]
        lines += ["  groot_error *error = NULL;"] if has_error else []
        lines += [*body, "}", ""]
        names[any(one.name == "call" for one in calls.pointers)].append(function.name[6:])
    unused = [key for key in (*GOOD, *SPECIAL) if key not in used]
    if unused:
        raise Missing(f"null.py: no function has {', '.join(unused)}")
    for title, group in zip(("null_arguments", "null_arguments_in_call"), names):
        lines += [f"void {title}(scene *s) {{", *(f"  null_{one}(s);" for one in group), "}", ""]
    return lines
