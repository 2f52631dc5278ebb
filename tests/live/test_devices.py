"""Devices on real lines feed a running game: emulated ones on pseudo-terminals, recorded ones played back."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from followed import WAIT_S, Follower, wait_for
from hands import CUP, SECOND, TOUCH

from companion.errors import InputError
from companion.game import deciding
from companion.game.deciding import Decision, Progress, Verdict, Why
from companion.game.game import Game
from companion.game.proposals import ASK_ALWAYS, Proposal, SourceKind, TrustPolicy
from companion.live.devices import Chosen, ChosenDevices, DeviceReported, DevicesChanged, DevicesView, Serial
from companion.live.running import RunningGame
from companion.table.events import Call, Called, GameStarted, HandStarted, decode_event
from firmware_bridge.emulator import AutomaticTable, DiceCup, EmulatedDevice
from firmware_bridge.events import Button, ButtonAction, ButtonEvent
from firmware_bridge.link import DeviceReport, LinkState, Status
from firmware_bridge.peer import Received
from firmware_bridge.recording import Piece, replay
from firmware_bridge.session import LinkEvent
from firmware_bridge.troubles import NONE

pytestmark = pytest.mark.slow

START = GameStarted(rules="hebei")


@pytest.fixture
def cup(tmp_path: Path) -> Iterator[EmulatedDevice]:
    with EmulatedDevice(DiceCup(random.Random(3)), tmp_path / "cup") as device:
        yield device


def view(follower: Follower) -> DevicesView:
    return follower.of(DevicesChanged)[-1].devices


def connect(game: RunningGame, follower: Follower, device: EmulatedDevice) -> None:
    game.listen(str(device.path)).result(WAIT_S)
    wait_for(lambda: link_of(game, device).status().known.complete)
    game._ask(game._links.poll).result(WAIT_S)
    assert view(follower).is_connected


def link_of(game: RunningGame, device: EmulatedDevice):  # type: ignore[no-untyped-def]
    return game._links._linked[str(device.path)].link


def do(device: EmulatedDevice, *words: str) -> None:
    device.play(lambda t_ms: device.model.act(words, t_ms))


def faces(device: EmulatedDevice) -> tuple[int, ...]:
    assert isinstance(device.model, DiceCup)
    assert device.model.last is not None
    return tuple(die.value for die in device.model.last.dice)


def test_a_roll_becomes_an_event_that_is_kept(game: RunningGame, cup: EmulatedDevice, path: Path) -> None:
    follower = Follower(game)
    game.begin(path, START)
    connect(game, follower, cup)
    before_ns = game.now_ns
    do(cup, "roll")
    wait_for(lambda: follower.accepted)
    (decision,) = follower.accepted
    assert decision.event == HandStarted(dealer=0, dice=faces(cup))
    assert decision.proposal.source.kind is SourceKind.DEVICE
    assert before_ns - SECOND < decision.proposal.t_ns < game.now_ns
    game.close()
    with Game.resume(path) as kept:
        assert decode_event(kept.file.standing[-1].event) == decision.event


def test_a_roll_that_is_touched_too_starts_one_hand(game: RunningGame, cup: EmulatedDevice) -> None:
    """The person is quicker than the cup's line, or the cup is: the same game results."""
    follower = Follower(game)
    for touched_first in (True, False):
        game.play(START)
        if not touched_first:
            connect(game, follower, cup)
            do(cup, "roll")
            wait_for(lambda: follower.decisions)
        else:
            game.propose(Proposal(HandStarted(dealer=0, dice=(1, 1)), game.now_ns, TOUCH))
            game.propose(Proposal(HandStarted(dealer=0, dice=(1, 1)), game.now_ns, CUP)).result(WAIT_S)
            assert [each.verdict for each in follower.decisions] == [Verdict.ACCEPTED, Verdict.REPEATED]
            follower.updates.clear()
    entered = Proposal(HandStarted(dealer=0, dice=faces(cup)), game.now_ns, TOUCH)
    assert game.propose(entered).result(WAIT_S).verdict is Verdict.REPEATED


