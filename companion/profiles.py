"""Profiles of house options as files: `profiles/NAME.json` in the user's data folder."""

from __future__ import annotations

import json
from pathlib import Path

from companion.errors import InputError
from companion.files import read_whole
from companion.named_files import NamedFiles, make_unusable
from companion.rules.profile import Profile, decode_profile, make_file_json
from companion.sentences import msgid

FILES = NamedFiles(msgid("profile"), msgid("profiles"), "profiles", ".json")

path_of = FILES.path_of
folder = FILES.folder
names = FILES.names


def load(name: str) -> Profile:
    """The profile called `name`, or the one in the file `name` where that has a folder or ends in .json.

    Raises InputError.
    """
    if name.endswith(FILES.suffix) or "/" in name or "\\" in name:
        path = Path(name)
        try:
            content = read_whole(path)
        except OSError as error:
            raise make_unusable(path, error) from error
    else:
        path = FILES.path_of(name)
        content = FILES.read(name)
    try:
        return decode_profile(content)
    except InputError as problem:
        raise InputError(
            "The profile '{file}' cannot be used: {problem}", file=path, problem=problem
        ) from None


def save(name: str, profile: Profile) -> Path:
    """Write the profile in one step, over one that has this name, and return its file. Raises InputError."""
    text = json.dumps(make_file_json(profile), ensure_ascii=False, indent=1) + "\n"
    return FILES.write(name, text.encode())
