"""`companion doctor`: what the program needs and what it is connected to; for each thing that is not right,
what to do.
"""

from __future__ import annotations

import errno
import os
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from companion.commands.camera import check as check_camera
from companion.commands.inputs import AsJson
from companion.commands.output import console, print_json
from companion.commands.speed import measure_speed
from companion.config import data_dir, models_dir
from companion.errors import CompanionError, GameFileError, InputError, MissingError
from companion.files import NO_ROOM, name_reason, try_writing
from companion.named_files import NO_DATA_FOLDER
from companion.screen import find_screen, list_named

if TYPE_CHECKING:
    from companion.app.shell.session import Session

ASK_S = 2.0
"""Seconds that a port has to answer: a board that restarts when it is asked needs this."""
Entry = dict[str, Any]
SIGNS = {"cameras": "none", "computer": "NOT GOOD", "display": "none", "kept files": "damaged"}
"""The mark for an optional part that is not usable."""
READ_ONLY = (
    "The disk of the data folder '{folder}' is read-only: sudo mount -o remount,rw {disk}; where that does"
    " not last, the disk is damaged: copy your games to another one."
)
DATA_DISK_FULL = "The disk of the data folder '{folder}' is full: make room there."
ONLY_CAMERA = "'{given}' is checked as a camera only with --camera."
BAD_HAND = "The saved hand '{file}' cannot be used ({why}): the window sets it aside when it opens."