def test_unconfirmed_roll_waits_and_serves_another_game(game: RunningGame, cup: EmulatedDevice) -> None:
    game.agree(ASK_ALWAYS)
    follower = Follower(game)
    game.play(START)
    connect(game, follower, cup)
    do(cup, "roll")
    wait_for(lambda: view(follower).newest_start)
    start = view(follower).newest_start
    assert start is not None
    assert start.start is not None
    assert start.start.hand is not None
    assert start.start.hand.dice == faces(cup)
    game.play(GameStarted(rules="hefei", dealer=2)).result(WAIT_S)
    other = view(follower).newest_start
    assert other is not None
    assert other.start is not None
    assert other.start.house.rules.name == "hefei"
    assert other.start.deal.dealer == 2
    game.play(GameStarted(rules="hebei")).result(WAIT_S)
    pending = follower.decisions[-1].pending
    assert pending is not None
    game.confirm(pending.number, TOUCH).result(WAIT_S)
    game._ask(game._links.poll).result(WAIT_S)
    assert view(follower).newest_start is None


def test_reports_of_two_devices_serve_the_next_game(
    game: RunningGame, cup: EmulatedDevice, tmp_path: Path
) -> None:
    game.agree(ASK_ALWAYS)
    follower = Follower(game)
    game.play(START)
    with EmulatedDevice(DiceCup(random.Random(5)), tmp_path / "other") as other:
        for device in (cup, other):
            connect(game, follower, device)
        for device in (other, cup, other):
            before = len(follower.decisions)
            do(device, "roll")
            wait_for(lambda before=before: len(follower.decisions) > before)  # type: ignore[misc]
        for dealer in (2, 3):
            game.play(GameStarted(rules="hefei", dealer=dealer)).result(WAIT_S)
            starts = [each.start for each in view(follower).devices]
            assert [start and start.deal.dealer for start in starts] == [dealer, dealer]
        game.close()


def test_a_roll_of_another_game_is_entered_by_nobody_but_a_person(
    game: RunningGame, cup: EmulatedDevice
) -> None:
    follower = Follower(game)
    game.agree(ASK_ALWAYS)
    game.play(START)
    connect(game, follower, cup)
    do(cup, "roll")
    wait_for(lambda: view(follower).newest_start)
    game.agree(TrustPolicy())
    game.play(GameStarted(rules="hefei")).result(WAIT_S)
    assert follower.accepted == []
    assert follower.decisions[-1].pending is not None
    assert follower.decisions[-1].pending.why is Why.ASKS


def test_a_button_asks_or_wins_as_agreed(game: RunningGame, tmp_path: Path) -> None:
    follower = Follower(game)
    with EmulatedDevice(AutomaticTable(random.Random(3)), tmp_path / "table") as table:
        game.play(START)
        connect(game, follower, table)
        game.seat_device(str(table.path), 1)
        do(table, "press", "2", "1")
        wait_for(lambda: [each for each in follower.of(DeviceReported) if each.meaning.request])
        (request,) = [each.meaning.request for each in follower.of(DeviceReported) if each.meaning.request]
        assert (request.seat, request.button) == (3, Button.WIN)
        game.close()


def test_devices_that_were_chosen_come_back_and_a_forgotten_one_goes(
    game: RunningGame, cup: EmulatedDevice
) -> None:
    follower = Follower(game)
    choice = ChosenDevices((Chosen(str(cup.path), 2), Chosen("/dev/absent")))
    game.begin_devices(choice)
    wait_for(lambda: view(follower).is_connected)
    assert view(follower).choice == choice
    wait_for(lambda: view(follower).devices[1].trouble)
    game.forget("/dev/absent").result(WAIT_S)
    assert view(follower).choice == ChosenDevices((Chosen(str(cup.path), 2),))
    cup.unplug()
    wait_for(lambda: view(follower).devices[0].state is LinkState.NO_PORT)
    cup.plug()
    wait_for(lambda: view(follower).is_connected)
    game.close()
    wait_for(lambda: not cup.is_open)


