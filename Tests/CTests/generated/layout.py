"""The members of every struct, and every status."""

from __future__ import annotations

from declarations import Header


def write(header: Header) -> list[str]:
    lines = ['#include "header.h"', "", "void note_layout(void) {"]
    for struct, members in header.structs.items():
        lines.append(f"  BEGIN({struct});")
        lines += [f"  FIELD({struct}, {member});" for member in members]
        lines.append(f"  END({struct});")
    lines += [f"  SIZE({name});" for name in header.number_types]
    lines += ["}", "", "const groot_status statuses[] = {"]
    lines += [f"    {name}," for name in header.statuses]
    lines += ["};", "const size_t status_count = sizeof statuses / sizeof statuses[0];"]
    return lines
