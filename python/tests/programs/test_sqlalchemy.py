"""SQLAlchemy with the hooks of the page, and SQLModel with declared classes, use a store."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime, timezone
from decimal import Decimal
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import Column, Integer, MetaData, Table, create_engine, select
from sqlalchemy.exc import ArgumentError
from sqlalchemy.ext.automap import automap_base
from sqlalchemy.orm import Session
from sqlalchemy.orm.exc import StaleDataError

from groot import Status
from programs.atlas import Writer, block, opened

HOOKS = block("no-run: needs sqlalchemy").partition("\nwith Session(engine)")[0]
YEAR = datetime(1821, 7, 28, tzinfo=timezone.utc)


@pytest.fixture
def mapped(store: Path) -> Iterator[Any]:
    """Run the hooks of the page; their names."""
    names: dict[str, Any] = {}
    exec(HOOKS, names)
    yield SimpleNamespace(**names)
    names["engine"].dispose()


@pytest.fixture
def session(mapped: Any) -> Iterator[Session]:
    """Open a session."""
    with Session(mapped.engine) as session:
        yield session


def find(session: Session, entity: Any, **values: Any) -> Any:
    return session.scalars(select(entity).filter_by(**values)).one()


def test_automap_reads_values_and_links(mapped: Any, session: Session) -> None:
    country = find(session, mapped.Country, code="CHE")
    assert country.changed == datetime(2024, 3, 1, 12, 30, 0, 250_000, timezone.utc)
    assert (country.founded, country.landlocked) == (date(1848, 9, 12), True)
    assert country.gdp == Decimal("884.94")
    assert country.key == UUID("6f9619ff-8b86-d011-b42d-00cf4fc964ff")
    assert [one.name for one in country.languages] == ["German", "French"]
    region = find(session, mapped.Region, name="Europe")
    assert country.to_region is region
    assert {one.code for one in region.Country_region} == {"CHE", "FRA"}
    old = mapped.Country.changed < datetime(2000, 1, 1, tzinfo=timezone.utc)
    assert [one.code for one in session.scalars(select(mapped.Country).where(old))] == ["FRA"]


def test_a_write_of_automap_is_in_the_context(mapped: Any, session: Session, store: Path) -> None:
    peru = find(session, mapped.Country, code="PER")
    peru.changed, peru.founded, peru.landlocked = YEAR, date(1821, 7, 28), False
    peru.gdp, peru.key = Decimal("267.60"), UUID(int=7)
    europe = find(session, mapped.Region, name="Europe")
    austria = mapped.Country(code="AUT", to_region=europe)
    session.add(austria)
    session.flush()
    german = find(session, mapped.Language, name="German")
    link = {"source": german._id, "target": austria._id, "source_order": 0, "target_order": 0}
    session.add(mapped.Spoken(**link))
    french = find(session, mapped.Language, name="French")
    france = find(session, mapped.Country, code="FRA")
    session.delete(session.get(mapped.Spoken, (french._id, france._id)))
    session.commit()
    session.close()
    mapped.engine.dispose()
    with opened(store) as atlas:
        atlas.check()
        peru = atlas.fetch("Country", {"code": "PER"})[0]
        assert (peru.changed, peru.founded) == (YEAR, date(1821, 7, 28))
        assert (peru.landlocked, peru.gdp, peru.key) == (False, Decimal("267.6"), UUID(int=7))
        assert atlas.fetch("Country", {"gdp": Decimal("267.6")}) == [peru]
        austria = atlas.fetch("Country", {"code": "AUT"})[0]
        assert austria.region.name == "Europe"
        assert [one.name for one in austria.languages] == ["German"]
        assert len(atlas.fetch("Country", {"code": "FRA"})[0].languages) == 0


def test_a_deletion_by_automap_clears_links(mapped: Any, session: Session, store: Path) -> None:
    session.delete(find(session, mapped.Region, name="Europe"))
    session.commit()
    session.close()
    mapped.engine.dispose()
    with opened(store) as atlas:
        atlas.check()
        assert atlas.fetch("Country", {"code": "CHE"})[0].region is None


def test_the_version_counter_refuses_a_row_that_groot_changed(
    mapped: Any, session: Session, folder: Path
) -> None:
    country = find(session, mapped.Country, code="CHE")
    assert Writer(folder, "CHE").save() == "saved"
    country.area = 2.0
    with pytest.raises(StaleDataError):
        session.commit()
    session.rollback()
    assert (country.area, country._version) == (1.0, 2)


def test_a_context_has_a_conflict_with_a_write_of_automap(
    mapped: Any, session: Session, folder: Path
) -> None:
    other = Writer(folder, "CHE")
    find(session, mapped.Country, code="CHE").area = 2.0
    session.commit()
    assert other.save() == str(int(Status.STORE_CONFLICT))


def test_a_relationship_without_the_hook_clashes_with_its_column(store: Path) -> None:
    engine = create_engine(f"sqlite:///{store}")
    with pytest.raises(ArgumentError, match="column 'region' conflicts with"):
        automap_base().prepare(autoload_with=engine)
    engine.dispose()


def test_a_reflected_table_has_all_columns(store: Path) -> None:
    engine = create_engine(f"sqlite:///{store}")
    table = Table("Country", MetaData(), autoload_with=engine)
    with engine.connect() as connection:
        rows = connection.execute(select(table.c.code, table.c._version)).all()
    engine.dispose()
    assert rows == [("CHE", 1), ("FRA", 1), ("PER", 1)]
    (key,) = table.c.region.foreign_keys
    assert (key.column.table.name, key.constraint.name) == ("Region", "fk_Country_region")


def test_a_class_of_sqlmodel_reads_all_rows(store: Path) -> None:
    from sqlmodel import Field, SQLModel

    class Region(SQLModel, table=True):
        __tablename__ = "Region"
        id: int | None = Field(default=None, sa_column=Column("_id", Integer, primary_key=True))
        name: str

    engine = create_engine(f"sqlite:///{store}")
    with Session(engine) as session:
        assert {one.name for one in session.scalars(select(Region))} == {"Europe", "Americas"}
    engine.dispose()
