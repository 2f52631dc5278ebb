"""What becomes of messages in a real PostgreSQL: kept once, equal to the table's sheet, or refused."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from importlib import import_module
from typing import Any, TypeVar

import msgspec
import pytest
from sqlalchemy import func, select, text, update
from sqlalchemy.orm import Session

from companion.club import clocks, collector, keeping, replay
from companion.club.collector import Collecting
from companion.club.database import Database
from companion.club.keeping import PAYLOAD_MAX_BYTES, find_missing
from companion.club.schema import Entry, GamePlayer
from companion.club.sheet_rows import write_sheet
from companion.club.standings import find_player, list_standings, list_tables
from companion.club.subscription import Arrived
from companion.publish.connection import Address
from companion.publish.topics import TableTopics, encode_again
from companion.sentences import Sentence
from companion.sheets.hands import make_sheet
from companion.table.events import Corrected, Event, GameStarted, PointsMoved, Won, encode_event
from tests.club.tables import NAMES, SentGame, assert_equals_sheet, play_hands

SEVEN, EIGHT = TableTopics("dragons", "7"), TableTopics("dragons", "8")
START = GameStarted(rules="hefei", names=NAMES)
T = TypeVar("T")


class Club:
    """A collector without a broker. said: its sentences."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.said: list[str] = []
        self.restart()

    def restart(self) -> None:
        self.collecting = Collecting(self.database, self._note, self.said.append)
        self.collecting.prepare()

    def keep(self, messages: Sequence[tuple[str, bytes]]) -> list[tuple[str, int]]:
        """Games and numbers that it asks for."""
        kept = self.collecting.keep([Arrived(topic, payload, 1, 1, 1) for topic, payload in messages])
        return [(each.game, each.first) for each in kept.missing]

    def ask(self, question: Callable[[Session], T]) -> T:
        with self.database.begin() as session:
            return question(session)

    def check(self, game: SentGame, events: Sequence[Event]) -> None:
        self.ask(lambda session: assert_equals_sheet(session, game.id, events))

    def troubles(self, topics: TableTopics) -> list[str]:
        shown = self.ask(list_tables)
        (table,) = (each for each in shown if (each["club"], each["table"]) == (topics.club, topics.table))
        found: list[str] = table["troubles"]
        return found

    def _note(self, trouble: Sentence) -> None:
        self.said.append(str(trouble))


@pytest.fixture
def club(database_url: str) -> Iterator[Club]:
    with Database.parse(database_url) as database:
        yield Club(database)


def move(points: int) -> PointsMoved:
    return PointsMoved(points=(points, -points, 0, 0), why="a wager")


@pytest.mark.parametrize(
    ("rules", "batch"), [("hefei", 1000), ("taiwanese", 37), ("hangzhou", 211), ("hebei", 61)]
)
def test_the_database_has_what_the_tables_sheet_has(club: Club, rules: str, batch: int) -> None:
    events = play_hands(rules, 5)
    game = SentGame(SEVEN, events)
    sent = game.messages()
    for at in range(0, len(sent), batch):
        assert club.keep(sent[at : at + batch]) == []
        club.check(game, events[: at + batch])
    assert club.troubles(SEVEN) == []
    club.restart()
    assert club.keep(sent) == [], "all of it once more"
    club.check(game, events)
    assert club.ask(lambda session: session.scalar(select(func.count()).select_from(Entry))) == len(sent)


def test_the_migration_adds_up_what_the_collector_does(club: Club) -> None:
    hands = play_hands("hong_kong", 4)
    moved = SentGame(EIGHT, [START, move(3)], at="later")
    unfinished = SentGame(SEVEN, hands[:20], at="last")
    games = [(SentGame(SEVEN, hands), hands), (moved, [START, move(3)]), (unfinished, hands[:20])]
    for game, _ in games:
        club.keep(game.messages())
    add_up = import_module("companion.club.migrations.versions.0003_sums").ADD_UP
    club.ask(lambda session: session.execute(update(GamePlayer).values(points=None, hands=0, wins=0)))
    club.ask(lambda session: session.execute(text(add_up)))
    for game, events in games:
        club.check(game, events)


def test_a_corrected_name_is_the_players_from_the_beginning(club: Club) -> None:
    renamed = msgspec.structs.replace(START, names=("Anna", "Bao", "Chen", "Dai"))
    steps = [START, move(3), Corrected(number=1, right=renamed, why="a letter")]
    game = SentGame(SEVEN, steps)
    club.keep(game.messages(1, 2))
    club.keep(game.messages(3))
    club.check(game, steps)
    assert club.ask(lambda session: find_player(session, "Ann")) == []
    (anna,) = club.ask(lambda session: find_player(session, "Anna"))
    assert anna["points"] == 3


