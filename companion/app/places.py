"""Where files go that people take along: a stick that is plugged in, else their folder of documents."""

from __future__ import annotations

import os
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from platformdirs import user_documents_dir

from companion.files import new_file

MEDIA = ("/media", "/run/media")


@dataclass(frozen=True, slots=True)
class OutPlace:
    """A folder that files can be written to. stick: the name of the stick that it is, None for documents."""

    folder: Path
    stick: str | None = None


def find_out_places() -> tuple[OutPlace, ...]:
    """Sticks that can be written to, then the folder of documents, or the home folder where there is none."""
    user = os.environ.get("USER", "")
    roots = [Path(root) / name for root in MEDIA for name in (user, "") if user or not name]
    sticks = {
        each: OutPlace(each, each.name)
        for root in roots
        if root.is_dir()
        for each in sorted(root.iterdir())
        if each.is_mount() and os.access(each, os.W_OK)
    }
    documents = Path(user_documents_dir())
    return *sticks.values(), OutPlace(documents if documents.is_dir() else Path.home())


def write_out(place: OutPlace, name: str, suffix: str, content: bytes) -> Path:
    """Write a new file there: with a number where there is one of that name already. Raises OSError."""
    for n in count(1):
        path = place.folder / f"{name}{'' if n == 1 else f' ({n})'}.{suffix}"
        try:
            with new_file(path) as file:
                file.write(content)
        except FileExistsError:
            continue
        return path
    raise AssertionError
