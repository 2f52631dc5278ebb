"""Which font writes a character: a bundled one, or if they lack it, one that is installed on the machine.

Installed fonts are foreign files. Only their table of characters is read here, within limits; a font is
chosen only for what FreeType draws from it. A broken file, a pipe or a device is ignored.
"""

from __future__ import annotations

import os
import re
import struct
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import islice
from pathlib import Path

import numpy as np

from companion.art import BUNDLED_FONTS, font_path
from companion.files import open_file

SUFFIXES = (".ttf", ".otf", ".ttc", ".otc")
FILES_MAX = 5000
"""The most files that are read. A desktop with the fonts of all languages has 3,000."""
FILE_MAX_BYTES = 256 * 2**20
TABLES_MAX = 128
CMAP_MAX_BYTES = 2**20
OUTLINES = {b"glyf", b"CFF ", b"CFF2"}
"""Tables with shapes for every size; fonts without them have pictures of one size."""
UNICODE = {(0, 0), (0, 1), (0, 2), (0, 3), (0, 4), (0, 6), (3, 1), (3, 10)}
"""(platform, encoding) of the subtables that map Unicode."""
STYLES = re.compile("bold|black|heavy|italic|oblique|thin|light|condensed|mono|serif")
"""Styles in the names of fonts that are used only if no other font has the character."""
TRIED_PX = 24
REACH_MAX_PX = 8 * TRIED_PX
"""Maximum extent of a trial drawing in each direction, in px: pictures of larger glyphs fill the memory."""
NOT_A_CHARACTER = "\uffff"
SURROGATES = re.compile("[\ud800-\udfff]")
CJK = "\u2e80"
"""First character of Chinese, Japanese and Korean writing; later ones, apart from a few rare scripts, belong
to it too."""
CHOICES_KEPT, RUNS_KEPT = 4096, 1024

Ranges = tuple[list[int], list[int]]
"""First and last code points of the ranges that a font has, in ascending order."""
NOTHING: Ranges = ([], [])


@lru_cache(RUNS_KEPT)
def split_runs(text: str) -> tuple[tuple[str, Path], ...]:
    """The text in parts that one font writes, each with that font: of several that have a word, the first.
    Marks stay with their letter, and spaces with words of one font. What cannot be encoded becomes U+FFFD."""
    usual = font_path()
    if text.isascii():
        return ((text, usual),)
    runs: list[tuple[str, Path]] = []

    def add(part: str, font: Path) -> None:
        if part and runs and runs[-1][1] == font:
            runs[-1] = (runs[-1][0] + part, font)
        elif part:
            runs.append((part, font))

    spaces = ""
    for word in _split(SURROGATES.sub("\ufffd", text), whole_words=True):
        if word == " ":
            spaces += word
            continue
        whole = find_font(word)
        for part, font in [(word, whole)] if whole else [(each, choose_font(each)) for each in _split(word)]:
            add(spaces, font if runs and runs[-1][1] == font else usual)
            add(part, font)
            spaces = ""
    add(spaces, usual)
    return tuple(runs)


def choose_font(letter: str) -> Path:
    """The font that writes a letter with its marks; by default the bundled one, which draws a box."""
    return find_font(letter) or font_path()


@lru_cache(CHOICES_KEPT)
def find_font(word: str) -> Path | None:
    """The first bundled font that has all letters of the word, else the first installed one that draws them,
    else None."""
    letters = [each for each in unicodedata.normalize("NFC", word) if is_visible(each)]
    for font in BUNDLED_FONTS:
        if all(_has(_read_bundled(font), each) for each in letters):
            return font
    return next((font for font in list_fonts() if _draws_all(font, letters)), None)


def list_font_folders() -> list[Path]:
    """The folders in which fonts of the person and of the system are installed."""
    home = os.path.expanduser("~")
    own = os.environ.get("XDG_DATA_HOME") or f"{home}/.local/share"
    shared = os.environ.get("XDG_DATA_DIRS") or "/usr/local/share:/usr/share"
    folders = [*(f"{each}/fonts" for each in (own, *shared.split(":"))), f"{home}/.fonts"]
    return [Path(each) for each in folders if os.path.isabs(each)]


@cache
def list_fonts() -> list[Path]:
    """The installed font files, upright ones of usual weight first, and among them those without serifs."""

    def rank(path: Path) -> tuple[int, bool, str]:
        name = path.name.lower()
        return len(set(STYLES.findall(name))), "sans" not in name, str(path)

    return sorted(islice(_find_fonts(), FILES_MAX), key=rank)


