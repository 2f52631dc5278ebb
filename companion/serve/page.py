"""The page: one file of HTML, style, script and tile drawings, the same for all views.

It asks for nothing but its own state and events; its policy lets it ask for nothing else.
"""

from __future__ import annotations

import gzip
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path

import msgspec

from companion.rules import RULE_SETS, RuleSet
from companion.rules.fields import FIELDS, Field
from companion.rules.kinds import (
    DeclaredKongsKind,
    NumberKind,
    SeatPairsKind,
    ValueKind,
    WildTileKind,
    WindKind,
)
from companion.sentences import msgid
from companion.serve.messages import BROKEN, HELD, NOT_YOUR_OWN, ONLY_WATCHES, OUTDATED
from companion.sheets.wording import WINDS
from companion.tiles import BACK, KINDS, UNKNOWN
from companion.words import Language, Words
from companion.words.filling import SEAT_NAMES
from companion.words.tile_names import name_tile

ASSETS = Path(__file__).parent / "assets"
HTML, STYLE, HAND, REMOTE, CAMERA, SHOWN, TILES = (
    (ASSETS / name).read_text(encoding="utf-8")
    for name in ("page.html", "page.css", "hand.js", "remote.js", "camera.js", "page.js", "tiles.svg")
)
SCRIPT = HAND + REMOTE + CAMERA + SHOWN
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
    "photo": msgid("Score a hand"),
    "photohelp": msgid(
        "Take a photo of the winning hand. The table's computer reads it and keeps nothing of it."
    ),
    "take": msgid("Take a photo"),
    "pick": msgid("Choose a picture"),
    "reading": msgid("Reading the photo …"),
    "read": msgid("{count} tiles were read"),
    "nophoto": msgid("This photo cannot be read. Take another one."),
    "heic": msgid("This browser cannot open HEIC photos. Take the photo here, or choose a JPEG."),
    "pdf": msgid("This is a PDF, not a picture. Choose a photo."),
    "touch": msgid("Touch a tile to correct it, to claim its set, or to make it the winning tile."),
    "add": msgid("Add tiles by hand"),
    "other": msgid("Other …"),
    "wins": msgid("Winning tile"),
    "split": msgid("Split the meld"),
    "leave": msgid("Not in the hand"),
    "counts": msgid("In the hand"),
    "notcounted": msgid("not counted: {count}"),
    "remove": msgid("Remove"),
    "c": msgid("Chow"),
    "p": msgid("Pung"),
    "k": msgid("Kong"),
    "a": msgid("Added kong"),
    "K": msgid("Concealed kong"),
    "unread": msgid("Unread tiles: {count}. Touch each one and choose what it is."),
    "whowon": msgid("Who won?"),
    "whosetile": msgid("Whose tile was it, or was it a self-draw?"),
    "game": msgid("Game"),
    "winner": msgid("Winner"),
    "wonby": msgid("Won by"),
    "drawn": msgid("Self-draw"),
    "robbed": msgid("Robbed kong"),
    "dealership": msgid("Dealer"),
    "situation": msgid("Circumstances"),
    "flowers": msgid("Flowers"),
    "none": msgid("none"),
    "assumed": msgid("Assumed: {what}"),
    "noclaims": msgid("no set claimed"),
    "nothing": msgid("No win"),
    "nobooking": msgid("Only calculated: nothing is entered in the game."),
    "camera": msgid("Table camera"),
    "film": msgid("Use this phone as the camera"),
    "stop": msgid("Stop"),
    "filmhelp": msgid(
        "Put the phone on a stand so that all four corners of the table are in its picture, and leave this"
        " page on its screen. The pictures go only to the table's computer."
    ),
    "filming": msgid("The table follows this camera."),
    "notused": msgid(
        "The table does not use a phone as its camera now: choose Phone as the camera in its window, or start"
        " companion track phone."
    ),
    "notallowed": msgid(
        "The browser does not let this page use the camera: allow it, then touch the button again."
    ),
    "nocamera": msgid("This device has no camera that the browser can use."),
    "camerainuse": msgid("Another app uses the camera: close it, then touch the button again."),
    "encrypt": msgid("A browser lets a page use the camera only if the page is encrypted."),
    "openencrypted": msgid("Open the encrypted page"),
    "warned": msgid(
        "Your browser warns once, because no authority knows this computer's certificate. Continue if the"
        " certificate's SHA-256 fingerprint is this one, which the table shows too:"
    ),
    "calls": msgid("{who} calls mahjong!"),
    "enteredby": msgid("Entered by the phone of {who}"),
    "waits": NOT_YOUR_OWN,
    "confirm": msgid("Confirm"),
    "reject": msgid("Reject"),
    "takeback": msgid("Take the win back"),
    "held": HELD,
    "claimhelp": msgid(
        "To enter wins for {who} from this phone, enter the code that the table's window shows."
    ),
    "code": msgid("Code"),
    "claim": msgid("Take the seat"),
    "holds": msgid("This phone holds the seat of {who}."),
    "mahjong": msgid("Mahjong!"),
    "uncall": msgid("No mahjong"),
    "enterwin": msgid("Enter a win"),
    "undo": msgid("Undo my win"),
    "leaveseat": msgid("Give the seat back"),
    "watches": ONLY_WATCHES,
    "ways": msgid("How is the win entered?"),
    "bytiles": msgid("Tiles"),
    "byvalue": msgid("Value"),
    "byrows": msgid("Rows"),
    "worth": msgid("What is it worth?"),
    "whatvalue": msgid("What is it worth?"),
    "othervalue": msgid("Other …"),
    "rows": msgid("Which rows does the hand have?"),
    "claimedfrom": msgid("Claimed from"),
    "enter": msgid("Show it to the table"),
    "enterhelp": msgid("It is booked once another player, or the table's window, has confirmed it."),
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
        "games": {rules.name: _describe_game(rules, words) for rules in RULE_SETS.values()},
        "places": [words(seat) for seat in SEAT_NAMES],
        "windNames": [words(wind) for wind in WINDS],
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


