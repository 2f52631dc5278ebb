"""`companion doctor`: what is right and what is not, with a device and without any."""

from __future__ import annotations

import errno
import json
import os
import random
from pathlib import Path
from typing import Any

import pytest

from companion.app.shell import session
from companion.live.devices import Chosen, ChosenDevices
from companion.photo_hand.draft import WinDraft
from firmware_bridge.emulator import DiceCup, EmulatedDevice, Faults
from firmware_bridge.ports import PortInfo


def checks(document: dict[str, Any]) -> dict[str, bool]:
    return {each["what"]: each["ok"] for each in document["checks"]}


def test_all_is_well_without_any_device(call: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("firmware_bridge.ports.list_serial_ports", tuple)
    document = call("doctor", "--json").document
    assert document["ok"]
    assert document["ports"] == []
    found = checks(document)
    assert found["models"]
    assert found["data folder"]
    assert found["fonts"]
    assert found["cameras"]
    assert "companion devices emulate" in call("doctor").out


def test_the_quickest_way_to_read_is_measured_and_kept(call: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("firmware_bridge.ports.list_serial_ports", tuple)
    monkeypatch.setattr("companion.commands.speed.SECONDS", 0.0)

    def found() -> str:
        return next(
            each["found"] for each in call("doctor", "--json").document["checks"] if each["what"] == "speed"
        )

    assert "companion doctor --speed" in found()
    document = call("doctor", "--speed", "--json").document
    assert document["chosen"] in [
        {key: way[key] for key in ("threads", "numbers")} for way in document["ways"]
    ]
    assert all(way["ms"] > 0 for way in document["ways"])
    assert str(document["chosen"]["threads"]) in found()
    assert document["chosen"]["numbers"] in found()


@pytest.mark.parametrize(
    ("number", "to_do"),
    [
        (errno.ENOSPC, "is full: make room there."),
        (errno.EROFS, "is read-only: sudo mount -o remount,rw /"),
        (errno.EACCES, "name another one in COMPANION_DATA"),
    ],
)
def test_a_disk_that_cannot_be_written(
    call: Any, monkeypatch: pytest.MonkeyPatch, number: int, to_do: str
) -> None:
    def refuse(folder: Path) -> None:
        raise OSError(number, os.strerror(number), str(folder))

    monkeypatch.setattr("firmware_bridge.ports.list_serial_ports", tuple)
    monkeypatch.setattr("companion.doctor.try_writing", refuse)
    run = call("doctor", "--json")
    assert run.status == 3
    assert to_do in run.out


def test_a_device_is_shown(call: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("firmware_bridge.ports.list_serial_ports", tuple)
    path = tmp_path / "cup"
    with EmulatedDevice(DiceCup(random.Random(1)), path):
        (port,) = call("doctor", "--port", path, "--json").document["ports"]
        assert (port["device"]["serial"], port["asked"]) == ("CUP-EMULATED", True)
        assert "CUP-EMULATED" in call("doctor", "--port", path).out


def test_each_port_is_reported_with_its_state(
    call: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "firmware_bridge.ports.list_serial_ports", lambda: (PortInfo("/dev/ttyS9", "n/a", ""),)
    )
    monkeypatch.setattr("companion.doctor.ASK_S", 0.6)
    cup, stuck, new = (tmp_path / name for name in ("cup", "stuck", "new"))
    with (
        EmulatedDevice(DiceCup(random.Random(1)), cup),
        EmulatedDevice(DiceCup(random.Random(1)), stuck, Faults(stuck=True)),
        EmulatedDevice(DiceCup(random.Random(1)), new, Faults(wrong_version=True)),
    ):
        named = [word for path in (cup, stuck, new, tmp_path / "absent") for word in ("--port", path)]
        document = call("doctor", *named, "--port", "usb:0001:0001", "--json").document
        shown = call("doctor", *named).out
    states = {Path(port["path"]).name: port["state"] for port in document["ports"]}
    assert states == {
        "ttyS9": "not asked", "cup": "answers", "stuck": "silent", "new": "refused", "absent": "unusable",
        "usb:0001:0001": "unusable",
    }  # fmt: skip
    assert document["ok"], "a device is no need"
    for state in ("not asked", "silent", "refused", "unusable"):
        assert state in shown
    assert "speaks version 9" in " ".join(shown.split())


def test_the_windows_devices_are_asked_and_its_file_stays(
    call: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("firmware_bridge.ports.list_serial_ports", tuple)
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path))
    path, file = tmp_path / "cup", tmp_path / session.FILE
    session.save(
        file, session.Session(parts={"devices": ChosenDevices((Chosen(str(path)), Chosen("usb:1:2")))})
    )
    before = file.read_bytes()
    with EmulatedDevice(DiceCup(random.Random(1)), path):
        ports = call("doctor", "--json").document["ports"]
        assert [(port["state"], port["remembered"]) for port in ports] == [
            ("answers", True),
            ("unusable", True),
        ]
    assert "no such port" in " ".join(call("doctor").out.split())
    assert file.read_bytes() == before
    file.write_text("damaged")
    assert call("doctor", "--json").document["ports"] == []
    assert file.read_text() == "damaged"


def test_kept_files_are_counted_and_what_is_damaged_is_named(
    call: Any, own_data_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("firmware_bridge.ports.list_serial_ports", tuple)

    def kept() -> dict[str, Any]:
        found = call("doctor", "--json").document["checks"]
        return next(each for each in found if each["what"] == "kept files")

    assert kept()["found"] == "hands of windows: 0, games: 0, profiles: 0, tile sets: 0"
    hand = session.path_of(own_data_folder, 1)
    session.save(hand, session.Session(parts={"score_photo": WinDraft()}))
    assert call("rules", "hefei", "--save", "home").status == 0
    assert call("games", "begin", "friday", "--rules", "hefei").status == 0
    game = own_data_folder / "games" / "friday.game"
    assert kept()["found"] == "hands of windows: 1, games: 1, profiles: 1, tile sets: 0"
    profile = own_data_folder / "profiles" / "home.json"
    for path in (hand, game, profile):
        path.write_bytes(path.read_bytes()[:-9])
    (own_data_folder / "sets").mkdir()
    (own_data_folder / "sets" / "home.tiles").write_bytes(b"")
    to_do = kept()["to_do"]
    assert f"The saved hand '{hand}' cannot be used (" in to_do
    assert f"The game file '{game}' is damaged: " in to_do
    assert f"The profile '{profile}' cannot be used: " in to_do
    assert "home.tiles' is damaged (" in to_do
    run = call("doctor")
    assert (run.status, "damaged" in run.out) == (0, True)
    assert "the exit status stays 0" in " ".join(call("doctor", "--help").out.split())


def test_missing_part_is_reported_with_advice(call: Any, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    run = call(
        "doctor", "--json", COMPANION_MODELS=str(tmp_path), COMPANION_DATA=str(tmp_path / "file" / "below")
    )
    assert run.status == 3
    assert run.complaint == "companion: Not right: models, data folder.\n"
    wrong = {each["what"]: each["to_do"] for each in json.loads(run.out)["checks"] if not each["ok"]}
    assert "install the program again" in wrong["models"]
    assert "COMPANION_DATA" in wrong["data folder"]
