"""Django's models of a store: inspectdb, the edits of the page, and the version in updates."""

from __future__ import annotations

import json
import re
from datetime import datetime, timezone
from pathlib import Path

from groot import Status
from programs.atlas import Writer, block, opened, run_python

SETTINGS = """
import django
from django.conf import settings

settings.configure(
    USE_TZ=True,
    INSTALLED_APPS=["inspected"],
    DEFAULT_AUTO_FIELD="django.db.models.AutoField",
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": "atlas.sqlite"}},
)
django.setup()
from django.core.management import call_command
"""
READ_ALL = """
import json
from django.apps import apps
from django.db import connection

call_command("check", fail_level="WARNING")
print(json.dumps({
    model.__name__: [list(map(str, row)) for row in model.objects.values_list().order_by("pk")]
    for model in apps.get_app_config("inspected").get_models()
}))
"""
MODELS = block("no-run: needs django").partition("\ncountry = ")[0]
NAMES = {"Country", "Region", "Language", "LanguageCountries"}


def inspected(folder: Path) -> str:
    """Return the models that inspectdb writes."""
    (folder / "inspected").mkdir()
    (folder / "inspected" / "__init__.py").write_text("")
    models = run_python(folder, SETTINGS + 'call_command("inspectdb")\n')
    (folder / "inspected" / "models.py").write_text(models)
    return models


def test_inspectdb_names_keys_and_links(folder: Path) -> None:
    models = inspected(folder)
    assert set(re.findall(r"^class (\w+)", models, re.MULTILINE)) == {*NAMES, "Groot"}
    assert models.count("\n        managed = False\n") == 5
    for column in ("_id", "_entity", "_version", "_region_order"):
        assert f"field{column} = " in models
        assert f"db_column='{column}'" in models
    assert "region = models.ForeignKey('Region', models.DO_NOTHING" in models
    assert "pk = models.CompositePrimaryKey('source', 'target')" in models


def test_a_model_of_inspectdb_reads_all_rows(folder: Path) -> None:
    models = inspected(folder)
    models = re.sub(r"(?s)class Groot\(.*", "", models)
    (folder / "inspected" / "models.py").write_text(models)
    printed = run_python(folder, SETTINGS + READ_ALL)
    rows = json.loads(printed.splitlines()[-1])
    assert {name: len(found) for name, found in rows.items()} == {
        "Country": 3, "Region": 2, "Language": 2, "LanguageCountries": 3,
    }  # fmt: skip
    assert rows["Country"][0][3:5] == ["CHE", "41284.0"]


def test_a_write_of_django_is_in_the_context(folder: Path, store: Path) -> None:
    writes = """
europe = Region.objects.get(name="Europe")
date = datetime(1821, 7, 28, tzinfo=timezone.utc)
Country.objects.create(code="AUT", region=europe, changed=date)
assert [one.code for one in Country.objects.filter(changed__lt=EPOCH).order_by("code")] == [
    "AUT", "FRA"]
assert [one.code for one in europe.country_set.order_by("code")] == ["AUT", "CHE", "FRA"]
Country.objects.filter(code="PER").update(
    region=europe, gdp="267.60", field_version=Abs("field_version") + 1)
"""
    run_python(folder, MODELS + writes)
    with opened(store) as atlas:
        atlas.check()
        austria = atlas.fetch("Country", {"code": "AUT"})[0]
        assert austria.changed == datetime(1821, 7, 28, tzinfo=timezone.utc)
        assert austria.region.name == "Europe"
        peru = atlas.fetch("Country", {"code": "PER"})[0]
        assert (peru.region.name, str(peru.gdp)) == ("Europe", "267.6")


def test_a_context_has_a_conflict_with_an_update_of_django(folder: Path) -> None:
    other = Writer(folder, "CHE")
    update = 'Country.objects.filter(code="CHE").update(field_version=Abs("field_version") + 1)\n'
    run_python(folder, MODELS + update)
    assert other.save() == str(int(Status.STORE_CONFLICT))


def test_a_context_has_a_conflict_with_a_save_of_django_with_versions(
    folder: Path, store: Path
) -> None:
    opened(store, versions=True).close()
    other = Writer(folder, "CHE")
    run_python(folder, MODELS + 'Country.objects.get(code="CHE").save()\n')
    assert other.save() == str(int(Status.STORE_CONFLICT))


def test_an_update_of_an_old_version_changes_nothing(folder: Path) -> None:
    assert Writer(folder, "CHE").save() == "saved"
    update = 'print(Country.objects.filter(code="CHE", field_version=1).update(area=2.0))\n'
    assert run_python(folder, MODELS + update) == "0\n"
