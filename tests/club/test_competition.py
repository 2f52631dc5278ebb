"""Seasons, meetings and rounds in a real PostgreSQL, with games that tables sent in them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from itertools import chain, combinations

import pytest
from sqlalchemy import func, select, text
from sqlalchemy.orm import Session

from companion.club import competition
from companion.club.competition import Decision
from companion.club.database import Database
from companion.club.keeping import Keeper
from companion.club.results import RoundResult, TableResult, list_meeting_results, list_rated_games
from companion.club.schema import Adjustment, Meeting, Player, Round, Table
from companion.club.season_standings import StandingsRow, list_season_standings
from companion.club.standings import list_standings
from companion.errors import InputError
from companion.publish.topics import TableTopics
from companion.table.events import GameStarted, PointsMoved
from tests.club.tables import SentGame

BEGAN = datetime(2026, 11, 30, 20, tzinfo=UTC)
FOUR = ("Ann", "Bao", "Chen", "Dai")
EIGHT = (*FOUR, "Eva", "Fei", "Gu", "Hu")


def at(minutes: float) -> datetime:
    return BEGAN + timedelta(minutes=minutes)


def decide(why: str = "misread", minutes: float = 0) -> Decision:
    return Decision("Olga", why, at(minutes))


class Evening:
    """A meeting of a new season, in one transaction; times are minutes after its beginning."""

    def __init__(self, session: Session, people: Sequence[str] = EIGHT, tables: Sequence[str] = "12") -> None:
        self.session = session
        self.season = competition.begin_season(session, "dragons", "autumn", at(0))
        self.meeting = self.begin_meeting(people, tables)

    def begin_meeting(
        self, people: Sequence[str], tables: Sequence[str] = "12", minutes: float = 0
    ) -> Meeting:
        self.meeting = competition.begin_meeting(
            self.session, self.season, "an evening", tables, 60, at(minutes)
        )
        self.mark_present(*people)
        return self.meeting

    def mark_present(self, *names: str, fills_in: bool = False) -> None:
        for name in names:
            competition.mark_present(self.session, self.meeting, name, fills_in=fills_in)

    def mark_gone(self, name: str) -> None:
        competition.mark_gone(self.session, self.meeting, self.find_player(name))

    def find_player(self, name: str) -> int:
        return self.session.scalars(select(Player.id).where(Player.name == name)).one()

    def seat(self, minutes: float = 1) -> Round:
        number = len(competition.list_rounds(self.session, self.meeting)) + 1
        return competition.seat_round(self.session, self.meeting, number, at(minutes))[0]

    def find_result(self, of: Round) -> RoundResult:
        (result,) = (each for each in list_meeting_results(self.session, self.meeting) if each.id == of.id)
        return result

    def find_table(self, of: Round, table: str = "1") -> TableResult:
        (found,) = (each for each in self.find_result(of).tables if each.table == table)
        return found

    def list_names(self, of: Round, table: str = "1") -> list[str]:
        return [player.name for player in self.find_table(of, table).players]

    def list_points(self, of: Round, table: str = "1") -> dict[str, int]:
        result = self.find_table(of, table)
        assert result.points is not None
        return {player.name: points for player, points in zip(result.players, result.points, strict=True)}

    def send(self, table: str, points: dict[str, int], minutes: float = 2) -> SentGame:
        """A game of these people that was begun then, and what each has won by now."""
        east, south, west, north = points
        e, s, w, n = points.values()
        game = SentGame(
            TableTopics("dragons", table),
            [
                GameStarted(rules="hefei", names=(east, south, west, north)),
                PointsMoved(points=(e, s, w, n), why="a wager"),
            ],
            at=at(minutes).isoformat(),
        )
        Keeper().keep(self.session, game.messages())
        self.session.flush()
        return game

    def list_standings(self) -> dict[str, StandingsRow]:
        return {row.name: row for row in list_season_standings(self.session, self.season)}


@pytest.fixture
def session(database_url: str) -> Iterator[Session]:
    with Database.parse(database_url) as database:
        database.migrate()
        with database.begin() as session:
            yield session


def test_names_decide_which_games_are_of_a_round(session: Session) -> None:
    evening = Evening(session)
    first = evening.seat()
    east, south, west, north = evening.list_names(first)
    evening.send("1", {west: 7, north: -3, east: -2, south: -2})
    evening.send("2", {"X": 9, "Y": -9, "Z": 0, "W": 0})
    one, two = evening.find_result(first).tables
    assert one.points == one.sent == (-2, -2, 7, -3)
    assert (two.points, two.strangers) == (None, ("X", "Y", "Z", "W"))
    assert evening.list_standings() == {}, "the round is not over"
    competition.end_round(first, at(60))
    rows = evening.list_standings()
    assert [(row.name, row.place, row.table_points) for row in rows.values()] == [
        (west, 1, 15),
        *((name, 2, 0) for name in sorted((east, south))),
        (north, 4, -15),
    ]
    assert (rows[west].points, rows[west].rounds) == (7, 1)


def test_a_game_counts_in_the_round_in_which_it_was_begun(session: Session) -> None:
    evening = Evening(session, FOUR, "1")
    evening.send("1", dict.fromkeys(FOUR, 0) | {"Ann": 1, "Bao": -1}, -30)
    first = evening.seat(0)
    evening.send("1", dict.fromkeys(FOUR, 0) | {"Ann": 2, "Bao": -2}, -3)
    second = evening.seat(60)
    evening.send("1", dict.fromkeys(FOUR, 0) | {"Ann": 3, "Bao": -3}, 65)
    evening.send("1", dict.fromkeys(FOUR, 0) | {"Ann": 4, "Bao": -4}, 70)
    competition.end_round(second, at(120))
    evening.send("1", dict.fromkeys(FOUR, 0) | {"Ann": 5, "Bao": -5}, 130)
    assert (evening.list_points(first)["Ann"], evening.list_points(second)["Ann"]) == (2, 7)
    assert evening.list_standings()["Ann"].points == 9
    (club,) = list_standings(session)
    assert {row["name"]: row["points"] for row in club["standings"]}["Ann"] == 15, "all games"


def test_a_clock_of_a_table_that_is_not_a_time_breaks_nothing(session: Session) -> None:
    evening = Evening(session, FOUR, "1")
    first = evening.seat()
    game = SentGame(
        TableTopics("dragons", "1"), [GameStarted(rules="hefei", names=FOUR), 0], at="9999 o'clock"
    )
    Keeper().keep(session, game.messages())
    assert evening.find_table(first).points is None


def test_practice_does_not_count(session: Session) -> None:
    evening = Evening(session, FOUR, "1")
    first = evening.seat()
    practice = GameStarted(rules="hefei", names=FOUR, practice=5)
    moved = PointsMoved(points=(1, -1, 0, 0), why="a wager")
    game = SentGame(TableTopics("dragons", "1"), [practice, moved], at=at(2).isoformat())
    Keeper().keep(session, game.messages())
    assert evening.find_table(first).points is None


def test_a_drawn_round_shares_all_places(session: Session) -> None:
    evening = Evening(session, FOUR, "1")
    first = evening.seat()
    competition.set_result(session, first, "1", (0, 0, 0, 0), decide("nobody won"))
    competition.end_round(first, at(60))
    assert [(row.place, row.table_points, row.rounds) for row in evening.list_standings().values()] == [
        (1, 0, 1)
    ] * 4


def test_equal_table_points_are_ranked_by_points(session: Session) -> None:
    evening = Evening(session)
    first = evening.seat()
    competition.set_result(session, first, "1", (30, 10, -10, -30), decide())
    competition.set_result(session, first, "2", (40, 10, -20, -30), decide())
    competition.end_round(first, at(60))
    best, second, third, fourth, *_ = evening.list_standings().values()
    assert (best.name, best.place, best.points) == (evening.list_names(first, "2")[0], 1, 40)
    assert (second.place, second.points) == (2, 30)
    assert (third.place, fourth.place) == (3, 3), "nothing else decides"


def test_a_result_is_typed_in_corrected_and_taken_back_with_who_and_why(session: Session) -> None:
    evening = Evening(session, FOUR, "1")
    first = evening.seat()
    names = evening.list_names(first)
    game = evening.send("1", dict(zip(names, (8, -8, 0, 0), strict=True)))
    adjustment = competition.set_result(session, first, "1", (5, -8, 3, 0), decide("a wrong seat"))
    assert list(evening.list_points(first).values()) == [5, -8, 3, 0]
    assert evening.find_table(first).sent == (8, -8, 0, 0)
    assert list(adjustment.points) == [-3, 0, 3, 0]
    (club,) = list_standings(session)
    assert {row["name"]: row["points"] for row in club["standings"]}[names[0]] == 8, "the table's own ledger"
    competition.undo(adjustment, decide("it was right", 5))
    assert list(evening.list_points(first).values()) == [8, -8, 0, 0]
    ((kept, of),) = competition.list_adjustments(session, evening.meeting)
    assert (kept.why, kept.who, kept.undone_why, kept.undone_by, of.number) == (
        "a wrong seat", "Olga", "it was right", "Olga", 1,
    )  # fmt: skip
    with pytest.raises(InputError, match="already taken back"):
        competition.undo(adjustment, decide())
    assert evening.find_table(first).games == (game.id,)


@pytest.mark.parametrize(
    ("table", "points", "says"),
    [
        ("1", (1, 0, 0, 0), "these add up to 1"),
        ("1", (1, -1, 0), "points of the four players"),
        ("1", (10**10, -(10**10), 0, 0), "points of the four players"),
        ("9", (1, -1, 0, 0), "Nobody is seated at table '9' in round 1"),
    ],
)
def test_a_wrong_result_is_one_sentence_and_changes_nothing(
    session: Session, table: str, points: tuple[int, ...], says: str
) -> None:
    evening = Evening(session, FOUR, "1")
    first = evening.seat()
    with pytest.raises(InputError, match=says):
        competition.set_result(session, first, table, points, decide())
    assert session.scalar(select(func.count()).select_from(Adjustment)) == 0


def test_a_decision_needs_a_reason() -> None:
    for why in ("", "  ", "\u202e"):
        with pytest.raises(InputError, match="Enter a reason"):
            decide(why)


def test_penalties_are_deducted_until_they_are_taken_back(session: Session) -> None:
    evening = Evening(session, FOUR, "1")
    first = evening.seat()
    winner = evening.list_names(first)[0]
    competition.set_result(session, first, "1", (30, 10, -10, -30), decide())
    competition.end_round(first, at(60))
    late = competition.penalise(
        session, evening.meeting, evening.find_player(winner), 100, 20, decide("late"), first
    )
    row = evening.list_standings()[winner]
    assert (row.points, row.table_points, row.place) == (-70, -5, 3)
    assert (row.penalty_points, row.penalty_table_points) == (100, 20)
    competition.undo(late, decide("the bus"))
    assert evening.list_standings()[winner].place == 1
    ((kept, player),) = competition.list_penalties(session, evening.meeting)
    assert (kept.why, kept.undone_why, player.name) == ("late", "the bus", winner)
    for points, table_points in ((0, 0), (-1, 5), (5, -1)):
        with pytest.raises(InputError, match="to deduct"):
            competition.penalise(
                session, evening.meeting, evening.find_player(winner), points, table_points, decide()
            )


def test_nobody_meets_twice_in_an_evening_of_sixteen(session: Session) -> None:
    evening = Evening(session, [f"p{number}" for number in range(16)], "1234")
    for number in range(5):
        evening.seat(number)
    met = Counter(
        frozenset(pair)
        for of_round in list_meeting_results(session, evening.meeting)
        for table in of_round.tables
        for pair in combinations([player.id for player in table.players], 2)
    )
    assert len(met) == 16 * 15 // 2
    assert set(met.values()) == {1}


def test_byes_are_shared_and_give_the_mean_of_the_uma(session: Session) -> None:
    people = [*EIGHT, "Ivo", "Jun"]
    evening = Evening(session, people)
    evening.season.uma = [4, 2, 1, 0]
    byes = []
    for number in range(5):
        of_round = evening.seat(number)
        byes.append([player.name for player in evening.find_result(of_round).byes])
    competition.end_round(of_round, at(60))
    assert sorted(chain(*byes)) == sorted(people)
    rows = evening.list_standings()
    assert {(row.byes, row.table_points, row.rounds) for row in rows.values()} == {(1, 1.75, 0)}


def test_who_is_late_plays_from_the_next_round_and_who_goes_plays_no_more(session: Session) -> None:
    evening = Evening(session, FOUR, "12")
    evening.seat()
    evening.mark_present("Eva", "Fei", "Gu", "Hu")
    evening.mark_gone("Ann")
    evening.mark_present("Ivo")
    second = evening.find_result(evening.seat(2))
    assert {player.name for table in second.tables for player in table.players} == {
        *EIGHT[1:], "Ivo",
    }  # fmt: skip
    evening.mark_gone("Ivo")
    evening.mark_present("Ann")
    third = evening.find_result(evening.seat(3))
    assert {player.name for table in third.tables for player in table.players} == set(EIGHT)
    evening.mark_present("Kim")
    evening.mark_gone("Kim")
    assert "Kim" not in {player.name for player, _ in competition.list_presences(session, evening.meeting)}


def test_who_fills_in_plays_only_where_a_table_lacks_a_player(session: Session) -> None:
    evening = Evening(session, FOUR[:3], "12")
    evening.mark_present("Olga", "Pia", fills_in=True)
    first = evening.find_result(evening.seat())
    (table,) = first.tables
    assert {player.name for player in table.players} - set(FOUR[:3]) < {"Olga", "Pia"}
    assert first.byes == ()
    evening.mark_present("Dai")
    (table,) = evening.find_result(evening.seat(2)).tables
    assert {player.name for player in table.players} == set(FOUR)


def test_nobody_fills_in_where_no_table_is_free(session: Session) -> None:
    evening = Evening(session, FOUR, "1")
    evening.mark_present("Eva")
    evening.mark_present("Olga", "Pia", "Quan", fills_in=True)
    result = evening.find_result(evening.seat())
    seated = {player.name for table in result.tables for player in table.players}
    assert seated | {player.name for player in result.byes} == {*FOUR, "Eva"}


def test_where_tables_are_few_more_players_sit_out(session: Session) -> None:
    evening = Evening(session, EIGHT, "1")
    result = evening.find_result(evening.seat())
    assert (len(result.tables), len(result.byes)) == (1, 4)


def test_a_substitute_plays_for_nobody_and_is_rated(session: Session) -> None:
    evening = Evening(session, FOUR, "1")
    first = evening.seat()
    names = evening.list_names(first)
    evening.send("1", dict(zip(names, (30, 10, -10, -30), strict=True)))
    substitute = competition.substitute(session, first, evening.find_player(names[0]), "Sub")
    table = evening.find_table(first)
    assert (table.players[0].name, table.players[0].absent) == ("Sub", names[0])
    assert table.points == (30, 10, -10, -30), "the machine still has the name of who left"
    competition.end_round(first, at(60))
    rows = evening.list_standings()
    assert (rows[names[0]].points, rows[names[0]].table_points, rows[names[0]].rounds) == (0, 0, 0)
    assert "Sub" not in rows
    assert rows[names[1]].table_points == 5
    ((players, _),) = list_rated_games(session, "dragons")
    assert substitute.id in players


def test_who_left_comes_back(session: Session) -> None:
    evening = Evening(session, FOUR, "1")
    first = evening.seat()
    name, neighbour, *_ = evening.list_names(first)
    sub = competition.substitute(session, first, evening.find_player(name), "Sub")
    with pytest.raises(InputError, match=f"'{neighbour}' is already seated"):
        competition.substitute(session, first, sub.id, neighbour)
    competition.substitute(session, first, sub.id, name)
    assert [player.absent for player in evening.find_table(first).players] == [None] * 4
    with pytest.raises(InputError, match="not seated in this round"):
        competition.substitute(session, first, sub.id, "Zoe")


def test_the_final_is_of_the_first_four_who_are_there(session: Session) -> None:
    evening = Evening(session)
    first = evening.seat()
    for table in "12":
        competition.set_result(session, first, table, (30, 10, -10, -30), decide())
    competition.end_round(first, at(60))
    before = [row.name for row in evening.list_standings().values()]
    evening.mark_gone(before[1])
    final = competition.seat_final(session, evening.meeting, 2, at(61))
    four = [before[0], *before[2:5]]
    assert evening.list_names(final) == four
    assert evening.find_result(final).byes == ()
    competition.set_result(session, final, "1", (-30, -10, 10, 30), decide())
    competition.end_round(final, at(120))
    rows = list(evening.list_standings().values())
    assert {row.name for row in rows[:4]} == set(four), "the finalists stay in front"
    assert [row.is_finalist for row in rows] == [True] * 4 + [False] * 4
    assert rows[4].name == before[1]
    assert rows[3].table_points < rows[4].table_points
    with pytest.raises(InputError, match="already has its final"):
        competition.seat_final(session, evening.meeting, 3, at(130))


def test_a_request_that_comes_twice_seats_one_round(session: Session) -> None:
    evening = Evening(session)
    competition.seat_round(session, evening.meeting, 1, at(1))
    with pytest.raises(InputError, match="The next round is round 2, not 1"):
        competition.seat_round(session, evening.meeting, 1, at(1))
    assert len(competition.list_rounds(session, evening.meeting)) == 1


def test_two_organisers_who_seat_at_once_seat_one_round(database_url: str) -> None:
    with Database.parse(database_url) as database:
        database.migrate()
        with database.begin() as session:
            meeting_id = Evening(session).meeting.id

        def seat(_: int) -> str:
            try:
                with database.begin() as session:
                    meeting = session.get_one(Meeting, meeting_id)
                    competition.seat_round(session, meeting, 1, at(1))
            except InputError as problem:
                return str(problem)
            return "seated"

        with ThreadPoolExecutor(4) as threads:
            answers = sorted(threads.map(seat, range(4)))
        refusal = "The next round is round 2, not 1: load the page again."
        assert answers == [refusal, refusal, refusal, "seated"]


def test_two_organisers_who_type_in_a_result_at_once_count_it_once(database_url: str) -> None:
    with Database.parse(database_url) as database:
        database.migrate()
        with database.begin() as session:
            round_id = Evening(session, FOUR, "1").seat().id

        def set_result(_: int) -> None:
            with database.begin() as session:
                of = session.get_one(Round, round_id)
                competition.set_result(session, of, "1", (30, 10, -10, -30), decide())

        with ThreadPoolExecutor(4) as threads:
            list(threads.map(set_result, range(4)))
        with database.begin() as session:
            meeting = session.scalars(select(Meeting)).one()
            ((table,),) = (each.tables for each in list_meeting_results(session, meeting))
            assert table.points == (30, 10, -10, -30)


def test_a_round_that_is_seated_while_its_meeting_ends_ends_too(database_url: str) -> None:
    with Database.parse(database_url) as database:
        database.migrate()
        with database.begin() as session:
            meeting_id = Evening(session).meeting.id

        def end() -> None:
            with database.begin() as session:
                competition.end_meeting(session, session.get_one(Meeting, meeting_id), at(2))

        with ThreadPoolExecutor(1) as threads:
            with database.begin() as session:
                competition.seat_round(session, session.get_one(Meeting, meeting_id), 1, at(1))
                ending = threads.submit(end)
                wait_for_lock(database)
            ending.result()
        with database.begin() as session:
            assert session.scalars(select(Round.ended)).one() == at(2)


def wait_for_lock(database: Database) -> None:
    """Until a transaction waits for another one."""
    waiting = text("SELECT count(*) FROM pg_locks WHERE NOT granted")
    while True:
        with database.begin() as session:
            if session.scalar(waiting):
                return


def test_a_seating_can_be_made_again_before_the_round_begins(session: Session) -> None:
    evening = Evening(session, [*EIGHT, "Ivo"])
    competition.withdraw_round(session, evening.seat())
    assert competition.list_rounds(session, evening.meeting) == []
    first = evening.seat()
    competition.start_clock(first, at(2))
    with pytest.raises(InputError, match="Round 1 has begun"):
        competition.withdraw_round(session, first)


def test_the_clock_is_started_stopped_and_lengthened(session: Session) -> None:
    evening = Evening(session)
    first = evening.seat()
    competition.start_clock(first, at(10))
    competition.pause_clock(first, at(20))
    competition.pause_clock(first, at(25))
    competition.start_clock(first, at(30))
    competition.start_clock(first, at(35))
    competition.set_minutes(first, 90)
    session.flush()
    clock = evening.find_result(first).clock
    assert (clock.left_s(at(40)), clock.runs) == (70 * 60, True)
    competition.end_round(first, at(41))
    for act in (competition.start_clock, competition.pause_clock, competition.end_round):
        with pytest.raises(InputError, match="Round 1 is over"):
            act(first, at(42))


def test_what_begins_ends_what_was_before(session: Session) -> None:
    evening = Evening(session)
    first = evening.seat(1)
    second = evening.seat(2)
    assert (first.ended, second.ended) == (at(2), None)
    old = evening.meeting
    evening.begin_meeting(FOUR, minutes=3)
    assert (second.ended, old.ended) == (at(3), at(3))
    with pytest.raises(InputError, match="The meeting 'an evening' has ended"):
        competition.mark_present(session, old, "Zoe")
    competition.begin_season(session, "dragons", "winter", at(4), [4, 2, 1, 0])
    assert (evening.season.ended, evening.meeting.ended) == (at(4), at(4))
    with pytest.raises(InputError, match="The season 'autumn' has ended"):
        evening.begin_meeting(FOUR)
    with pytest.raises(InputError, match="already a season named 'winter'"):
        competition.begin_season(session, "dragons", " winter ", at(5))
    (club,) = list_standings(session)
    assert (club["season"]["name"], club["season"]["uma"]) == ("winter", [4, 2, 1, 0])


@pytest.mark.parametrize(
    ("club", "name", "says"),
    [("a/b", "x", "cannot be called"), ("c", "", "A name is missing"), ("c", "x" * 201, "at most 200")],
)
def test_names_that_cannot_be_are_refused(session: Session, club: str, name: str, says: str) -> None:
    with pytest.raises(InputError, match=says):
        competition.begin_season(session, club, name, at(0))


def test_a_name_may_have_the_wide_space_of_chinese(session: Session) -> None:
    assert competition.begin_season(session, "c", "二〇二六\u3000秋", at(0)).name == "二〇二六\u3000秋"


def test_a_meeting_needs_tables_and_minutes_and_a_round_four_players(session: Session) -> None:
    evening = Evening(session, FOUR[:3], "1")
    with pytest.raises(InputError, match="A table needs four players; 3 are present"):
        evening.seat()
    for tables in ((), ("1", "1"), [str(number) for number in range(101)]):
        with pytest.raises(InputError, match="different tables"):
            competition.set_tables(session, evening.meeting, tables)
    for minutes in (0, 1441):
        with pytest.raises(InputError, match="1 to 1,440 minutes"):
            competition.begin_meeting(session, evening.season, "x", "1", minutes, at(0))
    competition.mark_present(session, evening.meeting, "Dai")
    competition.set_tables(session, evening.meeting, ["near the door"])
    assert evening.list_names(evening.seat(), "near the door")


def test_games_apart_from_rounds_are_rated_and_those_of_a_round_once_it_is_over(session: Session) -> None:
    evening = Evening(session, FOUR, "1")
    first = evening.seat()
    evening.send("1", dict(zip(FOUR, (1, -1, 0, 0), strict=True)))
    assert list_rated_games(session, "dragons") == ()
    competition.end_round(first, at(60))
    ((players, points),) = list_rated_games(session, "dragons")
    assert dict(zip(players, points, strict=True))[evening.find_player("Ann")] == 1
    (club,) = list_standings(session)
    ratings = {row["name"]: row["rating"] for row in club["standings"]}
    assert ratings["Ann"] > ratings["Chen"] > ratings["Bao"]
    assert {row["name"]: row["rating"] for row in club["season"]["standings"]} == ratings


def test_a_trouble_is_cleared_once_it_was_seen(session: Session) -> None:
    table = Table(club="dragons", name="7", is_there=False, trouble="x", trouble_at=at(0))
    session.add(table)
    competition.clear_trouble(table)
    assert (table.trouble, table.trouble_at) == (None, None)
