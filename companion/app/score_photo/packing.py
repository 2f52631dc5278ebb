"""Packs the photo that is scored, what was read in it and what is right into one file. No Kivy."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from companion.app.effects import Ask, Effect, Say
from companion.app.news import PackingAgreed
from companion.app.score_photo.editing import name_tiles
from companion.errors import PictureError
from companion.files import name_reason
from companion.photo_hand.packing import CONTENTS, Right, choose_packed_path, pack_reading
from companion.sentences import Sentence
from companion.vision.reading import TileReading

if TYPE_CHECKING:
    from companion.app.score_photo.state import ScorePhoto

NO_PHOTO = Sentence("There is no photo to pack: score one first, and put its tiles right.")


@dataclass(frozen=True, slots=True)
class PackReading(Effect):
    """Write one file of these."""

    picture: Path
    tiles: tuple[TileReading, ...]
    right: Right


def has_reading(state: ScorePhoto) -> bool:
    """Whether there is a photo that was read."""
    return state.draft.picture is not None and state.seen is not None and state.seen[0] == state.draft.picture


def ask_to_pack(state: ScorePhoto) -> ScorePhoto:
    """Show what would be packed, and ask whether to; or say that there is no photo."""
    if not has_reading(state):
        return state.also(Say(NO_PHOTO, passes=True))
    return state.also(Ask(CONTENTS, Sentence("Pack"), PackingAgreed(), passes=True))


def begin_packing(state: ScorePhoto) -> ScorePhoto:
    """Have the photo packed, or say that there is none any more."""
    picture, seen = state.draft.picture, state.seen
    if picture is None or seen is None or not has_reading(state):
        return state.also(Say(NO_PHOTO, passes=True))
    gone = tuple((quad, None) for quad in state.hand.removed)
    right = (*name_tiles(state.draft, "").tiles, *gone)
    packing = state.work(Sentence("Packing the photo …"))
    return packing.also(PackReading(Path(picture), seen[1], right))


def pack(effect: PackReading) -> Callable[[ScorePhoto], ScorePhoto]:
    """Write the file; the step that says where it lies, or why it could not be written."""
    packed = choose_packed_path(datetime.now())
    try:
        pack_reading(effect.picture, effect.tiles, effect.right, packed)
    except PictureError as error:
        said = Say(error.sentence)
    except OSError as error:
        why = name_reason(error)
        failed = Sentence("The photo cannot be packed ({why}): free some space and try again.", {"why": why})
        said = Say(failed)
    else:
        lies = Sentence(
            "It lies in {file}. Send it to whom you like; the program sends nothing.", {"file": str(packed)}
        )
        said = Say(lies, trouble=False)
    return lambda state: state.work(None).also(said)
