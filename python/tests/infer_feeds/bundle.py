"""A bundle of clinical resources, as FHIR writes them: coded concepts in many places."""

from __future__ import annotations

from typing import Any

_CODES = {
    "visit": ("https://codes.example/visits", "V1", "Visit"),
    "emergency": ("https://codes.example/visits", "V2", "Emergency"),
    "cold": ("https://codes.example/findings", "F100", "Common cold"),
    "asthma": ("https://codes.example/findings", "F200", "Asthma"),
    "weight": ("https://codes.example/measures", "M10", "Body weight"),
    "height": ("https://codes.example/measures", "M20", "Body height"),
    "vital": ("https://codes.example/categories", "vital-signs", "Vital signs"),
    "active": ("https://codes.example/status", "active", "Active"),
    "single": ("https://codes.example/marital", "S", "Never married"),
    "married": ("https://codes.example/marital", "M", "Married"),
}


def _id(kind: int, number: int) -> str:
    return f"{kind:08x}-1f2e-4d3c-8b5a-{number:012x}"


def _concept(name: str) -> dict[str, Any]:
    system, code, display = _CODES[name]
    return {"coding": [{"system": system, "code": code, "display": display}], "text": display}


def _reference(kind: int, number: int) -> dict[str, str]:
    return {"reference": f"urn:uuid:{_id(kind, number)}"}


def _entry(kind: int, number: int, resource: dict[str, Any]) -> dict[str, Any]:
    own = _id(kind, number)
    type = resource.pop("resourceType")
    return {"fullUrl": f"urn:uuid:{own}", "resource": {"resourceType": type, "id": own, **resource}}


def _patient(number: int) -> dict[str, Any]:
    return _entry(
        1,
        number,
        {
            "resourceType": "Patient",
            "name": [
                {"use": "official", "family": f"Test{number}", "given": ["Kim", f"B{number}"]}
            ],
            "gender": ("male", "female")[number % 2],
            "birthDate": f"19{50 + number}-0{number + 1}-12",
            "maritalStatus": _concept(("single", "married")[number % 2]),
            "active": True,
        },
    )


def _encounter(number: int) -> dict[str, Any]:
    return _entry(
        2,
        number,
        {
            "resourceType": "Encounter",
            "status": "finished",
            "type": [_concept(("visit", "emergency")[number % 2])],
            "subject": _reference(1, number % 3),
            "period": {
                "start": f"2021-0{number % 9 + 1}-03T09:00:00+01:00",
                "end": f"2021-0{number % 9 + 1}-03T09:30:00+01:00",
            },
        },
    )


def _condition(number: int) -> dict[str, Any]:
    return _entry(
        3,
        number,
        {
            "resourceType": "Condition",
            "clinicalStatus": _concept("active"),
            "code": _concept(("cold", "asthma")[number % 2]),
            "subject": _reference(1, number % 3),
            "encounter": _reference(2, number % 6),
            "onsetDateTime": f"2021-0{number % 9 + 1}-02",
        },
    )


def _observation(number: int) -> dict[str, Any]:
    name, unit = (("weight", "kg"), ("height", "cm"))[number % 2]
    return _entry(
        4,
        number,
        {
            "resourceType": "Observation",
            "status": "final",
            "category": [_concept("vital")],
            "code": _concept(name),
            "subject": _reference(1, number % 3),
            "encounter": _reference(2, number % 6),
            "performer": [_reference(1, 7)],
            "effectiveDateTime": f"2021-0{number % 9 + 1}-03T09:10:00+01:00",
            "valueQuantity": {"value": 60.5 + number, "unit": unit, "code": unit},
        },
    )


SAMPLE = {
    "resourceType": "Bundle",
    "id": "b1",
    "type": "collection",
    "entry": [
        *map(_patient, range(3)),
        *map(_encounter, range(6)),
        *map(_condition, range(5)),
        *map(_observation, range(8)),
    ],
}
ENTITY = "Entry"
ROOTS = ["/entry"]
IDENTITIES = {
    "Entry": "resource",
    "Resource": "id",
    "Patient": "",
    "Encounter": "",
    "Condition": "",
    "Observation": "",
    "Name": "patient, position",
    # The concepts, most of which are codes: six relationships lead to them.
    "Code": "patient, encounter, conditionClinicalStatus, conditionCode, "
    "observationCategory, observationCode, position",
    "Coding": "code2, code",
    "Period": "encounter",
    "Reference": "encounter, conditionSubject, conditionEncounter, observationSubject, "
    "observationEncounter, observationPerformer, position",
    "ValueQuantity": "observation",
}
LINKS = {
    "Entry.resource -> Resource",
    "Patient.name -> Name[]",
    "Patient.maritalStatus -> Code",
    "Encounter.type -> Code[]",
    "Encounter.subject -> Reference",
    "Encounter.period -> Period",
    "Condition.clinicalStatus -> Code",
    "Condition.code -> Code",
    "Condition.subject -> Reference",
    "Condition.encounter -> Reference",
    "Observation.category -> Code[]",
    "Observation.code -> Code",
    "Observation.subject -> Reference",
    "Observation.encounter -> Reference",
    "Observation.performer -> Reference[]",
    "Observation.valueQuantity -> ValueQuantity",
    "Code.coding -> Coding[]",
}
