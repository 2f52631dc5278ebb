"""Opens the window. `companion app` calls `run`; Kivy is imported only inside of it."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from tempfile import TemporaryFile
from typing import TYPE_CHECKING

from companion.app.recognition import Reader, Recognition, use_models
from companion.app.shell import boot
from companion.app.shell.display import end_without_display
from companion.app.shell.geometry import fit_window, read_geometry
from companion.app.shell.interrupt import INTERRUPTED, Interrupt
from companion.app.shell.screen import choose_density, find_screen
from companion.config import data_dir
from companion.errors import InputError, MissingError
from companion.moving import finish_move, forget_plan

if TYPE_CHECKING:
    from companion.app.cameras import Cameras
    from companion.app.shell.window_controller import WindowController
    from companion.words import Language


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
    """Show the window until it is closed; returns the exit status.

    picture: opened at once; otherwise the hand that was left last
    screenshot: the window is written to this PNG as soon as the score or the live picture's tiles are shown,
    and closes; nothing is saved or resumed
    language: "en", "zh_Hans" or "zh_Hant"; otherwise the one used last
    camera: the id of the camera to use, as `companion.cameras.open_camera` takes it
    live: whether the camera's live picture is shown at once
    device: a dice cup or table to listen to from now on, as the window takes it: a port or an address
    size: of the window, in pixels; otherwise as it was left last, or as the screen asks for
    recognition: what opens and reads pictures; by default the recogniser of the program

    Raises InputError if the screenshot cannot be written, MissingError if the data folder cannot, or what was
    entered last could not.
    """
    interrupt = Interrupt()
    folder = _writable_data_dir()
    forget_plan(folder)
    kept = read_geometry(folder) if screenshot is None else None
    screen = find_screen()
    density = 1.0 if screenshot else choose_density(screen) * (kept.percent if kept else 100) / 100
    boot.prepare(folder, size, fit_window(screen, kept, density), density)

    from companion.app.cameras import Cameras
    from companion.app.news import DeviceWanted, News, PictureWanted
    from companion.app.shell.application import CompanionApp
    from companion.cameras import list_cameras, open_camera
    from companion.words import Language

    controller = make_controller(
        folder,
        Reader(recognition or use_models()),
        Cameras(list_cameras, open_camera, camera, play=partial(open_camera, loop=False)),
        keeps=screenshot is None,
        language=Language(language) if language else None,
    )
    news: list[News] = [DeviceWanted(device)] if device else []
    if live:
        news.append(PictureWanted(from_camera=True))
    window = CompanionApp(controller, picture, screenshot, interrupt, news=news, folder=folder)
    end_without_display(controller.write_last)
    try:
        window.run()  # waits for the last write when it is closed
    except BaseException:
        controller.write_last()
        raise
    if not controller.wait_until_kept(0):
        raise MissingError(
            "What was entered last could not be kept: the disk of '{folder}' is full or does not answer.",
            folder=folder,
        )
    if window.failure:
        raise InputError(
            "The screenshot '{file}' cannot be written ({why}): choose another file.",
            file=screenshot, why=window.failure.strerror or str(window.failure),
        ) from window.failure  # fmt: skip
    _finish_move(folder)
    return INTERRUPTED if interrupt.came else 0


def make_controller(
    folder: Path, reader: Reader, cameras: Cameras, *, keeps: bool, language: Language | None = None
) -> WindowController:
    """What runs a window on that data folder, after `boot.prepare`. keeps: whether what is entered is saved,
    and gone on with; language: where it is not the one that was used last."""
    from companion.app.shell.features import HOME, make_features
    from companion.app.shell.place import Place, take_place
    from companion.app.shell.window_controller import WindowController
    from companion.app.widgets.window_thread import call_on_window_thread
    from companion.running.port_watch import Serial

    features = make_features(
        folder=folder, reader=reader, cameras=cameras, serial=Serial(), post=call_on_window_thread
    )
    return WindowController(
        features,
        home=HOME,
        place=take_place(folder) if keeps else Place(),
        reader=reader,
        post=call_on_window_thread,
        language=language,
    )


def _finish_move(folder: Path) -> None:
    """Use the folder that a person moved the data to. Raises MissingError where that cannot be done."""
    try:
        finish_move(folder)
    except OSError as error:
        raise MissingError(
            "Your data could not be moved ({why}: '{file}'): they are where they were, in '{folder}'.",
            why=error.strerror or type(error).__name__, file=error.filename, folder=folder,
        ) from error  # fmt: skip


def _writable_data_dir() -> Path:
    try:
        folder = data_dir()
        with TemporaryFile(dir=folder):
            return folder
    except OSError as error:
        raise MissingError(
            "The folder for kept hands cannot be written ({why}: '{folder}'): free it, or name another one"
            " in COMPANION_DATA.",
            why=error.strerror or type(error).__name__, folder=error.filename,
        ) from error  # fmt: skip
