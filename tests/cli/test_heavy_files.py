"""Files and streams that claim or unpack to far more than they are: one sentence, soon, little memory."""

from __future__ import annotations

import json
import struct
import subprocess
import sys
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path

import cv2
import msgspec
import numpy as np
import pytest

from companion.game.exchange import COLUMNS
from companion.live.session.lines import Header
from companion.table.events import GameStarted

pytestmark = pytest.mark.slow

PROBE = """
import sys
from companion.cli import main
try:
    main()
finally:
    with open("/proc/self/status") as status:  # getrusage counts what the parent had when it forked
        print(next(line.split()[1] for line in status if line.startswith("VmHWM:")), file=sys.stderr)
"""
PEAK_MB_MAX = 400
"""OpenCV and the networks alone take 250."""
PATIENCE_S = 60
MB = 2**20
JPEG = b"\xff\xd8"
LOG_HEAD = b'{"format":"mahjong-companion-table","version":1}\n'
HEADING = ",".join([*COLUMNS, *"ABCD", *(f"{name}: total" for name in "ABCD")]).encode() + b"\n"
START = b'{"event":"game_started","rules":"hefei"}\n'
MJAI_START = b'{"type":"start_game","companion":{"event":"game_started","rules":"hefei"}}\n'

Stream = Callable[[], Iterator[bytes]]


