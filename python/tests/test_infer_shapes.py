"""Shapes of JSON at which an inference once failed: one small sample for each."""

from __future__ import annotations

from typing import Any

from infer_checks import inferred, links


def reference(number: int) -> dict[str, str]:
    """Return a reference by name and address."""
    return {"name": f"s{number}", "url": f"/s/{number}"}


def test_a_tree_whose_branches_come_before_its_other_members_is_one_entity() -> None:
    def chain(number: int) -> dict[str, Any]:
        leaf = {"to": [], "kind": reference(number)}
        return {"chain": {"to": [leaf], "kind": reference(number)}, "id": number}

    sample = {
        "chains": [chain(number) for number in range(4)],
        "kinds": [{"color": reference(number % 3), "id": number} for number in range(5)],
    }
    found = links(inferred(sample))
    assert len([link for link in found if ".to -> " in link]) == 1
    assert len({link.rpartition(" ")[2] for link in found if ".kind" in link}) == 1
