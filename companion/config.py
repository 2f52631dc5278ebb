"""Where the program's files lie: the user's data and the model files.

An environment variable moves each place and is read at every call: tests and portable installs rely on it.
"""

from __future__ import annotations

import os
from pathlib import Path

from companion.files import make_folder

APP_NAME = "mahjong-companion"

_PACKAGE = Path(__file__).resolve().parent


def data_dir() -> Path:
    """The folder for settings, logs and kept work, made if absent; or COMPANION_DATA.

    Only its owner may read it, though others could before. Raises OSError.
    """
    chosen = os.environ.get("COMPANION_DATA")
    if chosen:
        folder = Path(os.path.expanduser(chosen))
    else:
        import platformdirs

        folder = Path(platformdirs.user_data_dir(APP_NAME, appauthor=False))
    return make_folder(folder)


def models_dir() -> Path:
    """The folder of the ONNX files and their manifest; whoever reads it checks what is there.

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
