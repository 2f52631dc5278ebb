"""The page: one file of HTML, style, script and tile drawings, the same for all views.

It asks for nothing but its own state and events; its policy lets it ask for nothing else.
"""

from __future__ import annotations

import gzip
from base64 import b64encode
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path

import msgspec

from companion.sentences import msgid
from companion.serve.messages import BROKEN, OUTDATED
from companion.tiles import BACK, KINDS, UNKNOWN
from companion.words import Language, Words
from companion.words.tile_names import name_tile

ASSETS = Path(__file__).parent / "assets"
HTML, STYLE, SCRIPT, TILES = (
    (ASSETS / name).read_text(encoding="utf-8") for name in ("page.html", "page.css", "page.js", "tiles.svg")
)
LANGUAGE_NAMES = {
    Language.ENGLISH: "English",
    Language.SIMPLIFIED: "简体中文",
    Language.TRADITIONAL: "繁體中文",
}
TAGS = {Language.ENGLISH: "en", Language.SIMPLIFIED: "zh-Hans", Language.TRADITIONAL: "zh-Hant"}
LABELS = {
    "table": msgid("Table"),
    "scores": msgid("Scores"),
    "television": msgid("Television"),
    "me": msgid("My seat"),
    "photo": msgid("Read tiles"),
    "photohelp": msgid("Take a photo of tiles. The table's computer reads it and keeps nothing of it."),
    "take": msgid("Take a photo"),
    "reading": msgid("Reading the photo …"),
    "read": msgid("{count} tiles were read"),
    "nophoto": msgid("This photo cannot be read. Take another one."),
    "language": msgid("Language"),
    "light": msgid("Light"),
    "dark": msgid("Dark"),
    "points": msgid("Points"),
    "won": msgid("Won"),
    "settle": msgid("Settle up"),
    "hands": msgid("Hands"),
    "pays": msgid("Who pays"),
    "left": msgid("tiles left"),
    "dealer": msgid("dealer"),
    "ready": msgid("ready"),
    "turn": msgid("Your turn"),
    "wild": msgid("Fortune tile"),
    "discards": msgid("Discards"),
    "concealed": msgid("{count} concealed tiles"),
    "choose": msgid("Where do you sit?"),
    "waiting": msgid("Connecting to the table …"),
    "lost": msgid("The connection to the table is lost. Trying again …"),
    "unknown": msgid("This link is no longer valid. Open the link that the table shows now."),
    "reload": msgid("Load again"),
    "outdated": OUTDATED,
    "broken": BROKEN,
    "nowin": msgid("Nobody has won yet."),
}
"""What the page says by itself; everything about the game comes in words with its state."""
PAGE = sha256("\0".join((HTML, STYLE, SCRIPT, TILES)).encode()).hexdigest()[:12]
"""Which page this is: an open page of another one is asked to load again."""


@dataclass(frozen=True, slots=True)
class Page:
    """The page as it is sent: as it is or zipped, with its Content-Security-Policy."""

    content: bytes
    zipped: bytes
    policy: str


@cache
def make_page(language: Language) -> Page:
    """The page in that language."""
    words = Words(language)
    said = {
        "page": PAGE,
        "language": language.value,
        "languages": {each.value: name for each, name in LANGUAGE_NAMES.items()},
        "labels": {
            name: words(label) if "{" not in label else _template(words, label)
            for name, label in LABELS.items()
        },
        "tiles": {
            tile: words.say(name_tile(tile)) for tile in (*(kind.code for kind in KINDS), BACK, UNKNOWN)
        },
    }
    data = msgspec.json.encode(said).decode().replace("<", "\\u003c")
    parts = {"LANG": TAGS[language], "STYLE": STYLE, "TILES": TILES, "DATA": data, "SCRIPT": SCRIPT}
    html = HTML
    for name, part in parts.items():
        html = html.replace(f"[[{name}]]", part)
    content = html.encode()
    policy = (
        f"default-src 'none'; script-src {_hash(SCRIPT)}; style-src {_hash(STYLE)}; connect-src 'self'; "
        "img-src data: blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
        "require-trusted-types-for 'script'"
    )
    return Page(content, gzip.compress(content, 9, mtime=0), policy)


def _template(words: Words, label: str) -> str:
    """A label with a number that the page puts in."""
    return words(label, count="{count}")


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
