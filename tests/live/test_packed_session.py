"""A packed recorded session is made to be sent: it names no person, place, file or address."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

import msgspec
import numpy as np
import pytest
from PIL import Image

from companion.cameras.sources import SILENT_STREAM
from companion.live.session.lines import FRAMES, HEADER, Header, Line, SightsDecoder, read_header, read_lines
from companion.live.session.packing import list_contents, pack_session, unpack_session
from companion.live.session.recorder import SessionRecorder
from companion.money import Currency
from companion.seeing.sights import Sight
from companion.sentences import Sentence
from companion.table.events import (
    Corrected,
    CurrencyAgreed,
    DealSet,
    GameStarted,
    HandAbandoned,
    HandStarted,
    PointsMoved,
)

NAMES = ("Wei-Ling", "Torvald", "", "Oluwaseun")
SECRETS = (
    "Wei-Ling", "Torvald", "Oluwaseun", "hunter2", "s3cr3t", "cam.example", "/home", "torvald", "Party",
    "Cup-77",
    "ttyUSB9", "PhoneMaker", "villa", "Canon-EOS", "behind the end", "GPS", "Exif",
)  # fmt: skip
SOURCES = (
    "rtsp://cam.example:554/user=torvald_password=hunter2.sdp",
    "/home/torvald/Party at the villa/Wei-Ling's film.mp4",
    "/dev/v4l/by-id/usb-PhoneMaker_s3cr3t",
)


def write_session(folder: Path, source: str) -> Path:
    """A session with a person's name in every field that can hold one."""
    log = (
        GameStarted(rules="hefei", names=NAMES, currency=Currency("villa", "1", "1")),
        CurrencyAgreed(currency=Currency("Torvald", "1", "1")),
        DealSet(dealer=1, why="Torvald was late"),
        PointsMoved(points=(1, -1, 0, 0), why="a bet with Wei-Ling"),
        Corrected(number=4, right=PointsMoved(points=(1, -1, 0, 0), why="villa"), why="Oluwaseun said so"),
    )
    recorder = SessionRecorder(
        folder, Header(id="Wei-Ling", log=log, source=source, tile_set="Torvald's set"), lambda image: image
    )
    for at in range(3):
        recorder.record_frame(float(at), np.full((120, 160, 3), 80 * at, np.uint8))
        recorder.record_frame(at + 0.5, np.full((120, 160, 3), 80 * at, np.uint8))
    recorder.record_sight(Sight(3.0, trouble=str(Sentence(SILENT_STREAM, {"name": source}))))
    lines = [
        Line(t=4.0, event=HandStarted(dealer=0), source="device", by="Cup-77", number=5),
        Line(t=4.5, event=HandAbandoned(why="Wei-Ling left"), source="touch", seat=1, number=6),
        Line(t=5.0, lost={"why": f"{source}: 'Party at Wei-Ling's' has another hand; see /dev/ttyUSB9"}),
        Line(t=6.0, question={"number": 1, "about": "dealt", "choices": [], "sources": ["device Cup-77"]}),
        Line(t=7.0, doubt={"why": "the device at /dev/ttyUSB9"}),
    ]
    with (folder / "session.jsonl").open("ab") as file:
        file.writelines(msgspec.json.encode(line) + b"\n" for line in lines)
    recorder.close()
    foreign = Image.new("RGB", (160, 120), "green")
    exif = foreign.getexif()
    exif[271], exif[0x8825] = "Canon-EOS", {1: "N", 2: (48.0, 8.0, 30.0)}
    content = io.BytesIO()
    foreign.save(content, "JPEG", exif=exif, comment=b"at the villa")
    (folder / FRAMES / "000077.jpg").write_bytes(content.getvalue() + b"behind the end")
    (folder / FRAMES / "Wei-Ling.jpg").write_bytes(content.getvalue())
    (folder / "notes of Torvald.txt").write_text("not of the session")
    return folder


