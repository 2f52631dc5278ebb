"""Copies a person's data to another folder while the window stays in use. No Kivy."""

from __future__ import annotations

import logging
import threading
import time
from pathlib import Path

from companion.app.feature import Controller
from companion.app.settings.state import Settings
from companion.errors import CompanionError
from companion.files import name_reason
from companion.game.updates import Post
from companion.moving import MoveCancelled, check_target, copy_data, plan_move
from companion.sentences import Sentence, as_text, msgid

log = logging.getLogger(__name__)

FAILED = msgid("The copy failed ({why}: {file}): your data are where they were.")
BROKEN = msgid("The copy failed ({why}): your data are where they were.")
TELL_EVERY_S = 0.2


class DataMover:
    """folder: where the data lie."""

    def __init__(self, folder: Path, post: Post) -> None:
        self._folder = folder
        self._post = post
        self._cancelled = threading.Event()

    def copy(self, to: Path, controller: Controller[Settings]) -> None:
        """Copy everything on a thread of its own, and say how far it is."""
        self._cancelled = threading.Event()
        threading.Thread(
            target=self._run, args=(to, controller, self._cancelled), name="moving", daemon=True
        ).start()

    def cancel(self) -> None:
        """Copy no more."""
        self._cancelled.set()

    def plan(self, to: Path, controller: Controller[Settings]) -> None:
        """Have the switch made as the window closes, and close it."""
        plan_move(self._folder, to)
        controller.do(Settings.close_window)

    def _run(self, to: Path, controller: Controller[Settings], cancelled: threading.Event) -> None:
        told = 0.0

        def tell(done: int, total: int) -> None:
            nonlocal told
            now = time.monotonic()
            if now - told >= TELL_EVERY_S or done == total:
                told = now
                self._post(lambda: controller.do(lambda state: state.copied(done, total)))

        try:
            check_target(self._folder, to)
            not_copied = copy_data(self._folder, to, tell, cancelled.is_set)
        except MoveCancelled:
            self._post(lambda: controller.do(lambda state: state.fail_to_copy(None)))
        except CompanionError as error:
            why = error.sentence
            self._post(lambda: controller.do(lambda state: state.fail_to_copy(why)))
        except OSError as error:
            params = {"why": name_reason(error), "file": as_text(str(error.filename))}
            self._post(lambda: controller.do(lambda state: state.fail_to_copy(Sentence(FAILED, params))))
        except Exception as error:
            log.exception("copying the data")
            broken = Sentence(BROKEN, {"why": type(error).__name__})
            self._post(lambda: controller.do(lambda state: state.fail_to_copy(broken)))
        else:
            self._post(lambda: controller.do(lambda state: state.finish_copy(not_copied)))
