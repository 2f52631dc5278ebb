"""`companion demo`: draws a table, reads and scores it, follows a filmed game, and opens the window."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Annotated, Any

import typer

from companion.commands.output import console, show_score
from companion.config import find_wanted_dir, models_dir
from companion.errors import InputError, MissingError, RequestError
from companion.files import name_reason
from companion.screen import find_screen

VIRTUAL_SCREEN = "-screen 0 1280x800x24"

DEMO_ROWS = (("3m", "3m", "3m", "4m", "4m", "4m", "5m", "5m", "5m", "2p", "2p", "6s", "7s", "8s"),)
DEMO_WIN: dict[str, Any] = {"rules": "hefei", "winning_tile": "8s", "winner": 0, "source": "self_draw"}
"""Three consecutive concealed pungs, won as a new hand in the window is: both show the same payments."""

GAME, GAME_SEED, GAME_PACE, GAME_SIZE = "game", 58, 3.0, (1920, 1080)
"""A hand of nine discards, a pung and a win, played three times as quickly as usual."""


def demo(
    output: Annotated[Path, typer.Option(metavar="DIR", help="Where the pictures go.")] = Path("demo-output"),
) -> None:
    """Draw a table, read it, score the hand, film a game and follow it to its score, and open the window (or
    save what it would show).

    Records a drawn table too, for `companion app --camera file:DIR/table.avi`.
    """
    try:
        output.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(
            "The folder '{folder}' cannot be made ({why}): choose another with --output.",
            folder=output, why=name_reason(error),
        ) from error  # fmt: skip
    picture = output / "hand.png"
    _read_and_score(picture, output / "annotated.png")
    _record(output / "table.avi")
    _follow_game(output)
    if has_display():
        _open_window(picture)
    else:
        _save_window(picture, output / "app.png")


def _read_and_score(picture: Path, annotated: Path) -> None:
    from companion.commands.pictures import show_reading, write_annotated, write_picture
    from companion.photo_hand.from_reading import hand_fields, hand_in, unsure
    from companion.rules import decode_request, rule_set, score, score_json
    from companion.scenes.hand import render_hand
    from companion.vision import Recogniser

    out = console()
    write_picture(picture, render_hand(DEMO_ROWS).image)
    out.print(f"Drew a table:         {picture}")
    reading = Recogniser(models_dir()).read_file(picture, rules=DEMO_WIN["rules"])
    write_annotated(picture, reading, annotated)
    out.print(f"Drew what was read:   {annotated}\n")
    show_reading(str(picture), reading, hand_in(reading, DEMO_WIN["rules"]), unsure(reading))
    drawn = [code for row in DEMO_ROWS for code in row]
    if [tile.code for tile in reading.tiles] != drawn:
        out.print(f"  what was drawn is another hand: {' '.join(drawn)}")
    out.print()
    try:
        tile_set = rule_set(DEMO_WIN["rules"]).tile_set
        request = decode_request(DEMO_WIN | hand_fields(reading, {}, "", DEMO_WIN, tile_set))
    except RequestError as error:
        out.print(f"Not scored: {error} In the window it can be corrected.")
    else:
        show_score(score_json(score(request)), request)


def _record(clip: Path) -> None:
    from companion.scenes.clip import record

    record(clip)
    console().print(f"\nRecorded a table:     {clip}  (see it live: companion app --camera file:{clip})")


def _follow_game(folder: Path) -> None:
    """Film a short hand, and follow the film as `companion track` does."""
    import random

    from companion.cameras.sources import open_source
    from companion.coach.simulation import play
    from companion.commands import track_setup as setup
    from companion.commands.films import film_played
    from companion.commands.track_words import Words
    from companion.running.followed_game import GamePlan, make_follower
    from companion.running.tracking_run import follow_source
    from companion.scenes.film.pose import Pose
    from companion.scenes.film.writing import Shooting
    from companion.table.events import GameStarted

    out = console()
    for suffix in (".mp4", ".jsonl"):
        (folder / f"{GAME}{suffix}").unlink(missing_ok=True)
    start = GameStarted(rules=DEMO_WIN["rules"])
    played = next(iter(play(start, 1, random.Random(GAME_SEED))))
    shooting = Shooting(Pose.ABOVE, GAME_SIZE, GAME_PACE, calm=True, seed=GAME_SEED)
    out.print("\nFilming a game, ten frames a second …")
    film = film_played(played, 1, shooting, folder, GAME)
    out.print(f"Filmed a game:        {film}\nFollowing it by what its camera sees:\n")
    with open_source(str(film)) as pictures, setup.open_game(GamePlan(start, None), GAME) as opened:
        running, before = opened
        watch = setup.make_watch(before.state, None, 0, None)
        follower = make_follower(running, pictures.name, GAME, before, None)
        words = Words()
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
    """The window on the person's own data: what is played there is kept like any other game."""
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
