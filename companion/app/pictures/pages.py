"""The pages on which a picture is brought, as widgets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from companion.app.feature import Controller
from companion.app.feature import Page as PageWidget
from companion.app.pictures.camera import CameraPage
from companion.app.pictures.chooser import ChooserPage
from companion.app.pictures.folders import find_films, find_pictures
from companion.app.pictures.state import BringPicture, Page
from companion.cameras import CameraInfo


def offer_pages(
    controller: Controller[BringPicture],
    list_cameras: Callable[[], tuple[CameraInfo, ...]],
    taken_folder: Path,
) -> Mapping[str, Callable[[], PageWidget]]:
    """How each page, by its name, is built."""
    return {
        Page.FILES: partial(ChooserPage, controller, find_pictures(taken_folder)),
        Page.FILMS: partial(ChooserPage, controller, find_films()),
        Page.CAMERA: partial(CameraPage, controller, list_cameras),
    }
