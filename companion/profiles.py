"""Profiles of house options as files: `profiles/NAME.json` in the user's data folder."""

from __future__ import annotations

import json
import re
from pathlib import Path

from companion import config
from companion.errors import InputError, quoted
from companion.files import read_whole, write_whole
from companion.rules.profile import Profile, checksummed_json, decode_profile

SUFFIX = ".json"
NAME = re.compile(r"\w[\w-]{0,59}")
"""Safe as a file name everywhere, and short enough where each letter takes four bytes."""


def path_of(name: str) -> Path:
    """The file of the profile called `name`, which need not exist."""
    if not NAME.fullmatch(name):
        raise InputError(
            "{name} cannot be the name of a profile: use letters, digits, - and _, up to 60 in all.",
            name=quoted(name),
        )
    return folder() / (name + SUFFIX)


def folder() -> Path:
    """Where profiles lie; it need not exist."""
    try:
        return config.data_dir() / "profiles"
    except OSError as error:
        raise _unusable(error.filename, error) from error


def names() -> list[str]:
    """The names of the profiles that there are, in order; damaged ones too."""
    return sorted(path.stem for path in folder().glob("*" + SUFFIX) if NAME.fullmatch(path.stem))


def load(name: str) -> Profile:
    """The profile called `name`, or the one in the file `name` where that has a folder or ends in .json.

    Raises InputError, as do all functions here.
    """
    is_file = name.endswith(SUFFIX) or "/" in name or "\\" in name
    path = Path(name) if is_file else path_of(name)
    try:
        content = read_whole(path)
    except FileNotFoundError as error:
        if is_file:
            raise _unusable(path, error) from error
        raise InputError(
            "There is no profile {name}: there is {known}.",
            name=quoted(name), known=" or ".join(names()) or "none yet",
        ) from error  # fmt: skip
    except OSError as error:
        raise _unusable(path, error) from error
    try:
        return decode_profile(content)
    except InputError as problem:
        raise InputError(
            "The profile '{file}' cannot be used: {problem}", file=path, problem=problem
        ) from None


def save(name: str, profile: Profile) -> Path:
    """Write the profile in one step, over one that has this name, and give its file."""
    path = path_of(name)
    text = json.dumps(checksummed_json(profile), ensure_ascii=False, indent=1) + "\n"
    try:
        write_whole(path, text.encode())
    except OSError as error:
        raise _unusable(path, error) from error
    return path


def _unusable(path: object, error: OSError) -> InputError:
    return InputError(
        "The file '{file}' cannot be used ({why}).", file=path, why=error.strerror or type(error).__name__
    )
