"""`companion publish` against a real Mosquitto: every entry once and in order, through cuts and restarts."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path

import jsonschema
import pytest

from companion.game import shelf
from companion.game.game import Game
from companion.publish.broker import TAKEN, Broker
from companion.publish.connection import Address
from companion.publish.topics import Message, TableTopics, encode_again, encode_alive
from companion.sentences import Sentence
from companion.table.events import GameStarted, PointsMoved
from tests.programs import started
from tests.publish.brokers import MOSQUITTO, Mosquitto, Subscriber, wait_until

pytestmark = pytest.mark.skipif(MOSQUITTO is None, reason="mosquitto is not installed")
LIMIT_S = 60
ROOT = Path(__file__).parents[2]
START = GameStarted(rules="hefei", names=("Ann", "B", "C", "D"))
PLACE = ("--club", "dragons", "--table", "7")
TOPICS = TableTopics("dragons", "7")


@pytest.fixture
def game() -> Iterator[Game]:
    with Game.begin(shelf.path_of("friday"), START) as game:
        yield game


def publishing(url: str, *more: str) -> AbstractContextManager[subprocess.Popen[str]]:
    command = [sys.executable, "-m", "companion", "publish", "friday", "--broker", url, *PLACE, *more]
    return started(command, limit_s=LIMIT_S, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def end(program: subprocess.Popen[str]) -> tuple[str, str]:
    program.send_signal(signal.SIGINT)
    return program.communicate(timeout=LIMIT_S)


def move(points: int) -> PointsMoved:
    return PointsMoved(points=(points, -points, 0, 0), why="a wager")


def numbers(club: Subscriber) -> list[int]:
    return [each["number"] for each in club.sent("dragons/7/events")]


def test_each_entry_goes_out_once_with_its_key_and_the_newest_state_is_retained(
    broker: Mosquitto, club: Subscriber, game: Game
) -> None:
    game.append(move(3), key="own")
    with publishing(broker.url, "--json") as program:
        wait_until(lambda: len(numbers(club)) == 2, LIMIT_S)
        game.append(move(5), p=0.7)
        game.undo()
        wait_until(lambda: len(numbers(club)) == 4, LIMIT_S)
        wait_until(lambda: club.sent("dragons/7/state")[-1]["number"] == 4, LIMIT_S)
        assert [each["alive"] for each in club.sent("dragons/7/alive")] == [True]
        out, err = end(program)
    assert err == ""
    assert json.loads(out.splitlines()[-1]) == {"sent": 4}
    first, own, doubtful, undone = club.sent("dragons/7/events")
    assert (first["name"], first["event"]["event"], first["number"]) == ("friday", "game_started", 1)
    assert own["key"] == "own"
    assert doubtful["p"] == 0.7
    assert (undone["steps"], "event" in undone) == (-1, False)
    assert len({each["key"] for each in club.sent("dragons/7/events")}) == 4
    assert {each["game"] for each in club.sent("dragons/7/events")} == {first["game"]}
    wait_until(lambda: club.sent("dragons/7/alive")[-1]["alive"] is False, LIMIT_S)
    late = Subscriber(broker.port, "late")
    wait_until(lambda: late.sent("dragons/7/state") and late.sent("dragons/7/alive"), LIMIT_S)
    assert late.sent("dragons/7/state")[0]["names"] == ["Ann", "B", "C", "D"]
    assert late.sent("dragons/7/events") == []
    late.close()


def test_what_a_cut_kept_back_follows_and_nothing_comes_twice(
    broker: Mosquitto, club: Subscriber, game: Game
) -> None:
    with publishing(broker.url) as program:
        wait_until(lambda: numbers(club) == [1], LIMIT_S)
        broker.stop()
        for points in range(1, 6):
            game.append(move(points))
        assert program.stderr is not None
        assert "cannot be reached" in program.stderr.readline()
        broker.start()
        wait_until(lambda: numbers(club) == [1, 2, 3, 4, 5, 6], LIMIT_S)
        assert "accepts this table's messages again" in program.stderr.readline()
        wait_until(lambda: club.sent("dragons/7/state")[-1]["number"] == 6, LIMIT_S)
        end(program)


def test_a_restart_goes_on_where_it_was_killed(broker: Mosquitto, club: Subscriber, game: Game) -> None:
    for points in range(1, 40):
        game.append(move(points))
    with publishing(broker.url) as program:
        wait_until(lambda: len(numbers(club)) > 5, LIMIT_S)
        program.kill()
        program.wait()
    wait_until(lambda: club.sent("dragons/7/alive")[-1]["alive"] is False, LIMIT_S)  # the last will
    with publishing(broker.url) as program:
        wait_until(lambda: numbers(club) and numbers(club)[-1] == 40, LIMIT_S)
        end(program)
    sent = numbers(club)
    assert sorted(set(sent)) == list(range(1, 41))
    assert len(sent) <= 41, "only the entry that was on its way may come again, with its key"
    keys = [each["key"] for each in club.sent("dragons/7/events")]
    assert len(set(keys)) == 40


def test_what_the_club_asks_for_is_sent_again(broker: Mosquitto, club: Subscriber, game: Game) -> None:
    for points in (1, 2, 3):
        game.append(move(points))
    place = TableTopics("dragons", "7")
    with publishing(broker.url) as program:
        wait_until(lambda: numbers(club) == [1, 2, 3, 4], LIMIT_S)
        first = club.sent("dragons/7/events")[0]
        for asked in (b"{", b'{"version": 9, "game": "", "from": 1}', encode_again("0" * 16, 1)):
            club.send(place.again, asked)
        club.send(place.again, encode_again(first["game"], 3))
        wait_until(lambda: numbers(club) == [1, 2, 3, 4, 3, 4], LIMIT_S)
        game.append(move(4))
        wait_until(lambda: numbers(club)[6:] == [5], LIMIT_S)
        assert end(program)[1] == ""
    assert club.sent("dragons/7/events")[4] == club.sent("dragons/7/events")[2]


def test_a_second_program_waits_until_the_first_is_gone(
    broker: Mosquitto, club: Subscriber, game: Game
) -> None:
    with publishing(broker.url) as first:
        wait_until(lambda: numbers(club) == [1], LIMIT_S)
        with publishing(broker.url) as second:
            assert second.stderr is not None
            assert "Another program publishes as this table" in second.stderr.readline()
            end(first)
            game.append(move(1))
            assert "accepts this table's messages again" in second.stderr.readline()
            wait_until(lambda: numbers(club) == [1, 2], LIMIT_S)
            end(second)


def test_after_a_power_cut_a_table_is_taken_over_once_nobody_says_that_it_is_there(
    broker: Mosquitto, club: Subscriber, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.publish.broker.GONE_AFTER_S", 1.0)
    club.send(TOPICS.alive, encode_alive(True, "ffff"), retain=True)  # of a program without a last will
    said: list[Sentence | None] = []
    with Broker(Address.parse(broker.url), TOPICS, said.append) as again:
        again.send(Message(TOPICS.events, b"{}"))
    assert [str(each) if each else None for each in said] == [TAKEN, None]


def test_of_programs_that_start_together_one_is_the_table(
    broker: Mosquitto, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.publish.broker.ALIVE_EVERY_S", 0.2)
    for _ in range(5):
        with ExitStack() as stack:
            said: tuple[list[Sentence | None], ...] = ([], [])
            both = [
                stack.enter_context(Broker(Address.parse(broker.url), TOPICS, each.append)) for each in said
            ]

            def is_settled(both: list[Broker] = both, said: tuple[list[Sentence | None], ...] = said) -> bool:
                for each in both:
                    each.check()
                announced = [each.is_announced for each in both]
                return announced.count(True) == 1 and said[announced.index(False)][-1:] == [Sentence(TAKEN)]

            wait_until(is_settled, LIMIT_S)
            settled_s = time.monotonic()
            while time.monotonic() < settled_s + 0.5:
                assert is_settled()


def test_what_the_broker_refuses_ends_in_a_sentence(tmp_path: Path, game: Game) -> None:
    rights = tmp_path / "rights"
    rights.write_text(f"topic readwrite {TOPICS.alive}\n")
    broker = Mosquitto(tmp_path / "refusing", "allow_anonymous true", f"acl_file {rights}")
    try:
        with publishing(broker.url) as program:
            _, err = program.communicate(timeout=LIMIT_S)
        assert (program.returncode, err.count("\n")) == (3, 1)
        assert "refuses this (Not authorized)" in err
    finally:
        broker.stop()


def test_a_password_is_asked_for_and_shown_nowhere(
    tmp_path: Path, game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    passwords = tmp_path / "passwords"
    subprocess.run(["mosquitto_passwd", "-b", "-c", passwords, "table7", "open sesame"], check=True)
    passwords.chmod(0o600)
    broker = Mosquitto(tmp_path / "guarded", "allow_anonymous false", f"password_file {passwords}")
    try:
        url = broker.url.replace("//", "//table7@")
        monkeypatch.setenv("COMPANION_BROKER_PASSWORD", "wrong secret")
        with publishing(url) as program:
            out, err = program.communicate(timeout=LIMIT_S)
        assert (program.returncode, err.count("\n")) == (3, 1)
        assert "refuses this" in err
        assert "secret" not in out + err
        monkeypatch.setenv("COMPANION_BROKER_PASSWORD", "open sesame")
        with publishing(url) as program:
            assert program.stdout is not None
            assert "1 entries sent" in program.stdout.readline()
            end(program)
    finally:
        broker.stop()


def test_home_assistant_finds_the_table(broker: Mosquitto, club: Subscriber, game: Game) -> None:
    with publishing(broker.url, "--home-assistant") as program:
        wait_until(lambda: len(club.sent("/config")) == 2, LIMIT_S)
        end(program)
    status, left = club.sent("/config")
    assert status["state_topic"] == left["state_topic"] == "mahjong/dragons/7/state"
    assert status["unique_id"] != left["unique_id"]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("nothing", "--broker", "mqtt://localhost", *PLACE), "nothing"),
        (
            ("friday", "--broker", "http://localhost", *PLACE),
            "A broker is given as mqtt://localhost or mqtts://localhost",
        ),
        (("friday", "--broker", "mqtt://local..host", *PLACE), "A broker is given as mqtt://localhost"),
        (
            ("friday", "--broker", "mqtt://localhost:99999", *PLACE),
            "A broker is given as mqtt://localhost or mqtts://localhost",
        ),
        (("friday", "--broker", "mqtt://localhost", "--club", "a/b", "--table", "1"), "'a/b'"),
        (("friday", "--broker", "mqtt://localhost", "--club", "c", "--table", "#"), "'#'"),
        (("friday", "--broker", "mqtts://localhost", *PLACE, "--ca", "/nowhere"), "/nowhere"),
        (("friday", "--broker", "mqtt://localhost", *PLACE, "--ca", "/nowhere"), "mqtts"),
    ],
)
def test_wrong_input_ends_in_one_sentence(arguments: tuple[str, ...], says: str, game: Game) -> None:
    command = [sys.executable, "-m", "companion", "publish", *arguments]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT_S, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr.count("\n")) == (2, "", 1), ended.stderr
    assert says in ended.stderr


def test_a_broker_with_tls_is_trusted_by_its_authority_only(
    tmp_path: Path, game: Game, club: Subscriber
) -> None:
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
         "-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", certificate],
        check=True, capture_output=True,
    )  # fmt: skip
    broker = Mosquitto(
        tmp_path / "encrypted", "allow_anonymous true", f"certfile {certificate}", f"keyfile {key}"
    )
    try:
        url = f"mqtts://localhost:{broker.port}"
        with publishing(url) as program:
            _, err = program.communicate(timeout=LIMIT_S)
        assert (program.returncode, err.count("\n")) == (3, 1)
        assert "is not trusted" in err
        with publishing(url, "--ca", str(certificate)) as program:
            assert program.stdout is not None
            assert "1 entries sent" in program.stdout.readline()
            end(program)
    finally:
        broker.stop()


def test_every_message_is_as_described(broker: Mosquitto, club: Subscriber, game: Game) -> None:
    described = json.loads((ROOT / "docs/asyncapi.json").read_text())
    game.append(move(3), key="own", p=0.5)
    game.undo()
    with publishing(broker.url) as program:
        wait_until(lambda: len(numbers(club)) == 3 and club.sent("/state"), LIMIT_S)
        club.send(TableTopics("dragons", "7").again, encode_again(club.sent("/events")[0]["game"], 1))
        wait_until(lambda: len(numbers(club)) == 6, LIMIT_S)
        end(program)
    for name, channel in described["channels"].items():
        (message,) = channel["messages"].values()
        schema = message["payload"]
        sent = club.sent(f"dragons/7/{name}")
        assert sent, name
        for content in sent:
            jsonschema.validate(content, schema)
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate({**sent[0], "version": 99}, schema)
