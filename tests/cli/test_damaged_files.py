"""Foreign files of every kind, damaged at random: one sentence that names the file, or an answer."""

from __future__ import annotations

import json
import random
import re
import struct
import time
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import msgspec
import numpy as np
import pytest

from companion import profiles
from companion.app.house.files import HEAD, decode_shared, encode_shared
from companion.cameras.sources import open_source
from companion.errors import CompanionError, PictureError
from companion.live.session.lines import CameraLine, Header, Line, SightLine, TileLine
from companion.rules import rule_set
from companion.rules.profile import make_profile
from companion.table.events import GameStarted, HandStarted
from companion.vision import load_picture, set_files
from companion.vision.learned import LearnedSet, Source
from tests.test_damage import spoil

pytestmark = pytest.mark.slow

SEED = 20261128
ANSWER_S = 20
"""Far more than any of these commands takes; the machine may be busy."""
WIN = ("--hand", "234567m88m345p678s", "--winning-tile", "8s", "--winner", "1", "--from", "2")
REQUEST = {
    "rules": "hefei", "hand": "234567m88m345p678s", "winning_tile": "8s", "winner": 1, "from": 2,
    "source": "discard", "melds": [], "options": {"win_row": 0},
}  # fmt: skip
ODD_TEXTS = (
    b"1e999", b"-1", b"9" * 5000, b"null", b"[]", b"{}", b'""', b"true", b"[" * 3000, b'"\\ud800"', b"NaN",
    b"\xff\xfe", b"\0", b'"' + b"A" * 5000 + b'"', b"1e308", b"2147483648", b"-9223372036854775809", b"0.5",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of foreign file: its name, its sound content, the command that reads it, and whether the
    sentence that refuses it names a line or a field of it instead of the file."""

    name: str
    content: bytes
    command: Callable[[Path], tuple[object, ...]]
    names_parts: bool = False


def mutate(content: bytes, chance: random.Random) -> tuple[str, bytes]:
    """What was done to the content, and the result: damage of a disk, or a changed value."""
    if chance.random() < 0.5:
        return spoil(content, chance)
    values = [at for at, byte in enumerate(content) if byte in b":,[" and at + 1 < len(content)]
    if not values:
        return spoil(content, chance)
    start = chance.choice(values) + 1
    end = next((at for at in range(start, len(content)) if content[at] in b",]}\n"), len(content))
    odd = chance.choice(ODD_TEXTS)
    return f"{odd[:12]!r} in place of bytes {start} to {end}", content[:start] + odd + content[end:]


def lines(*values: object) -> bytes:
    return b"".join(msgspec.json.encode(value) + b"\n" for value in values)


def session_lines() -> bytes:
    tile = TileLine(1, 10.0, 20.0, 0.0, (("5m", 0.99),), False, 0.0)
    corners = ((0.0, 100.0), (100.0, 100.0), (100.0, 0.0), (0.0, 0.0))
    return lines(
        Line(t=0.0, camera=CameraLine(corners, 200, 150)),
        Line(t=0.5, event=HandStarted(dealer=0), source="touch", number=2),
        *(Line(t=1.0 + at / 2, sight=SightLine((tile,), dice=(1, 2))) for at in range(6)),
    )


def session_header() -> bytes:
    return msgspec.json.encode(Header(id="a" * 32, log=(GameStarted(rules="hefei"),), source="table.mp4"))


def pack(folder: Path, frame: bytes) -> bytes:
    path = folder / "made.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("session.json", session_header())
        file.writestr("session.jsonl", session_lines())
        file.writestr("frames/000001.jpg", frame)
    content = path.read_bytes()
    path.unlink()
    return content


def recording() -> bytes:
    return lines(
        {"recording": 1, "port": "/dev/ttyUSB0"}, {"t": 0.1, "in": "00ff10"}, {"t": 0.2, "out": "0102"},
        {"t": 0.3, "event": "connected", "port": "/dev/ttyUSB0"},
    )  # fmt: skip


def encode(suffix: str) -> bytes:
    image = np.zeros((48, 64, 3), np.uint8)
    image[8:40, 8:30] = 255
    return bytes(cv2.imencode(suffix, image)[1])


def history(call: Any, folder: Path) -> list[bytes]:
    """A log, a history, a table and mjai of one short game."""
    call(
        "games",
        "begin",
        "made",
        "--rules",
        "hefei",
        *(word for name in "ABCD" for word in ("--player", name)),
    )
    events = lines(
        {"event": "hand_started", "dealer": 0}, {"event": "hand_abandoned", "why": "x"},
        {"event": "points_moved", "points": [1, -1, 0, 0], "why": "x"},
    )  # fmt: skip
    assert call("games", "add", "made", "-", stdin=events).status == 0
    made = []
    for name in ("log", "history", "csv", "mjai"):
        path = folder / f"made.{name}"
        assert call("games", "export", "made", "--as", name, "--to", path).status == 0
        made.append(path.read_bytes())
    return made


@pytest.fixture
def kinds(call: Any, tmp_path: Path, own_data_folder: Path) -> list[Kind]:
    log, reported, table, mjai = history(call, tmp_path)
    request = json.dumps(REQUEST).encode()
    rules = rule_set("hefei")
    profile = profiles.encode(make_profile(rules, {"win_row": 0}))
    return [
        Kind("a.jsonl", log, lambda path: ("replay", path, "--json"), names_parts=True),
        Kind("b.jsonl", reported, lambda path: ("games", "import", "friday", path), names_parts=True),
        Kind(
            "c.csv", table, lambda path: ("games", "import", "friday", path, "--rules", "hefei"),
            names_parts=True,
        ),
        Kind("j.mjson", mjai, lambda path: ("games", "import", "friday", path), names_parts=True),
        Kind("d.jsonl", log, lambda path: ("review", path), names_parts=True),
        Kind("e.json", request, lambda path: ("score", "--json", "--request", path), names_parts=True),
        Kind("f.jsonl", request + b"\n" + request, lambda path: ("score", "--batch", path), names_parts=True),
        Kind("g.json", profile, lambda path: ("score", "--profile", path, *WIN)),
        Kind("h.zip", pack(tmp_path, encode(".jpg")), lambda path: ("track", path, "--json")),
        Kind("i.jsonl", recording(), lambda path: ("devices", "replay", path, "--speed", "0")),
    ]  # fmt: skip


def judge(run: Any, path: Path, kind: Kind, done: str) -> bool:
    """Whether it was refused, as it should be."""
    assert run.status in (0, 2, 3), done
    assert "Traceback" not in run.err + run.out, done
    assert "Something inside" not in run.err, (done, run.err)
    if run.status:
        assert run.err.count("\n") == 1, (done, run.err)
        assert kind.names_parts or str(path) in run.err, (done, run.err)
        assert "companion-session-" not in run.err, (done, run.err)
    return bool(run.status)


def test_damaged_files_get_one_sentence(
    call: Any, tmp_path: Path, own_data_folder: Path, damage: int, kinds: list[Kind]
) -> None:
    refused = 0
    for number in range(2 * damage):
        chance = random.Random(f"{SEED} {number}")
        kind = kinds[number % len(kinds)]
        what, content = mutate(kind.content, chance)
        path = tmp_path / kind.name
        path.write_bytes(content)
        done = f"case {number}, seed {SEED}, {kind.name}: {what}"
        begun = time.monotonic()
        refused += judge(call(*kind.command(path)), path, kind, done)
        assert time.monotonic() - begun < ANSWER_S, done
        (own_data_folder / "games" / "friday.game").unlink(missing_ok=True)
    print(f"{refused} of {2 * damage} damaged files refused, the others answered")
    assert refused > damage // 2


def test_damaged_sessions_in_folders_get_one_sentence(call: Any, tmp_path: Path, damage: int) -> None:
    folder = tmp_path / "session"
    folder.mkdir()
    kind = Kind("session", b"", lambda path: ("track", path, "--json"))
    for number in range(damage // 2):
        chance = random.Random(f"{SEED} session {number}")
        made = {"session.json": session_header(), "session.jsonl": session_lines()}
        name = chance.choice(list(made))
        what, content = mutate(made[name], chance)
        for each, sound in (made | {name: content}).items():
            (folder / each).write_bytes(sound)
        judge(call(*kind.command(folder)), folder, kind, f"case {number}, seed {SEED}, {name}: {what}")


def readers(folder: Path) -> Iterator[tuple[str, bytes, Callable[[Path], object]]]:
    """Files that are read without a command of their own: their suffix, content and reader."""
    for suffix in (".jpg", ".png", ".webp", ".bmp", ".tiff"):
        yield suffix, encode(suffix), load_picture
    crop = encode(".jpg")
    quad = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
    sources = (Source(0, "a.jpg", b"ab", quad, crop), None, None)
    features = np.ones((3, 1536), np.float32)
    path = set_files.save(LearnedSet("home", "5e" * 32, ("1m", "2m", "3m"), features, sources))
    yield ".tiles", path.read_bytes(), lambda path: set_files.load("home")
    text = encode_shared("home", make_profile(rule_set("hefei"), {"win_row": 0})).encode()
    yield ".txt", text, lambda path: decode_shared(path.read_bytes().decode("utf-8", "replace"))
    body = text.removeprefix(HEAD.encode())
    yield ".body", body, lambda path: decode_shared(HEAD + path.read_bytes().decode("latin-1"))
    video = cv2.VideoWriter(str(folder / "made.avi"), cv2.VideoWriter.fourcc(*"MJPG"), 5, (64, 48))
    for _ in range(3):
        video.write(np.zeros((48, 64, 3), np.uint8))
    video.release()
    yield ".avi", (folder / "made.avi").read_bytes(), lambda path: open_source(str(path)).close()


def test_damaged_files_of_the_window_get_one_sentence(
    tmp_path: Path, own_data_folder: Path, damage: int
) -> None:
    for suffix, sound, read in readers(tmp_path):
        path = own_data_folder / "sets" / "home.tiles" if suffix == ".tiles" else tmp_path / f"odd{suffix}"
        refused = 0
        for number in range(damage // 4):
            chance = random.Random(f"{SEED} {suffix} {number}")
            what, content = mutate(sound, chance)
            path.write_bytes(content)
            begun = time.monotonic()
            try:
                read(path)
            except CompanionError as error:
                refused += 1
                said = str(error)
                assert "\n" not in said
                assert suffix in (".txt", ".body") or path.name in said or "home" in said, said
            except Exception as error:
                raise AssertionError(f"case {number}, seed {SEED}, {suffix}: {what}") from error
            assert time.monotonic() - begun < ANSWER_S
        print(f"{suffix}: {refused} of {damage // 4} refused")


@pytest.mark.parametrize(
    ("width", "height"), [(0, 1), (1, 0), (32_001, 1), (16_384, 16_384), (65_535, 65_535)]
)
def test_a_jpeg_that_claims_no_size_of_a_picture_is_refused(tmp_path: Path, width: int, height: int) -> None:
    sound = encode(".jpg")
    at = sound.find(b"\xff\xc0") + 5
    path = tmp_path / "odd.jpg"
    path.write_bytes(sound[:at] + struct.pack(">HH", height, width) + sound[at + 4 :])
    with pytest.raises(PictureError, match=re.escape(str(path))):
        load_picture(path)