@pytest.mark.parametrize("source", SOURCES)
def test_a_packed_session_names_nobody(tmp_path: Path, source: str) -> None:
    session, packed = write_session(tmp_path / "session", source), tmp_path / "packed.zip"
    contents = list_contents(session)
    count = pack_session(session, packed)
    with zipfile.ZipFile(packed) as file:
        held = {name: file.read(name) for name in file.namelist()}
        assert {about.date_time for about in file.infolist()} == {(1980, 1, 1, 0, 0, 0)}
    everything = b"\n".join([packed.read_bytes(), *held.values(), *(name.encode() for name in held)])
    assert not [secret for secret in SECRETS if secret.encode() in everything]
    assert {name.partition("/")[0] for name in held} == {line.partition(":")[0] for line in contents[:-1]}
    assert f"{FRAMES}: {count} pictures" in contents[3]

    unpacked = tmp_path / "unpacked"
    unpacked.mkdir()
    unpack_session(packed, unpacked)
    header = read_header(unpacked)
    start = header.log[0]
    assert isinstance(start, GameStarted)
    assert start.names == ("Player 1", "Player 2", "", "Player 4")
    assert header.source in ("rtsp stream", "recording.mp4", "camera")
    lines = list(read_lines(unpacked))
    assert len(lines) == len(list(read_lines(session)))
    assert [line.frame for line in lines] == [line.frame for line in read_lines(session)]


def test_credentials_in_a_session_of_an_earlier_program_are_not_recorded_again(tmp_path: Path) -> None:
    session = write_session(tmp_path / "session", SOURCES[0])
    header, lines = (session / "session.json"), (session / "session.jsonl")
    header.write_bytes(
        header.read_bytes().replace(b"rtsp://cam.example:554/", b"rtsp://u:hunter2@cam.example/?x=")
    )
    said = b"The stream rtsp://cam.example/?pwd=hunter2 sends no more pictures."
    lines.write_bytes(b'{"t":0.5,"sight":{"trouble":"%s"}}\n' % said + lines.read_bytes())
    recorder = SessionRecorder(tmp_path / "again", read_header(session))
    decoder = SightsDecoder()
    for line in read_lines(session):
        if line.sight is not None:
            recorder.record_sight(decoder.decode(line.t, line.sight))
    recorder.close()
    written = b"".join(path.read_bytes() for path in (tmp_path / "again").iterdir())
    assert b"hunter2" not in written
    assert b"rtsp://cam.example" in written


def test_the_programs_own_pictures_are_packed_byte_for_byte(tmp_path: Path) -> None:
    """A report of a fault is worth little if its pictures no longer read as they did."""
    session, packed = write_session(tmp_path / "session", "a film"), tmp_path / "packed.zip"
    pack_session(session, packed)
    with zipfile.ZipFile(packed) as file:
        own = [name for name in file.namelist() if name.startswith(FRAMES) and "77" not in name]
        assert own
        assert all(file.read(name) == (session / name).read_bytes() for name in own)
        pixels = np.array(Image.open(io.BytesIO(file.read(f"{FRAMES}/000077.jpg"))))
        assert abs(pixels.mean(axis=(0, 1)) - (0, 128, 0)).max() < 3
        assert json.loads(file.read(HEADER))["tile_set"] == "learned set"


def test_a_picture_that_is_elsewhere_is_not_packed(tmp_path: Path) -> None:
    """A session from another person may hold links to private pictures."""
    folder = write_session(tmp_path / "session", SOURCES[0])
    (tmp_path / "private.jpg").write_bytes(next((folder / FRAMES).iterdir()).read_bytes())
    count = pack_session(folder, tmp_path / "before.zip")
    (folder / FRAMES / "99.jpg").symlink_to(tmp_path / "private.jpg")
    assert pack_session(folder, tmp_path / "packed.zip") == count
    (folder / FRAMES).rename(tmp_path / "elsewhere")
    (folder / FRAMES).symlink_to(tmp_path / "elsewhere")
    assert pack_session(folder, tmp_path / "empty.zip") == 0
