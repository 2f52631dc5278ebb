"""Damaged profiles, learned sets and hands of windows: read exactly as they were written, or refused in one
sentence, and the damaged file is kept."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from companion import profiles
from companion.app.shell import session
from companion.app.shell.session import Session
from companion.app.tile_sets.feature import KeptTileSets
from companion.app.tile_sets.lesson import LessonDraft, LessonPhoto
from companion.errors import InputError
from companion.live.devices import Chosen, ChosenDevices
from companion.photo_hand.draft import WinDraft
from companion.photo_hand.hand import PhotoHand, PhotoTile
from companion.rules import rule_set
from companion.rules.profile import make_profile
from companion.tiles import KINDS
from companion.vision import set_files
from companion.vision.learned import LearnedSet
from companion.words import Language, Words

SEED = 20261122
PAGE = 4096
DAMAGE = ("flip", "flip", "byte", "cut", "zeros", "noise", "swap", "append", "twice", "lost", "empty")
READER = "5e" * 32
Load = Callable[[], tuple[object, str | None]]
"""Gives what was read and nothing, or nothing and the sentence that refuses it."""


def spoil(content: bytes, chance: random.Random) -> tuple[str, bytes]:
    """What was done to a copy of the content, and the copy."""
    size = len(content)
    start, length = chance.randrange(size), chance.choice((1, 2, 16, 64, PAGE))
    spoilt = bytearray(content)
    match chance.choice(DAMAGE):
        case "flip":
            bit = chance.randrange(8)
            spoilt[start] ^= 1 << bit
            return f"bit {bit} of byte {start} flipped", bytes(spoilt)
        case "byte":
            spoilt[start] = chance.randrange(256)
            return f"byte {start} is {spoilt[start]}", bytes(spoilt)
        case "cut":
            return f"cut at {start}", content[:start]
        case "zeros":
            spoilt[start : start + length] = bytes(min(length, size - start))
            return f"{length} zeros at {start}", bytes(spoilt)
        case "noise":
            spoilt[start : start + length] = chance.randbytes(min(length, size - start))
            return f"{length} random bytes at {start}", bytes(spoilt)
        case "swap":
            page = min(PAGE, size // 2)
            a, b = (n * page for n in chance.sample(range(size // page), 2))
            spoilt[a : a + page], spoilt[b : b + page] = content[b : b + page], content[a : a + page]
            return f"pages of {page} at {a} and {b} swapped", bytes(spoilt)
        case "append":
            return f"{length} bytes appended", content + chance.choice(
                (chance.randbytes(length), bytes(length))
            )
        case "twice":
            return "written twice", content + content
        case "lost":
            return f"{length} bytes lost at {start}", content[:start] + content[start + length :]
    return "emptied", b""


def in_sentence(load: Callable[[], object]) -> tuple[object, str | None]:
    try:
        return load(), None
    except InputError as problem:
        return None, str(problem)


def set_values() -> tuple[object, str | None]:
    def values() -> object:
        learned = set_files.load("home", READER)
        return learned.reader, learned.codes, learned.features.shape, learned.features.tobytes()

    return in_sentence(values)


def hand(path: Path) -> tuple[object, str | None]:
    saved, complaint = session.load(path)
    return saved, complaint and Words(Language.ENGLISH).say(complaint)


def tiles(count: int) -> tuple[PhotoTile, ...]:
    quad = ((1.5, 2.25), (30.1, 2.0), (30.0, 40.3), (1.0, 40.0))
    codes = [KINDS[at % len(KINDS)].code for at in range(count)]
    return tuple(
        PhotoTile(at, code, quad, 0.1 + at / 100, ((code, 0.9), ("5s", 0.1))) for at, code in enumerate(codes)
    )


def profile_file(folder: Path) -> tuple[Path, Load]:
    options = {"win_row": 0, "discard": "all_pay"}
    path = profiles.save("home", make_profile(rule_set("hefei"), options))
    return path, lambda: in_sentence(lambda: profiles.load("home"))


def set_file(folder: Path) -> tuple[Path, Load]:
    codes = tuple(kind.code for kind in KINDS[:9])
    features = np.random.default_rng(SEED).normal(size=(9, 1536)).astype(np.float16).astype(np.float32)
    return set_files.save(LearnedSet("home", READER, codes, features)), set_values


def hand_file(folder: Path) -> tuple[Path, Load]:
    draft = WinDraft(
        hand=PhotoHand(tiles(14), next_id=14), picture="/pictures/牌.jpg", winner=2, balances=(1, 2, 3, None)
    )
    devices = ChosenDevices((Chosen("/dev/ttyUSB0", 2), Chosen("usb:1a86:7523")), looking=True)
    path = folder / session.FILE
    parts = {"score_photo": draft, "tile_sets": KeptTileSets("home"), "devices": devices}
    session.save(path, Session(Language.SIMPLIFIED, parts))
    return path, lambda: hand(path)


def lesson_file(folder: Path) -> tuple[Path, Load]:
    """A hand, and a lesson under way: several pages."""
    photo = LessonPhoto(path="/pictures/tiles.jpg", tiles=tiles(42), rows=(14, 14, 14))
    path = folder / session.FILE
    lesson = LessonDraft(name="home", photos=(photo,))
    session.save(path, Session(parts={"tile_sets": KeptTileSets(lesson=lesson)}))
    assert path.stat().st_size > 2 * PAGE
    return path, lambda: hand(path)


@pytest.mark.parametrize("make", [profile_file, set_file, hand_file, lesson_file])
def test_damage_is_reported_or_has_changed_nothing(
    own_data_folder: Path, damage: int, make: Callable[[Path], tuple[Path, Load]]
) -> None:
    path, load = make(own_data_folder)
    content = path.read_bytes()
    whole, problem = load()
    assert problem is None
    reported = 0
    for number in range(damage // 4):
        chance = random.Random(f"{SEED} {make.__name__} {number}")
        done, spoilt = spoil(content, chance)
        where = f"{path.name}: {done}; case {number}, seed {SEED}"
        path.write_bytes(spoilt)
        found, sentence = load()
        if sentence is None:
            assert found == whole, where
            assert path.read_bytes() == spoilt, where
        else:
            reported += 1
            kept = path if path.exists() else path.with_name("session.damaged-1.json")
            assert kept.read_bytes() == spoilt, where
            assert "\n" not in sentence, where
            assert str(kept) in sentence or "'home'" in sentence, where
            kept.unlink()
        path.unlink(missing_ok=True)
        assert [each for each in path.parent.iterdir() if each.is_file()] == [], where
    print(
        f"{make.__name__}: {reported} of {damage // 4} damaged files reported, the others read as they were"
    )
    assert reported > damage // 8
