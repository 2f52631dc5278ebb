"""Where the program's files lie: the user's data and the model files.

An environment variable moves each place and is read at every call: tests and portable installs rely on it.
"""

from __future__ import annotations

import errno
import os
from pathlib import Path

from companion.files import make_folder, read_whole, remove_file, write_whole

APP_NAME = "mahjong-companion"
SCRATCH = "COMPANION_SCRATCH"
"""The variable in which the program names the temporary folder of a run in which nothing is kept."""
NOT_THERE = "the disk with your data is not plugged in"

_PACKAGE = Path(__file__).resolve().parent


def data_dir() -> Path:
    """The folder for settings, logs and kept work, made if absent: the temporary one where nothing is kept,
    else COMPANION_DATA, else the one that a person chose in the window, else the usual one.

    Only its owner may read it, though others could before. Raises OSError, also where the chosen folder is
    not there: its disk is not plugged in, and nothing must be begun anew in its place.
    """
    folder = find_wanted_dir()
    is_chosen = named_data_dir() is None and folder != usual_data_dir()
    if is_chosen and not folder.is_dir():
        raise FileNotFoundError(errno.ENOENT, NOT_THERE, str(folder))
    return make_folder(folder)


def find_wanted_dir() -> Path:
    """The configured data folder, usable or not. Raises OSError where the file that names the
    folder cannot be read."""
    scratch = os.environ.get(SCRATCH)
    if scratch:
        return Path(scratch)
    return named_data_dir() or chosen_data_dir() or usual_data_dir()


def named_data_dir() -> Path | None:
    """The folder that COMPANION_DATA names, which comes before the one that a person chose; None for none."""
    given = os.environ.get("COMPANION_DATA")
    return Path(os.path.expanduser(given)) if given else None


def usual_data_dir() -> Path:
    """The default data folder; it may not exist."""
    import platformdirs

    return Path(platformdirs.user_data_dir(APP_NAME, appauthor=False))


def chosen_data_dir() -> Path | None:
    """The folder that a person chose in the window, None where nobody did. Raises OSError."""
    try:
        text = os.fsdecode(read_whole(_chosen_file())).strip()
    except FileNotFoundError:
        return None
    return Path(text) if text else None


def name_data_dir(folder: Path) -> None:
    """Use that folder from the next start on. Raises OSError."""
    if folder == usual_data_dir():
        remove_file(_chosen_file())
    else:
        write_whole(_chosen_file(), os.fsencode(f"{folder}\n"))


def _chosen_file() -> Path:
    import platformdirs

    return Path(platformdirs.user_config_dir(APP_NAME, appauthor=False)) / "data-folder"


def models_dir() -> Path:
    """The folder of the ONNX files and their manifest; its readers check what is there.

    COMPANION_MODELS comes first, then `models/` of a checkout, then the copy inside an installed wheel.
    """
    chosen = os.environ.get("COMPANION_MODELS")
    if chosen:
        return Path(os.path.expanduser(chosen))
    checkout = _PACKAGE.parent / "models"
    if (_PACKAGE.parent / "pyproject.toml").is_file() and checkout.is_dir():
        return checkout
    return _PACKAGE / "_models"


def log_file() -> Path:
    """The file that takes what went wrong inside the program. Raises OSError as `data_dir` does."""
    return make_folder(data_dir() / "log") / "companion.log"
