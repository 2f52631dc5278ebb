"""Seasons, meetings, rounds and what organisers decide."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.create_table(
        "organisers",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("password", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_organisers"),
    )
    op.create_table(
        "seasons",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("club", sa.String(length=100), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("uma", postgresql.JSONB(), nullable=False),
        sa.Column("began", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_seasons"),
        sa.UniqueConstraint("club", "name", name="uq_seasons_club"),
    )
    op.create_table(
        "meetings",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("season_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("minutes", sa.Integer(), nullable=False),
        sa.Column("tables", postgresql.JSONB(), nullable=False),
        sa.Column("began", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["season_id"], ["seasons.id"], name="fk_meetings_season_id"),
        sa.PrimaryKeyConstraint("id", name="pk_meetings"),
    )
    op.create_index("ix_meetings_season_id", "meetings", ["season_id"])
    op.create_table(
        "presences",
        sa.Column("meeting_id", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("first", sa.Integer(), nullable=False),
        sa.Column("last", sa.Integer(), nullable=True),
        sa.Column("fills_in", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["meeting_id"], ["meetings.id"], name="fk_presences_meeting_id"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_presences_player_id"),
        sa.PrimaryKeyConstraint("meeting_id", "player_id", name="pk_presences"),
    )
    op.create_table(
        "rounds",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("meeting_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("is_final", sa.Boolean(), nullable=False),
        sa.Column("minutes", sa.Integer(), nullable=False),
        sa.Column("seated", sa.DateTime(timezone=True), nullable=False),
        sa.Column("started", sa.DateTime(timezone=True), nullable=True),
        sa.Column("paused", sa.DateTime(timezone=True), nullable=True),
        sa.Column("paused_s", sa.Float(), nullable=False),
        sa.Column("ended", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["meeting_id"], ["meetings.id"], name="fk_rounds_meeting_id"),
        sa.PrimaryKeyConstraint("id", name="pk_rounds"),
        sa.UniqueConstraint("meeting_id", "number", name="uq_rounds_meeting_id"),
    )
    op.create_table(
        "seats",
        sa.Column("round_id", sa.Integer(), nullable=False),
        sa.Column("table", sa.String(length=100), nullable=False),
        sa.Column("wind", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("absent_id", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["round_id"], ["rounds.id"], name="fk_seats_round_id"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_seats_player_id"),
        sa.ForeignKeyConstraint(["absent_id"], ["players.id"], name="fk_seats_absent_id"),
        sa.PrimaryKeyConstraint("round_id", "table", "wind", name="pk_seats"),
        sa.UniqueConstraint("round_id", "player_id", name="uq_seats_round_id"),
    )
    op.create_index("ix_seats_player_id", "seats", ["player_id"])
    op.create_table(
        "byes",
        sa.Column("round_id", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["round_id"], ["rounds.id"], name="fk_byes_round_id"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_byes_player_id"),
        sa.PrimaryKeyConstraint("round_id", "player_id", name="pk_byes"),
    )
    op.create_table(
        "penalties",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("meeting_id", sa.Integer(), nullable=False),
        sa.Column("round_id", sa.Integer(), nullable=True),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("points", sa.BigInteger(), nullable=False),
        sa.Column("table_points", sa.Integer(), nullable=False),
        *_list_decision_columns(),
        sa.ForeignKeyConstraint(["meeting_id"], ["meetings.id"], name="fk_penalties_meeting_id"),
        sa.ForeignKeyConstraint(["round_id"], ["rounds.id"], name="fk_penalties_round_id"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_penalties_player_id"),
        sa.PrimaryKeyConstraint("id", name="pk_penalties"),
    )
    op.create_index("ix_penalties_meeting_id", "penalties", ["meeting_id"])
    op.create_table(
        "adjustments",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("round_id", sa.Integer(), nullable=False),
        sa.Column("table", sa.String(length=100), nullable=False),
        sa.Column("points", postgresql.JSONB(), nullable=False),
        *_list_decision_columns(),
        sa.ForeignKeyConstraint(["round_id"], ["rounds.id"], name="fk_adjustments_round_id"),
        sa.PrimaryKeyConstraint("id", name="pk_adjustments"),
    )
    op.create_index("ix_adjustments_round_id", "adjustments", ["round_id"])


def _list_decision_columns() -> list[sa.Column[object]]:
    return [
        sa.Column("why", sa.Text(), nullable=False),
        sa.Column("who", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("undone_why", sa.Text(), nullable=True),
        sa.Column("undone_by", sa.Text(), nullable=True),
        sa.Column("undone_at", sa.DateTime(timezone=True), nullable=True),
    ]
