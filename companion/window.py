"""`companion app`: the command that opens the window."""

from __future__ import annotations

import gc
import os
from pathlib import Path
from typing import Annotated

import typer

from companion.errors import InputError, quote


def show_app(
    picture: Annotated[Path | None, typer.Option(metavar="IMAGE", help="Open with this picture.")] = None,
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

    gc.disable()  # until the first screen is there: `begin_search`
    from companion.app.shell.startup import run

    status = run(
        picture=picture, screenshot=screenshot, language=language, device=device,
        camera=camera or os.environ.get("COMPANION_CAMERA"), live=camera is not None and picture is None,
    )  # fmt: skip
    if status:
        raise typer.Exit(status)
