"""Scoring a photographed hand, as the shell knows it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from companion.app.feature import Controller, Effect, Page, Part
from companion.app.score_photo.keeping import make_storable
from companion.app.score_photo.state import ScorePhoto
from companion.photo_hand.draft import WinDraft


class ScorePhotoFeature:
    """Keeps a draft of a win."""

    name = "score_photo"
    part: Part | None = Part(WinDraft, lambda draft: draft.is_sound)

    def begin(self, kept: WinDraft | None, controller: Controller[ScorePhoto]) -> ScorePhoto:
        return ScorePhoto.resume(kept or WinDraft())

    def keep(self, state: ScorePhoto) -> WinDraft:
        return make_storable(state.draft)

    def perform(self, effect: Effect, controller: Controller[ScorePhoto]) -> None:
        """Do nothing: scoring a photo has no effects of its own."""

    def offer_pages(self, controller: Controller[ScorePhoto]) -> Mapping[str, Callable[[], Page]]:
        from companion.app.score_photo.pages import offer_pages

        return offer_pages(controller)

    def close(self) -> None:
        """Nothing runs."""