def run(*arguments: object, stdin: Stream | None = None) -> tuple[int, str, str]:
    """Status, stdout and the complaint of a command that stays within the limits of memory and time."""
    with subprocess.Popen(
        [sys.executable, "-c", PROBE, *map(str, arguments)],
        stdin=subprocess.DEVNULL if stdin is None else subprocess.PIPE,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as command:  # fmt: skip
        if stdin is not None:
            assert command.stdin is not None
            with suppress(BrokenPipeError), command.stdin:
                for piece in stdin():
                    command.stdin.write(piece)
            command.stdin = None
        out, said = command.communicate(timeout=PATIENCE_S)
    complaint, _, peak = said.decode().rstrip("\n").rpartition("\n")
    assert int(peak) / 1024 < PEAK_MB_MAX, (peak, complaint)
    return command.returncode, out.decode(), complaint


def refuse(*arguments: object, stdin: Stream | None = None) -> str:
    """The one sentence of a command that is refused."""
    status, out, complaint = run(*arguments, stdin=stdin)
    assert (status, out) == (2, ""), (status, out, complaint)
    assert complaint.startswith("companion: ")
    assert "\n" not in complaint
    assert "Something inside" not in complaint
    return complaint


def one_line(start: bytes = b"", gigabytes: int = 2) -> Stream:
    def pieces() -> Iterator[bytes]:
        yield start
        for _ in range(gigabytes * 1024):
            yield b"x" * MB

    return pieces


def repeated(line: bytes, start: bytes = b"", gigabytes: int = 2) -> Stream:
    """The line, repeated up to `gigabytes`."""
    block = line * (MB // len(line))

    def pieces() -> Iterator[bytes]:
        yield start
        for _ in range(gigabytes * 1024):
            yield block

    return pieces


def claim(content: bytes, width: int, height: int) -> bytes:
    """A JPEG whose header claims that size."""
    at = content.find(b"\xff\xc0") + 5
    return content[:at] + struct.pack(">HH", height, width) + content[at + 4 :]


def jpeg(width: int = 64, height: int = 64) -> bytes:
    return bytes(cv2.imencode(".jpg", np.zeros((height, width, 3), np.uint8))[1])


def gigapixel() -> bytes:
    """A sound grey JPEG of a gigapixel, in 12 MB: every block repeats the last one."""
    image = bytes(cv2.imencode(".jpg", np.zeros((16, 16), np.uint8))[1])
    scan = image.rfind(b"\xff\xda") + 10
    blocks = (31_600 // 8) ** 2
    return claim(image[:scan], 31_600, 31_600) + bytes(blocks * 6 // 8) + b"\xff\xd9"


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("command", "start"),
    [
        (("replay", "-"), LOG_HEAD + START),
        (("games", "import", "friday", "-"), LOG_HEAD + START),
        (("games", "import", "friday", "-"), MJAI_START),
        (("games", "import", "friday", "-", "--rules", "hefei"), HEADING),
        (("score", "--request", "-"), b""),
        (("advise", "--request", "-"), b""),
        (("review", "-"), LOG_HEAD + START),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_a_stream_that_goes_on_for_gigabytes_is_refused(command: tuple[str, ...], start: bytes) -> None:
    for stream in (one_line(start), repeated(b"\n", start), repeated(b"\r\n", start)):
        assert "Standard input cannot be read (" in refuse(*command, stdin=stream)


@pytest.mark.long
def test_a_log_of_gigabytes_of_sound_events_is_refused() -> None:
    event = b'{"event":"points_moved","points":[1,-1,0,0],"why":"x"}\n'
    said = refuse("replay", "-", stdin=repeated(event, LOG_HEAD + START, gigabytes=1))
    assert "Standard input cannot be read (it has more than " in said


@pytest.mark.long
def test_a_kept_game_refuses_such_streams_and_keeps_what_came_before() -> None:
    assert run("games", "begin", "friday", "--rules", "hefei")[0] == 0
    event = b'{"event":"points_moved","points":[1,-1,0,0],"why":"x"}\n'
    for stream in (one_line(event), repeated(b"\n", event)):
        status, out, complaint = run("games", "add", "friday", "-", "--json", stdin=stream)
        assert status == 2
        assert out.count("\n") == 1
        assert "Standard input cannot be read (" in complaint
    (friday,) = json.loads(run("games", "list", "--json")[1])
    assert friday["events"] == 3


@pytest.mark.long
def test_a_batch_goes_on_after_a_line_of_gigabytes() -> None:
    request = {
        "rules": "hefei", "hand": "234567m88m345p678s", "winning_tile": "8s", "winner": 1, "from": 2,
        "source": "discard",
    }  # fmt: skip

    def lines() -> Iterator[bytes]:
        yield from one_line()()
        yield b"\n" + json.dumps(request).encode() + b"\n"

    _, out, _ = run("score", "--batch", "-", stdin=lines)
    long, sound = map(json.loads, out.splitlines())
    assert "more than 1 MB" in long["error"]
    assert sound["value"] == 15
    assert "blank lines" in refuse("score", "--batch", "-", stdin=repeated(b"\n"))


def packed(path: Path, members: Mapping[str, bytes | Stream]) -> Path:
    with zipfile.ZipFile(path, "w", compresslevel=1) as file:
        for name, content in members.items():
            about = zipfile.ZipInfo(name)
            about.compress_type = (
                zipfile.ZIP_STORED
                if isinstance(content, bytes) and content.startswith(JPEG)
                else zipfile.ZIP_DEFLATED
            )
            with file.open(about, "w", force_zip64=True) as member:
                for piece in [content] if isinstance(content, bytes) else content():
                    member.write(piece)
    return path


def header() -> bytes:
    return msgspec.json.encode(Header(id="a" * 32, log=(GameStarted(rules="hefei"),), source="table.mp4"))


def zeros(gigabytes: int) -> Stream:
    return lambda: (bytes(MB) for _ in range(gigabytes * 1024))


@pytest.mark.long
def test_a_log_of_more_payments_than_any_game_has_is_refused(tmp_path: Path) -> None:
    log = tmp_path / "friday.jsonl"
    log.write_bytes(LOG_HEAD + START + b'{"event":"points_moved","points":[1,-1,0,0],"why":"x"}\n' * 50_000)
    for command in (("replay", log), ("games", "import", "friday", log)):
        assert "A game can have at most 5,000 payments" in refuse(*command)


@pytest.mark.long
@pytest.mark.sampled
@pytest.mark.parametrize("name", ["session.json", "session.jsonl", "frames/000001.jpg"])
@pytest.mark.parametrize("content", [one_line(), repeated(b"\n"), zeros(2)], ids=["line", "blank", "zeros"])
def test_a_pack_that_unpacks_to_gigabytes_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, content: Stream
) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    members = {"session.json": header(), "session.jsonl": b'{"t":0}\n'} | {name: content}
    file = packed(tmp_path / "friday.zip", members)
    assert file.stat().st_size < 20 * MB
    for command in (("track", file), ("track", file, "--again"), ("track", "--compare", file)):
        assert f"'{file}'" in refuse(*command)
    assert list(temporary.iterdir()) == []


def test_a_session_of_long_or_blank_lines_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "session"
    folder.mkdir()
    (folder / "session.json").write_bytes(header())
    for content in (b'{"t":0}\n' + bytes(2 * MB), b'{"t":0}\n' + b"\n" * 2 * MB):
        (folder / "session.jsonl").write_bytes(content)
        assert f"'{folder}'" in refuse("track", folder)


def test_a_picture_of_a_gigapixel_in_a_pack_is_refused(tmp_path: Path) -> None:
    lines = b'{"t":0,"frame":"frames/000001.jpg"}\n'
    members = {"session.json": header(), "session.jsonl": lines, "frames/000001.jpg": gigapixel()}
    file = packed(tmp_path / "friday.zip", members)
    assert "has no picture frames/000001.jpg that can be read" in refuse("track", file, "--again", "--json")


def test_pictures_that_claim_gigapixels_are_refused(tmp_path: Path) -> None:
    for number, content in enumerate((gigapixel(), claim(jpeg(), 65_000, 65_000))):
        picture = tmp_path / f"{number}.jpg"
        picture.write_bytes(content)
        for command in (("read", picture), ("learn-set", "home", picture)):
            assert f"'{picture}'" in refuse(*command)


def test_a_picture_of_thousands_of_scans_is_refused(tmp_path: Path) -> None:
    whole = bytes(
        cv2.imencode(".jpg", np.zeros((4000, 4000, 3), np.uint8), [cv2.IMWRITE_JPEG_PROGRESSIVE, 1])[1]
    )
    scan = whole[whole.rfind(b"\xff\xda") : -2]
    picture = tmp_path / "scans.jpg"
    picture.write_bytes(whole[:-2] + scan * 20_000 + whole[-2:])
    assert "contains too much data" in refuse("read", picture)


def test_a_list_of_millions_of_members_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "friday.zip"
    entry = struct.pack("<4s6H3L5H2L", b"PK\x01\x02", 20, 20, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0) + b"a"
    count = 1_000_000
    size = len(entry) * count
    end = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, count & 0xFFFF, count & 0xFFFF, size, 4, 0)
    file.write_bytes(b"PK\x03\x04" + entry * count + end)
    assert f"'{file}'" in refuse("track", file)


def test_a_profile_of_empty_lists_is_refused(tmp_path: Path) -> None:
    profile = tmp_path / "home.json"
    profile.write_bytes(b'{"profile": [' + b"[]," * (20 * MB) + b"[]]}")
    win = ("--hand", "234567m88m345p678s", "--winning-tile", "8s", "--winner", "1", "--from", "2")
    assert f"'{profile}'" in refuse("score", "--profile", profile, *win)


def test_the_text_of_a_code_that_unpacks_to_gigabytes_is_refused() -> None:
    import base64

    from companion.app.house.files import decode_shared
    from companion.errors import InputError

    bomb = base64.b32encode(zlib.compress(bytes(2**26), 9)).decode().rstrip("=")
    with pytest.raises(InputError, match="cannot be read completely"):
        decode_shared("MJHOUSE1:" + bomb)
