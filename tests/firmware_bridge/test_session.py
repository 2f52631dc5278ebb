"""Both sides of a session on a line made of lists, in a time that the tests make: no clock, no port."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_bridge.codec import Decoder, Packet, Unknown, encode
from firmware_bridge.commands import Beep, CommandOutcome, Result, SetTileCount, SnapshotRequest
from firmware_bridge.device_session import DeviceSession, DeviceSessionState, HostGone
from firmware_bridge.errors import LinkError, QueueFullError
from firmware_bridge.events import ButtonEvent, Dice, Die, Snapshot, Tile
from firmware_bridge.framing import wrap
from firmware_bridge.handshake import (
    Ack,
    Attention,
    Bye,
    Capability,
    Heartbeat,
    Hello,
    Refused,
    Welcome,
)
from firmware_bridge.limits import FRAMES_PER_SECOND_MAX, QUEUE_MAX
from firmware_bridge.peer import End, Received
from firmware_bridge.sequence import Arrival, Incoming, Outgoing, advance, count_steps
from firmware_bridge.session import HostSession, HostState, SessionEnded, SessionOpened, SessionRefused
from tests.firmware_bridge.session_line import ABOUT, Line, clean, damaging, drawn


def test_numbers_go_round_without_zero() -> None:
    assert [advance(254), advance(255), advance(1, 255)] == [255, 1, 1]
    assert count_steps(250, 3) == 8
    incoming = Incoming()
    incoming.expected = 2
    assert [incoming.classify(seq) for seq in (2, 1, 255, 3)] == [
        Arrival.NEXT, Arrival.DUPLICATE, Arrival.DUPLICATE, Arrival.GAP,
    ]  # fmt: skip


def test_the_window_is_kept_and_the_pause_doubles() -> None:
    outgoing = Outgoing(window=2)
    numbers = [outgoing.post(drawn(i)) for i in range(3)]
    assert numbers == [1, 2, 3]
    assert [seq for seq, _ in outgoing.to_send(0.0)] == [1, 2]
    assert outgoing.to_send(0.09) == []
    sent = [now / 100 for now in range(10, 500) if outgoing.to_send(now / 100)]
    assert sent == pytest.approx([0.1, 0.3, 0.7, 1.5, 2.5, 3.5, 4.5], abs=0.011)
    outgoing.acknowledge(2, False, 5.0)
    assert [seq for seq, _ in outgoing.to_send(5.0)] == [3]
    outgoing.acknowledge(9, True, 5.0)  # never sent
    assert len(outgoing) == 2
    assert [seq for seq, _ in outgoing.to_send(5.05)] == []
    outgoing.acknowledge(2, True, 5.06)
    assert [seq for seq, _ in outgoing.to_send(5.06)] == [2, 3]
    outgoing.acknowledge(2, True, 5.07)  # the same wish again, within 20 ms
    assert outgoing.to_send(5.07) == []
    outgoing.acknowledge(4, False, 5.1)
    assert len(outgoing) == 0
    assert outgoing.to_send(60.0) == []


def test_a_session_opens_and_asks_for_a_snapshot() -> None:
    line = Line().open()
    (opened,) = line.at_host
    assert isinstance(opened, SessionOpened)
    assert (opened.device.serial, opened.device.nonce) == ("CUP-1", 42)
    assert [each.message for each in line.at_device if isinstance(each, Received)] == [SnapshotRequest(1)]


def test_a_quiet_session_stays_open_for_one_beat_a_second() -> None:
    line = Line().open()
    before = line.host.counters.frames
    line.run(20)
    assert line.host.state is HostState.OPEN
    assert len(line.at_host) == 1
    assert 18 <= line.host.counters.frames - before <= 42  # its heartbeats, and an answer to some of ours


def test_commands_are_answered_by_their_number() -> None:
    line = Line().open()
    seq = line.host.post(Beep(880, 100), line.now)
    line.run(0.01)
    asked = line.at_device[-1]
    assert isinstance(asked, Received)
    assert (asked.message, asked.seq) == (Beep(880, 100), seq)
    line.device.post(Result(0, seq, Beep.TYPE, 0))
    line.run(0.01)
    assert line.messages() == [Result(0, seq, Beep.TYPE, 0)]


@pytest.mark.slow
def test_messages_arrive_once_and_in_order_on_a_bad_line() -> None:
    """10 000 messages each way, one byte in a hundred damaged, dropped or doubled, both ways."""
    rng = random.Random(1)
    line = Line().open()
    line.up, line.down = damaging(rng, 0.01), damaging(rng, 0.01)
    sent: list[object] = []
    asked: list[object] = []
    for number in range(10_000):
        while line.device.unacknowledged > 12 or line.host.unacknowledged > 12:
            line.step()
        sent.append(drawn(number))
        line.device.post(drawn(number))
        asked.append(Beep(50 + number % 9_000, 1))
        line.host.post(asked[-1], line.now)
    line.run(3)
    assert line.messages() == sent
    got = [each.message for each in line.at_device if isinstance(each, Received)]
    assert [each for each in got if isinstance(each, Beep)] == asked
    assert line.host.counters.duplicates + line.host.counters.gaps > 0
    assert line.device.resent > 100


def test_a_device_that_starts_anew_is_greeted_at_once() -> None:
    line = Line().open()
    line.device = DeviceSession(Welcome(0, 1, 1, Capability.DICE, 8, 8, 0, "CUP-1"))
    line.device.start(line.now)
    line.run(0.02)
    assert [type(each) for each in line.at_host] == [SessionOpened, SessionEnded, SessionOpened]
    assert isinstance(line.at_host[1], SessionEnded)
    assert line.at_host[1].reason is End.RESTARTED


def test_a_device_that_lost_its_session_says_so_when_it_hears_us() -> None:
    line = Line().open()
    line.device = DeviceSession(ABOUT)
    line.run(1.2)  # until the next heartbeat of the host
    assert [type(each) for each in line.at_host] == [SessionOpened, SessionEnded, SessionOpened]


def test_silence_ends_a_session_on_both_sides() -> None:
    line = Line().open()
    line.up = line.down = lambda data: b""
    line.run(3.3)
    assert line.host.state is HostState.OPEN
    line.run(0.4)
    assert line.host.state is HostState.GREETING
    assert line.at_host[-1] == SessionEnded(End.SILENCE, pytest.approx(line.now, abs=0.3))
    assert line.at_device[-1] == HostGone(End.SILENCE)
    line.up = line.down = clean
    line.run(0.6)
    assert line.host.state is HostState.OPEN


def test_a_snapshot_that_does_not_end_is_asked_for_again() -> None:
    line = Line().open()
    assert line.host.ask_snapshot(line.now) == 1  # the one that is on its way
    line.run(5.1)
    asked = [each.message for each in line.at_device if isinstance(each, Received)]
    assert asked == [SnapshotRequest(1), SnapshotRequest(2)]
    line.device.post(Snapshot(0, 1, 2))
    line.run(6)
    assert len([each for each in line.at_device if isinstance(each, Received)]) == 2
    assert line.host.ask_snapshot(line.now) == 3


def test_old_numbers_are_not_taken_for_new_ones() -> None:
    """What was on its way in one session is a stranger in the next."""
    line = Line().open()
    line.device.post(drawn(1))
    line.device.tick(line.now)
    late = line.device.take_output()
    line.up = line.down = lambda data: b""
    line.run(3.6)
    line.up = line.down = clean
    line.run(0.6)
    assert line.host.state is HostState.OPEN
    line.at_host.clear()
    assert line.host.receive(late, line.now) == []
    assert line.host.counters.strangers > 0


def test_a_device_that_acknowledges_nothing_is_stuck() -> None:
    line = Line().open()

    def without_acks(data: bytes) -> bytes:
        kept = (each for each in Decoder().feed(data) if isinstance(each, Packet))
        return b"".join(
            encode(Packet(Heartbeat(0, 2) if isinstance(each.message, Ack | Heartbeat) else each.message,
            each.session)) for each in kept
        )  # fmt: skip

    line.up = without_acks
    line.host.post(Beep(880, 1), line.now)
    line.run(5.2)
    assert SessionEnded(End.STUCK, pytest.approx(line.now, abs=0.5)) in line.at_host


def test_a_version_that_is_not_spoken_is_refused_and_asked_for_later() -> None:
    line = Line(versions=(2, 3))
    line.host.start(line.now)
    line.run(5)
    assert line.host.state is HostState.REFUSED
    (refused,) = line.at_host
    assert isinstance(refused, SessionRefused)
    assert (refused.reason, refused.least, refused.most) == (1, 2, 3)
    line.device = DeviceSession(ABOUT)  # its firmware was updated
    line.run(26)
    assert line.host.state is HostState.OPEN


def test_a_welcome_in_a_version_that_was_not_offered_is_refused_here() -> None:
    host = HostSession(nonce=1)
    host.start(0.0)
    (event,) = host.receive(encode(Packet(Welcome(2, 9, 1, Capability.DICE, 0, 8, 0, "X"), 2)), 0.1)
    assert isinstance(event, SessionRefused)
    assert host.state is HostState.REFUSED
    host.tick(30.0)
    assert host.state is HostState.REFUSED
    host.tick(30.2)
    assert host.state is HostState.GREETING


def test_the_highest_common_version_is_chosen() -> None:
    device = DeviceSession(ABOUT, versions=(1, 4))
    device.receive(encode(Packet(Hello(1, 3, 77), 77)), 1.0)
    (packet,) = Decoder().feed(device.take_output())
    assert isinstance(packet, Packet)
    assert isinstance(packet.message, Welcome)
    assert packet.message.version == 3
    device.receive(encode(Packet(Hello(5, 9, 78), 78)), 1.0)
    (packet,) = Decoder().feed(device.take_output())
    assert packet == Packet(Refused(78, 1, 1, 4), 78)


def test_a_welcome_that_was_lost_is_sent_again_without_a_new_session() -> None:
    line = Line()
    line.up = lambda data: b""
    line.host.start(line.now)
    line.run(0.2)
    assert line.device.state is DeviceSessionState.WELCOMED
    line.up = clean
    line.run(0.5)
    assert line.host.state is HostState.OPEN
    assert line.at_device[0] == Received(
        SnapshotRequest(1), pytest.approx(line.now, abs=0.3), pytest.approx(line.now, abs=0.3), 1
    )


def test_a_device_that_is_greeted_again_and_again_waits_for_its_host() -> None:
    """Its welcomes are lost for longer than silence may last: the hellos are heard, and the session lasts."""
    line = Line()
    line.up = lambda data: b""
    line.host.start(line.now)
    line.run(5)
    assert line.device.state is DeviceSessionState.WELCOMED
    assert line.at_device == []
    line.up = clean
    line.run(0.6)
    assert line.host.state is HostState.OPEN


def test_goodbye() -> None:
    line = Line().open()
    assert line.host.close(line.now) == [SessionEnded(End.CLOSED, line.now)]
    line.run(0.01)
    assert line.at_device[-1] == HostGone(End.BYE)
    with pytest.raises(LinkError, match="closed"):
        line.host.post(Beep(880, 1), line.now)
    line.run(10)
    assert line.host.state is HostState.CLOSED


def test_device_without_a_host() -> None:
    device = DeviceSession(ABOUT)
    assert device.post(drawn(1)) is None
    device.start(0.0)
    device.receive(encode(Packet(Heartbeat(0, 1), 9)), 0.5)  # too soon to say it again
    device.receive(encode(Packet(Heartbeat(0, 1), 9)), 1.5)
    device.receive(encode(Packet(Unknown(0x7F, b""), 9)), 1.6)
    assert Decoder().feed(device.take_output()) == [Packet(Attention(7)), Packet(Attention(7))]


def test_unknown_and_malformed_messages_are_acknowledged_and_passed_over() -> None:
    line = Line().open()
    session = 42
    newer = encode(Packet(Unknown(0x33, b"?"), session, 1))
    wrong = wrap(bytes((Tile.TYPE, session, 2, 1)))
    fine = encode(Packet(drawn(9), session, 3))
    line.host.take_output()
    events = line.host.receive(newer + wrong + fine, line.now)
    assert [each.message for each in events if isinstance(each, Received)] == [drawn(9)]
    assert (line.host.counters.unknown, line.host.counters.malformed) == (1, 1)
    acks = [each.message for each in Decoder().feed(line.host.take_output()) if isinstance(each, Packet)]
    assert acks == [Ack(2), Ack(3), Ack(4)]


def test_a_command_that_is_not_understood_is_answered() -> None:
    line = Line().open()
    late = wrap(bytes((SetTileCount.TYPE, 42, 2, 83))) + encode(Packet(Unknown(0x44, b""), 42, 3))
    assert line.device.receive(late, line.now) == []
    line.run(0.01)
    results = [each for each in line.messages() if isinstance(each, Result)]
    assert [(each.command_seq, each.command_type, each.outcome) for each in results] == [
        (2, SetTileCount.TYPE, CommandOutcome.BAD_VALUE),
        (3, 0x44, CommandOutcome.UNSUPPORTED),
    ]


def test_a_device_takes_no_command_for_whose_answer_it_has_no_room() -> None:
    """A host that asks and asks and acknowledges nothing: what is not taken comes again."""
    line = Line().open()
    for number in range(2, 2 + 8 + QUEUE_MAX + 20):
        line.device.receive(encode(Packet(Unknown(0x44, b""), 42, number)), line.now)
    assert line.device.unacknowledged == 8 + QUEUE_MAX
    assert line.device.counters.not_taken > 0
    assert line.device.state is DeviceSessionState.OPEN
    line.run(2)  # the host acknowledges what comes
    assert len(line.messages()) == 8 + QUEUE_MAX
    assert line.device.unacknowledged == 0


def test_unnumbered_message_is_ignored() -> None:
    line = Line().open()
    pressed, rolled = ButtonEvent(0, 2, 1, 0), Dice(0, 1, 1, (Die(3), Die(5)))
    rolling = Dice(0, 0, 0, (Die(0, True),))
    wire = b"".join(encode(Packet(each, 42)) for each in (pressed, rolled, rolling))
    events = line.host.receive(wire, line.now)
    assert [each.message for each in events if isinstance(each, Received)] == [rolling]
    assert line.host.counters.malformed == 2
    assert line.device.receive(encode(Packet(Beep(880, 1), 42)), line.now) == []
    assert line.device.counters.malformed == 1


def test_messages_in_the_wrong_direction_are_passed_over() -> None:
    line = Line().open()
    assert line.host.receive(encode(Packet(Beep(880, 1), 42, 1)), line.now) == []
    assert line.device.receive(encode(Packet(drawn(1), 42, 2)), line.now) == []
    assert (line.host.counters.strangers, line.device.counters.strangers) == (1, 1)


def test_nothing_is_acknowledged_that_the_program_does_not_take() -> None:
    line = Line().open()
    line.host.accepting = False
    line.device.post(drawn(1))
    line.device.tell(Dice(0, 0, 0, (Die(0, True),)), line.now)
    line.run(0.5)
    assert line.messages() == []
    assert line.host.counters.not_taken > 1
    line.host.accepting = True
    line.run(1)
    assert line.messages() == [drawn(1)]


def test_a_flood_ends_the_session_for_a_while() -> None:
    line = Line().open()
    moving = encode(Packet(Dice(0, 0, 0, (Die(0, True),)), 42))
    events = []
    for _ in range(100):
        line.now += 0.001
        events += line.host.receive(moving * 100, line.now)
        if line.host.state is HostState.REFUSED:
            break
    assert sum(isinstance(each, Received) for each in events) <= FRAMES_PER_SECOND_MAX
    assert events[-1] == SessionEnded(End.FLOOD, line.now)
    assert line.host.tick(line.now + 29.9) == []
    assert line.host.state is HostState.REFUSED
    line.host.tick(line.now + 30.1)
    assert line.host.state is HostState.GREETING


def test_too_many_commands_are_refused() -> None:
    line = Line().open()
    line.down = lambda data: b""
    for _ in range(8 + QUEUE_MAX):  # eight on the way
        line.host.post(Beep(880, 1), line.now)
    with pytest.raises(QueueFullError, match=str(QUEUE_MAX)):
        line.host.post(Beep(880, 1), line.now)


def test_bye_from_a_device_is_greeted_again() -> None:
    line = Line().open()
    line.at_host += line.host.receive(encode(Packet(Bye(3), 42)), line.now)
    assert line.at_host[-1] == SessionEnded(End.BYE, line.now)
    assert line.host.state is HostState.GREETING


@settings(deadline=None)
@given(st.lists(st.binary(max_size=200), max_size=10), st.integers(0, 2**32))
def test_no_bytes_raise_on_either_side(pieces: list[bytes], seed: int) -> None:
    rng = random.Random(seed)
    line = Line().open()
    for piece in pieces:
        broken = bytes(byte if rng.random() < 0.9 else 0 for byte in piece)
        line.host.receive(broken, line.now)
        line.device.receive(broken, line.now)
        line.run(0.01)
    line.run(0.6)
    assert line.host.state in (HostState.OPEN, HostState.GREETING)
