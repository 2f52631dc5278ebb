"""Profiles of house options as files: `profiles/NAME.json` in the user's data folder; and those that come
ready-made with the program, in `ready_made/`, which stand behind those that a person saved.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from companion.errors import InputError
from companion.files import read_whole
from companion.foreign import reading
from companion.money import Currency
from companion.named_files import UNUSABLE, NamedFiles
from companion.rules.profile import Profile, decode_profile, make_file_json
from companion.rules.stakes import Stakes
from companion.sentences import msgid

MOST_BYTES = 2**20
"""The largest profile; real ones have some 3 kB."""
FILES = NamedFiles(msgid("profile"), msgid("profiles"), "profiles", ".json", MOST_BYTES)

DAMAGED = "The profile '{file}' cannot be used: {problem}"

READY_MADE_FOLDER = Path(__file__).parent / "ready_made"

path_of = FILES.path_of
folder = FILES.folder
names = FILES.names


@dataclass(frozen=True, slots=True)
class ReadyMade:
    """A profile that comes with the program: what many tables play. Messages: title; meaning, what is played;
    written, what the rules say that this program goes by, where nothing else is agreed; checked, against
    which sources the table was checked. stakes, currency: what such tables often play for. common: whether
    the table is offered beside the written rules."""

    name: str
    title: str
    meaning: str
    written: str
    checked: str = ""
    stakes: Stakes | None = None
    currency: Currency | None = None
    common: bool = False

    @property
    def path(self) -> Path:
        return READY_MADE_FOLDER / (self.name + FILES.suffix)


READY_MADE = (
    ReadyMade(
        "hong-kong-doubling",
        msgid("Hong Kong, doubling"),
        msgid("Each fan doubles the payout, up to 64. Three fan to win, and a concealed hand counts one."),
        msgid(
            "The written rules pay one unit for each fan, ask for one fan, and give nothing for a"
            " concealed hand."
        ),
    ),
    ReadyMade(
        "hong-kong-steps",
        msgid("Hong Kong, in steps"),
        msgid(
            "The traditional table: 8 at three fan, 16 from four, 32 from seven, 64 from ten. Three"
            " fan to win."
        ),
        msgid(
            "The written rules pay one unit for each fan, ask for one fan, and give nothing for a"
            " concealed hand."
        ),
        currency=Currency("HK$", "1", "1"),
        common=True,
    ),
    ReadyMade(
        "hong-kong-discarder-pays",
        msgid("Hong Kong, discarder pays all"),
        msgid("Doubling, three fan to win, and who throws the winning tile pays for all three."),
        msgid("By the written rules who throws the winning tile pays double, and the other two pay once."),
    ),
    ReadyMade(
        "taiwanese-common",
        msgid("Taiwan, common table"),
        msgid(
            "The usual tai of Taiwan: all chows 2, a concealed self-draw 3, all triplets 4, one suit 8. Only"
            " own flowers and winds count."
        ),
        msgid(
            "The written rules give many rows other tai, count every flower and every pung of winds,"
            " and have no row for a replacement tile or a hand of honours."
        ),
        msgid(
            "Checked against the table of Taiwan's mahjong association (atawmj.org.tw), those of"
            " pocket.funclub.com.tw and gamesofa.com as others quote them, chh.cx, wawa3c.com, nh48jid.com"
            " and xn--uis76c70x.me, and three other scorers. Where they differ, the most usual count stands;"
            " house rules have others."
        ),
        Stakes(base=100, unit=20),
        Currency("NT$", "1", "10"),
        common=True,
    ),
    ReadyMade(
        "taiwanese-no-flowers",
        msgid("Taiwan, without flowers"),
        msgid("The common table with 136 tiles: no flower counts and none is replaced."),
        msgid("The written rules play with the eight flowers and give many rows other tai."),
        msgid(
            "Checked as the common table is. In the south of Taiwan, where many play without flowers, every"
            " pung of winds often counts: that is a house rule."
        ),
        Stakes(base=100, unit=20),
        Currency("NT$", "1", "10"),
    ),
    ReadyMade(
        "hefei-all-pay",
        msgid("Hefei, all pay"),
        msgid("On a discard all three pay, not only who threw the tile."),
        msgid("The written rules do not say who pays for a discard; usually the discarder alone does."),
    ),
    ReadyMade(
        "hebei-three",
        msgid("Hebei for three"),
        msgid("Three play, and the fourth sits out."),
        msgid(
            "The written rules speak of three players, but pay kongs as four do; four is what is"
            " played where nothing is agreed."
        ),
    ),
    ReadyMade(
        "hebei-discarder-pays",
        msgid("Hebei, discarder pays all"),
        msgid("Who throws the winning tile pays the shares of all."),
        msgid("The written rules do not say who pays for a discard; usually the discarder pays one share."),
    ),
    ReadyMade(
        "hangzhou-explosive",
        msgid("Hangzhou, explosive only"),
        msgid("A hand that holds a Fortune wins only by Explosive Pair."),
        msgid("The written rules let every complete hand win."),
    ),
    ReadyMade(
        "hangzhou-white",
        msgid("Hangzhou, White Dragons wild"),
        msgid("The four White Dragons are the Fortunes; no tile is turned over."),
        msgid(
            "The written rules turn a tile over, and its three mates are the Fortunes; they name this"
            " as a variant."
        ),
    ),
)
"""In the order in which they are offered."""


def find_ready_made(name: str) -> ReadyMade | None:
    """The ready-made profile of that name."""
    return next((each for each in READY_MADE if each.name == name), None)


def load(name: str) -> Profile:
    """The profile called `name`, or the one in the file `name` where that has a folder or ends in .json. A
    saved one comes before a ready-made one of the same name.

    Raises InputError.
    """
    is_path = name.endswith(FILES.suffix) or "/" in name or "\\" in name
    path = Path(name) if is_path else FILES.path_of(name)
    ready_made = None if is_path or path.exists() else find_ready_made(name)
    with reading(lambda why: InputError(UNUSABLE, file=path, why=why)):
        if is_path or ready_made:
            content = read_whole(ready_made.path if ready_made else path, MOST_BYTES)
        else:
            content = FILES.read(name)
        try:
            return decode_profile(content)
        except InputError as problem:
            raise InputError(DAMAGED, file=path, problem=problem) from None


def save(name: str, profile: Profile) -> Path:
    """Write the profile in one step, over one that has this name, and return its file. Raises InputError."""
    return FILES.write(name, encode(profile))


def encode(profile: Profile) -> bytes:
    """What the file of a profile holds."""
    return (json.dumps(make_file_json(profile), ensure_ascii=False, indent=1) + "\n").encode()