def _find_fonts() -> Iterator[Path]:
    for folder in list_font_folders():
        for at, _, names in os.walk(folder):
            yield from (Path(at, name) for name in names if name.lower().endswith(SUFFIXES))


def _split(text: str, *, whole_words: bool = False) -> list[str]:
    """Letters with their marks; whole_words: letters of one word together, except in Chinese, which has no
    spaces between words."""
    parts: list[str] = []
    in_word = False
    for character in text:
        category = unicodedata.category(character)
        is_mark = category in ("Mn", "Mc", "Me", "Cf")
        is_letter = whole_words and category.startswith("L") and character < CJK
        if parts and (is_mark or (in_word and is_letter)):
            parts[-1] += character
        else:
            parts.append(character)
        in_word = is_letter or (in_word and is_mark)
    return parts


def is_visible(character: str) -> bool:
    """Whether a font must have it: not control and format characters, nor those that choose a variant."""
    chooses_variant = "\ufe00" <= character <= "\ufe0f" or "\U000e0100" <= character <= "\U000e01ef"
    return unicodedata.category(character) not in ("Cc", "Cf") and not chooses_variant


def _draws_all(font: Path, letters: list[str]) -> bool:
    """No font is asked for characters that mean nothing outside one program: icons have their places."""
    means_nothing = any(unicodedata.category(each) in ("Co", "Cn") for each in letters)
    ranges = NOTHING if means_nothing else _read_installed(font)
    return all(_has(ranges, each) for each in letters) and all(_draws(font, each) for each in letters)


def _has(ranges: Ranges, character: str) -> bool:
    firsts, lasts = ranges
    at = bisect_right(firsts, ord(character)) - 1
    return at >= 0 and ord(character) <= lasts[at]


def _draws(font: Path, character: str) -> bool:
    """Whether FreeType draws the character, and not the box for a missing one."""
    from PIL import ImageFont

    try:
        tried = ImageFont.truetype(str(font), TRIED_PX, layout_engine=ImageFont.Layout.BASIC)
        reach = [max(map(abs, tried.getbbox(each))) for each in (character, NOT_A_CHARACTER)]
        if max(*reach, tried.getlength(character)) > REACH_MAX_PX:
            return False
        drawn, missing = (bytes(tried.getmask(each)) for each in (character, NOT_A_CHARACTER))
    except Exception:  # a foreign file: whatever is wrong with it
        return False
    return any(drawn) and drawn != missing


@cache
def _read_bundled(font: Path) -> Ranges:
    return read_ranges(font)


@cache
def _read_installed(font: Path) -> Ranges:
    try:
        return read_ranges(font)
    except Exception:  # a foreign file: whatever is wrong with it
        return NOTHING


def read_ranges(font: Path) -> Ranges:
    """The characters that the first face of a font file has shapes for; a range may have gaps. Raises
    OSError, and ValueError, KeyError or struct.error for a file that is damaged."""
    with open_file(font, FILE_MAX_BYTES) as file:
        kind, face = struct.unpack(">4s8xI", file.read(16))
        file.seek(face if kind == b"ttcf" else 0)
        (count,) = struct.unpack(">4xH6x", file.read(12))
        entries = struct.iter_unpack(">4s4xII", file.read(16 * min(count, TABLES_MAX)))
        tables = {tag: (offset, length) for tag, offset, length in entries}
        if not OUTLINES & tables.keys():
            return NOTHING
        offset, length = tables[b"cmap"]
        file.seek(offset)
        cmap = file.read(min(length, CMAP_MAX_BYTES))
    (count,) = struct.unpack_from(">2xH", cmap)
    subtables = {
        struct.unpack_from(">H", cmap, at)[0]: at
        for platform, encoding, at in struct.iter_unpack(">HHI", cmap[4 : 4 + 8 * count])
        if (platform, encoding) in UNICODE
    }
    if 12 in subtables:
        (count,) = struct.unpack_from(">12xI", cmap, subtables[12])
        groups = np.frombuffer(cmap, ">u4", 3 * count, subtables[12] + 16).reshape(-1, 3)
        return groups[:, 0].tolist(), groups[:, 1].tolist()
    at = subtables[4]
    (size,) = struct.unpack_from(">6xH", cmap, at)
    firsts, lasts = (np.frombuffer(cmap, ">u2", size // 2, at + part) for part in (16 + size, 14))
    return firsts.tolist(), lasts.tolist()
