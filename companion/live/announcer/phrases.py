"""What an announcer at the table says of an event, in spoken words. Pure.

A person who calls a claim or a win is heard by all; the announcer repeats what matters and adds what nobody
says: the Sea Floor, and what a win pays.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

from companion.live.announcer.cues import is_at_sea
from companion.rules import Source
from companion.table import events
from companion.table.events import Event
from companion.table.state import HandResult, State
from companion.tiles import MeldKind, Suit, Tile, parse_meld
from companion.words.filling import fill


class Weight(IntEnum):
    """How important it is: the heaviest is said first."""

    TURN = 0
    CLAIM = 1
    END = 2
    WIN = 3
    SEA = 4


@dataclass(frozen=True, slots=True)
class Phrase:
    """text: as it is spoken. chinese: whether in Mandarin, else in English."""

    text: str
    weight: Weight
    chinese: bool


SUITS = {Suit.CHARACTERS: ("characters", "万"), Suit.DOTS: ("dots", "筒"), Suit.BAMBOO: ("bamboo", "条")}
NUMBERS_EN = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
NUMBERS_ZH = "一二三四五六七八九"
HONOURS = (
    ("east", "东风"), ("south", "南风"), ("west", "西风"), ("north", "北风"),
    ("white dragon", "白板"), ("green dragon", "发财"), ("red dragon", "红中"),
)  # fmt: skip
SEA = ("Sea Floor! These are the last tiles.", "海底了！最后几张牌。")
CLAIMS = {
    MeldKind.CHOW: ("{who}: chow.", "{who}，吃。"),
    MeldKind.PUNG: ("{who}: pung.", "{who}，碰。"),
    MeldKind.KONG_DISCARD: ("{who}: kong.", "{who}，杠。"),
}
CONCEALED_KONG = ("{who}: concealed kong.", "{who}，暗杠。")
ADDED_KONG = ("{who}: kong.", "{who}，加杠。")
READY = ("{who:* is|You are} ready.", "{who}，听牌。")
WINS = {
    Source.SELF_DRAW: ("{who:* wins|You win} by self-draw{tile}.", "{who}，自摸{tile}！"),
    Source.DISCARD: ("{who:* wins|You win} on {giver:*'s|your} discard{tile}.", "{who}，胡{giver}的{tile}！"),
    Source.ROBBED_KONG: ("{who:* robs|You rob} {giver:*'s|your} kong{tile}.", "{who}，抢{giver}的杠{tile}！"),
}
PAYS = ("{who:* pays|You pay} {amount}.", "{who}付{amount}。")
FALSE_WIN = ("{who}: false win.", "{who}，诈胡。")
NOBODY_WINS = ("Nobody wins.", "流局。")
GAME_OVER = ("The game is over.", "牌局结束。")
TURN = ("{who}.", "轮到{who}。")


def announce(
    before: State, event: Event, after: State, names: Sequence[str], *, chinese: bool, turns: bool = False
) -> tuple[Phrase, ...]:
    """What is said of an event that led from `before` to `after`, the heaviest first.

    names: of the seats, as they are spoken. turns: whether whose turn it is is said too.
    """

    def say(words: tuple[str, str], weight: Weight, **params: object) -> Phrase:
        return Phrase(_fill(words[chinese], **params), weight, chinese)

    said: list[Phrase] = []
    match event:
        case events.Claimed():
            kind = parse_meld(event.meld).kind
            said.append(say(CLAIMS[kind], Weight.CLAIM, who=names[event.seat]))
        case events.ConcealedKong():
            said.append(say(CONCEALED_KONG, Weight.CLAIM, who=names[event.seat]))
        case events.AddedKong():
            said.append(say(ADDED_KONG, Weight.CLAIM, who=names[event.seat]))
        case events.ReadyDeclared():
            said.append(say(READY, Weight.CLAIM, who=names[event.seat]))
        case events.Won() if after.hand is not None and after.hand.results:
            said.append(_say_win(after.hand.results[-1], names, chinese))
        case events.FalseWin():
            said.append(say(FALSE_WIN, Weight.WIN, who=names[event.seat]))
        case events.HandDrawn():
            said.append(say(NOBODY_WINS, Weight.END))
        case events.GameEnded():
            said.append(say(GAME_OVER, Weight.END))
    if is_at_sea(after) and not is_at_sea(before):
        said.append(say(SEA, Weight.SEA))
    if turns and isinstance(event, events.Discarded) and after.hand is not None:
        said.append(say(TURN, Weight.TURN, who=names[after.hand.turn]))
    return tuple(sorted(said, key=lambda phrase: -phrase.weight))


def speak_tile(tile: Tile, *, chinese: bool) -> str:
    """A tile as it is called at the table: "three of bamboo", "三条"."""
    if tile.suit in SUITS:
        suit = SUITS[tile.suit][chinese]
        number = (NUMBERS_EN, NUMBERS_ZH)[chinese][tile.rank - 1]
        return f"{number}{suit}" if chinese else f"{number} of {suit}"
    if tile.suit is Suit.HONORS:
        return HONOURS[tile.rank - 1][chinese]
    return "花" if chinese else "flower"


def _fill(template: str, **params: object) -> str:
    return fill(template, params, str)


def _say_win(result: HandResult, names: Sequence[str], chinese: bool) -> Phrase:
    tile = "" if result.tile is None else speak_tile(result.tile, chinese=chinese)
    if tile and not chinese:
        tile = f", {tile}"
    giver = "" if result.discarder is None else names[result.discarder]
    text = _fill(WINS[result.source][chinese], who=names[result.winner], tile=tile, giver=giver)
    pays = [
        _fill(PAYS[chinese], who=name, amount=str(-amount))
        for name, amount in zip(names, result.score.payments, strict=True)
        if amount < 0
    ]
    return Phrase(("" if chinese else " ").join((text, *pays)), Weight.WIN, chinese)
