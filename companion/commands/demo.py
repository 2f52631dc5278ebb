"""`companion demo`: reads and scores a photo of a table, follows a filmed game, and opens the window."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Annotated, Any

import typer

from companion.commands.output import console, print_message, show_score
from companion.config import find_wanted_dir
from companion.errors import CameraError, InputError, MissingError, RequestError
from companion.files import name_reason
from companion.screen import find_screen

VIRTUAL_SCREEN = "-screen 0 1280x800x24"

RECORDED = Path(__file__).resolve().parents[1] / "recorded_demo"
"""The picture and the film, drawn by `python -m lab.demo`."""
PICTURE, FILM = "hand.jpg", "game.mp4"
DEMO_WIN: dict[str, Any] = {"rules": "hefei", "winning_tile": "8s", "winner": 0, "source": "self_draw"}
"""Three consecutive concealed pungs, won as a new hand in the window is: both show the same payments."""


def demo(
    output: Annotated[Path, typer.Option(metavar="DIR", help="Where the pictures go.")] = Path("demo-output"),
) -> None:
    """Read a picture of a table and score the hand, follow a filmed game to its score, and open the window.

    Without a display, a picture of the window is saved.
    """
    from companion.cameras.recorded import OTHER_SYSTEM

    try:
        output.mkdir(parents=True, exist_ok=True)
        for name in (PICTURE, FILM):
            shutil.copyfile(RECORDED / name, output / name)
    except OSError as error:
        raise InputError(
            "The demo cannot be written to '{folder}' ({why}): choose another folder with --output.",
            folder=output, why=name_reason(error),
        ) from error  # fmt: skip
    picture = output / PICTURE
    _read_and_score(picture, output / "annotated.png")
    try:
        _follow_game(output / FILM)
    except CameraError as error:
        if error.sentence.template != OTHER_SYSTEM:
            raise
        print_message(str(error))
    if has_display():
        _open_window(picture)
    else:
        _save_window(picture, output / "app.png")


def _read_and_score(picture: Path, annotated: Path) -> None:
    from companion.commands.pictures import show_reading, write_annotated
    from companion.photo_hand.from_reading import hand_fields, hand_in, unsure
    from companion.rules import decode_request, rule_set, score, score_json
    from companion.vision import load_recogniser

    out = console()
    out.print(f"A picture of a table: {picture}")
    reading = load_recogniser().read_file(picture, rules=DEMO_WIN["rules"])
    write_annotated(picture, reading, annotated)
    out.print(f"What is read in it:   {annotated}\n")
    show_reading(str(picture), reading, hand_in(reading, DEMO_WIN["rules"]), unsure(reading))
    out.print()
    try:
        tile_set = rule_set(DEMO_WIN["rules"]).tile_set
        request = decode_request(DEMO_WIN | hand_fields(reading, {}, "", DEMO_WIN, tile_set))
    except RequestError as error:
        out.print(f"Not scored: {error} In the window it can be corrected.")
    else:
        show_score(score_json(score(request)), request)


def _follow_game(film: Path) -> None:
    """Follow the film as `companion track` does."""
    from companion.cameras.sources import open_source
    from companion.commands.track import EventWords, make_watch, open_game
    from companion.live.followed_game import GamePlan, follow_source, make_follower
    from companion.table.events import GameStarted

    start, game = GameStarted(rules=DEMO_WIN["rules"]), film.stem
    console().print(f"\nA filmed game: {film}  (see it live: companion app --camera file:{film})\n")
    with open_source(str(film)) as pictures, open_game(GamePlan(start, None), game) as opened:
        running, before = opened
        watch = make_watch(before.state, None, 0, None)
        follower = make_follower(running, pictures.name, game, before, None)
        words = EventWords()
        for noticed in follow_source(pictures, watch, follower, before.state):
            words.show(noticed)


def has_display() -> bool:
    """Whether a window can be shown."""
    try:
        find_screen()
    except MissingError:
        return False
    return True


def _open_window(picture: Path) -> None:
    """The window on the user's own data: games played there are kept like any other."""
    console().print("\nOpening the window; close it to end the demo.")
    console().print(f"Games that you play in it are kept in {find_wanted_dir()}")
    _run(_list_command(picture), {})


def _save_window(picture: Path, screenshot: Path) -> None:
    """A picture of the window, which keeps nothing."""
    xvfb = shutil.which("xvfb-run")
    if xvfb is None:
        raise MissingError(
            "There is no display, and no xvfb-run to do without one: install the package xvfb."
        )
    command = [xvfb, "-a", "-s", VIRTUAL_SCREEN, *_list_command(picture), "--screenshot", str(screenshot)]
    with tempfile.TemporaryDirectory() as folder:
        _run(command, {"COMPANION_DATA": folder})
    console().print(f"\nThere is no display: what the window shows is in {screenshot}")


def _list_command(picture: Path) -> list[str]:
    return [sys.executable, "-m", "companion", "app", "--picture", str(picture)]


def _run(command: list[str], environment: dict[str, str]) -> None:
    """Run the window as a process of its own."""
    status = subprocess.run(command, env={**os.environ, **environment}, check=False).returncode
    if status:
        raise typer.Exit(status)
