from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.club.databases import PROGRAMS, PostgreSQL


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgreSQL]:
    if PROGRAMS is None:
        pytest.skip("PostgreSQL is not installed")
    server = PostgreSQL()
    yield server
    server.close()


@pytest.fixture
def database_url(postgres: PostgreSQL) -> str:
    return postgres.create()
