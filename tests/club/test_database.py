"""The club's database: migrations, whole or not at all, and addresses."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import alembic.op
import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Engine, create_engine, inspect, text

from companion.club.database import Database
from companion.club.schema import Base
from companion.errors import InputError, MissingError


@pytest.fixture
def engine(database_url: str) -> Iterator[Engine]:
    engine = create_engine(database_url.replace("postgresql:", "postgresql+psycopg:"))
    yield engine
    engine.dispose()


def migrate(url: str) -> None:
    with Database.parse(url) as database:
        database.migrate()


def test_the_migrations_lead_to_the_tables_of_the_program(database_url: str, engine: Engine) -> None:
    migrate(database_url)
    migrate(database_url)
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), Base.metadata) == []


def test_an_interrupted_migration_has_not_begun_and_is_made_at_the_next_start(
    database_url: str, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    create = alembic.op.create_table

    def create_some(name: str, *columns: object) -> None:
        if name == "hands":
            raise KeyboardInterrupt
        create(name, *columns)  # type: ignore[arg-type]

    monkeypatch.setattr(alembic.op, "create_table", create_some)
    with pytest.raises(KeyboardInterrupt):
        migrate(database_url)
    assert inspect(engine).get_table_names() == []
    monkeypatch.undo()
    migrate(database_url)
    assert "hands" in inspect(engine).get_table_names()


def test_two_programs_that_start_at_once_migrate_one_after_the_other(
    database_url: str, engine: Engine
) -> None:
    failed: list[Exception] = []

    def run() -> None:
        try:
            migrate(database_url)
        except Exception as error:
            failed.append(error)

    threads = [threading.Thread(target=run) for _ in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert failed == []
    assert "hands" in inspect(engine).get_table_names()


def test_a_database_of_a_newer_program_is_left_alone(database_url: str, engine: Engine) -> None:
    migrate(database_url)
    with engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(MissingError, match="was written by a newer program: update this one"):
        migrate(database_url)


@pytest.mark.parametrize(
    "address", ["", "localhost", "mysql://localhost/club", "postgresql://localhost", "postgresql://h:x/club"]
)
def test_an_address_of_no_database_is_one_sentence(address: str) -> None:
    with pytest.raises(InputError, match="A database is given as"):
        Database.parse(address)


def test_a_password_is_not_shown() -> None:
    with Database.parse("postgresql://club:secret@db.local:5433/season") as database:
        assert str(database) == "db.local/season"
