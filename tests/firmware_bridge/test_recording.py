"""Sessions in files: written, played back, never written over; broken ones are told with their line."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware_bridge.codec import Decoder, Packet
from firmware_bridge.emulator import EmulatedDevice
from firmware_bridge.errors import RecordingError
from firmware_bridge.link import Link, LinkState
from firmware_bridge.peer import Received
from firmware_bridge.recording import Piece, replay
from firmware_bridge.session import SessionOpened
from tests.firmware_bridge.lines import Listener, cup


def test_recording_and_replay(path: Path, tmp_path: Path) -> None:
    model = cup()
    file = tmp_path / "session.jsonl"
    with EmulatedDevice(model, path) as device:
        with Link(str(path), record=file) as link:
            listener = Listener(link).opened()
            device.tell(model.throw(device.now_ms()))
            listener.until(lambda: link.status().known.roll is not None)
        replayed = list(replay(file))
    events = [each for each in replayed if not isinstance(each, Piece)]
    received = [each.message for each in listener.events if isinstance(each, Received)]
    assert [each.message for each in events if isinstance(each, Received)] == received
    assert isinstance(events[0], SessionOpened)
    assert events[0].device.serial == model.about.serial
    decoder = Decoder()
    inward = [
        each
        for piece in replayed
        if isinstance(piece, Piece) and piece.inward
        for each in decoder.feed(piece.data)
    ]
    assert all(isinstance(each, Packet) for each in inward)


HEAD = '{"recording": 1}'


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        (HEAD, None),
        ("", "is empty"),
        ("{}", "line 1"),
        ('{"recording": 2}', "line 1"),
        (HEAD + "\nx", "line 2"),
        (HEAD + '\n{"t": 1}', "line 2"),
        (HEAD + '\n{"t": 1, "in": "0"}', "line 2"),
        (HEAD + '\n{"t": 1, "event": "opened", "message": "Bye", "reason": 1}', "line 2"),
        (HEAD + '\n{"t": 1, "event": "bell"}', "line 2"),
        (HEAD + "\n[]", "line 2"),
        (HEAD + '\n{"t": NaN, "in": ""}', "line 2"),
        (HEAD + "\n" + "[" * 100_000, "line 2"),
        ("garbage", "line 1 of .* it is not JSON"),
        (HEAD + '\n{"t": 1, "in": ""}\n"\udcff"', "line 3"),
    ],
)
def test_a_broken_recording_is_reported_with_its_line(tmp_path: Path, text: str, wrong: str | None) -> None:
    file = tmp_path / "recording.jsonl"
    file.write_text(text, encoding="utf-8", errors="surrogateescape")
    if wrong is None:
        assert list(replay(file)) == []
        return
    with pytest.raises(RecordingError, match=wrong):
        list(replay(file))


def test_a_recording_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(RecordingError, match="cannot be read"):
        list(replay(tmp_path / "absent"))


def test_a_recording_is_never_written_over(path: Path, tmp_path: Path) -> None:
    file = tmp_path / "session.jsonl"
    file.write_text("precious")
    with pytest.raises(RecordingError, match="there already"):
        Link(str(path), record=file)
    with pytest.raises(RecordingError, match="cannot be written"):
        Link(str(path), record=tmp_path / "absent" / "session.jsonl")
    assert file.read_text() == "precious"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_a_full_disk_ends_the_recording_and_not_the_link(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "session.jsonl"
    with EmulatedDevice(cup(), path), Link(str(path), record=file) as link:
        assert link._recorder is not None
        link._recorder._file = Path("/dev/full").open("w")  # noqa: SIM115
        Listener(link).opened()
        Listener(link).until(lambda: not link.status().recording)
        assert link.status().state is LinkState.OPEN


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("garbage", "it is not JSON"),
        ("\ufeff", "it is not JSON"),
        ('{"t":1}', "it is not a line of a recording"),
        ('{"t":"a","in":"00"}', "it is not a line of a recording"),
        ('{"t":1,"in":"zz"}', "it is not a line of a recording"),
        ("[]", "it is not a line of a recording"),
        ('{"t":1,"event":"ended","reason":"X"}', "it is not a line of a recording"),
        (
            '{"t":1,"event":"received","seq":1,"late":0,"message":"Beep"}',
            "'Beep' with these fields is no message",
        ),
    ],
)
def test_a_line_that_cannot_be_replayed_says_why(tmp_path: Path, line: str, why: str) -> None:
    file = tmp_path / "session.jsonl"
    file.write_text(f'{{"recording": 1, "port": "x"}}\n{line}\n')
    with pytest.raises(RecordingError) as refused:
        list(replay(file))
    assert str(refused.value) == f"line 2 of {file} cannot be replayed: {why}"
