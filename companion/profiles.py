"""Profiles of house options as files: `profiles/NAME.json` in the user's data folder; and those that come
ready-made with the program, in `ready_made/`, which stand behind those that a person saved.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from companion.errors import InputError, list_names, quote
from companion.files import read_whole
from companion.foreign import reading
from companion.money import Currency
from companion.named_files import UNUSABLE, NamedFiles
from companion.rules.profile import Profile, decode_profile, make_file_json
from companion.rules.win import Options, Stakes
from companion.sentences import Sentence, msgid

MOST_BYTES = 2**20
"""The largest profile; real ones have some 3 kB."""
FILES = NamedFiles(msgid("profile"), msgid("profiles"), "profiles", ".json", MOST_BYTES)

DAMAGED = "The profile '{file}' cannot be used: {problem}"

UNKNOWN = "No profile {name}. Profiles: {known}."

ABOUT = msgid("{meaning} {fan}")

MAINLAND_SYMBOL = "¥"
"""Currency of games whose ready-made tables name none."""

READY_MADE_FOLDER = Path(__file__).parent / "ready_made"

path_of = FILES.path_of
folder = FILES.folder
names = FILES.names


@dataclass(frozen=True, slots=True)
class ReadyMade:
    """A profile that comes with the program: the rules of many tables. Messages: title; meaning, its rules;
    written, this program's rules without other agreements; checked, the sources it was checked against.
    stakes, currency: the usual ones of such tables. common: whether the table is offered next to the written
    rules. fan: what the tables of its game agree on, in addition to meaning."""

    name: str
    title: str
    meaning: str
    written: str
    checked: str = ""
    stakes: Stakes | None = None
    currency: Currency | None = None
    common: bool = False
    fan: str = ""

    @property
    def about(self) -> Sentence:
        """What is played at the table."""
        meaning = Sentence(self.meaning)
        return Sentence(ABOUT, {"meaning": meaning, "fan": Sentence(self.fan)}) if self.fan else meaning

    @property
    def path(self) -> Path:
        return READY_MADE_FOLDER / (self.name + FILES.suffix)


HONG_KONG_WRITTEN = msgid(
    "By the written rules each fan pays one unit, one fan is enough to win, and there is no limit. The"
    " discarder pays double and the other two once. Some hands have another number of fan."
)
HONG_KONG_FAN = msgid(
    "Small Dragons count 5, Small Winds 6, one suit 7, Three Scholars 8, a concealed hand 1, and"
    " Hidden Treasure, which must be self-drawn, 8."
)
CHECKED_TEN_FAN = msgid(
    "Checked against yawnoc/mahjong-scorer, zh.wikipedia.org/wiki/廣東麻雀籌碼計法 and ans.fyi"
    " (payments), GamblingKings/GamblingKingsFrontEnd and"
    " en.wikipedia.org/wiki/Hong_Kong_mahjong_scoring_rules (fan)."
)
CHECKED_EIGHT_FAN = msgid(
    "Checked against yawnoc/mahjong-scorer and zh.wikipedia.org/wiki/廣東麻雀籌碼計法 (payments),"
    " GamblingKings/GamblingKingsFrontEnd and"
    " en.wikipedia.org/wiki/Hong_Kong_mahjong_scoring_rules (fan, limit)."
)


def _hong_kong(
    name: str, title: str, meaning: str, checked: str, *, point: str, coin: str, common: bool = False
) -> ReadyMade:
    """A table of Hong Kong; they all count the same fan and differ in what they pay."""
    currency = Currency("HK$", point, coin)
    return ReadyMade(
        name, title, meaning, HONG_KONG_WRITTEN, checked, Stakes(), currency, common, HONG_KONG_FAN
    )


READY_MADE = (
    _hong_kong(
        "hong-kong-common",
        msgid("Common in Hong Kong: 3 fan, half-doubling"),
        msgid(
            "Three fan to win, ten at most. Three pay 8 units, four 16, and from there every second fan"
            " doubles (半辣上): 24, 32, 48, 64, 96, 128. The discarder pays for all three (全銃). At 五一 a"
            " unit is 50 cents: three fan cost the discarder HK$16, or each player HK$8 on a self-draw."
        ),
        CHECKED_TEN_FAN,
        point="0.5",
        coin="0.5",
        common=True,
    ),
    _hong_kong(
        "hong-kong-doubling",
        msgid("Hong Kong, doubling"),
        msgid(
            "Each fan doubles the payout (全辣), eight at most: 8, 16, 32, 64, 128, 256 units. Three fan to"
            " win. The discarder pays double, the other two once (半銃)."
        ),
        CHECKED_EIGHT_FAN,
        point="0.5",
        coin="0.5",
    ),
    _hong_kong(
        "hong-kong-steps",
        msgid("Hong Kong, in steps"),
        msgid(
            "The traditional table: 8 units at three fan, 16 from four, 32 from seven, 64 from ten. Three"
            " fan to win. The discarder pays double, the other two once (半銃)."
        ),
        msgid(
            "Checked against bigproduction.com/mj/hk/points.html and EpicOrange/riichi_advanced#180"
            " (payments), GamblingKings/GamblingKingsFrontEnd and"
            " en.wikipedia.org/wiki/Hong_Kong_mahjong_scoring_rules (fan)."
        ),
        point="0.5",
        coin="0.5",
    ),
    _hong_kong(
        "hong-kong-discarder-pays",
        msgid("Hong Kong, discarder pays all"),
        msgid(
            "Each fan doubles the payout (全辣), eight at most. Three fan to win, and the discarder pays"
            " for all three (全銃)."
        ),
        CHECKED_EIGHT_FAN,
        point="0.5",
        coin="0.5",
    ),
    _hong_kong(
        "hong-kong-two-five",
        msgid("Hong Kong for 25 cents (二五雞)"),
        msgid(
            "Half-doubling (半辣上), three fan to win, eight at most, and a unit is 25 cents: three fan cost"
            " the discarder HK$4 and the other two HK$2, or each player HK$4 on a self-draw (半銃)."
        ),
        CHECKED_EIGHT_FAN,
        point="0.25",
        coin="0.5",
    ),
    _hong_kong(
        "hong-kong-one-two",
        msgid("Hong Kong for one dollar (一二蚊)"),
        msgid(
            "Half-doubling (半辣上), three fan to win, ten at most, and a unit is a dollar: three fan cost"
            " the discarder, who pays for all three (全銃), HK$32, or each player HK$16 on a self-draw."
        ),
        CHECKED_TEN_FAN,
        point="1",
        coin="1",
    ),
    ReadyMade(
        "taiwanese-common",
        msgid("Common in Taiwan"),
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
            " pocket.funclub.com.tw and gamesofa.com as others quote them, chh.cx, wawa3c.com,"
            " nh48jid.com and xn--uis76c70x.me, and the scorers SkyEye-FAST/taiwan-mahjong,"
            " lanyaliu521/taiwan-mahjong and xelnagamiao/open_mahjong_unity. Where they differ, the most"
            " usual count or the association's stands; house rules have others."
        ),
        Stakes(base=100, unit=20),
        Currency("NT$", "1", "10"),
        common=True,
    ),
    ReadyMade(
        "taiwanese-no-flowers",
        msgid("Taiwan, without flowers"),
        msgid("The common table with 136 tiles: no flower counts and none is replaced."),
        msgid("The written rules play with the eight flowers, and many rows are worth different tai."),
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
        msgid(
            "On a discard all three pay the same, not only who threw the tile: a plain win of 15 zui brings"
            " 900 points instead of 300."
        ),
        msgid("The written rules do not say who pays for a discard; usually the discarder alone does."),
        msgid(
            "Checked against the point tables of two public Hefei game servers (HFMJ in Lua, and one in"
            " Go), in which the discarder alone pays: this table differs from them on purpose."
        ),
        Stakes(unit=20),
    ),
    ReadyMade(
        "hebei-three",
        msgid("Hebei for three"),
        msgid("Three play, and the fourth sits out; a self-draw is paid by two."),
        msgid(
            "The written rules describe three players but pay kongs as with four; four play unless agreed"
            " otherwise."
        ),
        msgid(
            "Checked against mahjongpros.com, which speaks of three players, and the help of QQ games, in"
            " which four play."
        ),
        Stakes(),
    ),
    ReadyMade(
        "hebei-discarder-pays",
        msgid("Hebei, discarder pays all"),
        msgid("Who throws the winning tile pays the shares of all three."),
        msgid("The written rules do not say who pays for a discard; usually the discarder pays one share."),
        msgid(
            "Checked against mahjongpros.com, which does not say who pays for a discard: a table has to"
            " agree on it."
        ),
        Stakes(),
    ),
    ReadyMade(
        "hangzhou-explosive",
        msgid("Hangzhou, explosive only"),
        msgid("A hand that holds a Fortune wins only by Explosive Pair."),
        msgid("The written rules let every complete hand win."),
        msgid(
            "Checked against EdGrass/hangzhou-mahjong-bot, whose arena plays it (有财必拷响); there a hand"
            " with a Fortune may also win after a kong, or with seven pairs."
        ),
        Stakes(),
    ),
    ReadyMade(
        "hangzhou-white",
        msgid("Hangzhou, White Dragons wild"),
        msgid(
            "The four White Dragons are the Fortunes; no tile is turned over. The dealer wins and loses by"
            " Lao: 2, 4 or 8 times."
        ),
        msgid(
            "The written rules turn a tile over, and its three mates are the Fortunes; a losing dealer pays"
            " double at every Lao. They name the White Dragons as a variant."
        ),
        msgid(
            "Checked against the specification of a Hangzhou game server (there a discarder also pays for"
            " all, which is an option here) and the arena of EdGrass/hangzhou-mahjong-bot, where a dealer at"
            " three Lao loses 8."
        ),
        Stakes(),
        common=True,
    ),
)
"""The ready-made tables, in the order in which they are offered."""


def find_ready_made(name: str) -> ReadyMade | None:
    """The ready-made profile of that name."""
    return next((each for each in READY_MADE if each.name == name), None)


def find_named(name: str) -> ReadyMade | None:
    """The ready-made table that `load` reads for that name; None if it reads a file that a person made."""
    return None if _is_path(name) or path_of(name).exists() else find_ready_made(name)


def suggest_symbol(rules: str) -> str:
    """The symbol of the currency for which the ready-made tables of that game are played."""
    found = (ready.currency for ready in READY_MADE if _read_played(ready)[0] == rules)
    return next((currency.symbol for currency in found if currency is not None), MAINLAND_SYMBOL)


def find_played(rules: str, settings: Options, currency: Currency | None) -> ReadyMade | None:
    """The ready-made table of that game which has these settings of all house options. Of several, the one
    at which a point is worth as much in that currency; else the first.

    Raises InputError if the program's own files are damaged.
    """
    found = [ready for ready in READY_MADE if _read_played(ready) == (rules, settings)]
    return min(found, key=lambda ready: _worth(ready.currency) != _worth(currency), default=None)


def find_scored_by(rules: str, options: Options, currency: Currency | None) -> ReadyMade | None:
    """As `find_played`, by the house options of scoring alone: how a hand by itself is scored."""
    found = [
        ready
        for ready in READY_MADE
        if _read_played(ready)[0] == rules and options.items() <= _read_played(ready)[1].items()
    ]
    return min(found, key=lambda ready: _worth(ready.currency) != _worth(currency), default=None)


def _worth(currency: Currency | None) -> tuple[str, str] | None:
    """What a point is worth, whatever the smallest coin."""
    return None if currency is None else (currency.symbol, currency.point)


@cache
def _read_played(ready: ReadyMade) -> tuple[str, Options]:
    """The game of a ready-made table, and its settings."""
    profile = load(str(ready.path))
    return profile.rules, profile.settings


def load(name: str) -> Profile:
    """The profile called `name`, or the one in the file `name` where that has a folder or ends in .json. A
    saved one comes before a ready-made one of the same name.

    Raises InputError.
    """
    is_path, ready_made = _is_path(name), find_named(name)
    path = Path(name) if is_path else FILES.path_of(name)
    if not (is_path or ready_made or os.path.lexists(path)):
        known = [*names(), *(each.name for each in READY_MADE)]
        raise InputError(UNKNOWN, name=quote(name), known=list_names(name, known))
    with reading(lambda why: InputError(UNUSABLE, file=path, why=why)):
        if is_path or ready_made:
            content = read_whole(ready_made.path if ready_made else path, MOST_BYTES)
        else:
            content = FILES.read(name)
        try:
            return decode_profile(content)
        except InputError as problem:
            raise InputError(DAMAGED, file=path, problem=problem) from None


def _is_path(name: str) -> bool:
    return name.endswith(FILES.suffix) or "/" in name or "\\" in name


def save(name: str, profile: Profile) -> Path:
    """Write the profile in one step, over one that has this name, and return its file. Raises InputError."""
    return FILES.write(name, encode(profile))


def encode(profile: Profile) -> bytes:
    """What the file of a profile holds."""
    return (json.dumps(make_file_json(profile), ensure_ascii=False, indent=1) + "\n").encode()
