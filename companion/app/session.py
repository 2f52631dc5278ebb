"""The last hand on disk, so that closing the window loses nothing.

A damaged file is set aside, never overwritten.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from companion.app.devices import Choice
from companion.app.facts import NO_BALANCES, Facts
from companion.app.lesson import PHOTOS_MAX, Lesson
from companion.app.text import Language, Sentence
from companion.files import write_whole
from companion.rules import RULE_SETS
from companion.rules.request import NUMBER_MAX
from companion.tiles import BACK, KINDS, UNKNOWN

FILE = "session.json"
FORMAT = 1
KINDS_CODES = frozenset(tile.code for tile in KINDS)
KNOWN_CODES = KINDS_CODES | {BACK, UNKNOWN}


@dataclass(frozen=True, slots=True)
class Saved:
    """What the file holds; `tile_set` is the name of the set that pictures are read with."""

    facts: Facts
    language: Language | None = None
    tile_set: str | None = None
    lesson: Lesson = field(default_factory=Lesson)
    devices: Choice = field(default_factory=Choice)
    format: int = FORMAT


def save(path: Path, saved: Saved) -> None:
    """Write `saved` in one step. Raises OSError."""
    write_whole(path, msgspec.json.format(msgspec.json.encode(saved), indent=1))


def load(path: Path) -> tuple[Saved | None, Sentence | None]:
    """What was saved, and what is to be said about it: a file that cannot be used is renamed and named."""
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return None, None
    except OSError as error:
        return None, _unreadable(path, error)
    try:
        saved = msgspec.json.decode(content, type=Saved)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None, _set_aside(path)
    if not _is_ours(saved):
        return None, _set_aside(path)
    return saved, None


def devices(path: Path) -> Choice:
    """The devices that were chosen; none where the file cannot be used. It stays as it is."""
    try:
        saved = msgspec.json.decode(path.read_bytes(), type=Saved)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        return Choice()
    return saved.devices if _is_ours(saved) else Choice()


def _is_ours(saved: Saved) -> bool:
    """Whether the window can have written it."""
    return (
        saved.format == FORMAT
        and _is_sound(saved.facts)
        and _is_whole(saved.lesson)
        and saved.devices.is_sound
    )


def _is_sound(facts: Facts) -> bool:
    """Whether `facts` can have come from the window: everything in it exists and fits together."""
    if facts.rules not in RULE_SETS:
        return False
    rules, hand = RULE_SETS[facts.rules], facts.hand
    options = {option.key: option for option in rules.options}
    ids = [tile.id for tile in hand.tiles]
    grouped = [member for group in hand.groups for member in group.members]
    kongs = facts.kongs_declared
    seats = [
        facts.winner,
        facts.dealer,
        facts.discarder,
        *(seat for pair in facts.three_melds for seat in pair),
    ]
    seats += [seat for kong in kongs for seat in (kong.seat, kong.discarder) if seat is not None]
    numbers = [facts.gambits, facts.consecutive_kongs, facts.base - 1]
    numbers += [n for n in (facts.streak, facts.discards, facts.cap, *facts.balances) if n is not None]
    return (
        all(0 <= seat <= 3 for seat in (*seats, facts.round_wind))
        and all(0 <= number <= NUMBER_MAX for number in numbers)
        and len(facts.balances) == len(NO_BALANCES)
        and all(kong.kind.is_kong for kong in kongs)
        and (facts.fortune is None or facts.fortune in KINDS_CODES)
        and all(key in options and options[key].allows(value) for key, value in facts.options)
        and set(facts.situation) <= {situation.id for situation in rules.situations}
        and {tile.code for tile in hand.tiles} <= KNOWN_CODES
        and {code for group in hand.groups for code in group.codes} <= KINDS_CODES
        and all(len(group.members) == len(group.codes) for group in hand.groups)
        and len(ids) == len(set(ids))
        and len(grouped) == len(set(grouped))
        and set(grouped) <= set(ids)
        and all(tile_id < hand.next_id for tile_id in ids)
    )


def _is_whole(lesson: Lesson) -> bool:
    """Whether `lesson` can have come from the window."""
    ids = [tile.id for tile in lesson.tiles]
    return (
        len(lesson.photos) <= PHOTOS_MAX
        and 0 <= lesson.front < max(len(lesson.photos), 1)
        and len(ids) == len(set(ids))
        and {*lesson.doubted} <= {*ids}
        and (lesson.selected is None or lesson.selected in ids)
        and {tile.code for tile in lesson.tiles} <= KNOWN_CODES
        and all(tile.quad is not None for tile in lesson.tiles)
        and all(sum(photo.rows) == len(photo.tiles) and min(photo.rows) > 0 for photo in lesson.photos)
    )


def _set_aside(path: Path) -> Sentence:
    aside = next(
        name
        for n in range(1, 10_000)
        if not (name := path.with_name(f"{path.stem}.damaged-{n}.json")).exists()
    )
    try:
        path.replace(aside)
    except OSError as error:
        return _unreadable(path, error)
    return Sentence(
        "The saved hand could not be read; the file was set aside as {file}, and you can start anew.",
        {"file": str(aside)},
    )


def _unreadable(path: Path, error: OSError) -> Sentence:
    return Sentence(
        "The saved hand {file} could not be opened ({why}); you can start anew.",
        {"file": str(path), "why": error.strerror or type(error).__name__},
    )