def doctor(
    ask: Annotated[
        bool, typer.Option(help="Ask the ports with a USB id which device is there; a board may restart.")
    ] = True,
    port: Annotated[
        list[str] | None, typer.Option(metavar="PORT", help="Ask this port too; may be repeated.")
    ] = None,
    camera: Annotated[
        bool, typer.Option("--camera", help="Check only whether the pictures of a camera are good enough.")
    ] = False,
    speed: Annotated[
        bool,
        typer.Option(
            "--speed", help="Measure for half a minute how tiles are read quickest here, and keep it."
        ),
    ] = False,
    source: Annotated[
        str | None,
        typer.Argument(
            metavar="CAMERA",
            help="With --camera: as /dev/video0, a video, a URL, or phone; the first camera if left out.",
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Check computer, models, data folder, fonts and display; show cameras and devices. Nothing is changed
    without --speed.

    Exit status 3 if models, data folder or fonts are unusable. What is wrong with the computer, and kept
    files that are damaged, are named, and the exit status stays 0: the program runs all the same, as without
    a display, cameras and devices. With --camera: the size and sharpness of its pictures, light, and where it
    stands, each with what to do; exit status 3 where something is not good enough. With --speed: how
    the networks run quickest, which is used from then on, on this processor.
    """
    if camera:
        check_camera(source, as_json)
        return
    if source is not None:
        raise InputError(ONLY_CAMERA, given=source)
    if speed:
        measure_speed(as_json)
        return
    needs = [
        _check("computer", _computer, needed=False),
        _check("models", _models),
        _entry("speed", _speed(), None, False),
        _check("data folder", _data_folder),
        _check("fonts", _fonts),
        _check("kept files", _kept_files, needed=False),
        _check("display", _display, needed=False),
        _cameras(),
    ]
    ports = _ports(ask, port or [])
    wrong = [each["what"] for each in needs if each["needed"] and not each["ok"]]
    if as_json:
        print_json({"ok": not wrong, "checks": needs, "ports": ports})
    else:
        _show(needs, ports)
    if wrong:
        raise MissingError("Not right: {what}.", what=", ".join(wrong))


def _check(what: str, look: Callable[[], str], needed: bool = True) -> Entry:
    try:
        return _entry(what, look(), None, needed)
    except CompanionError as error:
        return _entry(what, "", str(error), needed)


def _entry(what: str, found: str, to_do: str | None, needed: bool) -> Entry:
    return {"what": what, "ok": to_do is None, "needed": needed, "found": found, "to_do": to_do}


def _computer() -> str:
    from companion.commands.computer import describe, find_problems

    problems = list(find_problems())
    if problems:
        raise MissingError("{problems}", problems=" ".join(problems))
    return describe()


def _models() -> str:
    from companion.vision import Recogniser

    Recogniser(models_dir())
    return f"{models_dir()}, as their manifest says"


def _speed() -> str:
    from companion.vision import quickest

    way = quickest.find_kept()
    if way is None:
        return "not measured on this machine: companion doctor --speed takes half a minute"
    return f"tiles are read in {'floats' if way.floats else '8 bits'}, with threads: {way.threads}"


def _data_folder() -> str:
    folder = None
    try:
        folder = data_dir()
        try_writing(folder)
    except OSError as error:
        place = folder or error.filename
        if error.errno == errno.EROFS:
            raise MissingError(READ_ONLY, folder=place, disk=shlex.quote(_find_mount(place))) from error
        template = DATA_DISK_FULL if error.errno in NO_ROOM else NO_DATA_FOLDER
        raise MissingError(template, folder=place, why=error.strerror) from error
    return str(folder)


def _find_mount(path: Path | str) -> str:
    """Where the file system with that path is mounted."""
    place = Path(path).absolute()
    return str(next(each for each in (place, *place.parents) if os.path.ismount(each)))


def _kept_files() -> str:
    """How much of each kind is kept; MissingError names what cannot be used."""
    from companion import profiles
    from companion.game import shelf
    from companion.vision import set_files

    try:
        hands, wrong = _hands()
    except OSError:  # reported with the data folder
        return "none"
    names = {"games": shelf.names(), "profiles": profiles.names(), "tile sets": set_files.names()}
    for what, load in (("games", _open_game), ("profiles", profiles.load), ("tile sets", set_files.load)):
        for name in names[what]:
            try:
                load(name)
            except (InputError, GameFileError) as problem:
                wrong.append(str(problem))
    if wrong:
        raise MissingError("{problems}", problems=" ".join(wrong))
    counts = {"hands of windows": len(hands), **{what: len(each) for what, each in names.items()}}
    return ", ".join(f"{what}: {count}" for what, count in counts.items())


def _open_game(name: str) -> None:
    """Raise the fault of a game; one that another program has open is in order."""
    from companion.game import messages, shelf
    from companion.game.game import Game

    try:
        Game.read(shelf.find(name))
    except GameFileError as problem:
        if problem.sentence.template != messages.BUSY:
            raise


def _hands() -> tuple[list[Session], list[str]]:
    """The saved states of the windows, and the faults of unusable ones."""
    from companion.app.shell import session
    from companion.foreign import Undecodable

    hands, wrong = [], []
    for path in session.files(data_dir()):
        try:
            hands.append(session.read(path))
        except OSError as error:
            wrong.append(BAD_HAND.format(file=path, why=name_reason(error)))
        except Undecodable as problem:
            wrong.append(BAD_HAND.format(file=path, why=problem))
    return hands, wrong


def _fonts() -> str:
    from PIL import ImageFont

    from companion.art import BUNDLED_FONTS

    names = []
    for font in BUNDLED_FONTS:
        try:
            names.append(" ".join(filter(None, ImageFont.truetype(str(font), 12).getname())))
        except OSError as error:
            raise MissingError(
                "The font {file} cannot be read: install the program again.", file=font
            ) from error
    return ", ".join(names)


def _display() -> str:
    screen = find_screen()
    size = f" ({screen.size[0]}x{screen.size[1]} px, {screen.driver})" if screen else ""
    return ", ".join(list_named()) + size


def _cameras() -> Entry:
    from companion.board import read_model
    from companion.cameras import list_cameras
    from companion.cameras.pi import NO_CAMERA, NO_PROGRAM, find_command

    cameras = list_cameras()
    if not cameras and "Raspberry Pi" in read_model():
        return _entry("cameras", "", NO_CAMERA if find_command() else NO_PROGRAM, False)
    found = ", ".join(f"{camera.name} ({camera.id})" for camera in cameras)
    return _entry(
        "cameras", found or "none is connected; pictures and recorded videos do as well", None, False
    )


def _ports(ask: bool, others: list[str]) -> list[Entry]:
    """Every serial port, `others` and those of the window's devices, with the device that answers there."""
    from companion.commands.devices import find_ports, port_entry
    from firmware_bridge.ports import ANY, ProbeResult, find_candidates, list_serial_ports, probe_all

    known = {port.path: port for port in list_serial_ports()}
    kept, gone = find_ports(_list_remembered_devices(), known.values())
    named, absent = find_ports(others, known.values())
    asked = [*(find_candidates(ANY, known.values()) if ask else ()), *kept, *named]
    answers = {each.path: each for each in probe_all(asked, ASK_S)}
    entries = [
        port_entry(answers.get(path, ProbeResult(path, None)), known.get(path)) | {"asked": path in answers}
        for path in dict.fromkeys([*known, *kept, *named])
    ]
    entries += [entry | {"asked": True} for entry in (*gone, *absent)]
    remembered = {*kept, *(entry["path"] for entry in gone)}
    return [entry | {"state": _state(entry), "remembered": entry["path"] in remembered} for entry in entries]


def _list_remembered_devices() -> list[str]:
    """The devices that the windows listen to."""
    try:
        hands, _ = _hands()
    except OSError:  # reported with the data folder
        return []
    chosen = [hand.parts["devices"] for hand in hands if "devices" in hand.parts]
    return list(dict.fromkeys(one.target for choice in chosen for one in choice.devices))


def _state(port: Entry) -> str:
    """The state of a port, in a word."""
    states = {"device": "answers", "refused": "refused", "trouble": "unusable"}
    shown = next((state for key, state in states.items() if port[key]), "silent")
    return shown if port["asked"] else "not asked"


def _show(needs: list[Entry], ports: list[Entry]) -> None:
    from rich.table import Table

    from companion.commands.devices import answer_words

    table = Table()
    for heading in ("what", "", "found, or what to do"):
        table.add_column(heading, overflow="fold")
    for each in needs:
        sign = "ok" if each["ok"] else SIGNS.get(each["what"], "MISSING")
        table.add_row(each["what"], sign, each["found"] if each["ok"] else each["to_do"])
    for port in ports:
        shown = answer_words(port) if port["asked"] else "companion devices list asks every port"
        kept = " (of the window)" if port["remembered"] else ""
        table.add_row(f"port {port['path']}{kept}", "ok" if port["device"] else port["state"], shown)
    if not ports:
        table.add_row("serial ports", "", "none; companion devices emulate shows how it is with one")
    console().print(table)
