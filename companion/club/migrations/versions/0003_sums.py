"""What players have of a game, added up; and an index of refused entries."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

ADD_UP = """
UPDATE game_players AS player SET
  points = (
    SELECT CASE WHEN COUNT(*) > 0 THEN COALESCE(SUM(payments.points), 0) END
    FROM hands LEFT JOIN payments
      ON payments.game_id = hands.game_id AND payments.hand = hands.place AND payments.person = player.person
    WHERE hands.game_id = player.game_id AND hands.finished
  ),
  hands = (
    SELECT COUNT(*) FROM hands
    WHERE hands.game_id = player.game_id AND hands.finished AND hands.number > 0 AND NOT hands.abandoned
  ),
  wins = (
    SELECT COUNT(*) FROM hands JOIN wins ON wins.game_id = hands.game_id AND wins.hand = hands.place
    WHERE hands.game_id = player.game_id AND hands.finished AND wins.winner = player.person
  )
"""


def upgrade() -> None:
    op.add_column("game_players", sa.Column("points", sa.BigInteger(), nullable=True))
    for name in ("hands", "wins"):
        op.add_column("game_players", sa.Column(name, sa.Integer(), nullable=False, server_default="0"))
    op.execute(ADD_UP)
    for name in ("hands", "wins"):
        op.alter_column("game_players", name, server_default=None)
    op.create_index(
        "ix_entries_refused", "entries", ["game_id"], postgresql_where=sa.text("refused IS NOT NULL")
    )
