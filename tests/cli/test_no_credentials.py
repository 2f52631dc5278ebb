"""Passwords and tokens of a camera's address stay in the memory of the program that opened it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.cameras import sources
from companion.config import data_dir
from companion.live.table_watch import CameraPlace, KeptPlace
from lab.bench.followed_films import decode_truth
from tests.cli.filmed import film, first_hand
from tests.cli.typed_command import running
from tests.streams import StreamedPictures
from tests.test_addresses import PLACES, SECRET

Call = Callable[..., Any]
PLACE = CameraPlace(((0.0, 9.0), (9.0, 9.0), (9.0, 0.0), (0.0, 0.0)), 10, 10, 10.0, (1.0, 1.0, 1.0, 1.0))


def find_secret(*folders: Path) -> Iterator[Path]:
    """The files in these folders in whose name or content the secret is."""
    for folder in folders:
        for path in folder.rglob("*"):
            if SECRET in path.name or (path.is_file() and SECRET.encode() in path.read_bytes()):
                yield path


@pytest.mark.sampled(8)
@pytest.mark.slow
@pytest.mark.parametrize("place", PLACES)
def test_no_file_and_no_message_has_the_secret_of_an_address(
    call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    """Where opening fails with something unexpected that quotes the address, and the log has the details."""
    address = place.format(SECRET)

    def fail(url: str) -> None:
        raise RuntimeError(f"[tcp @ 0x55] cannot open {url} ({url!r})") from OSError(5, "refused", url)

    monkeypatch.setattr(sources, "open_stream", fail)
    for options in ([], ["--json"], ["--record", tmp_path / "record"], ["--pack", tmp_path / "x.zip"]):
        run = call("track", address, "--rules", "hefei", *options)
        assert run.status in (2, 3)
        assert SECRET not in run.out + run.err
    commands = (
        ["read", address], ["read", address, "--json"], ["score-photo", address, "--rules", "hefei"],
        ["replay", address], ["devices", "replay", address], ["score", "--request", address],
        ["games", "import", "x", address], ["games", "show", address], ["devices", "list", address],
    )  # fmt: skip
    for arguments in commands:
        run = call(*arguments)
        assert run.status in (2, 3)
        assert SECRET not in run.out + run.err
    KeptPlace(address).keep(PLACE)
    assert not list(find_secret(data_dir(), tmp_path))
    assert KeptPlace(address).load() == PLACE


def test_a_folder_that_is_called_as_an_address_is_named_without_the_secret(
    call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    run = call("simulate", "--rules", "hefei", "--events", f"rtsp://ann:{SECRET}@cam/live")
    assert run.status == 0
    assert SECRET not in run.out + run.err


@pytest.mark.slow
def test_a_longer_address_than_a_file_can_be_called_is_refused_in_one_sentence(call: Call) -> None:
    for length in (300, 5000, 100_000):
        run = call("track", f"rtps://ann:{SECRET}{'x' * length}@cam/live", "--rules", "hefei")
        assert "There is no 'rtps://cam/live'" in run.refused(2)


@pytest.mark.long
def test_a_followed_stream_leaves_no_credentials_behind(call: Call, tmp_path: Path) -> None:
    """The stream ends and comes back while it is followed, recorded and kept; then the session is packed."""
    hand = film(first_hand("hefei", 1), 1, pace=2.0)
    corners = " ".join(f"{x},{y}" for x, y in decode_truth(hand.truth).header["camera"]["corners"])
    camera = StreamedPictures(hand.filming.draw(7.0))
    host = f"127.0.0.1:{camera.port}"
    address = f"http://ann:{SECRET}@{host}/live/{SECRET}/user=ann_password={SECRET}.sdp?channel=1&pwd={SECRET}&{SECRET}"
    options = ["--rules", "hefei", "--corners", corners, "--json", "--game", "friday"]
    with running("track", address, *options, "--record", tmp_path / "record") as command:
        command.until('"state"')
        camera.stop()
        lost = command.until('"lost"')[-1]
        again = StreamedPictures(camera.picture, camera.port)
        command.until('"found"')
        out, err = command.end()
        again.stop()
    assert f"The stream http://{host}/live/… sends no more pictures." in lost
    assert SECRET not in lost + out + err
    assert call("track", tmp_path / "record", "--pack", tmp_path / "packed.zip").status == 0
    assert call("games", "export", "friday", "--as", "history", "--to", tmp_path / "friday.jsonl").status == 0
    assert not list(find_secret(data_dir(), tmp_path))
    (name,) = json.loads((data_dir() / "cameras.json").read_text())["cameras"]
    assert name.startswith(f"http://{host}/live/… "), "and a tag"
    assert KeptPlace(address.replace(f"ann:{SECRET}@", "bo:b@")).load() is not None, "whoever logs in"
    assert KeptPlace(address.replace("channel=1", "channel=2")).load() is None, "another camera"
