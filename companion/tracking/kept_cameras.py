"""Where cameras stand, as files: `cameras/NAME.json` in the user's data folder, one for each camera."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path
from typing import Annotated, Literal

import msgspec
import numpy as np

from companion.decoding import explain
from companion.errors import InputError, quote
from companion.named_files import NamedFiles
from companion.sentences import Sentence, msgid
from companion.tracking.table_camera import TableCamera

FILES = NamedFiles(msgid("camera's place"), msgid("cameras' places"), "cameras", ".json")
DAMAGED = msgid("The saved place of the camera {camera} cannot be used ({problem}): find the table again.")
NO_CAMERA = msgid("its numbers are not those of a camera over a table")
READABLE_LETTERS = 40
"""Of a camera's id that stand in the name of its file."""
SIDE_MAX_PX = 100_000

Row3 = Annotated[list[float], msgspec.Meta(min_length=3, max_length=3)]
Row4 = Annotated[list[float], msgspec.Meta(min_length=4, max_length=4)]
Side = Annotated[int, msgspec.Meta(ge=1, le=SIDE_MAX_PX)]


class KeptCamera(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A TableCamera as a file holds it. camera: its id."""

    format: Literal["mahjong-companion-camera"]
    version: Literal[1]
    camera: str
    width: Side
    height: Side
    projection: Annotated[list[Row4], msgspec.Meta(min_length=3, max_length=3)]
    matrix: Annotated[list[Row3], msgspec.Meta(min_length=3, max_length=3)]
    distortion: Annotated[list[float], msgspec.Meta(min_length=5, max_length=5)]


def path_of(camera_id: str) -> Path:
    """The file of this camera, which need not exist. Raises InputError."""
    return FILES.path_of(_make_name(camera_id))


def save_camera(camera_id: str, camera: TableCamera) -> Path:
    """Write where the camera stands in one step, over what was written before; its file. Raises
    InputError."""
    kept = KeptCamera(
        "mahjong-companion-camera", 1, camera_id, camera.width, camera.height, camera.projection.tolist(),
        camera.matrix.tolist(), camera.distortion.tolist(),
    )  # fmt: skip
    text = json.dumps(msgspec.to_builtins(kept), ensure_ascii=False, indent=1) + "\n"
    return FILES.write(_make_name(camera_id), text.encode())


def load_camera(camera_id: str) -> TableCamera | None:
    """Where the camera stands, None where that was never saved. Raises InputError for a file that is
    damaged, or that the system refuses."""
    if not path_of(camera_id).exists():
        return None
    try:
        kept = msgspec.json.decode(FILES.read(_make_name(camera_id)), type=KeptCamera)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise InputError(DAMAGED, camera=quote(camera_id), problem=explain(error)) from error
    camera = TableCamera(
        np.array(kept.projection), np.array(kept.matrix), np.array(kept.distortion), kept.width, kept.height
    )
    if not _is_over_table(camera):
        raise InputError(DAMAGED, camera=quote(camera_id), problem=Sentence(NO_CAMERA))
    return camera


def _is_over_table(camera: TableCamera) -> bool:
    """Whether it can see the whole top of the table from above."""
    with np.errstate(all="ignore"):
        ranks = [np.linalg.matrix_rank(each) for each in (camera.projection[:, :3], camera.matrix)]
        return ranks == [3, 3] and camera.position_mm[2] > 0 and bool(np.isfinite(camera.corners).all())


def _make_name(camera_id: str) -> str:
    """A name for the file: what of the id may stand in one, and a few letters that tell ids apart."""
    readable = re.sub(r"[^0-9A-Za-z]+", "-", camera_id).strip("-")[-READABLE_LETTERS:].strip("-")
    digest = hashlib.sha256(camera_id.encode("utf-8", "surrogatepass")).hexdigest()[:10]
    return f"{readable}-{digest}" if readable else digest
