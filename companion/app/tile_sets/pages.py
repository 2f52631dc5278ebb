"""The pages of the tile sets, as widgets."""

from __future__ import annotations

from collections.abc import Mapping

from companion.app.feature import Controller
from companion.app.feature import Page as PageWidget
from companion.app.tile_sets.lesson_page import LessonPage
from companion.app.tile_sets.sets_page import SetsPage
from companion.app.tile_sets.state import Page, TileSets


def build_pages(controller: Controller[TileSets]) -> Mapping[str, PageWidget]:
    """Each page by its name."""
    return {Page.SETS: SetsPage(controller), Page.LESSON: LessonPage(controller)}
