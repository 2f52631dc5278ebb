"""The one tree of errors. Each carries a Sentence, so that it can be translated.

Imports nothing of companion but `sentences` and `foreign_text`: every floor may raise these.
"""

from __future__ import annotations

import json
import reprlib
from collections.abc import Iterable
from difflib import get_close_matches
from typing import ClassVar

from companion.foreign_text import show
from companion.sentences import Sentence

QUOTED_LENGTH_MAX, READ_LENGTH_MAX = 60, 4096
CLOSEST = "{closest} (did you mean that?), {others}"


def quote(value: object) -> str:
    """`value` as a short quotation, as `show` writes foreign text.

    Text stands in quotation marks; anything else as JSON writes it.
    """
    shown = show((value if isinstance(value, str) else _as_json(value))[:READ_LENGTH_MAX])
    short = f"{shown[:QUOTED_LENGTH_MAX]}…" if len(shown) > QUOTED_LENGTH_MAX else shown
    return f"'{short}'" if isinstance(value, str) else short


def list_names(given: object, names: Iterable[str]) -> Sentence | str:
    """All `names` there are, for an error about another one that was given: those like it come first."""
    known = list(names)
    near = get_close_matches(str(given), known)
    ordered = list(dict.fromkeys([*near, *known]))
    if not near or len(ordered) == 1:
        return ", ".join(ordered)
    return Sentence(CLOSEST, {"closest": ordered[0], "others": ", ".join(ordered[1:])})


def _as_json(value: object) -> str:
    try:
        return json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        return reprlib.repr(value)


class CompanionError(Exception):
    """Base of all errors that a person may see; `str(error)` is its `sentence` in English."""

    exit_status: ClassVar[int] = 2

    def __init__(self, template: str, /, **params: object) -> None:
        super().__init__(template)
        self.sentence = Sentence(template, params)

    def __str__(self) -> str:
        return str(self.sentence)


class InputError(CompanionError, ValueError):
    """What the user gave is wrong: notation, request, picture or option."""


class MissingError(CompanionError):
    """Something that is needed is missing or broken: a camera, a model file, a port."""

    exit_status = 3


class NotationError(InputError):
    """Tiles or melds that cannot be read, or that a tile set does not have; quotes the piece."""


class RequestError(InputError):
    """A request that cannot be scored; `field` is the wrong field ("request" for the whole)."""

    def __init__(self, template: str, /, *, field: str = "request", **params: object) -> None:
        super().__init__(template, field=field, **params)
        self.field = field


class EventError(InputError):
    """An event of a game that cannot be read, or cannot have happened; `ruling` is the id of what forbids it.

    `ruling` is empty if no ruling is needed to see that.
    """

    def __init__(self, template: str, /, *, ruling: str = "", **params: object) -> None:
        super().__init__(template, ruling=ruling, **params)
        self.ruling = ruling


class PictureError(InputError):
    """A file that cannot be used as a picture."""


class ModelError(MissingError):
    """A model file that is missing or is not the one the manifest describes."""


class CameraError(MissingError):
    """A camera that is absent, or was pulled out while in use."""


class GameFileError(MissingError):
    """A game's file that cannot be read or written: full disk, shut folder, damage, another program."""
