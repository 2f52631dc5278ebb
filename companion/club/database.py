"""The club's database: its address, its tables brought up to date, and what its errors mean."""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Self

import psycopg
from alembic import command
from alembic.config import Config
from alembic.util import CommandError
from sqlalchemy import create_engine, event, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DataError, DBAPIError, IntegrityError
from sqlalchemy.exc import TimeoutError as NoConnection
from sqlalchemy.orm import Session, sessionmaker

from companion.club import messages
from companion.errors import InputError, MissingError
from companion.foreign_text import show
from companion.sentences import Sentence

MIGRATIONS = Path(__file__).parent / "migrations"
MIGRATION_LOCK = 0x6D6A6763
"""Of PostgreSQL's advisory locks: two programs that start at once migrate one after the other."""
COLLECTOR_LOCK = 0x6D6A6764
CONNECT_S = 10
NOTICE_LOSS = "-c tcp_keepalives_idle=30 -c tcp_keepalives_interval=10 -c tcp_keepalives_count=3"
"""Has the server notice within a minute that the machine at the other end is gone, and let its lock go."""


class AnotherCollects(Exception):
    """Another program has the database for itself."""


class Database:
    """A PostgreSQL database. Any thread may begin a session."""

    def __init__(self, url: URL, *, exclusive: bool = False) -> None:
        """exclusive: no other program may do the same meanwhile."""
        self._shown = f"{url.host or 'localhost'}/{url.database or ''}"
        options: dict[str, Any] = {"connect_args": {"connect_timeout": CONNECT_S}, "pool_pre_ping": True}
        if exclusive:
            options |= {"pool_size": 1, "max_overflow": 0}
            options["connect_args"]["options"] = NOTICE_LOSS
        self._engine = create_engine(url, **options)
        if exclusive:
            event.listen(self._engine, "connect", _take_lock)
        self._sessions = sessionmaker(self._engine)

    @classmethod
    def parse(cls, address: str, *, exclusive: bool = False) -> Self:
        """`postgresql://[USER[:PASSWORD]@][HOST[:PORT]]/NAME`; the password may be in PGPASSWORD or in
        ~/.pgpass instead. Raises InputError."""
        try:
            url = make_url(address)
        except (ArgumentError, ValueError):
            raise InputError(messages.NO_DATABASE_ADDRESS) from None
        if url.drivername != "postgresql" or not url.database:
            raise InputError(messages.NO_DATABASE_ADDRESS)
        return cls(url.set(drivername="postgresql+psycopg"), exclusive=exclusive)

    def __str__(self) -> str:
        return self._shown

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def begin(self) -> AbstractContextManager[Session]:
        """A transaction as a session, for one `with` statement."""
        return self._sessions.begin()

    def migrate(self) -> None:
        """Bring the tables up to date in one transaction: what is interrupted has not begun. MissingError
        where a newer program has written them, errors of SQLAlchemy where the database does not do it."""
        config = Config()
        config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
        with self._engine.begin() as connection:
            connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": MIGRATION_LOCK})
            config.attributes["connection"] = connection
            try:
                command.upgrade(config, "head")
            except CommandError as error:
                raise MissingError(messages.NEWER_DATABASE, database=str(self)) from error

    def close(self) -> None:
        self._engine.dispose()

    def explain(self, error: Exception) -> Sentence:
        """What is wrong with the database, where `is_unusable` holds."""
        if isinstance(error, AnotherCollects):
            return Sentence(messages.ANOTHER_COLLECTS, {"database": str(self)})
        return Sentence(messages.DATABASE_GONE, {"database": str(self), "why": _name_reason(error)})


def is_unusable(error: Exception) -> bool:
    """Whether the database failed, and not what was to be written."""
    if isinstance(error, DataError | IntegrityError):
        return False
    return isinstance(error, DBAPIError | NoConnection | AnotherCollects)


def _name_reason(error: Exception) -> str:
    cause = error.orig if isinstance(error, DBAPIError) else None
    reported = cause.diag.message_primary if isinstance(cause, psycopg.Error) else None
    lines = (reported or str(cause or "")).strip().splitlines()
    return show(lines[-1].strip()) if lines else messages.LOST


def _take_lock(connection: Any, _record: object) -> None:
    """A connection holds the lock until it ends, in whichever way."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s)", (COLLECTOR_LOCK,))
        (is_ours,) = cursor.fetchone()
    connection.commit()
    if not is_ours:
        connection.close()
        raise AnotherCollects
