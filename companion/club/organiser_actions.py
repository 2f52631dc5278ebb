"""What the organiser's forms do, each in a transaction. What cannot be done is an InputError, and changes
nothing."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy.orm import Session

from companion.club import competition, messages
from companion.club.competition import Decision
from companion.club.room import find_table
from companion.club.schema import Adjustment, Meeting, Penalty, Round, Season
from companion.club.table_points import SEATS
from companion.errors import InputError, quote

NUMBER = re.compile(r"[+-]?\d{1,12}")
NUMBER_MAX = 2**31 - 1
"""Of points and of rows of the database."""
SEPARATORS = re.compile(r"[,、，;；\n]")
"""Between the names of tables."""


@dataclass(frozen=True, slots=True)
class Form:
    """What was sent, by field; a field that is missing is empty."""

    fields: Mapping[str, str]

    def text(self, name: str) -> str:
        return self.fields.get(name, "").replace("\0", "").strip()

    def number(self, name: str, default: int | None = None) -> int:
        """A whole number; default: for an empty field. Raises InputError."""
        given = self.text(name).replace("−", "-")
        if not given and default is not None:
            return default
        if not given.isascii() or not NUMBER.fullmatch(given):
            raise InputError(messages.NOT_A_NUMBER, given=quote(given))
        if abs(int(given)) > NUMBER_MAX:
            raise InputError(messages.LARGE_NUMBER, given=quote(given))
        return int(given)

    def numbers(self, name: str) -> list[int]:
        """The four numbers of a table, the fields NAME0 to NAME3."""
        return [self.number(f"{name}{at}") for at in range(SEATS)]


@dataclass(frozen=True, slots=True)
class Doing:
    """A form that an organiser sent."""

    session: Session
    club: str
    form: Form
    who: str
    now: datetime

    @property
    def season(self) -> Season:
        found = competition.find_season(self.session, self.club)
        if found is None:
            raise InputError(messages.NO_SEASON)
        return found

    @property
    def meeting(self) -> Meeting:
        found = competition.find_meeting(self.session, self.season)
        if found is None:
            raise InputError(messages.NO_MEETING)
        return found

    @property
    def round(self) -> Round:
        """The round of the meeting that the form names."""
        found = self.session.get(Round, self.form.number("round"))
        if found is None or found.meeting_id != self.meeting.id:
            raise InputError(messages.GONE)
        return found

    @property
    def decision(self) -> Decision:
        return Decision(self.who, self.form.text("why"), self.now)


def _begin_season(doing: Doing) -> None:
    form = doing.form
    competition.begin_season(doing.session, doing.club, form.text("name"), doing.now, form.numbers("uma"))


def _end_season(doing: Doing) -> None:
    competition.end_season(doing.session, doing.season, doing.now)


def _list_tables(form: Form) -> list[str]:
    return [name for each in SEPARATORS.split(form.text("tables")) if (name := each.strip())]


def _begin_meeting(doing: Doing) -> None:
    form = doing.form
    competition.begin_meeting(
        doing.session, doing.season, form.text("name"), _list_tables(form), form.number("minutes"), doing.now
    )


def _set_tables(doing: Doing) -> None:
    competition.set_tables(doing.session, doing.meeting, _list_tables(doing.form))


def _end_meeting(doing: Doing) -> None:
    competition.end_meeting(doing.session, doing.meeting, doing.now)


def _mark_present(doing: Doing) -> None:
    """Of several names, one a line, each; none if one of them is refused."""
    names = [name for each in doing.form.text("name").splitlines() if (name := each.strip())]
    for name in names or [""]:
        competition.mark_present(
            doing.session, doing.meeting, name, fills_in=bool(doing.form.text("fills_in"))
        )


def _mark_gone(doing: Doing) -> None:
    competition.mark_gone(doing.session, doing.meeting, doing.form.number("player"))


def _seat_round(doing: Doing) -> None:
    competition.seat_round(doing.session, doing.meeting, doing.form.number("number"), doing.now)


def _seat_final(doing: Doing) -> None:
    competition.seat_final(doing.session, doing.meeting, doing.form.number("number"), doing.now)


def _withdraw_round(doing: Doing) -> None:
    competition.withdraw_round(doing.session, doing.round)


def _substitute(doing: Doing) -> None:
    form = doing.form
    competition.substitute(doing.session, doing.round, form.number("player"), form.text("name"))


def _start_clock(doing: Doing) -> None:
    competition.start_clock(doing.round, doing.now)


def _pause_clock(doing: Doing) -> None:
    competition.pause_clock(doing.round, doing.now)


def _set_minutes(doing: Doing) -> None:
    competition.set_minutes(doing.round, doing.form.number("minutes"))


def _end_round(doing: Doing) -> None:
    competition.end_round(doing.round, doing.now)


def _set_result(doing: Doing) -> None:
    form = doing.form
    competition.set_result(
        doing.session, doing.round, form.text("table"), form.numbers("points"), doing.decision
    )


def _penalise(doing: Doing) -> None:
    form = doing.form
    competition.penalise(
        doing.session,
        doing.meeting,
        form.number("player"),
        form.number("points", 0),
        form.number("table_points", 0),
        doing.decision,
        doing.round if form.text("round") else None,
    )


def _undo_penalty(doing: Doing) -> None:
    penalty = doing.session.get(Penalty, doing.form.number("id"))
    if penalty is None or penalty.meeting_id != doing.meeting.id:
        raise InputError(messages.GONE)
    competition.undo(penalty, doing.decision)


def _undo_adjustment(doing: Doing) -> None:
    adjustment = doing.session.get(Adjustment, doing.form.number("id"))
    of = None if adjustment is None else doing.session.get(Round, adjustment.round_id)
    if adjustment is None or of is None or of.meeting_id != doing.meeting.id:
        raise InputError(messages.GONE)
    competition.undo(adjustment, doing.decision)


def _clear_trouble(doing: Doing) -> None:
    table = find_table(doing.session, doing.club, doing.form.text("table"))
    if table is None:
        raise InputError(messages.GONE)
    if table.trouble == doing.form.text("trouble"):  # a newer one was not seen
        competition.clear_trouble(table)


ACTIONS: Mapping[str, Callable[[Doing], None]] = {
    "begin_season": _begin_season,
    "end_season": _end_season,
    "begin_meeting": _begin_meeting,
    "set_tables": _set_tables,
    "end_meeting": _end_meeting,
    "mark_present": _mark_present,
    "mark_gone": _mark_gone,
    "seat_round": _seat_round,
    "seat_final": _seat_final,
    "withdraw_round": _withdraw_round,
    "substitute": _substitute,
    "start_clock": _start_clock,
    "pause_clock": _pause_clock,
    "set_minutes": _set_minutes,
    "end_round": _end_round,
    "set_result": _set_result,
    "penalise": _penalise,
    "undo_penalty": _undo_penalty,
    "undo_adjustment": _undo_adjustment,
    "clear_trouble": _clear_trouble,
}
"""By the field `do` of a form."""