def test_entries_are_kept_as_they_came(club: Club) -> None:
    game = SentGame(SEVEN, [START, move(3), -1])
    club.keep(game.messages())
    kept = club.ask(lambda session: session.scalars(select(Entry.payload).order_by(Entry.number)).all())
    assert kept == game.payloads


def test_undo_and_corrections_change_hands_that_are_long_over(club: Club) -> None:
    events = list(play_hands("hong-kong", 4))
    won = next(at for at, event in enumerate(events, start=1) if isinstance(event, Won))
    correction = Corrected(number=won, right=None, why="it was no win", more=(events[won - 1],))
    steps: list[Event | int] = [*events, correction, -1, 1, -1, -3, move(4)]
    game = SentGame(SEVEN, steps)
    sent = game.messages()
    club.keep(sent[: len(events)])
    club.check(game, events)
    club.keep(sent[len(events) : len(events) + 1])
    club.check(game, [*events, correction])
    club.restart()
    club.keep(sent[len(events) + 1 : -1])
    club.check(game, events[:-3])
    club.keep(sent[-1:])
    assert [each for each in club.said if "refused" not in each] == []


def test_a_correction_of_what_an_earlier_hand_paid_is_written(club: Club) -> None:
    wrong = Corrected(number=2, right=move(7), why="misread")
    events = [START, move(3), *play_hands("hefei", 3)[1:], wrong]
    game = SentGame(SEVEN, events)
    club.keep(game.messages()[:-1])
    club.check(game, events[:-1])
    club.keep(game.messages()[-1:])
    club.check(game, events)


@pytest.mark.parametrize("batch", [1, 50])
def test_a_collector_that_is_started_again_in_between_makes_the_same(club: Club, batch: int) -> None:
    events = play_hands("hefei", 2)
    game = SentGame(SEVEN, events)
    sent = game.messages()
    step = len(sent) // 5
    for at in range(0, len(sent), step):
        club.restart()
        club.keep(sent[max(at - 7, 0) : at + step])
    club.check(game, events)


def test_a_gap_is_marked_and_asked_for_and_what_follows_is_kept(club: Club) -> None:
    events = [START, *map(move, range(1, 9))]
    game = SentGame(SEVEN, events)
    assert club.keep(game.messages(1, 2)) == []
    assert club.keep(game.messages(5, 6)) == [(game.id, 3)]
    assert club.keep(game.messages(7)) == [], "it has been asked for"
    club.check(game, events[:2])
    assert "missing from number 3 on" in club.troubles(SEVEN)[0]
    club.restart()
    assert club.keep([game.alive(True)]) == [(game.id, 3)]
    assert club.keep(game.messages(4)) == []
    club.keep(game.messages(3))
    club.check(game, events[:7])
    assert club.troubles(SEVEN) == []
    assert club.ask(find_missing) == []
    club.keep(game.messages(8, 9))
    club.check(game, events)


def test_the_state_shows_that_entries_never_came(club: Club) -> None:
    game = SentGame(SEVEN, [START, move(1), move(2)])
    state = json.dumps({"version": 1, "game": game.id, "name": "friday", "number": 3, "state": None}).encode()
    assert club.keep([(SEVEN.state, state)]) == [(game.id, 1)]
    club.keep(game.messages(1, 2))
    assert "missing from number 3 on" in club.troubles(SEVEN)[0]
    club.keep([*game.messages(3), (SEVEN.state, state)])
    assert club.troubles(SEVEN) == []


def test_the_same_number_with_another_content_changes_nothing(club: Club) -> None:
    game = SentGame(SEVEN, [START, move(3)])
    other = SentGame(SEVEN, [START, move(300)])
    assert other.id == game.id
    renamed = SentGame(SEVEN, [START, move(3)], name="saturday")
    club.keep(game.messages())
    club.keep(renamed.messages())
    assert club.troubles(SEVEN) == []
    club.keep(other.messages())
    assert club.troubles(SEVEN) == [
        "Entry 2 of the game friday came again with another content: the first one was kept."
    ]
    club.check(game, [START, move(3)])


def test_an_impossible_entry_is_kept_with_its_ruling_and_the_rest_is_played(club: Club) -> None:
    game = SentGame(SEVEN, [START, move(3), PointsMoved(points=(5, 0, 0, 0), why="a lie"), move(4)])
    club.keep(game.messages())
    (kept,) = club.ask(
        lambda session: session.execute(
            select(Entry.number, Entry.refused, Entry.ruling).where(Entry.refused.is_not(None))
        ).all()
    )
    assert (kept.number, kept.ruling) == (3, "C-19")
    assert "add up to 0" in kept.refused
    (trouble,) = club.troubles(SEVEN)
    assert trouble.startswith("Entry 3 of the game friday is refused: ")
    assert trouble.endswith("(C-19)")
    club.check(game, [START, move(3), move(4)])
    club.restart()
    club.keep(game.messages())
    club.check(game, [START, move(3), move(4)])


