"""What organisers do: seasons, meetings, who is there, rounds and their clock, penalties, adjustments.

Each function is one step of a transaction of the caller. What cannot be done is an InputError, and changes
nothing. Rows are those of `schema.py`; names that people enter are cleaned, and times are the caller's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import delete, func, select
from sqlalchemy.dialects.postgresql import insert as insert_new
from sqlalchemy.orm import Session

from companion.club import messages
from companion.club.results import NOTHING, find_clock, list_meeting_results
from companion.club.schema import (
    Adjustment,
    Bye,
    Meeting,
    Penalty,
    Player,
    Presence,
    Round,
    Season,
    Seat,
    Table,
)
from companion.club.season_standings import list_season_standings
from companion.club.seating import PlayedRound, Seated, Seating, choose_byes, seat_players
from companion.club.table_points import DEFAULT_UMA, SEATS, check_uma
from companion.errors import InputError, quote
from companion.foreign_text import clean
from companion.publish.topics import TableTopics
from companion.sentences import as_text

TEXT_MAX = 200
MINUTES_MAX = 24 * 60
POINTS_MAX = 10**9
TABLES_MAX = 100


@dataclass(frozen=True, slots=True)
class Decision:
    """Who decides something, why, and when. Raises InputError without a reason."""

    who: str
    why: str
    at: datetime

    def __post_init__(self) -> None:
        object.__setattr__(self, "why", _read_text(self.why, messages.NO_REASON))


def list_seasons(session: Session, club: str) -> list[Season]:
    """The seasons of a club, the newest in front."""
    return list(session.scalars(select(Season).where(Season.club == club).order_by(Season.began.desc())))


def find_season(session: Session, club: str) -> Season | None:
    """The season that is being played, or the one that ended last; None where there never was one."""
    return next(iter(list_seasons(session, club)), None)


def begin_season(
    session: Session, club: str, name: str, now: datetime, uma: Sequence[int] = DEFAULT_UMA
) -> Season:
    """Begin a season of the club; the one before ends, with its meetings."""
    TableTopics(club, "1")  # raises InputError for a name that no club can have
    name = _read_text(name, messages.NO_NAME)
    values = check_uma(uma)
    seasons = list_seasons(session, club)
    if any(each.name == name for each in seasons):
        raise InputError(messages.SEASON_EXISTS, name=quote(name))
    for each in seasons:
        end_season(session, each, now)
    season = Season(club=club, name=name, uma=values, began=now, ended=None)
    session.add(season)
    session.flush()
    return season


def end_season(session: Session, season: Season, now: datetime) -> None:
    """End it with its meeting, unless it has ended."""
    for meeting in list_meetings(session, season):
        end_meeting(session, meeting, now)
    season.ended = season.ended or now


def list_meetings(session: Session, season: Season) -> list[Meeting]:
    """The meetings of a season, the newest in front."""
    query = select(Meeting).where(Meeting.season_id == season.id)
    return list(session.scalars(query.order_by(Meeting.began.desc(), Meeting.id.desc())))


def find_meeting(session: Session, season: Season) -> Meeting | None:
    """The newest meeting of the season, which may have ended."""
    return next(iter(list_meetings(session, season)), None)


def begin_meeting(
    session: Session, season: Season, name: str, tables: Sequence[str], minutes: int, now: datetime
) -> Meeting:
    """Begin a meeting at these tables, which are filled in this order, with rounds of this length; the
    one before ends."""
    if season.ended is not None:
        raise InputError(messages.SEASON_ENDED, name=quote(season.name))
    name = _read_text(name, messages.NO_NAME)
    checked = _check_tables(season.club, tables)
    _check_minutes(minutes)
    for each in list_meetings(session, season):
        end_meeting(session, each, now)
    meeting = Meeting(season_id=season.id, name=name, minutes=minutes, tables=checked, began=now, ended=None)
    session.add(meeting)
    session.flush()
    return meeting


def set_tables(session: Session, meeting: Meeting, tables: Sequence[str]) -> None:
    """Play the next rounds of the meeting at these tables."""
    _check_open(meeting)
    club = session.get_one(Season, meeting.season_id).club
    meeting.tables = _check_tables(club, tables)


def end_meeting(session: Session, meeting: Meeting, now: datetime) -> None:
    """End it with its round, unless it has ended. A round that is being seated meanwhile ends too."""
    _lock(session, meeting)
    for each in list_rounds(session, meeting):
        _end(each, now)
    meeting.ended = meeting.ended or now


def mark_present(session: Session, meeting: Meeting, name: str, *, fills_in: bool = False) -> Player:
    """Seat the player of that name from the next round on; a new name is a new player of the club. fills_in:
    only where a table would lack a player."""
    _check_open(meeting)
    player = _find_player(session, session.get_one(Season, meeting.season_id).club, name)
    following = len(list_rounds(session, meeting)) + 1
    presence = session.get(Presence, (meeting.id, player.id))
    if presence is None:
        presence = Presence(meeting_id=meeting.id, player_id=player.id, first=following)
        session.add(presence)
    presence.last, presence.fills_in = None, fills_in
    session.flush()
    return player


def mark_gone(session: Session, meeting: Meeting, player_id: int) -> None:
    """Stop seating the player from the next round on; a player who was never seated is forgotten."""
    _check_open(meeting)
    presence = session.get(Presence, (meeting.id, player_id))
    if presence is None:
        raise InputError(messages.NOT_PRESENT)
    played = len(list_rounds(session, meeting))
    if presence.first > played:
        session.delete(presence)
    else:
        presence.last = played
    session.flush()


def list_presences(session: Session, meeting: Meeting) -> list[tuple[Player, Presence]]:
    """Who has been marked present, by name. Who is there for the next round has no `last`."""
    query = (
        select(Player, Presence)
        .join(Presence, Presence.player_id == Player.id)
        .where(Presence.meeting_id == meeting.id)
        .order_by(Player.name)
    )
    return [(player, presence) for player, presence in session.execute(query)]


def list_rounds(session: Session, meeting: Meeting) -> list[Round]:
    """The rounds of a meeting, in order."""
    query = select(Round).where(Round.meeting_id == meeting.id).order_by(Round.number)
    return list(session.scalars(query))


def seat_round(
    session: Session, meeting: Meeting, number: int, now: datetime, minutes: int | None = None
) -> tuple[Round, Seated]:
    """Seat the next round of the meeting; the one before ends. number: which one it is to be, so that a
    request that comes twice seats one round. minutes: None for those of the meeting.

    Each player who is there gets a seat, as far as there are tables of four; the others sit out. May take
    some seconds.
    """
    rounds = _prepare_round(session, meeting, number)
    regular, fills_in = _list_available(session, meeting)
    season = session.get_one(Season, meeting.season_id)
    earlier = [
        each.id
        for other in reversed(list_meetings(session, season))
        if other.id != meeting.id
        for each in list_rounds(session, other)
    ]
    mine = [each.id for each in rounds]
    played = _find_played(session, [*earlier, *mine])
    of_meeting, of_season = [played[each] for each in mine], [played[each] for each in earlier]
    lacking = -len(regular) % SEATS
    has_free_table = len(regular) // SEATS < len(meeting.tables)
    if has_free_table and lacking <= len(fills_in):
        idle = choose_byes(fills_in, len(fills_in) - lacking, of_meeting, of_season, seed=meeting.id)
        regular += (each for each in fills_in if each not in idle)
    n_tables = min(len(regular) // SEATS, len(meeting.tables))
    if n_tables == 0:
        raise InputError(messages.TOO_FEW_PLAYERS, present=len(regular))
    seated = seat_players(regular, n_tables, of_meeting, of_season, seed=meeting.id)
    made = _add_round(session, meeting, rounds, seated.tables, now, minutes)
    session.add_all(Bye(round_id=made.id, player_id=each) for each in seated.byes)
    session.flush()
    return made, seated


def seat_final(
    session: Session, meeting: Meeting, number: int, now: datetime, minutes: int | None = None
) -> Round:
    """Seat the final table: of the players who are there, the first four of the season, the first as East. A
    season has one final."""
    rounds = _prepare_round(session, meeting, number)
    season = session.get_one(Season, meeting.season_id)
    finals = select(Round.id).join(Meeting, Meeting.id == Round.meeting_id)
    if session.scalars(finals.where(Meeting.season_id == season.id, Round.is_final)).first() is not None:
        raise InputError(messages.FINAL_EXISTS)
    for each in rounds:
        _end(each, now)
    session.flush()
    present = {player for group in _list_available(session, meeting) for player in group}
    ranked = [row.player for row in list_season_standings(session, season) if row.player in present]
    if len(ranked) < SEATS:
        raise InputError(messages.TOO_FEW_FINALISTS, present=len(ranked))
    east, south, west, north = ranked[:SEATS]
    return _add_round(session, meeting, rounds, ((east, south, west, north),), now, minutes, is_final=True)


def withdraw_round(session: Session, of: Round) -> None:
    """Take back a seating, so that it can be made again: of the newest round, before its clock runs and
    anything was decided about it."""
    _lock(session, of)
    decided = any(
        session.scalars(select(which.id).where(which.round_id == of.id)).first() is not None
        for which in (Penalty, Adjustment)
    )
    newest = session.scalar(select(func.max(Round.number)).where(Round.meeting_id == of.meeting_id))
    if of.started is not None or of.ended is not None or decided or of.number != newest:
        raise InputError(messages.ROUND_BEGUN, number=of.number)
    session.execute(delete(Bye).where(Bye.round_id == of.id))
    session.execute(delete(Seat).where(Seat.round_id == of.id))
    session.delete(of)
    session.flush()


def substitute(session: Session, of: Round, player_id: int, name: str) -> Player:
    """Have the player of that name play on for one who leaves the round. The seat then counts for neither of
    them; the other three keep what they have at the table."""
    _check_running(of)
    seat = session.scalars(select(Seat).where(Seat.round_id == of.id, Seat.player_id == player_id)).first()
    if seat is None:
        raise InputError(messages.NOT_SEATED)
    meeting = session.get_one(Meeting, of.meeting_id)
    player = _find_player(session, session.get_one(Season, meeting.season_id).club, name)
    taken = select(Seat).where(Seat.round_id == of.id, Seat.player_id == player.id)
    if session.scalars(taken).first() is not None:
        raise InputError(messages.ALREADY_SEATED, name=quote(player.name))
    absent = seat.absent_id or seat.player_id
    seat.player_id, seat.absent_id = player.id, None if player.id == absent else absent
    session.execute(delete(Bye).where(Bye.round_id == of.id, Bye.player_id == player.id))
    session.flush()
    return player


def start_clock(of: Round, now: datetime) -> None:
    """Start the clock of a round, or have it go on."""
    _check_running(of)
    if of.started is None:
        of.started = now
    elif of.paused is not None:
        of.paused_s += (now - of.paused).total_seconds()
        of.paused = None


def pause_clock(of: Round, now: datetime) -> None:
    """Stop the clock of a round; nothing happens where it does not run."""
    _check_running(of)
    if find_clock(of).runs:
        of.paused = now


def set_minutes(of: Round, minutes: int) -> None:
    """Change how long a round lasts in all."""
    _check_running(of)
    _check_minutes(minutes)
    of.minutes = minutes


def end_round(of: Round, now: datetime) -> None:
    """End the round, which then counts. Hands that a table finishes later in the same game count too."""
    _check_running(of)
    _end(of, now)


def penalise(
    session: Session,
    meeting: Meeting,
    player_id: int,
    points: int,
    table_points: int,
    decision: Decision,
    of: Round | None = None,
) -> Penalty:
    """Deduct points and table points, each 0 or more, from the player's in the season. of: the round in which
    it happened, if it did in one."""
    if session.get(Presence, (meeting.id, player_id)) is None:
        raise InputError(messages.NOT_PRESENT)
    if not (0 <= points <= POINTS_MAX and 0 <= table_points <= POINTS_MAX and points + table_points > 0):
        raise InputError(messages.WRONG_PENALTY)
    penalty = Penalty(
        meeting_id=meeting.id,
        round_id=of and of.id,
        player_id=player_id,
        points=points,
        table_points=table_points,
        why=decision.why,
        who=decision.who,
        at=decision.at,
    )
    session.add(penalty)
    session.flush()
    return penalty


def adjust(session: Session, of: Round, table: str, points: Sequence[int], decision: Decision) -> Adjustment:
    """Add these points, by wind and 0 in all, to the result of a table; where it sent none they are its
    result."""
    seats = select(func.count()).select_from(Seat).where(Seat.round_id == of.id, Seat.table == table)
    if not session.scalar(seats):
        raise InputError(messages.NO_SUCH_TABLE, table=quote(table), number=of.number)
    if len(points) != SEATS or any(abs(each) > POINTS_MAX for each in points):
        raise InputError(messages.WRONG_POINTS)
    if sum(points) != 0:
        raise InputError(messages.POINTS_NOT_ZERO, total=sum(points))
    adjustment = Adjustment(
        round_id=of.id,
        table=table,
        points=list(points),
        why=decision.why,
        who=decision.who,
        at=decision.at,
    )
    session.add(adjustment)
    session.flush()
    return adjustment


def set_result(
    session: Session, of: Round, table: str, points: Sequence[int], decision: Decision
) -> Adjustment:
    """Have the result of a table be these points, by wind, by adjusting it. Where the table sends further
    hands of the round, these are added. Another transaction waits meanwhile: each sees what the one before
    it has adjusted."""
    _lock(session, of)
    meeting = session.get_one(Meeting, of.meeting_id)
    (result,) = (each for each in list_meeting_results(session, meeting) if each.id == of.id)
    now = next((each.points for each in result.tables if each.table == table), None) or NOTHING
    if len(points) == SEATS:
        points = [wanted - has for wanted, has in zip(points, now, strict=True)]
    return adjust(session, of, table, points, decision)


def undo(of: Penalty | Adjustment, decision: Decision) -> None:
    """Take back a penalty or an adjustment; it stays on record with both reasons."""
    if of.undone_at is not None:
        raise InputError(messages.ALREADY_UNDONE)
    of.undone_why, of.undone_by, of.undone_at = decision.why, decision.who, decision.at


def list_penalties(session: Session, meeting: Meeting) -> list[tuple[Penalty, Player]]:
    """Those of a meeting, also those taken back, the oldest in front."""
    query = (
        select(Penalty, Player)
        .join(Player, Player.id == Penalty.player_id)
        .where(Penalty.meeting_id == meeting.id)
        .order_by(Penalty.id)
    )
    return [(penalty, player) for penalty, player in session.execute(query)]


def list_adjustments(session: Session, meeting: Meeting) -> list[tuple[Adjustment, Round]]:
    """Those of a meeting, also those taken back, the oldest in front."""
    query = (
        select(Adjustment, Round)
        .join(Round, Round.id == Adjustment.round_id)
        .where(Round.meeting_id == meeting.id)
        .order_by(Adjustment.id)
    )
    return [(adjustment, of) for adjustment, of in session.execute(query)]


def clear_trouble(table: Table) -> None:
    """The trouble of a table was seen; what it sent wrong stays in its entries and in the log."""
    table.trouble = table.trouble_at = None


def _lock(session: Session, row: Meeting | Round) -> None:
    """Have other transactions that lock it wait until this one ends, and see the row as they left it."""
    session.flush()  # refreshing drops what is not written yet
    session.refresh(row, with_for_update=True)


def _prepare_round(session: Session, meeting: Meeting, number: int) -> list[Round]:
    """The rounds until now, where the next one has that number. Another transaction waits meanwhile."""
    _lock(session, meeting)
    _check_open(meeting)
    rounds = list_rounds(session, meeting)
    if number != len(rounds) + 1:
        raise InputError(messages.OTHER_ROUND, number=number, following=len(rounds) + 1)
    return rounds


def _list_available(session: Session, meeting: Meeting) -> tuple[list[int], list[int]]:
    """Who is there for the next round: players, and those who only fill in."""
    query = select(Presence).where(Presence.meeting_id == meeting.id, Presence.last.is_(None))
    present = session.scalars(query.order_by(Presence.player_id)).all()
    return (
        [each.player_id for each in present if not each.fills_in],
        [each.player_id for each in present if each.fills_in],
    )


def _find_played(session: Session, rounds: Sequence[int]) -> dict[int, PlayedRound]:
    """Who sat where in each of these rounds, and who sat out."""
    tables: dict[int, dict[str, list[int]]] = {each: {} for each in rounds}
    seats = select(Seat).where(Seat.round_id.in_(rounds)).order_by(Seat.table, Seat.wind)
    for seat in session.scalars(seats):
        tables[seat.round_id].setdefault(seat.table, []).append(seat.player_id)
    byes: dict[int, list[int]] = {each: [] for each in rounds}
    for bye in session.scalars(select(Bye).where(Bye.round_id.in_(rounds))):
        byes[bye.round_id].append(bye.player_id)
    return {
        each: PlayedRound(
            tuple((east, south, west, north) for east, south, west, north in tables[each].values()),
            tuple(byes[each]),
        )
        for each in rounds
    }


def _add_round(
    session: Session,
    meeting: Meeting,
    rounds: Sequence[Round],
    seating: Seating,
    now: datetime,
    minutes: int | None,
    *,
    is_final: bool = False,
) -> Round:
    if minutes is not None:
        _check_minutes(minutes)
    for each in rounds:
        _end(each, now)
    made = Round(
        meeting_id=meeting.id,
        number=len(rounds) + 1,
        is_final=is_final,
        minutes=meeting.minutes if minutes is None else minutes,
        seated=now,
        paused_s=0.0,
    )
    session.add(made)
    session.flush()
    session.add_all(
        Seat(round_id=made.id, table=table, wind=wind, player_id=player)
        for table, players in zip(meeting.tables, seating, strict=False)
        for wind, player in enumerate(players)
    )
    session.flush()
    return made


def _find_player(session: Session, club: str, name: str) -> Player:
    """The player of that name, a new one if need be."""
    name = _read_text(name, messages.NO_NAME)
    session.execute(insert_new(Player).values(club=club, name=name).on_conflict_do_nothing())
    return session.scalars(select(Player).where(Player.club == club, Player.name == name)).one()


def _end(of: Round, now: datetime) -> None:
    of.ended = of.ended or now


def _check_open(meeting: Meeting) -> None:
    if meeting.ended is not None:
        raise InputError(messages.MEETING_ENDED, name=quote(meeting.name))


def _check_running(of: Round) -> None:
    if of.ended is not None:
        raise InputError(messages.ROUND_OVER, number=of.number)


def _check_minutes(minutes: int) -> None:
    if not 1 <= minutes <= MINUTES_MAX:
        raise InputError(messages.WRONG_MINUTES, most=MINUTES_MAX)


def _check_tables(club: str, tables: Sequence[str]) -> list[str]:
    for each in tables:
        TableTopics(club, each)  # raises InputError for a name that no table can have
    if not 0 < len(set(tables)) == len(tables) <= TABLES_MAX:
        raise InputError(messages.WRONG_TABLES, most=TABLES_MAX)
    return list(tables)


def _read_text(text: str, refusal: str) -> str:
    """What a person entered, without characters that are not seen. InputError where nothing is left, or too
    much."""
    cleaned = as_text(clean(text.strip()))
    if not cleaned:
        raise InputError(refusal)
    if len(cleaned) > TEXT_MAX:
        raise InputError(messages.TOO_LONG, most=TEXT_MAX)
    return cleaned
