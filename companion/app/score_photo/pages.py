"""The pages of scoring a photo, as widgets."""

from __future__ import annotations

from collections.abc import Mapping

from companion.app.feature import Controller
from companion.app.feature import Page as PageWidget
from companion.app.score_photo.more import MorePage
from companion.app.score_photo.options import OptionsPage
from companion.app.score_photo.page import TablePage
from companion.app.score_photo.state import Page, ScorePhoto


def build_pages(controller: Controller[ScorePhoto]) -> Mapping[str, PageWidget]:
    """Each page by its name."""
    return {
        Page.TABLE: TablePage(controller),
        Page.OPTIONS: OptionsPage(controller),
        Page.MORE: MorePage(controller),
    }
