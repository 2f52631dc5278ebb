"""Run by Alembic inside the transaction of `Database.migrate`."""

from __future__ import annotations

from alembic import context

from companion.club.schema import Base

context.configure(connection=context.config.attributes["connection"], target_metadata=Base.metadata)
context.run_migrations()