def test_unusable_port_is_reported(game: RunningGame, tmp_path: Path) -> None:
    follower = Follower(game)
    with pytest.raises(InputError, match="USB id"):
        game.listen("usb:nonsense").result(WAIT_S)
    with pytest.raises(InputError, match="cannot be written"):
        game.listen("/dev/absent", tmp_path / "absent" / "file").result(WAIT_S)
    assert len(follower.troubles) == 2
    assert view(follower).devices == ()


def test_a_recorded_session_says_the_same(cup: EmulatedDevice, tmp_path: Path) -> None:
    file, said = tmp_path / "session.jsonl", []
    live = RunningGame(policy=ASK_ALWAYS)
    follower = Follower(live)
    live.play(START)
    live.listen(str(cup.path), file).result(WAIT_S)
    wait_for(lambda: link_of(live, cup).status().known.complete)
    for _ in range(2):
        do(cup, "roll")
        done = len(said) + 1
        wait_for(lambda done=done: len(follower.decisions) >= done)  # type: ignore[misc]
        said = [each.proposal.event for each in follower.decisions]
    live.close()
    again = RunningGame(policy=ASK_ALWAYS)
    follower = Follower(again)
    again.play(START)
    for event in replay(file):
        if not isinstance(event, Piece):
            again.report("recorded", event)
    again.close()
    assert [each.proposal.event for each in follower.decisions] == said
    assert all(each.verdict is Verdict.HELD for each in follower.decisions)


class Reporting:
    """A link that has received these events."""

    def __init__(self, *events: LinkEvent) -> None:
        self.events = events

    def take(self) -> tuple[LinkEvent, ...]:
        events, self.events = self.events, ()
        return events

    def status(self) -> Status:
        return Status("x", "x", LinkState.OPEN, None, NONE, 1, 0, 0, 0, None, False, DeviceReport())

    def close(self, seconds: float = 0) -> None:
        pass


def press(seat: int, button: Button) -> Received:
    now = time.monotonic()
    return Received(ButtonEvent(1, seat, button, ButtonAction.PRESSED), now, now, 1)


BURST = (press(0, Button.PUNG), press(1, Button.CHOW), press(2, Button.READY), press(3, Button.WIN))


def test_reports_without_a_game_are_shown_but_not_decided() -> None:
    serial = Serial(tuple, lambda _: (), lambda *_, **__: Reporting(*BURST))  # type: ignore[arg-type,return-value]
    game = RunningGame(serial=serial)
    follower = Follower(game)
    game.listen("x").result(WAIT_S)
    game.close()
    assert [each.event for each in follower.of(DeviceReported)] == list(BURST)
    assert (follower.decisions, follower.troubles) == ([], [])
    assert view(follower).devices[0].last == BURST[-1]


def test_a_report_that_fails_takes_no_other_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    decide = deciding.decide

    def fail(progress: Progress, proposal: Proposal, policy: TrustPolicy, number: int) -> Decision:
        if proposal.event == Called(seat=0, call=Call.PUNG):
            raise RuntimeError("a fault")
        return decide(progress, proposal, policy, number)

    monkeypatch.setattr(deciding, "decide", fail)
    serial = Serial(tuple, lambda _: (), lambda *_, **__: Reporting(*BURST))  # type: ignore[arg-type,return-value]
    game = RunningGame(serial=serial)
    follower = Follower(game)
    game.play(START)
    game.listen("x").result(WAIT_S)
    game.close()
    assert [each.event for each in follower.of(DeviceReported)] == list(BURST)
    assert len(follower.decisions) == 2
    assert len(follower.troubles) == 1
