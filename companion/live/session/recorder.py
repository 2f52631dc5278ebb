"""Records a game that is followed, in a new folder. A full disk ends the recording, not the game."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import IO

import cv2
import msgspec
import numpy as np

from companion.errors import InputError
from companion.files import make_folder, name_reason, open_owner_only, sync_folder, write_whole
from companion.images import Image
from companion.live.noticed import (
    Doubted,
    EventNoticed,
    FollowingLost,
    FollowingResumed,
    Noticed,
    QuestionAsked,
    noticed_json,
)
from companion.live.session.lines import (
    BEND_DIGITS,
    FRAMES,
    HEADER,
    LINES,
    CameraLine,
    Header,
    Line,
    SightsEncoder,
    round_sight,
)
from companion.seeing.preview import SmallFrame
from companion.seeing.sights import Sight
from companion.seeing.table_camera import TableCamera
from companion.sentences import Sentence, msgid

THERE_ALREADY = msgid("'{folder}' is there already: name a new folder for the recording.")
CANNOT_RECORD = msgid("The session cannot be recorded in '{folder}' ({why}).")
STOPPED = msgid("The session is no longer recorded ({why}); the game continues.")
NEW_FILE = os.O_WRONLY | os.O_CREAT | os.O_EXCL
JPEG_QUALITY = 88
BLOCK_PX = 8
"""Block size of the small picture, px: a fifth of a tile at least."""
CHANGED_LEVELS = 8.0
"""Grey levels by which a block must differ on average: twice what a camera's noise comes to."""
MOVING_EVERY_S = 2.0
"""Seconds between stored pictures while something moves; otherwise a picture is stored when it is still
again."""

Paint = Callable[[Image], Image | None]
"""A copy of the newest picture without what players hold; None if unknown where that is."""


class SessionRecorder:
    """Writes a session. Raises InputError if its folder is there already or cannot be made.

    paint: without it no picture is kept. trouble: why nothing is recorded any more.
    """

    def __init__(self, folder: Path, header: Header, paint: Paint | None = None) -> None:
        self.trouble: Sentence | None = None
        self._folder = folder
        self._paint = paint
        self._sights = SightsEncoder()
        self._camera: CameraLine | None = None
        self._frames = 0
        self._kept: SmallFrame | None = None
        self._before: SmallFrame | None = None
        self._kept_s = 0.0
        self._moves_since: float | None = None
        self._file: IO[bytes] | None = None
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise InputError(THERE_ALREADY, folder=folder)
        try:
            make_folder(folder)
            write_whole(folder / HEADER, msgspec.json.encode(header))
            if paint is not None:
                make_folder(folder / FRAMES)
            self._file = os.fdopen(open_owner_only(str(folder / LINES), NEW_FILE), "wb")
            sync_folder(folder)
        except OSError as error:
            shutil.rmtree(folder, ignore_errors=True)  # it was empty
            why = name_reason(error)
            raise InputError(CANNOT_RECORD, folder=folder, why=why) from error

    def record_camera(self, t: float, camera: TableCamera | None) -> None:
        """Where the table is in the pictures from now on."""
        if camera is None:
            return
        corners = tuple((round(float(x), 1), round(float(y), 1)) for x, y in camera.corners)
        line = CameraLine(corners, camera.width, camera.height, round(camera.lens.bend, BEND_DIGITS))
        if line != self._camera:
            self._camera = line
            self._write(Line(t=t, camera=line))

    def record_frame(self, t: float, image: Image) -> None:
        """Keep the picture where something has changed and is still again, and at times while it moves."""
        if self._paint is None or self._file is None:
            return
        small, before = SmallFrame.of(image), self._before
        self._before = small
        if before is not None and _differ(before, small):
            if self._moves_since is None:
                self._moves_since = t
        else:
            self._moves_since = None
        if self._kept is not None and not _differ(self._kept, small):
            return
        if self._moves_since is not None and t - max(self._moves_since, self._kept_s) < MOVING_EVERY_S:
            return
        painted = self._paint(image)
        if painted is None:
            return
        name = f"{FRAMES}/{self._frames + 1:06}.jpg"
        ok, encoded = cv2.imencode(".jpg", painted, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
        if not ok:
            return
        try:
            with open(self._folder / name, "xb", opener=open_owner_only) as file:
                file.write(encoded.tobytes())
        except OSError as error:
            self._stop(error)
            return
        self._frames += 1
        self._kept, self._kept_s = small, t
        self._write(Line(t=t, frame=name))

    def record_sight(self, sight: Sight) -> Sight:
        """Keep the sight; as it is kept, so it is to be followed, for a replay to see the same."""
        rounded = round_sight(sight)
        self._write(Line(t=rounded.t, sight=self._sights.encode(rounded)))
        return rounded

    def record_notice(self, noticed: Noticed) -> None:
        """Record the notice, except for game states, which follow from the events."""
        line = make_line(noticed)
        if line is not None:
            self._write(line)

    def close(self) -> None:
        """End the recording, whose lines outlive a power failure then; a second call does nothing."""
        file, self._file = self._file, None
        if file is not None:
            try:
                os.fsync(file.fileno())
            finally:
                file.close()

    def _write(self, line: Line) -> None:
        if self._file is None:
            return
        try:
            self._file.write(msgspec.json.encode(line) + b"\n")
            self._file.flush()
        except OSError as error:
            self._stop(error)

    def _stop(self, error: OSError) -> None:
        self.trouble = Sentence(STOPPED, {"why": name_reason(error)})
        file, self._file = self._file, None
        with suppress(OSError):  # what is still to be written has no room either
            if file is not None:
                file.close()


def make_line(noticed: Noticed) -> Line | None:
    """The line of a notice; None for a game state."""
    match noticed:
        case EventNoticed():
            source = noticed.source
            return Line(
                t=noticed.t, event=noticed.event, p=noticed.p, certain=noticed.certain,
                source=source.kind.value, by=source.name, seat=source.seat, number=noticed.number,
            )  # fmt: skip
        case QuestionAsked():
            return Line(t=noticed.t, question=noticed_json(noticed)["question"])
        case FollowingLost():
            return Line(t=noticed.t, lost={"why": str(noticed.why)})
        case FollowingResumed():
            return Line(t=noticed.t, found={})
        case Doubted():
            return Line(t=noticed.t, doubt=noticed_json(noticed)["doubt"])
    return None


def _differ(one: SmallFrame, other: SmallFrame) -> bool:
    """Whether something has changed from one small picture to the other."""
    if one.grey.shape != other.grey.shape:
        return True
    apart = cv2.absdiff(one.grey, other.grey)
    return bool(np.max(cv2.blur(apart, (BLOCK_PX, BLOCK_PX))) > CHANGED_LEVELS)
