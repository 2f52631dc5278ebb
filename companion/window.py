"""`companion app`, `companion bench app` and `companion bench evening`: the commands that open the window."""

from __future__ import annotations

import os
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer

from companion.commands.inputs import AsJson
from companion.commands.output import console, print_json
from companion.errors import InputError, quote
from companion.screen import find_screen


def show_app(
    picture: Annotated[
        Path | None, typer.Option(metavar="IMAGE", help="Start with this picture read.")
    ] = None,
    screenshot: Annotated[
        Path | None, typer.Option(metavar="OUT.png", help="Save what the window shows, and close it.")
    ] = None,
    language: Annotated[
        str | None, typer.Option(metavar="CODE", help="en, zh_Hans or zh_Hant; kept for the next time.")
    ] = None,
    camera: Annotated[
        str | None,
        typer.Option(
            metavar="ID",
            help="Start with the live picture of a camera, as /dev/video0, or of a recording, as file:PATH.",
        ),
    ] = None,
    device: Annotated[
        str | None,
        typer.Option(metavar="PORT", help="A dice cup or table to listen to from now on, as /dev/ttyUSB0."),
    ] = None,
) -> None:
    """Open the window."""
    from companion.words import Language

    if language is not None and language not in tuple(Language):
        raise InputError(
            "No language {given}. Choose {known}.",
            given=quote(language), known=" or ".join(Language),
        )  # fmt: skip
    if screenshot is not None and not screenshot.absolute().parent.is_dir():
        raise InputError("No folder '{folder}'. Make it first.", folder=screenshot.parent)

    from companion.app.shell.startup import run

    status = run(
        picture=picture, screenshot=screenshot, language=language, device=device,
        camera=camera or os.environ.get("COMPANION_CAMERA"), live=camera is not None and picture is None,
    )  # fmt: skip
    if status:
        raise typer.Exit(status)


def bench_app(
    hands: Annotated[int, typer.Option(metavar="N", min=1, max=100, help="Hands that are followed.")] = 2,
    again: Annotated[
        int, typer.Option(metavar="N", min=1, max=1000, help="How often these hands are followed in a row.")
    ] = 1,
    starts: Annotated[
        int, typer.Option(metavar="N", min=1, max=100, help="How often the window is opened for its time.")
    ] = 5,
    seed: Annotated[int, typer.Option(metavar="N", min=0, help="Of the hands and their film.")] = 20261123,
    as_json: AsJson = False,
) -> None:
    """How soon the window is there, and how quickly and in how much memory it follows filmed hands: several
    minutes for each."""
    find_screen()
    from companion.window_bench.following import bench

    figures = bench(hands, again, starts, seed)
    if as_json:
        print_json(figures)
    else:
        console().print_json(data=figures)


def bench_evening(
    rules: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="A game; several may be named. All without.")
    ] = None,
    hands: Annotated[int, typer.Option(metavar="N", min=1, max=100, help="Hands that count, of each.")] = 16,
    seed: Annotated[int, typer.Option(metavar="N", min=0, help="Of the hands.")] = 20261130,
    camera: Annotated[
        bool, typer.Option(help="Reported by a simulated camera and table, not by touch.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Play an evening of each game through the window, kill it three times in the middle, and hold the score
    sheet against what was played: several minutes for each."""
    from companion.rules import RULE_SETS

    for name in rules or ():
        if name not in RULE_SETS:
            raise InputError(
                "No game {given}. Games: {known}.", given=quote(name), known=", ".join(RULE_SETS)
            )
    find_screen()
    from companion.window_bench.by_camera import play_by_camera
    from companion.window_bench.by_touch import play_by_touch
    from companion.window_bench.evenings import Window, bench_evenings

    window = Window(play_by_camera, odd=False) if camera else Window(play_by_touch)
    with TemporaryDirectory() as folder:
        figures = bench_evenings(window, rules or list(RULE_SETS), hands, seed, Path(folder))
    if as_json:
        print_json(figures)
    else:
        console().print_json(data=figures)
    if any(each["differences"] or each["lost"] for each in figures):
        raise typer.Exit(1)
