"""The pages of scoring a photo, as widgets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from companion.app.feature import Controller
from companion.app.feature import Page as PageWidget
from companion.app.score_photo.editing import Page
from companion.app.score_photo.entry_page import EntryPage
from companion.app.score_photo.game_page import GamePage
from companion.app.score_photo.more import MorePage
from companion.app.score_photo.open_tiles_page import OpenTilesPage
from companion.app.score_photo.options import OptionsPage
from companion.app.score_photo.page import TablePage
from companion.app.score_photo.result_page import ResultPage
from companion.app.score_photo.state import ScorePhoto


def offer_pages(controller: Controller[ScorePhoto]) -> Mapping[str, Callable[[], PageWidget]]:
    """How each page, by its name, is built."""
    return {
        Page.TABLE: partial(TablePage, controller),
        Page.GAME: partial(GamePage, controller),
        Page.ENTRY: partial(EntryPage, controller),
        Page.RESULT: partial(ResultPage, controller),
        Page.OPTIONS: partial(OptionsPage, controller),
        Page.MORE: partial(MorePage, controller),
        Page.OPEN: partial(OpenTilesPage, controller),
    }
