"""The game that this process plays, published on a thread of its own: against a real Mosquitto."""

from __future__ import annotations

import socket
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from companion.game import shelf
from companion.game.owner import TOUCH, GameOwner
from companion.game.proposals import Proposal
from companion.publish.background import Publishing
from companion.publish.broker import TAKEN
from companion.publish.connection import REFUSED, UNREACHABLE, Address
from companion.publish.sources import KeptSoFar, PlayedSource
from companion.publish.topics import TableTopics
from companion.sentences import Sentence
from companion.table.events import Dealt, Event, GameStarted, HandStarted, PointsMoved
from tests.publish.brokers import MOSQUITTO, Mosquitto, Subscriber, wait_until

needs_broker = pytest.mark.skipif(MOSQUITTO is None, reason="mosquitto is not installed")
LIMIT_S = 60
CLOSED_S = 2.0
START = GameStarted(rules="hefei", names=("Ann", "B", "C", "D"))
TOPICS = TableTopics("dragons", "7")


@dataclass
class Heard:
    """What the window would hear."""

    caught_up: list[tuple[str, int]] = field(default_factory=list)
    troubles: list[Sentence | None] = field(default_factory=list)
    ends: list[Sentence] = field(default_factory=list)

    def publish(self, game: GameOwner, address: Address) -> Publishing:
        return Publishing(
            game, address, TOPICS, None,
            caught_up=lambda name, number: self.caught_up.append((name, number)),
            report=self.troubles.append, ended=self.ends.append,
        )  # fmt: skip


@pytest.fixture
def game() -> Iterator[GameOwner]:
    game = GameOwner()
    yield game
    game.close()


def begin(game: GameOwner, name: str, start: GameStarted = START) -> None:
    game.begin(shelf.path_of(name), start).result(LIMIT_S)


def propose(game: GameOwner, event: Event) -> None:
    game.propose(Proposal(event, game.now_ns, TOUCH)).result(LIMIT_S)


def move(game: GameOwner, *points: int) -> None:
    for each in points:
        propose(game, PointsMoved(points=(each, -each, 0, 0), why="a wager"))


def sent(club: Subscriber) -> list[tuple[str, int]]:
    return [(each["name"], each["number"]) for each in club.sent("dragons/7/events")]


@needs_broker
def test_the_running_game_is_sent_while_it_is_played_and_the_next_one_after_it(
    broker: Mosquitto, club: Subscriber, game: GameOwner
) -> None:
    heard = Heard()
    publishing = heard.publish(game, Address.parse(broker.url))
    begin(game, "friday")
    move(game, 3)
    game.undo().result(LIMIT_S)
    wait_until(lambda: sent(club) == [("friday", 1), ("friday", 2), ("friday", 3)], LIMIT_S)
    wait_until(lambda: club.sent("/state") and club.sent("/state")[-1]["number"] == 3, LIMIT_S)
    wait_until(lambda: heard.caught_up[-1:] == [("friday", 3)], LIMIT_S)
    begin(game, "saturday", GameStarted(rules="hefei", names=("E", "F", "G", "H")))
    wait_until(lambda: club.sent("/state")[-1]["names"] == ["E", "F", "G", "H"], LIMIT_S)
    assert sent(club)[3:] == [("saturday", 1)]
    publishing.close()
    wait_until(lambda: club.sent("/alive")[-1]["alive"] is False, LIMIT_S)
    move(game, 1)
    publishing = heard.publish(game, Address.parse(broker.url))
    wait_until(lambda: sent(club)[4:] == [("saturday", 2)], LIMIT_S)
    publishing.close()
    assert heard.ends == []


@needs_broker
def test_a_game_that_was_left_during_a_cut_is_sent_before_the_next(
    broker: Mosquitto, club: Subscriber, game: GameOwner
) -> None:
    begin(game, "friday")
    heard = Heard()
    publishing = heard.publish(game, Address.parse(broker.url))
    wait_until(lambda: sent(club) == [("friday", 1)], LIMIT_S)
    broker.stop()
    wait_until(lambda: heard.troubles and heard.troubles[-1], LIMIT_S)
    assert heard.troubles[-1] is not None
    assert heard.troubles[-1].template == UNREACHABLE
    move(game, 1, 2)
    begin(game, "saturday")
    move(game, 4)
    broker.start()
    expected = [("friday", 1), ("friday", 2), ("friday", 3), ("saturday", 1), ("saturday", 2)]
    wait_until(lambda: sent(club) == expected, LIMIT_S)
    assert heard.troubles[-1] is None
    publishing.close()


@needs_broker
def test_a_second_program_of_this_table_is_a_sentence(broker: Mosquitto, game: GameOwner) -> None:
    first, second = Heard(), Heard()
    publishing = first.publish(game, Address.parse(broker.url))
    begin(game, "friday")
    wait_until(lambda: first.caught_up, LIMIT_S)
    other = second.publish(game, Address.parse(broker.url))
    wait_until(lambda: second.troubles == [Sentence(TAKEN)], LIMIT_S)
    publishing.close()
    wait_until(lambda: second.troubles[-1] is None, LIMIT_S)
    other.close()


@needs_broker
def test_a_wrong_password_ends_it_with_a_sentence(tmp_path: Path, game: GameOwner) -> None:
    passwords = tmp_path / "passwords"
    subprocess.run(["mosquitto_passwd", "-b", "-c", passwords, "table7", "open sesame"], check=True)
    passwords.chmod(0o600)
    broker = Mosquitto(tmp_path / "guarded", "allow_anonymous false", f"password_file {passwords}")
    address = replace(Address.parse(broker.url), user="table7")
    try:
        begin(game, "friday")
        heard = Heard()
        heard.publish(game, replace(address, password="wrong secret"))
        wait_until(lambda: heard.ends, LIMIT_S)
        assert heard.ends[0].template == REFUSED
        assert "secret" not in repr((heard, heard.ends[0].params))
        publishing = heard.publish(game, replace(address, password="open sesame"))
        wait_until(lambda: heard.caught_up, LIMIT_S)
        publishing.close()
    finally:
        broker.stop()


def test_a_broker_that_never_answers_keeps_neither_the_game_nor_the_end_waiting(game: GameOwner) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        begin(game, "friday")
        publishing = Heard().publish(game, Address("127.0.0.1", silent.getsockname()[1], is_encrypted=False))
        silent.accept()
        move(game, *range(1, 20))
        begun_s = time.monotonic()
        publishing.close()
        assert time.monotonic() - begun_s < CLOSED_S


def names_of(kept: KeptSoFar) -> tuple[str | None, list[int]]:
    return kept.played and kept.played.name, [entry.number for entry in kept.entries]


def test_only_a_kept_game_is_sent_and_only_what_changes_it_is_news(game: GameOwner) -> None:
    source = PlayedSource(game)
    assert names_of(source.read()) == (None, [])
    game.play(START).result(LIMIT_S)
    propose(game, HandStarted(dealer=0))
    assert names_of(source.read()) == (None, [])
    begin(game, "friday")
    move(game, 1)
    kept = source.read()
    assert names_of(kept) == (None, []), "that none is played comes first"
    kept = source.read()
    assert names_of(kept) == ("friday", [1, 2])
    propose(game, Dealt())  # refused: no hand was started
    assert source.read() is kept
    game.leave().result(LIMIT_S)
    assert [names_of(source.read()) for _ in range(2)] == [("friday", [1, 2]), (None, [])]
    source.close()
    begin(game, "saturday")
    assert names_of(source.read()) == (None, [])
