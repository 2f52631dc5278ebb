"""A real PostgreSQL on this machine, in a temporary folder."""

from __future__ import annotations

import shutil
import tempfile
from itertools import count
from pathlib import Path

from lab.club import servers
from lab.club.servers import POSTGRES_PROGRAMS as PROGRAMS

__all__ = ["PROGRAMS", "PostgreSQL"]


class PostgreSQL(servers.PostgreSQL):
    """Each database of it has a name of its own."""

    def __init__(self) -> None:
        self._temporary = Path(tempfile.mkdtemp(prefix="companion-postgres-"))
        self._names = (f"club{number}" for number in count(1))
        super().__init__(self._temporary, durable=False)

    def create(self, name: str | None = None) -> str:
        """The address of a new database."""
        return super().create(name or next(self._names))

    def close(self) -> None:
        self.stop("immediate")
        shutil.rmtree(self._temporary)
