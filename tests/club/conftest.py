from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.club.databases import PROGRAMS, PostgreSQL
from tests.club.served_club import ServedClub, serving_club


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path / "data"))


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


@pytest.fixture(scope="module")
def pages_url(postgres: PostgreSQL) -> str:
    return postgres.create()


@pytest.fixture
def club(pages_url: str) -> Iterator[ServedClub]:
    """The pages over a database that is empty again."""
    with serving_club(pages_url) as club:
        club.clear()
        yield club
