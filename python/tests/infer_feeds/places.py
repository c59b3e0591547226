"""Places as GeoJSON features, whose geometry has a form of its own for each type."""

from __future__ import annotations

from typing import Any


def _geometry(number: int) -> dict[str, Any]:
    x, y = 10.5 + number, 60.25 - number
    if number % 4 == 0:
        return {"type": "Point", "coordinates": [x, y]}
    if number % 4 == 1:
        return {"type": "LineString", "coordinates": [[x, y], [x + 1, y + 1]]}
    if number % 4 == 2:
        ring = [[x, y], [x + 1, y], [x + 1, y + 1], [x, y]]
        return {"type": "Polygon", "coordinates": [ring]}
    return {"type": "GeometryCollection", "geometries": [_geometry(0), _geometry(1)]}


def _feature(number: int) -> dict[str, Any]:
    return {
        "type": "Feature",
        "id": f"place/{number}",
        "geometry": _geometry(number),
        "properties": {
            "name": f"Place {number}",
            "height": None if number % 3 else 100.5 + number,
            "surveyed": f"2022-06-{number + 1:02}",
            "kind": ("hut", "trail", "lake", "area")[number % 4],
        },
    }


SAMPLE = {
    "type": "FeatureCollection",
    "bbox": [10.5, 40.25, 30.5, 61.25],
    "features": [_feature(number) for number in range(20)],
}
ENTITY = None
ROOTS = ["/features"]
IDENTITIES = {
    "Feature": "id",
    # A geometry stands in a feature, or in a list of another geometry.
    "Geometry": "feature, geometryCollection, position",
    "Point": "",
    "LineString": "",
    "Polygon": "",
    "GeometryCollection": "",
    "Property": "feature",
}
LINKS = {
    "Feature.geometry -> Geometry",
    "Feature.properties -> Property",
    "GeometryCollection.geometries -> Geometry[]",
}
