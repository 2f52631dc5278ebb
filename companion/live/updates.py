"""What subscribers of a running game get: immutable values, in the order in which things happened."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from companion.following.bridge import Meaning
from companion.game.deciding import Decision, Progress
from companion.game.proposals import Source
from companion.live.devices import DevicesView
from companion.sentences import Sentence
from firmware_bridge.session import LinkEvent

if TYPE_CHECKING:  # which brings OpenCV, and many games have no camera
    from companion.live.camera_reading import TimedReading


@dataclass(frozen=True, slots=True)
class GameOpened:
    """Another game is played from now on; or the one that a new subscriber finds, None where there is none.
    path: of the file in which it is kept.
    """

    progress: Progress | None
    path: Path | None


@dataclass(frozen=True, slots=True)
class Decided:
    """A proposal was decided about; an accepted one is on the disk."""

    decision: Decision


@dataclass(frozen=True, slots=True)
class Moved:
    """Events were undone or redone, or proposals wait no longer."""

    progress: Progress


@dataclass(frozen=True, slots=True)
class Trouble:
    """Something could not be done. The game goes on as it stood."""

    sentence: Sentence


@dataclass(frozen=True, slots=True)
class DeviceReported:
    """What a device reported over its link, and what that means for the game."""

    target: str
    event: LinkEvent
    meaning: Meaning


@dataclass(frozen=True, slots=True)
class DevicesChanged:
    """How the devices stand."""

    devices: DevicesView


@dataclass(frozen=True, slots=True)
class CameraRead:
    """The tiles in a frame of a camera."""

    camera: str
    reading: TimedReading


@dataclass(frozen=True, slots=True)
class SourceStands:
    """A source has lost the thread, and `lost` says why; or, where that is None, has found it again."""

    source: Source
    lost: Sentence | None


@dataclass(frozen=True, slots=True)
class Closed:
    """The last update."""


Update = (
    GameOpened | Decided | Moved | Trouble | DeviceReported | DevicesChanged | CameraRead | SourceStands
    | Closed
)  # fmt: skip
