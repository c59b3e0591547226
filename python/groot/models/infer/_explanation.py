"""The guesses of an inference, as a table of text."""

from __future__ import annotations

from groot.models.infer._inference import Inference


def explain(inference: Inference) -> str:
    """Return a table of all guesses, with their evidence.

    Args:
        inference: The inference.

    Returns:
        A line for each entity and property, and for each link and identity that was not taken.
    """
    rows: list[tuple[str, str, str]] = []
    for name, entity in inference.document["entities"].items():
        info = entity.get("userInfo", {})
        identity = info.get("identityAttributes", "no identity")
        rows.append((name, identity, info.get("groot.inferred", "")))
        for part in ("attributes", "relationships"):
            for key, described in entity.get(part, {}).items():
                evidence = described.get("userInfo", {}).get("groot.inferred")
                if evidence is not None:
                    rows.append((f"  {name}.{key}", _kind(described), evidence))
    for one in inference.possible:
        places = " or ".join(target.name for target in one.targets)
        option = f"--link {one.owner.name}.{one.key}={one.targets[0].name}"
        words = f"not taken: all values are identifiers of {places}; {option}"
        rows.append((f"  {one.owner.name}.{one.key}", "a link?", words))
    widths = [min(40, max(len(row[column]) for row in rows)) for column in (0, 1)]
    lines = [f"{row[0]:{widths[0]}}  {row[1]:{widths[1]}}  {row[2]}".rstrip() for row in rows]
    return "\n".join(lines) + "\n"


def _kind(described: dict[str, object]) -> str:
    if "type" in described:
        return str(described["type"])
    return f"{described['destination']}" + ("[]" if described.get("toMany") else "")
