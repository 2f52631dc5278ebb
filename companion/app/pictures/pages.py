"""The pages on which a picture is brought, as widgets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from companion.app.feature import Controller
from companion.app.feature import Page as PageWidget
from companion.app.pictures.camera import CameraPage
from companion.app.pictures.chooser import PicturesPage
from companion.app.pictures.state import BringPicture, Page
from companion.cameras import CameraInfo


def build_pages(
    controller: Controller[BringPicture],
    list_cameras: Callable[[], tuple[CameraInfo, ...]],
    taken_folder: Path,
) -> Mapping[str, PageWidget]:
    """Each page by its name."""
    return {
        Page.FILES: PicturesPage(controller, taken_folder),
        Page.CAMERA: CameraPage(controller, list_cameras),
    }
