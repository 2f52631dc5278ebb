"""The results of the rounds: the games that tables played in them, and what organisers adjusted.

A game belongs to the round in which its table began it, with the players who are seated there; names decide.
Nothing here is stored, so that a correction at a table is right at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from fractions import Fraction

from sqlalchemy import BigInteger, ColumnElement, and_, cast, func, select
from sqlalchemy.orm import Session, aliased

from companion.club.ratings import RatedGame
from companion.club.round_clock import RoundClock
from companion.club.schema import (
    Adjustment,
    Bye,
    Game,
    GamePlayer,
    Hand,
    Meeting,
    Payment,
    Player,
    Round,
    Season,
    Seat,
    Table,
)
from companion.club.table_points import SEATS, find_places, share_uma

CLOCKS_DIFFER = timedelta(minutes=5)
"""A table whose clock is this late may begin its game before the seating was made, as it says."""
DAY = timedelta(days=1)
EARLIEST, LATEST = datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)

Points = tuple[int, int, int, int]
NOTHING: Points = (0, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class SeatedPlayer:
    """absent_id, absent: id and name of the player whom this one replaces; else None."""

    id: int
    name: str
    absent_id: int | None = None
    absent: str | None = None


Seats = dict[int, dict[str, tuple[SeatedPlayer, ...]]]
"""Who is seated in each round at each table, by wind."""


@dataclass(frozen=True, slots=True)
class TableResult:
    """A table in a round. players, points: by wind, from East.

    games, hands: the games that belong to the round, and their finished hands. sent: what these come to, None
    without a game. points: with what organisers adjusted; None while there is neither. strangers: who plays
    there instead, if a game of other people was begun at this table.
    """

    table: str
    players: tuple[SeatedPlayer, ...]
    games: tuple[str, ...]
    hands: int
    sent: Points | None
    points: Points | None
    strangers: tuple[str, ...]

    @property
    def places(self) -> tuple[int, ...] | None:
        """From 1; players with equal points share the best of their places. None without a result."""
        return None if self.points is None else find_places(self.points)

    def find_table_points(self, uma: Sequence[int]) -> tuple[Fraction, ...] | None:
        """By wind; None without a result."""
        return None if self.points is None else share_uma(self.points, uma)


@dataclass(frozen=True, slots=True)
class RoundResult:
    """A round; it counts once `is_over`. byes: who sat it out."""

    id: int
    meeting_id: int
    season_id: int
    number: int
    is_final: bool
    seated: datetime
    clock: RoundClock
    tables: tuple[TableResult, ...]
    byes: tuple[SeatedPlayer, ...]

    @property
    def is_over(self) -> bool:
        return self.clock.ended is not None


@dataclass(slots=True)
class _Played:
    """A game as far as its hands are finished, while its rows are read. people: those who have a name.
    points: of each person who got or paid any."""

    id: str
    table: str
    begun: datetime
    people: dict[int, SeatedPlayer] = field(default_factory=dict)
    points: dict[int, int] = field(default_factory=dict)
    hands: int = 0


@dataclass(slots=True)
class _Matched:
    """taken: the games of each round and table, with the persons by wind. strangers: who began a game there
    that does not belong to the round. apart: the games that belong to no round."""

    taken: dict[tuple[int, str], list[tuple[_Played, tuple[int, ...]]]] = field(default_factory=dict)
    strangers: dict[tuple[int, str], tuple[str, ...]] = field(default_factory=dict)
    apart: list[_Played] = field(default_factory=list)


def find_clock(of: Round) -> RoundClock:
    return RoundClock(of.minutes, of.started, of.paused, of.paused_s, of.ended)


def list_season_results(session: Session, season: Season) -> list[RoundResult]:
    """All rounds of a season, in order of time."""
    return _collect(session, season.club, Meeting.season_id == season.id)[0]


def list_meeting_results(session: Session, meeting: Meeting) -> list[RoundResult]:
    """All rounds of a meeting, in order of time, with what their tables have played until now."""
    club = session.get_one(Season, meeting.season_id).club
    return _collect(session, club, Round.meeting_id == meeting.id)[0]


def list_rated_games(session: Session, club: str) -> tuple[RatedGame, ...]:
    """The games and rounds of a club that its ratings follow from, in order of time: rounds that are over,
    with what was adjusted, and games apart from rounds, as far as their hands are finished. A substitute is
    rated as the player who played."""
    results, apart = _collect(session, club, Season.club == club, all_games=True)
    rated: list[tuple[datetime, RatedGame]] = [
        (of_round.seated, (tuple(player.id for player in table.players), table.points))
        for of_round in results
        if of_round.is_over
        for table in of_round.tables
        if table.points is not None
    ]
    for game in apart:
        people = sorted(game.people)
        players = tuple(game.people[person].id for person in people)
        if game.hands and len(set(players)) == len(players) > 1:
            rated.append((game.begun, (players, tuple(game.points.get(person, 0) for person in people))))
    return tuple(game for _, game in sorted(rated, key=lambda each: each[0]))


def _collect(
    session: Session, club: str, which: ColumnElement[bool], *, all_games: bool = False
) -> tuple[list[RoundResult], list[_Played]]:
    """The rounds for which `which` holds, in order of time, and the games from the first of them to the last,
    or all, that belong to none."""
    query = (
        select(Round, Meeting)
        .join(Meeting, Meeting.id == Round.meeting_id)
        .join(Season, Season.id == Meeting.season_id)
        .where(which)
        .order_by(Round.seated, Round.id)
    )
    rounds = session.execute(query).all()
    if not rounds and not all_games:
        return [], []
    ids = [each.id for each, _ in rounds]
    seats = _find_seats(session, ids)
    if all_games:
        games = _list_played(session, club)
    else:
        since = min(each.seated for each, _ in rounds) - CLOCKS_DIFFER
        games = _list_played(session, club, since, max(_find_end(each) for each, _ in rounds))
    matched = _match(games, [each for each, _ in rounds], seats)
    adjusted = _sum_adjustments(session, ids)
    byes = _find_byes(session, ids)
    results = []
    for each, meeting in rounds:
        at_tables = seats.get(each.id, {})
        tables = tuple(
            _make_result(table, at_tables[table], matched, each.id, adjusted.get((each.id, table)))
            for table in _order_tables(at_tables, meeting.tables)
        )
        results.append(
            RoundResult(
                id=each.id,
                meeting_id=meeting.id,
                season_id=meeting.season_id,
                number=each.number,
                is_final=each.is_final,
                seated=each.seated,
                clock=find_clock(each),
                tables=tables,
                byes=tuple(byes.get(each.id, ())),
            )
        )
    return results, matched.apart


def _order_tables(seated: Iterable[str], tables: Sequence[str]) -> list[str]:
    """These tables as the meeting has them; those that it no longer has come last."""
    places = {table: place for place, table in enumerate(tables)}
    return sorted(seated, key=lambda table: (places.get(table, len(places)), table))


def _find_seats(session: Session, rounds: Sequence[int]) -> Seats:
    """The players of each round and table, by wind."""
    absent = aliased(Player)
    query = (
        select(Seat.round_id, Seat.table, Player.id, Player.name, absent.id, absent.name)
        .join(Player, Player.id == Seat.player_id)
        .outerjoin(absent, absent.id == Seat.absent_id)
        .where(Seat.round_id.in_(rounds))
        .order_by(Seat.round_id, Seat.table, Seat.wind)
    )
    seats: Seats = {}
    for round_id, table, player, name, absent_id, absent_name in session.execute(query):
        at_tables = seats.setdefault(round_id, {})
        seated = SeatedPlayer(player, name, absent_id, absent_name)
        at_tables[table] = (*at_tables.get(table, ()), seated)
    return seats


def _find_byes(session: Session, rounds: Sequence[int]) -> dict[int, list[SeatedPlayer]]:
    query = (
        select(Bye.round_id, Player.id, Player.name)
        .join(Player, Player.id == Bye.player_id)
        .where(Bye.round_id.in_(rounds))
        .order_by(Player.name)
    )
    byes: dict[int, list[SeatedPlayer]] = {}
    for round_id, player, name in session.execute(query):
        byes.setdefault(round_id, []).append(SeatedPlayer(player, name))
    return byes


def _sum_adjustments(session: Session, rounds: Sequence[int]) -> dict[tuple[int, str], Points]:
    """What organisers adjusted at each table of each round, without what was taken back."""
    query = select(Adjustment.round_id, Adjustment.table, Adjustment.points).where(
        Adjustment.round_id.in_(rounds), Adjustment.undone_at.is_(None)
    )
    sums: dict[tuple[int, str], Points] = {}
    for round_id, table, points in session.execute(query):
        sums[round_id, table] = _add(sums.get((round_id, table), NOTHING), points)
    return sums


def _list_played(
    session: Session, club: str, since: datetime = EARLIEST, until: datetime = LATEST
) -> list[_Played]:
    """The club's games that began then, in order of time, without practice; points are those of finished
    hands."""
    counts = [Table.club == club, Game.is_practice.is_(False), Game.begun.is_not(None)]
    if since > EARLIEST:
        counts += [  # text of any time zone
            Game.begun >= (since - DAY).isoformat(),
            Game.begun <= (until + DAY).isoformat(),
        ]
    games = select(Game.id, Table.name, Game.begun).join(Table, Table.id == Game.table_id).where(*counts)
    ids = select(Game.id).join(Table, Table.id == Game.table_id).where(*counts)
    played: dict[str, _Played] = {}
    for game, table, text in session.execute(games):
        begun = _read_time(text)
        if begun is not None and since <= begun <= until:
            played[game] = _Played(game, table, begun)
    people = (
        select(GamePlayer.game_id, GamePlayer.person, Player.id, Player.name)
        .join(Player, Player.id == GamePlayer.player_id)
        .where(GamePlayer.game_id.in_(ids))
    )
    for game, person, player, name in session.execute(people):
        if game in played:
            played[game].people[person] = SeatedPlayer(player, name)
    points = (
        select(Payment.game_id, Payment.person, cast(func.sum(Payment.points), BigInteger))
        .join(Hand, and_(Hand.game_id == Payment.game_id, Hand.place == Payment.hand, Hand.finished))
        .where(Payment.game_id.in_(ids))
        .group_by(Payment.game_id, Payment.person)
    )
    for game, person, total in session.execute(points):
        if game in played:
            played[game].points[person] = total
    hands = (
        select(Hand.game_id, func.count())
        .where(Hand.game_id.in_(ids), Hand.finished, Hand.number > 0, Hand.abandoned.is_(False))
        .group_by(Hand.game_id)
    )
    for game, count in session.execute(hands):
        if game in played:
            played[game].hands = count
    return sorted(played.values(), key=lambda each: (each.begun, each.id))


def _read_time(text: str | None) -> datetime | None:
    """When a game began, as its table said; None for what is not a time."""
    try:
        time = datetime.fromisoformat(text or "")
    except ValueError:
        return None
    return time if time.tzinfo else time.replace(tzinfo=UTC)


def _match(games: Sequence[_Played], rounds: Sequence[Round], seats: Seats) -> _Matched:
    """To which round and table each game belongs: the newest in which it can have begun there, with the
    players who are seated there."""
    at_table: dict[str, list[Round]] = {}
    for each in rounds:
        for table in seats.get(each.id, {}):
            at_table.setdefault(table, []).append(each)
    matched = _Matched()
    for game in games:
        newest_first = [
            each for each in reversed(at_table.get(game.table, [])) if _was_open(each, game.begun)
        ]
        for each in newest_first:
            order = _find_order(game, seats[each.id][game.table])
            if order is not None:
                matched.taken.setdefault((each.id, game.table), []).append((game, order))
                break
        else:
            matched.apart.append(game)
            if newest_first:
                names = tuple(player.name for _, player in sorted(game.people.items()))
                matched.strangers[newest_first[0].id, game.table] = names
    return matched


def _was_open(of: Round, begun: datetime) -> bool:
    """Whether a game that began then can be one of that round."""
    return of.seated - CLOCKS_DIFFER <= begun <= _find_end(of)


def _find_end(of: Round) -> datetime:
    return of.ended or of.seated + DAY


def _find_order(game: _Played, players: Sequence[SeatedPlayer]) -> tuple[int, ...] | None:
    """The persons of the game by their winds in the round; None where others play. A game may still have the
    name of a player who is substituted."""
    persons = {player.id: person for person, player in game.people.items()}
    order = tuple(
        persons.get(player.id, persons.get(player.absent_id, -1) if player.absent_id else -1)
        for player in players
    )
    return order if sorted(order) == list(range(SEATS)) else None


def _make_result(
    table: str, players: tuple[SeatedPlayer, ...], matched: _Matched, round_id: int, adjusted: Points | None
) -> TableResult:
    games = matched.taken.get((round_id, table), [])
    sent = None
    for game, order in games:
        sent = _add(sent or NOTHING, [game.points.get(person, 0) for person in order])
    return TableResult(
        table=table,
        players=players,
        games=tuple(game.id for game, _ in games),
        hands=sum(game.hands for game, _ in games),
        sent=sent,
        points=_add(sent or NOTHING, adjusted) if adjusted is not None else sent,
        strangers=() if games else matched.strangers.get((round_id, table), ()),
    )


def _add(one: Sequence[int], other: Sequence[int]) -> Points:
    east, south, west, north = (a + b for a, b in zip(one, other, strict=True))
    return east, south, west, north
