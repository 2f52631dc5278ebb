"""The pages of the tile sets, as widgets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from companion.app.feature import Controller
from companion.app.feature import Page as PageWidget
from companion.app.tile_sets.lesson_page import LessonPage
from companion.app.tile_sets.sets_page import SetsPage
from companion.app.tile_sets.state import Page, TileSets
from companion.app.tile_sets.taught_page import TaughtPage


def offer_pages(controller: Controller[TileSets]) -> Mapping[str, Callable[[], PageWidget]]:
    """How each page, by its name, is built."""
    return {
        Page.SETS: partial(SetsPage, controller),
        Page.LESSON: partial(LessonPage, controller),
        Page.TAUGHT: partial(TaughtPage, controller),
    }
