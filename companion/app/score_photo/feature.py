"""Scoring a photographed hand, alone or as a win in the game in play, as the shell knows it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime

from companion.app.cameras import Cameras
from companion.app.effects import Effect, ShowMessage
from companion.app.feature import Controller, Page, SavedPart
from companion.app.hand_pictures import keep_pictures, list_wins
from companion.app.live_preview import NO_CAMERA, LiveCameras, LivePreview
from companion.app.mirror import GameMirror, GameUpdate
from companion.app.recognition import PictureReader
from companion.app.score_photo import editing, entering, photo
from companion.app.score_photo.editing import StopWatching
from companion.app.score_photo.game_win import EnterWins, UndoEvents
from companion.app.score_photo.photo import PackReading, WatchHand
from companion.app.score_photo.state import ScorePhoto
from companion.errors import PictureError
from companion.files import name_reason
from companion.game.owner import enter_together
from companion.game.updates import GameOpened, Post
from companion.live.running import RunningGame
from companion.photo_hand.draft import WinDraft
from companion.photo_hand.packing import choose_packed_path, pack_reading
from companion.sentences import Sentence, as_text

END_S = 3.0
"""Maximum wait for a camera to end with the window."""


def make_storable(draft: WinDraft) -> WinDraft:
    """`draft` as JSON can hold it: in a picture's name, ? replaces what is not UTF-8."""
    return draft if draft.picture is None else replace(draft, picture=as_text(draft.picture))


class ScorePhotoFeature:
    """Keeps the draft of a win. A win in a game is kept by the game once it is confirmed; where the window
    closed before that, it has to be entered again."""

    name = "score_photo"
    part: SavedPart | None = SavedPart(WinDraft, lambda draft: draft.is_valid)

    def __init__(
        self, cameras: Cameras, reader: PictureReader, game: RunningGame, mirror: GameMirror, post: Post
    ) -> None:
        self.live = LiveCameras(cameras, reader, game, post)
        self._game = game
        self._mirror = mirror
        self._preview: LivePreview | None = None

    def begin(self, kept: WinDraft | None, controller: Controller[ScorePhoto]) -> ScorePhoto:
        self._mirror.listen(lambda update: self._accept_update(update, controller))
        return ScorePhoto.resume(kept)

    def keep(self, state: ScorePhoto) -> WinDraft | None:
        return None if state.kept is None else make_storable(state.kept)

    def perform(self, effect: Effect, controller: Controller[ScorePhoto]) -> None:
        match effect:
            case EnterWins():
                controller.work(lambda: self._enter_wins(effect))
            case PackReading():
                controller.work(lambda: pack(effect))
            case UndoEvents(steps):
                self._game.undo(steps)
            case WatchHand(camera, quietly):
                self._watch(camera, quietly, controller)
            case StopWatching():
                self._stop()

    def offer_pages(self, controller: Controller[ScorePhoto]) -> Mapping[str, Callable[[], Page]]:
        from companion.app.score_photo.pages import offer_pages

        return offer_pages(controller)

    def close(self) -> None:
        """Release the camera: a program that ends while a camera runs is killed, not ended."""
        preview = self._preview
        self._stop()
        if preview:
            preview.wait(END_S)

    def _accept_update(self, update: GameUpdate, controller: Controller[ScorePhoto]) -> None:
        played = self._mirror.played
        controller.do(lambda state: entering.update_game(state, played))
        if isinstance(update, GameOpened) and played.path and played.progress:
            opened = played.progress.state
            controller.do(lambda state: photo.play_as(state, opened))

    def _watch(self, chosen: str | None, quietly: bool, controller: Controller[ScorePhoto]) -> None:
        self._stop()
        camera = self.live.find(chosen or self.live.cameras.wanted)
        if camera is None:
            if not quietly:
                controller.do(lambda state: state.also(ShowMessage(NO_CAMERA)))
            return
        preview = self._preview = self.live.start(
            camera,
            lambda why: controller.do(lambda state: editing.stop_watching(state, why)),
            lambda why: controller.do(lambda state: state.also(ShowMessage(why))),
        )
        controller.do(lambda state: photo.show_live(state, preview))

    def _stop(self) -> None:
        if self._preview:
            self._preview.stop()
            self._preview = None

    def _enter_wins(self, win: EnterWins) -> Callable[[ScorePhoto], ScorePhoto]:
        """Enter all events into the game, or none; returns the step that shows the outcome."""
        outcome = enter_together(self._game, win.events, win.instead_of)
        if isinstance(outcome, Sentence):
            why = outcome
            return lambda state: entering.show_refusal(state, why)
        progress, trouble = outcome, None
        if win.kept is not None:
            wins = list_wins(enumerate(progress.events, 1))[-len(win.pictures) :] if win.pictures else []
            trouble = keep_pictures(win.kept, wins, win.pictures, self.live.reader.recognition.load)
        return lambda state: entering.finish_entering(state, len(win.events), progress, trouble)


def pack(effect: PackReading) -> Callable[[ScorePhoto], ScorePhoto]:
    """Write the file; returns the step that shows where it is, or why it could not be written."""
    packed = choose_packed_path(datetime.now())
    try:
        pack_reading(effect.picture, effect.tiles, effect.right, packed)
    except PictureError as error:
        said = ShowMessage(error.sentence)
    except OSError as error:
        why = name_reason(error)
        failed = Sentence("The photo cannot be packed ({why}): free some space and try again.", {"why": why})
        said = ShowMessage(failed)
    else:
        saved = Sentence(
            "Saved as {file}. Send it to anyone you like; the program sends nothing.", {"file": str(packed)}
        )
        said = ShowMessage(saved, trouble=False)
    return lambda state: state.work(None).also(said)