NEW = b'{"event":"teleported","seat":1}'


def test_what_a_newer_table_sends_counts_once_the_club_is_as_new(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = SentGame(SEVEN, [START, move(3), move(4), move(5)])
    sent = game.messages()
    (topic, known) = sent[2]
    event = json.loads(known)["event"]
    newer = known.replace(msgspec.json.encode(event), NEW).replace(b'"version"', b'"colour":"red","version"')
    club.keep([*sent[:2], (topic, newer), sent[3]])
    (trouble,) = club.troubles(SEVEN)
    assert "is refused" in trouble
    assert "cannot be 'teleported'" in trouble
    club.check(game, [START, move(3), move(5)])
    club.restart()
    club.check(game, [START, move(3), move(5)])
    decode = replay.decode_event
    monkeypatch.setattr(
        replay, "decode_event", lambda line: decode(msgspec.json.encode(event) if line == NEW else line)
    )
    club.restart()
    club.check(game, [START, move(3), move(4), move(5)])


def test_a_game_of_which_a_newer_program_would_refuse_more_stays_as_it_is(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = SentGame(SEVEN, [START, move(3), PointsMoved(points=(1, 1, 1, 1), why="no sum"), move(4)])
    club.keep(game.messages())
    known, unknown = (
        encode_event(each) for each in (move(3), PointsMoved(points=(1, 1, 1, 1), why="no sum"))
    )
    other = {known: unknown, unknown: known}
    decode = replay.decode_event
    monkeypatch.setattr(replay, "decode_event", lambda line: decode(other.get(line, line)))
    club.restart()
    club.check(game, [START, move(3), move(4)])


def test_a_game_that_newer_rules_refuse_is_kept_and_marked(club: Club) -> None:
    game = SentGame(SEVEN, [START, move(3), move(4)])
    club.keep(game.messages(1, 2))
    with club.database.begin() as session:
        entry = session.get_one(Entry, (game.id, 1))
        entry.payload = entry.payload.replace(b"hefei", b"chess")
    club.restart()
    club.keep(game.messages(3))
    assert club.troubles(SEVEN)[0].startswith("The game friday cannot be played on: ")
    assert club.ask(lambda session: session.get(Entry, (game.id, 3))) is not None
    club.check(game, [START, move(3)])


def test_what_has_not_come_for_a_while_is_asked_for_again(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = SentGame(SEVEN, [START, move(1), move(2), move(3)])
    arrived = [Arrived(topic, payload, 1, 1, 1) for topic, payload in game.messages()]
    batches = iter([[arrived[0], arrived[3]], [], [arrived[1]], [], []])
    asked = []

    class NoBroker:
        def __init__(self, *_: object) -> None: ...

        def __enter__(self) -> NoBroker:
            return self

        def __exit__(self, *_: object) -> None: ...

        def take(self, *_: object) -> list[Arrived]:
            try:
                return next(batches)
            except StopIteration:
                raise KeyboardInterrupt from None

        def acknowledge(self, messages: Sequence[Arrived]) -> None: ...

        def send(self, topic: str, payload: bytes) -> None:
            asked.append((topic, json.loads(payload)["from"]))

    monkeypatch.setattr(collector, "Subscription", NoBroker)
    monkeypatch.setattr(collector, "AGAIN_S", -1.0)
    with pytest.raises(KeyboardInterrupt):
        club.collecting.run(Address("localhost", 1883, False), None)
    assert asked == [
        (SEVEN.again, 2),  # at once
        (SEVEN.again, 2),  # nothing came meanwhile
        (SEVEN.again, 3),  # something came, then nothing
        (SEVEN.again, 3),
    ]


def test_a_game_of_another_table_is_refused(club: Club) -> None:
    game = SentGame(SEVEN, [START, move(3)])
    copy = SentGame(EIGHT, [START, move(3), move(100)])
    club.keep([*game.messages(), *copy.messages()])
    club.check(game, [START, move(3)])
    assert club.troubles(EIGHT) == [
        "The game friday is already played at the table dragons/7: what this table sends of it is ignored."
    ]


GARBAGE = [
    (b"", "cannot be read: it is not JSON"),
    (b"\xff\xfe", "cannot be read: it is not JSON"),
    (b"[" * 5000, "cannot be read"),
    (b'{"version": 1}', "cannot be read: game is missing"),
    (b'{"version": 2, "all": "new"}', "has version 2, and this program knows version 1"),
    (b'{"version": 1' + b" " * PAYLOAD_MAX_BYTES + b"}", "bytes; at most 262,144 are read"),
    (
        b'{"version":1,"game":"0123456789abcdef","name":"x","number":1,"key":"k","at":""}',
        "neither an event nor steps",
    ),
    (
        b'{"version":1,"game":"0123456789abcdef","name":"x","number":0,"key":"k","at":"","steps":1}',
        "number must be at least 1",
    ),
    (
        b'{"version":1,"game":"\'; DROP TABLE","name":"x","number":1,"key":"k","at":"","steps":1}',
        "cannot be read",
    ),
    (
        b'{"version":1,"game":"0123456789abcdef","name":"x","number":1,"key":"k","at":"","event":[]}',
        "is refused",
    ),
]


@pytest.mark.parametrize("topic", ["events", "state", "alive"])
def test_garbage_is_a_sentence_and_the_next_message_counts(club: Club, topic: str) -> None:
    game = SentGame(SEVEN, [START, move(3)])
    sent = [
        (f"mahjong/dragons/{table}/{topic}", payload) for table, (payload, _) in enumerate(GARBAGE, start=100)
    ]
    club.keep([*sent, *game.messages()])
    club.check(game, [START, move(3)])
    if topic == "events":
        for table, (_, says) in enumerate(GARBAGE, start=100):
            (trouble,) = club.troubles(TableTopics("dragons", str(table)))
            assert says in trouble
            assert f"dragons/{table}: {trouble}" in club.said


def test_a_clock_an_hour_off_is_a_trouble(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clocks, "APART_MIN", timedelta(0))
    game = SentGame(SEVEN, [START])
    for _ in range(2):
        club.keep([game.alive(True, datetime.now(UTC) - timedelta(hours=1))])
    assert club.troubles(SEVEN) == ["The clock of this table is 60 minutes slow: set it."]


def test_topics_that_no_table_has_leave_no_trace(club: Club) -> None:
    club.keep([("mahjong/\x07/7/events", b"{}"), ("mahjong/a/b/again", encode_again("0" * 16, 1))])
    assert club.ask(list_tables) == []


def test_a_fault_of_the_program_costs_one_message_and_no_other(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    good, bad = SentGame(SEVEN, [START, move(3)]), SentGame(EIGHT, [START, move(4)], at="later")

    def write(session: Session, game: str, *more: Any) -> None:
        if game == bad.id:
            raise ZeroDivisionError
        write_sheet(session, game, *more)

    monkeypatch.setattr(keeping, "write_sheet", write)
    club.keep([*good.messages(1), *bad.messages(1), *good.messages(2)])
    club.check(good, [START, move(3)])
    assert club.troubles(EIGHT) == ["A message on mahjong/dragons/8/events could not be kept (see the log)."]
    monkeypatch.undo()
    club.keep(bad.messages())
    club.check(bad, [START, move(4)])


def test_standings_tables_and_players(club: Club) -> None:
    hands = play_hands("hefei", 3)
    first = SentGame(SEVEN, hands)
    second = SentGame(EIGHT, [START, PointsMoved(points=(1000, -1000, 0, 0), why="a wager")], at="later")
    practice = SentGame(EIGHT, [GameStarted(rules="hefei", names=NAMES, practice=5), move(9)], at="last")
    club.keep([*first.messages(), *second.messages(), *practice.messages(), second.alive(True)])
    (of_club,) = club.ask(list_standings)
    assert of_club["club"] == "dragons"
    sheet = make_sheet(hands)
    points = {name: now - had for name, now, had in zip(NAMES, sheet.state.points, sheet.start, strict=True)}
    points["Ann"] += 1000
    points["Bao"] -= 1000
    assert {row["name"]: row["points"] for row in of_club["standings"]} == points
    assert of_club["standings"][0]["name"] == max(points, key=lambda name: points[name])
    assert {(row["games"], row["hands"]) for row in of_club["standings"]} == {(2, 3)}
    assert sum(row["wins"] for row in of_club["standings"]) == sum(len(hand.wins) for hand in sheet.hands)
    seven, eight = club.ask(list_tables)
    assert (seven["is_there"], eight["is_there"]) == (False, True)
    assert (seven["game"]["rules"], seven["game"]["number"]) == ("hefei", len(hands))
    (ann,) = club.ask(lambda session: find_player(session, "Ann"))
    assert ann["points"] == points["Ann"]
    assert [(game["table"], game["hands"]) for game in ann["games"]] == [("7", 3), ("8", 0)]
    assert club.ask(lambda session: find_player(session, "Nobody")) == []
