"""`companion doctor --camera`: whether the pictures of a camera are good enough to follow a table."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

from companion.commands.output import console, print_json
from companion.errors import MissingError

if TYPE_CHECKING:
    from companion.cameras.sources import PictureSource
    from companion.seeing.camera_check import Finding

PHONE_WAIT_S = 0.1
"""Pause between two checks whether a phone has come."""
NO_CAMERA = "No camera is connected: plug one in, or name a video or the URL of a camera."
NOT_GOOD = "Not right: {what}."


def check(source: str | None, as_json: bool) -> None:
    """Check that camera, video or stream, or with `phone` the one that opens the page; without a source the
    window's camera, or the first that is connected. Raises MissingError where there is none, and, once all is
    shown, where something is not good enough."""
    from companion.cameras import list_cameras, open_camera
    from companion.cameras.connected import describe_camera
    from companion.cameras.phone import PHONE
    from companion.cameras.sources import open_source
    from companion.live.camera_check import check_source
    from companion.seeing.camera_check import NAMES
    from companion.vision import load_recogniser

    wanted = source or os.environ.get("COMPANION_CAMERA") or next((each.id for each in list_cameras()), None)
    if wanted is None:
        raise MissingError(NO_CAMERA)
    is_phone = wanted == PHONE.id
    with (
        _open_phone(as_json)
        if is_phone
        else open_source(wanted, partial(open_camera, afresh=True)) as pictures
    ):
        findings = check_source(pictures, load_recogniser())
        name = describe_camera(pictures.name)
    wrong = [NAMES[each.aspect] for each in findings if each.good is False]
    if as_json:
        print_json({"camera": name, "ok": not wrong, "checks": [_entry(each) for each in findings]})
    else:
        _show(name, findings)
    if wrong:
        raise MissingError(NOT_GOOD, what=", ".join(wrong))


@contextmanager
def _open_phone(as_json: bool) -> Iterator[PictureSource]:
    """The camera of a phone, once it has opened the page whose link is printed: on stderr where stdout is for
    one JSON document."""
    from companion.cameras.phone import PhonePictures
    from companion.cameras.sources import open_phone
    from companion.commands.phone_page import print_link, serve_phone
    from companion.live.running import RunningGame

    phone, game = PhonePictures(), RunningGame()
    try:
        with open_phone(phone) as pictures, serve_phone(game, phone) as page:
            print_link(*page, sys.stderr if as_json else sys.stdout)
            while not phone.is_there:
                time.sleep(PHONE_WAIT_S)
            yield pictures
    finally:
        game.close()


def _entry(finding: Finding) -> dict[str, Any]:
    return {
        "what": str(finding.aspect),
        "value": finding.value,
        "shown": finding.shown,
        "ok": finding.good,
        "to_do": None if finding.advice is None else str(finding.advice),
    }


def _show(name: str, findings: tuple[Finding, ...]) -> None:
    from rich.table import Table

    from companion.seeing.camera_check import NAMES

    signs = {True: "ok", False: "NOT GOOD", None: "unknown"}
    table = Table(title=name)
    for heading in ("what", "", "measured", "what to do"):
        table.add_column(heading, overflow="fold")
    for each in findings:
        table.add_row(NAMES[each.aspect], signs[each.good], each.shown, str(each.advice or ""))
    console().print(table)
