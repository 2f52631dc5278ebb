"""The features that there are: the one place that lists them. A new one is added here."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from companion.app.cameras import Cameras
from companion.app.club.feature import ClubFeature
from companion.app.coach.feature import CoachFeature
from companion.app.devices.feature import DevicesFeature
from companion.app.feature import Feature, SavedPart
from companion.app.game.feature import GameFeature
from companion.app.hand_end.feature import HandEndFeature
from companion.app.home.feature import HomeFeature
from companion.app.house.feature import HouseFeature
from companion.app.mirror import GameMirror
from companion.app.phones.feature import PhonesFeature
from companion.app.pictures.feature import PicturesFeature
from companion.app.power.feature import PowerFeature, has_whole_screen
from companion.app.practice.feature import PracticeFeature
from companion.app.recognition import PictureReader
from companion.app.score_photo.feature import ScorePhotoFeature
from companion.app.settings.feature import SettingsFeature
from companion.app.sheet.feature import SheetFeature
from companion.app.tile_sets.feature import TileSetsFeature
from companion.cameras.phone import PhonePictures
from companion.game.updates import Post
from companion.live.devices import Serial
from companion.live.running import RunningGame

HOME = HomeFeature.name
"""The feature that is in front when the window opens."""
PAGES_AHEAD = ("game", "win_entry", "win_result", "sheet")
"""Pages that take long to build, and that an evening needs."""
PAGES_LASTING = (*PAGES_AHEAD, "settings", "new_game", "kept_games", "house", "lesson", "devices", "club")
"""Pages that stay even if memory is short: those, and those with a field for text, which Kivy never lets
go of."""
KINDS = (
    HomeFeature,
    HouseFeature,
    PicturesFeature,
    ScorePhotoFeature,
    TileSetsFeature,
    GameFeature,
    PracticeFeature,
    HandEndFeature,
    SheetFeature,
    CoachFeature,
    PhonesFeature,
    ClubFeature,
    DevicesFeature,
    SettingsFeature,
)
PARTS: dict[str, SavedPart] = {kind.name: kind.part for kind in KINDS if kind.part}
"""What each feature saves, by the feature's name."""


def make_features(
    *,
    folder: Path,
    reader: PictureReader,
    cameras: Cameras,
    serial: Serial,
    post: Post,
    is_kept: bool = True,
) -> tuple[Feature[Any], ...]:
    """Each feature, on one running game, in the order of their buttons in the bar.

    folder: the user's data folder; is_kept: whether it is there the next time.
    """
    game = RunningGame(serial=serial)
    mirror = GameMirror(game, post)
    phone = PhonePictures()
    cameras = cameras.with_phone(phone)
    return (
        HomeFeature(cameras, serial, mirror),
        HouseFeature(),
        PicturesFeature(cameras, reader, game, post, folder / "pictures"),
        ScorePhotoFeature(cameras, reader, game, mirror, post),
        TileSetsFeature(reader.recognition),
        GameFeature(cameras, reader, game, mirror, post),
        PracticeFeature(game, post),
        HandEndFeature(game, mirror),
        SheetFeature(game, mirror, reader.recognition.load),
        CoachFeature(mirror, post),
        PhonesFeature(game, phone, post),
        ClubFeature(game, mirror, post),
        DevicesFeature(game, mirror, post),
        SettingsFeature(game, cameras, reader, folder, post, is_kept=is_kept),
        *([PowerFeature()] if has_whole_screen() else []),
    )
