"""Opens the window. `companion app` calls `run`; Kivy is imported only inside of it."""

from __future__ import annotations

import os
import signal
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from companion import stopping
from companion.app.recognition import PictureReader, Recognition, use_models
from companion.app.shell import boot
from companion.app.shell.boot import end_without_display, fit_window, read_geometry
from companion.app.shell.data_place import (
    DataPlace,
    NoPlace,
    describe_unread,
    find_data_place,
    guess_language,
    scratch_folder,
)
from companion.errors import InputError, MissingError
from companion.files import name_reason
from companion.moving import finish_move
from companion.named_files import writing
from companion.screen import choose_density, find_screen
from companion.sentences import Sentence, msgid

if TYPE_CHECKING:
    from companion.app.cameras import Cameras
    from companion.app.shell.application import CompanionApp
    from companion.app.shell.data_question import DataQuestion
    from companion.app.shell.window_controller import WindowController
    from companion.words import Language

NOT_STARTED = msgid("{why} Free it, or name another one in COMPANION_DATA.")


def run(
    *,
    picture: Path | None = None,
    screenshot: Path | None = None,
    language: str | None = None,
    camera: str | None = None,
    live: bool = False,
    device: str | None = None,
    size: tuple[int, int] | None = None,
    recognition: Recognition | None = None,
) -> int:
    """Show the window until it is closed, or a signal comes; returns the exit status: 130 after Ctrl-C.

    picture: opened at once; otherwise the hand that was left last
    screenshot: the window is written to this PNG as soon as the score or the live picture's tiles are shown,
    and closes; nothing is saved or resumed
    language: "en", "zh_Hans" or "zh_Hant"; otherwise the one used last
    camera: the id of the camera to use, as `companion.cameras.open_camera` takes it
    live: whether the camera's live picture is shown at once
    device: a dice cup or table to listen to from now on, as the window takes it: a port or an address
    size: of the window, in pixels; otherwise as it was left last, or as the screen asks for
    recognition: what opens and reads pictures; by default the recogniser of the program

    Where the data folder cannot be used the window asks first which one is to be. Raises InputError if the
    screenshot cannot be written; MissingError if no window can be shown, if what was entered last could not
    be kept, or for a screenshot if the data folder cannot be used, or if there is not even a temporary
    folder.
    """
    screen = find_screen(unseen=screenshot is not None)
    place = find_data_place()
    if isinstance(place, NoPlace) and screenshot is not None:
        raise MissingError(NOT_STARTED, why=place.sentence)
    with ExitStack() as ends:
        ends.enter_context(stopping.noted())
        files = place.folder if isinstance(place, DataPlace) else _make_scratch(ends, place)
        kept = read_geometry(place.folder) if place.folder and screenshot is None else None
        density = 1.0 if screenshot else choose_density(screen) * (kept.percent if kept else 100) / 100
        if screen is not None:
            os.environ["SDL_VIDEODRIVER"] = screen.driver  # no other is tried, which nobody would see
        end_without_display(lambda: True)  # nothing is entered yet
        boot.prepare(files, size, fit_window(screen, kept, density), density)
        boot.open_window()

        from companion.app.cameras import Cameras
        from companion.app.news import ChoosePicture, DeviceWanted, News
        from companion.app.shell.application import CompanionApp, Open
        from companion.cameras import find_id, list_cameras, open_camera, play_recording
        from companion.words import Language

        def open_on(found: DataPlace, spoken: Language | None) -> WindowController:
            return make_controller(
                found.folder,
                PictureReader(recognition or use_models()),
                Cameras(list_cameras, open_camera, camera and find_id(camera), play_recording),
                keeps=screenshot is None,
                language=spoken,
                is_kept=found.is_kept,
                complaint=describe_unread(found),
            )

        def ask(open_window: Open) -> DataQuestion:
            from companion.app.shell.data_question import Asking, DataQuestion
            from companion.app.widgets.window_thread import call_on_window_thread

            assert isinstance(place, NoPlace)
            asking = Asking(place, wanted or guess_language(place.folder))
            return DataQuestion(
                asking,
                files,
                call_on_window_thread,
                lambda found, spoken: open_window(open_on(found, spoken), found.folder),
            )

        wanted = Language(language) if language else None
        news: list[News] = [DeviceWanted(device)] if device else []
        if live:
            news.append(ChoosePicture(from_camera=True))
        window = CompanionApp(
            open_on(place, wanted) if isinstance(place, DataPlace) else None,
            picture,
            screenshot,
            news=news,
            folder=place.folder if isinstance(place, DataPlace) else None,
            ask=ask,
            screen=screen.size if screen else None,
        )
        end_without_display(window.write_last)
        return _run(window)


def _make_scratch(ends: ExitStack, place: NoPlace) -> Path:
    """A folder that goes with the window. Raises MissingError if there is room for none."""
    try:
        return ends.enter_context(scratch_folder())
    except OSError as error:
        raise MissingError(NOT_STARTED, why=place.sentence) from error


def _run(window: CompanionApp) -> int:
    """Until the window is closed; the exit status."""
    try:
        window.run()  # waits for the last write when it is closed
    except BaseException:
        window.write_last()
        raise
    if window.controller is not None and not window.controller.wait_until_kept(0):
        raise MissingError(
            "What was entered last could not be kept: the disk of '{folder}' is full or does not answer.",
            folder=window.folder,
        )
    with writing(window.screenshot):
        if window.failure:
            raise window.failure
    if window.folder is not None:
        _finish_move(window.folder)
    return stopping.exit_status() if stopping.came() == signal.SIGINT else 0


def make_controller(
    folder: Path,
    reader: PictureReader,
    cameras: Cameras,
    *,
    keeps: bool,
    language: Language | None = None,
    is_kept: bool = True,
    complaint: Sentence | None = None,
) -> WindowController:
    """What runs a window on that data folder, after `boot.prepare`. keeps: whether entries are saved and
    resumed; language: if it differs from the last one. is_kept: whether the folder is there the next time;
    complaint: its fault."""
    from companion.app.shell.features import HOME, make_features
    from companion.app.shell.session import SessionSlot, take_place
    from companion.app.shell.window_controller import WindowController
    from companion.app.widgets.window_thread import call_on_window_thread
    from companion.live.devices import Serial

    features = make_features(
        folder=folder,
        reader=reader,
        cameras=cameras,
        serial=Serial(),
        post=call_on_window_thread,
        is_kept=is_kept,
    )
    return WindowController(
        features,
        home=HOME,
        place=take_place(folder, is_kept=is_kept, complaint=complaint) if keeps else SessionSlot(),
        reader=reader,
        post=call_on_window_thread,
        language=language,
    )


def _finish_move(folder: Path) -> None:
    """Use the folder that a person moved the data to. Raises MissingError if that cannot be done."""
    try:
        finish_move(folder)
    except InputError as problem:
        raise MissingError(
            "Your data could not be moved: {problem} They are where they were, in '{folder}'.",
            problem=problem, folder=folder,
        ) from problem  # fmt: skip
    except OSError as error:
        raise MissingError(
            "Your data could not be moved ({why}: '{file}'): they are where they were, in '{folder}'.",
            why=name_reason(error), file=error.filename, folder=folder,
        ) from error  # fmt: skip
