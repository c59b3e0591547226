"""The tables of docs/explanation/performance.md are made from what the benchmark measured."""

from __future__ import annotations

import copy
import json
import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "explanation" / "performance.md"
BUDGET = PAGE.with_name("performance-budget.md")


pytestmark = pytest.mark.usefixtures("benchmarks")


@pytest.fixture
def measured():
    """Results of all rows at three sizes, each of other numbers."""
    from catalogue import ROWS
    from document_tables import LIBRARIES, NATIVE

    sizes = {
        str(count): {
            row.name: {
                "seconds": count * number / 1e6,
                "least": count * number / 1e6,
                "ratio": number / 100,
                "least_ratio": number / 100,
                "nanoseconds": number * 1000.0,
                "operations": count,
                "megabytes": count / 1e4 + number,
            }
            for number, row in enumerate(ROWS, 1)
        }
        for count in (10_000, 100_000, 500_000)
    }
    names = ["Python", "SQLite of Python", *NATIVE, *LIBRARIES]
    return {
        "runs": 5,
        "clock": "cpu",
        "machine": {"processor": "a processor", "system": "a system"},
        "versions": dict.fromkeys(names, "1.2.3"),
        "sizes": sizes,
    }


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Make a copy of the page from results; the exit code and the copy."""
    import document

    def run(results, check):
        pages = {"page": PAGE.read_text(), "budget": BUDGET.read_text()}
        files = {**pages, "results": results, "check": check}
        arguments = ["document.py"]
        for name, content in files.items():
            path = tmp_path / (f"{name}.md" if name in pages else f"{name}.json")
            path.write_text(content if name in pages else json.dumps(content))
            arguments += [f"--{name}", str(path)]
        monkeypatch.setattr(sys, "argv", arguments)
        made = document.main()
        return made, "".join((tmp_path / f"{name}.md").read_text() for name in pages)

    return run


def both():
    """The text of the page and that of the budget."""
    return PAGE.read_text() + BUDGET.read_text()


def part(page, name):
    """The text of a table in the page."""
    return page.split(f"<!-- table {name} -->\n")[1].split("<!-- end -->")[0]


def test_each_table_of_the_page_is_replaced(run, measured):
    code, page = run(measured, measured)
    old = both()
    assert code == 0
    for name in re.findall(r"<!-- table (\w+) -->", old):
        assert part(page, name) != part(old, name), name
    assert "a processor" in part(page, "versions")
    assert "duckdb 1.2.3" in part(page, "versions")
    assert run(measured, measured) == (0, page)


def test_values_are_those_of_the_results(run, measured):
    measured["sizes"]["100000"]["duckdb_new"].update(
        seconds=1.2345, nanoseconds=12345.4, ratio=1.5, megabytes=179.6
    )
    _, page = run(measured, measured)
    line = "| Python: new tables of DuckDB | 1,234.5 ms | 12,345 ns | 1.500 | 180 MB |"
    assert line in part(page, "stores").splitlines()


def test_each_workload_has_a_line_beside_the_work_by_hand(run, measured):
    from catalogue import WORKLOADS

    by_name = measured["sizes"]["10000"]
    for name, nanoseconds in (("import", 300.0), ("export", 450.0)):
        by_name[f"shape_rest_{name}"].update(nanoseconds=nanoseconds, megabytes=20)
        by_name[f"hand_shape_rest_{name}"].update(nanoseconds=200.0, megabytes=10)
    _, page = run(measured, measured)
    lines = part(page, "other").splitlines()
    title = f"{WORKLOADS['shape_rest'][0]}, 10,000"
    assert f"| {title} | 300 ns | 1.50 | 450 ns | 2.25 | 20 MB | 10 MB |" in lines
    assert sum(line.startswith("| ") for line in lines) == 1 + len(WORKLOADS) + 1


def test_the_update_of_a_million_has_a_line_where_it_is_measured(run, measured):
    measured["sizes"]["1000000"] = copy.deepcopy(measured["sizes"]["500000"])
    _, page = run(measured, measured)
    lines = part(page, "other").splitlines()
    assert [line.split(" | ")[0] for line in lines if "update" in line] == [
        f"| update of every hundredth character, {count}" for count in ("100,000", "1,000,000")
    ]


def test_the_text_around_tables_stays(run, measured):
    def around(page):
        return re.sub(r"(<!-- table \w+ -->).*?(<!-- end -->)", r"\1\2", page, flags=re.DOTALL)

    assert around(run(measured, measured)[1]) == around(both())


def test_the_rows_of_a_plain_run_make_all_tables(run, measured):
    from catalogue import ROWS
    from document_tables import needed

    for count, rows in measured["sizes"].items():
        names = needed(int(count))
        assert names <= {row.name for row in ROWS}
        measured["sizes"][count] = {name: rows[name] for name in rows if name in names}
        assert len(measured["sizes"][count]) < len(rows)
    check = copy.deepcopy(measured)
    check["sizes"] = {}
    code, page = run(measured, check)
    assert code == 1
    for name in re.findall(r"<!-- table (\w+) -->", both()):
        assert (part(page, name) == part(both(), name)) == (name == "budget"), name


def test_a_table_that_lacks_a_row_keeps_its_text(run, measured, capsys):
    check = copy.deepcopy(measured)
    del measured["sizes"]["100000"]["duckdb_again"]
    code, page = run(measured, check)
    assert code == 1
    assert part(page, "stores") == part(both(), "stores")
    assert part(page, "work") != part(both(), "work")
    message = "table stores keeps its text, not measured: sizes, 100000, duckdb_again"
    assert capsys.readouterr().err.splitlines() == [message]


def test_versions_go_with_the_table_of_the_work(run, measured):
    del measured["sizes"]["100000"]["import_text"]
    _, page = run(measured, measured)
    assert part(page, "versions") == part(both(), "versions")


def test_a_budget_of_another_machine_is_not_taken(run, measured):
    check = copy.deepcopy(measured)
    check["machine"]["processor"] = "another"
    code, page = run(measured, check)
    assert code == 1
    assert part(page, "budget") == part(both(), "budget")


def test_each_limit_has_a_line(run, measured):
    limits = json.loads((ROOT / "Benchmarks" / "budget.json").read_text())
    _, page = run(measured, measured)
    lines = [line for line in part(page, "budget").splitlines() if line.startswith("| ")]
    assert len(lines) == 1 + len(limits) == len(set(lines))


def test_a_size_beyond_the_largest_of_a_row_is_an_empty_cell(run, measured):
    sizes = measured["sizes"]
    sizes["2000000"] = copy.deepcopy(sizes["500000"])
    for name in ("msgspec_import", "msgspec_import_nogc"):
        del sizes["2000000"][name]
    code, page = run(measured, measured)
    assert code == 0
    line = next(line for line in part(page, "memory").splitlines() if "msgspec" in line)
    assert line.endswith("|  |")


@pytest.mark.parametrize(
    ("page", "message"),
    [
        ("", "one place for each table: one"),
        ("<!-- table one -->\n", "table one has no end"),
        ("<!-- table one -->\n<!-- table one -->\n", "no end before table one"),
        ("<!-- table one -->\n<!-- end -->\n" * 2, "one place for each table: one"),
        ("<!-- end -->\n", "belongs to no table"),
        ("<!-- table two -->\n<!-- end -->\n", "nothing makes a table two"),
    ],
)
def test_wrong_markers_are_refused(page, message):
    from document import MarkerError, fill

    with pytest.raises(MarkerError, match=message):
        fill(page, {"one": "text"})
