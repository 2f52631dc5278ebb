"""The first tables: what tables sent, and what was made of it."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "collector",
        sa.Column("session", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("session", name="pk_collector"),
    )
    op.create_table(
        "players",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("club", sa.String(length=100), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_players"),
        sa.UniqueConstraint("club", "name", name="uq_players_club"),
    )
    op.create_table(
        "tables",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("club", sa.String(length=100), nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("is_there", sa.Boolean(), nullable=False),
        sa.Column("seen", sa.DateTime(timezone=True), nullable=True),
        sa.Column("trouble", sa.Text(), nullable=True),
        sa.Column("trouble_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_tables"),
        sa.UniqueConstraint("club", "name", name="uq_tables_club"),
    )
    op.create_table(
        "games",
        sa.Column("id", sa.String(length=16), nullable=False),
        sa.Column("table_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("rules", sa.Text(), nullable=True),
        sa.Column("begun", sa.Text(), nullable=True),
        sa.Column("is_practice", sa.Boolean(), nullable=False),
        sa.Column("through", sa.Integer(), nullable=False),
        sa.Column("newest", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_games_table_id"),
        sa.PrimaryKeyConstraint("id", name="pk_games"),
    )
    op.create_index("ix_games_table_id", "games", ["table_id"])
    op.create_table(
        "corrections",
        sa.Column("game_id", sa.String(length=16), nullable=False),
        sa.Column("at", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("was", postgresql.JSONB(), nullable=False),
        sa.Column("right", postgresql.JSONB(), nullable=False),
        sa.Column("why", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_corrections_game_id"),
        sa.PrimaryKeyConstraint("game_id", "at", name="pk_corrections"),
    )
    op.create_table(
        "entries",
        sa.Column("game_id", sa.String(length=16), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("payload", sa.LargeBinary(), nullable=False),
        sa.Column("received", sa.DateTime(timezone=True), nullable=False),
        sa.Column("refused", sa.Text(), nullable=True),
        sa.Column("ruling", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_entries_game_id"),
        sa.PrimaryKeyConstraint("game_id", "number", name="pk_entries"),
    )
    op.create_table(
        "game_players",
        sa.Column("game_id", sa.String(length=16), nullable=False),
        sa.Column("person", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_game_players_game_id"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_game_players_player_id"),
        sa.PrimaryKeyConstraint("game_id", "person", name="pk_game_players"),
    )
    op.create_index("ix_game_players_player_id", "game_players", ["player_id"])
    op.create_table(
        "hands",
        sa.Column("game_id", sa.String(length=16), nullable=False),
        sa.Column("place", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("round_wind", sa.Text(), nullable=True),
        sa.Column("dealer", sa.Integer(), nullable=True),
        sa.Column("streak", sa.Integer(), nullable=False),
        sa.Column("finished", sa.Boolean(), nullable=False),
        sa.Column("abandoned", sa.Boolean(), nullable=False),
        sa.Column("drawn", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_hands_game_id"),
        sa.PrimaryKeyConstraint("game_id", "place", name="pk_hands"),
    )
    op.create_table(
        "payments",
        sa.Column("game_id", sa.String(length=16), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("person", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("hand", sa.Integer(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("points", sa.BigInteger(), nullable=False),
        sa.Column("why", sa.Text(), nullable=False),
        sa.Column("cancels", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_payments_game_id"),
        sa.PrimaryKeyConstraint("game_id", "number", "person", name="pk_payments"),
    )
    op.create_table(
        "wins",
        sa.Column("game_id", sa.String(length=16), nullable=False),
        sa.Column("hand", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("place", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("winner", sa.Integer(), nullable=False),
        sa.Column("giver", sa.Integer(), nullable=True),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("tile", sa.Text(), nullable=True),
        sa.Column("concealed", postgresql.JSONB(), nullable=False),
        sa.Column("melds", postgresql.JSONB(), nullable=False),
        sa.Column("flowers", postgresql.JSONB(), nullable=False),
        sa.Column("value", sa.BigInteger(), nullable=False),
        sa.Column("unit", sa.Text(), nullable=False),
        sa.Column("rows", postgresql.JSONB(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_wins_game_id"),
        sa.PrimaryKeyConstraint("game_id", "hand", "place", name="pk_wins"),
    )
