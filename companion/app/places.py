"""Where files go that people take along: a stick that is plugged in, else their folder of documents."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from platformdirs import user_documents_dir

from companion.files import list_alike, new_file

MEDIA = ("/media", "/run/media")


@dataclass(frozen=True, slots=True)
class OutPlace:
    """A folder that files can be written to. stick: the name of the stick that it is, None for documents."""

    folder: Path
    stick: str | None = None


def find_out_places() -> tuple[OutPlace, ...]:
    """Writable USB sticks, then the folder of documents, or else the home folder."""
    user = os.environ.get("USER", "")
    roots = [Path(root) / name for root in MEDIA for name in (user, "") if user or not name]
    sticks = {
        each: OutPlace(each, each.name)
        for root in roots
        if root.is_dir()
        for each in sorted(root.iterdir())
        if os.path.ismount(each) and os.access(each, os.W_OK)
    }
    documents = Path(user_documents_dir())
    return *sticks.values(), OutPlace(documents if documents.is_dir() else Path.home())


def write_out(folder: Path, name: str, contents: Mapping[str, bytes]) -> Path:
    """Write new files of that name into the folder, one for each suffix, all or none; the path of the first.

    The name gets a number where a file has it already, or one that some file system takes for the same.
    Raises OSError.
    """
    for n in count(1):
        stem = name if n == 1 else f"{name} ({n})"
        paths = {folder / f"{stem}.{suffix}": content for suffix, content in contents.items()}
        if any(list_alike(path) for path in paths):
            continue
        written: list[Path] = []
        try:
            for path, content in paths.items():
                with new_file(path) as file:
                    file.write(content)
                written.append(path)
        except OSError as error:
            for path in written:
                path.unlink(missing_ok=True)
            if not isinstance(error, FileExistsError):
                raise
        else:
            return written[0]
    raise AssertionError
