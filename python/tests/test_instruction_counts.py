"""The counts of instructions: planted faults fail the comparison, other versions leave it out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

FILE = Path(__file__).resolve().parents[2] / "Benchmarks" / "instructions.json"
VERSIONS = {"Swift": "6.3", "SQLite": "3.40.1", "architecture": "x86_64"}

pytestmark = pytest.mark.usefixtures("benchmarks")


def verdict(expected, found):
    """Compare the counts of one row."""
    import instructions

    (one,) = instructions.compare({"sync": expected}, {"sync": found})
    return one


def test_a_count_above_the_tolerance_fails_with_row_counts_and_percent():
    one = verdict(1_000_000, 1_031_000)
    assert one.failed
    assert one.text() == "FAILED sync: expected 1,000,000, found 1,031,000, +3.1 %"


@pytest.mark.parametrize("found", [970_001, 1_000_000, 1_029_999])
def test_a_count_within_the_tolerance_passes(found):
    one = verdict(1_000_000, found)
    assert not one.failed
    assert not one.is_low
    assert "update" not in one.text()


def test_a_count_below_the_tolerance_passes_and_asks_for_an_update():
    one = verdict(1_000_000, 900_000)
    assert not one.failed
    assert "found 900,000, -10.0 %; run 'make bench-count-update'" in one.text()


def test_a_row_that_was_not_counted_fails(capsys):
    import instructions

    verdicts = instructions.compare({"sync": 5, "store_new": 7}, {"sync": 5})
    assert instructions.report(verdicts) == 1
    out = capsys.readouterr().out
    assert "FAILED store_new: expected 7, not counted\n" in out
    assert out.endswith("bench-count: 1 passed, 1 failed\n")


def test_a_row_without_an_expected_count_fails(capsys):
    import instructions

    assert instructions.report(instructions.compare({}, {"sync": 5})) == 1
    assert "FAILED sync: found 5, nothing expected" in capsys.readouterr().out


def test_a_comparison_of_nothing_fails():
    import instructions

    assert instructions.report(instructions.compare({}, {})) == 1


def test_other_and_missing_versions_are_named():
    import instructions

    assert instructions.differences(VERSIONS, dict(VERSIONS)) == []
    found = {"Swift": "6.4", "SQLite": "3.40.1", "valgrind": "3.19.0"}
    assert instructions.differences(VERSIONS, found) == [
        "Swift 6.4, expected 6.3",
        "architecture unknown, expected x86_64",
        "valgrind 3.19.0, expected unknown",
    ]


def test_the_file_has_all_rows_and_no_other():
    import instructions
    from catalogue import ROWS

    kept = instructions.read(FILE)
    assert list(kept.rows) == list(instructions.NAMES)
    assert set(instructions.NAMES) <= {row.name for row in ROWS}
    assert set(instructions.NAMES) > set(instructions.LONG)
    assert kept.text() == FILE.read_text()


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Run the program with these versions and counts in place of what callgrind counts."""
    import bench
    import instructions

    monkeypatch.setattr(instructions, "EXPECTED", tmp_path / "instructions.json")
    monkeypatch.setattr(bench, "ROOT", tmp_path)
    monkeypatch.setattr(bench, "workload", lambda row, count: tmp_path)
    monkeypatch.setattr(instructions.shutil, "which", lambda name: name)

    def run(*options, versions=VERSIONS, more=1.0):
        def least(row):
            return row.name, int(more * (1_000_000 + len(row.name)))

        monkeypatch.setattr(instructions, "versions", lambda characters: versions)
        monkeypatch.setattr(instructions, "least", least)
        monkeypatch.setattr("sys.argv", ["instructions.py", *options])
        return instructions.main()

    return run


def test_an_update_writes_what_passes_afterwards(run, capsys):
    assert run("--update") == 0
    assert run() == 0
    assert "9 passed, 0 failed" in capsys.readouterr().out
    assert run(more=1.04) == 1
    assert run("--update", more=1.04) == 0
    assert run(more=1.04) == 0


def test_a_short_run_leaves_out_rows_on_both_sides(run, capsys):
    run("--update")
    capsys.readouterr()
    assert run("--short") == 0
    out = capsys.readouterr().out
    assert "5 passed, 0 failed" in out
    assert "store_fetch" not in out


def test_a_row_that_the_file_lacks_fails_the_program(run, tmp_path):
    run("--update")
    path = tmp_path / "instructions.json"
    kept = json.loads(path.read_text())
    del kept["rows"]["sync"]
    path.write_text(json.dumps(kept))
    assert run() == 1


def test_other_versions_leave_the_comparison_out_with_one_line(run, capsys):
    run("--update")
    capsys.readouterr()
    assert run(versions={**VERSIONS, "SQLite": "3.46.0"}, more=2.0) == 0
    (line,) = capsys.readouterr().out.splitlines()
    assert line.startswith("SKIPPED")
    assert line.endswith("SQLite 3.46.0, expected 3.40.1")


def test_without_valgrind_a_line_says_so(run, monkeypatch, capsys):
    import instructions

    run("--update")
    capsys.readouterr()
    monkeypatch.setattr(instructions.shutil, "which", lambda name: None)
    assert run(more=2.0) == 0
    assert "valgrind is not installed" in capsys.readouterr().out
    assert run("--update") == 1


@pytest.mark.parametrize(
    ("counts", "least"),
    [
        ([1000, 1002], 1000),
        ([1002, 1000], 1000),
        ([1010, 1000, 995], 995),
        ([995, 1010, 1000], 995),
    ],
)
def test_a_third_run_where_two_differ(monkeypatch, counts, least):
    import instructions
    from catalogue import ROWS

    left = list(counts)
    monkeypatch.setattr(instructions, "count_once", lambda row: left.pop(0))
    assert instructions.least(ROWS[0]) == (ROWS[0].name, least)
    assert not left


def test_counts_that_differ_by_more_than_the_tolerance_are_refused(monkeypatch):
    import instructions
    from catalogue import ROWS

    left = [1000, 1040, 1000]
    monkeypatch.setattr(instructions, "count_once", lambda row: left.pop(0))
    with pytest.raises(SystemExit, match="not reproducible"):
        instructions.least(ROWS[0])