def _describe_game(rules: RuleSet, words: Words) -> dict[str, object]:
    """What the page asks about a win in a game that no table plays."""
    return {
        "title": words.both(rules.title, rules.title_zh)[0],
        "kinds": [kind.code for kind in rules.tile_set.kinds],
        "seats": rules.seats(rules.defaults),
        "melds": rules.allowed_melds(rules.defaults),
        "flowers": FIELDS["flowers"].used_by(rules),
        "situations": {each.id: words.both(each.label, each.label_zh)[0] for each in rules.situations},
        "without_tile": rules.wins_without_tile,
        "flower_wins": sorted(rules.flower_wins),
        "asked": [
            _describe_field(field, rules, words)
            for field in FIELDS.values()
            if field.only_some and field.ask is not None and field.used_by(rules)
        ],
    }


_ASKED_AS: Mapping[type[ValueKind], str] = {
    WindKind: "wind",
    WildTileKind: "tile",
    SeatPairsKind: "pairs",
    DeclaredKongsKind: "kongs",
}
"""How the page asks for the fields that are not numbers."""


def _describe_field(field: Field, rules: RuleSet, words: Words) -> dict[str, object]:
    """A field of a score request that the page asks for. usual: what is assumed."""
    assert field.ask is not None
    described: dict[str, object] = {
        "name": field.name,
        "label": words(field.label_in(rules)),
        "kind": _ASKED_AS.get(type(field.kind), "number"),
        "usual": field.default_in(rules),
        "none": words(field.ask.none) if field.ask.none else "",
    }
    if isinstance(field.kind, NumberKind):
        least, most = field.kind.bounds(rules)
        described |= {"least": least, "most": min(most, field.ask.most)}
    return described


def _template(words: Words, label: str) -> str:
    """A label with a number, or words, that the page puts in."""
    return words(label, count="{count}", what="{what}", who="{who}")


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
