"""The events of a game in words, for the window and for the command line. `seats`: names of the seats.

Each is one sentence without its full stop. Reasons that the program itself gives for the end of a hand are
here too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from companion.errors import CompanionError
from companion.game.rescue import WHY as ENTRIES_LOST
from companion.money import Currency, add_money, describe_currency
from companion.rules import Source
from companion.rules.scoring import describe_worth
from companion.rules.win import describe_stakes
from companion.sentences import Sentence, msgid
from companion.table import events, messages
from companion.table.events import Event
from companion.table.state import HandResult, Phase, State
from companion.tiles import MeldKind, parse_meld, parse_tiles
from companion.tiles.tile import TileRun

ENDED_BY_NEW_HAND = msgid("a new hand was begun")
NO_LONGER_FITS = msgid("the record no longer fits the tiles")
OWN = frozenset((ENDED_BY_NEW_HAND, NO_LONGER_FITS, ENTRIES_LOST))


def say_reason(why: str) -> Sentence | str:
    """A reason to be put into words; as it was written where a person wrote it."""
    return Sentence(why) if why in OWN else why


def say_entered(what: Sequence[Sentence]) -> Sentence:
    """That this is in the game now."""
    said = what[0]
    for each in what[1:]:
        said = Sentence("{one}; {other}", {"one": said, "other": each})
    return Sentence("Entered · {what}", {"what": said})


SEATS = ("seat 0", "seat 1", "seat 2", "seat 3")
CALLS = {
    "chow": msgid("{who} calls chow"),
    "pung": msgid("{who} calls pung"),
    "kong": msgid("{who} calls kong"),
    "win": msgid("{who} calls win"),
    "nothing": msgid("{who} calls nothing"),
}
CLAIMS = {
    MeldKind.CHOW: msgid("{who} chows {tiles}"),
    MeldKind.PUNG: msgid("{who} pungs {tiles}"),
    MeldKind.KONG_DISCARD: msgid("{who} kongs {tiles}"),
}
CLAIMS_FROM = {
    MeldKind.CHOW: msgid("{who} chows {tiles} from {giver}"),
    MeldKind.PUNG: msgid("{who} pungs {tiles} from {giver}"),
    MeldKind.KONG_DISCARD: msgid("{who} kongs {tiles} from {giver}"),
}
WINS = {
    Source.SELF_DRAW: msgid("{who} wins{tile} by self-draw: {worth}"),
    Source.DISCARD: msgid("{who} wins{tile} on the discard of {giver}: {worth}"),
    Source.ROBBED_KONG: msgid("{who} wins{tile} by robbing the kong of {giver}: {worth}"),
}


def describe_event(
    event: Event,
    after: State,
    seats: Sequence[str] = SEATS,
    value: Callable[[HandResult], Sentence | str] | None = None,
) -> Sentence:
    """What happened; `after` is the state that it led to. value: what a win is worth, in words; by default as
    `describe_value`.

    For a win that a correction made, in a hand that is long over, the sentence only names the winner.
    """

    def say(template: str, **params: object) -> Sentence:
        return Sentence(template, params)

    match event:
        case events.GameStarted(stakes=None):
            return say(msgid("{rules} is played"), rules=after.house.rules.title)
        case events.GameStarted():
            house = after.house
            stakes = describe_stakes(house.stakes, house.rules.unit)
            return say(msgid("{rules} is played, {stakes}"), rules=house.rules.title, stakes=stakes)
        case events.HandStarted(dice=None):
            return say(msgid("{who} deals"), who=seats[event.dealer])
        case events.HandStarted():
            dice = " ".join(map(str, event.dice or ()))
            place = None if after.hand is None else after.hand.wall.next_place
            if place is None:
                return say(msgid("{who} deals, dice {dice}"), who=seats[event.dealer], dice=dice)
            return say(
                msgid("{who} deals, dice {dice}: the wall begins on the side of {side}"),
                who=seats[event.dealer], dice=dice, side=seats[place.side],
            )  # fmt: skip
        case events.Dealt():
            return say(msgid("the first tiles are taken"))
        case events.IndicatorTurned():
            return say(msgid("{tile} is turned over, and {tile} is the Fortune"), tile=event.tile)
        case events.FlowerSetOut():
            return say(msgid("{who} sets out {tile}"), who=seats[event.seat], tile=event.tile)
        case events.Drawn():
            return _describe_draw(event, after, seats)
        case events.Discarded():
            return _describe_discard(event, after, seats)
        case events.Called():
            return say(CALLS[event.call.value], who=seats[event.seat])
        case events.WinPassed():
            return say(msgid("{who} passes up a win"), who=seats[event.seat])
        case events.Claimed():
            return _describe_claim(event, after, seats)
        case events.ConcealedKong(tile=None):
            return say(msgid("{who} declares a concealed kong"), who=seats[event.seat])
        case events.ConcealedKong():
            return say(
                msgid("{who} declares a concealed kong of {tile}"),
                who=seats[event.seat], tile=event.tile,
            )  # fmt: skip
        case events.AddedKong():
            return say(msgid("{who} adds {tile} to a pung"), who=seats[event.seat], tile=event.tile)
        case events.ReadyDeclared():
            return say(msgid("{who} calls ready"), who=seats[event.seat])
        case events.Won():
            results = () if after.hand is None else after.hand.results
            its_own = [result for result in results if result.winner == event.seat]
            if not its_own:
                return say(msgid("{who} wins"), who=seats[event.seat])
            return describe_win(its_own[-1], seats, value or partial(describe_value, currency=after.currency))
        case events.FalseWin():
            return say(msgid("{who} declares a false win"), who=seats[event.seat])
        case events.HandVoided():
            return _give_reason(say(msgid("the hand of {who} is dead"), who=seats[event.seat]), event.why)
        case events.HandDrawn():
            if event.declined_by is None:
                return say(msgid("nobody wins"))
            return say(msgid("{who} declines the last tile: nobody wins"), who=seats[event.declined_by])
        case events.HandAbandoned():
            return _give_reason(say(msgid("the hand does not count")), event.why)
        case events.HandShown():
            return say(
                msgid("{who} shows {tiles}"),
                who=seats[event.seat],
                tiles=TileRun(tuple(parse_tiles(event.hand)), event.hand),
            )
        case events.PointsMoved():
            return _give_reason(say(msgid("points are transferred")), event.why)
        case events.EntryCancelled():
            return _give_reason(say(msgid("payment {entry} is reversed"), entry=event.entry), event.why)
        case events.CurrencyAgreed():
            return describe_currency(event.currency)
        case events.SeatsChanged():
            return say(msgid("players change seats"))
        case events.DealSet():
            return _give_reason(say(msgid("{who} deals next"), who=seats[after.deal.dealer]), event.why)
        case events.GameEnded():
            return _give_reason(say(msgid("the game is over")), event.why)
        case events.Corrected():
            return _give_reason(say(msgid("event {number} is corrected"), number=event.number), event.why)


def describe_value(result: HandResult, currency: Currency | None) -> Sentence:
    """What a win is worth, and what the winner gets in money where a currency is agreed."""
    return add_money(describe_worth(result.score), result.score.payments[result.winner], currency)


def describe_win(
    result: HandResult, seats: Sequence[str], value: Callable[[HandResult], Sentence | str]
) -> Sentence:
    """Who won, on whose tile, and what it is worth."""
    tile = "" if result.tile is None else Sentence(" with {tile}", {"tile": result.tile})
    giver = "" if result.discarder is None else seats[result.discarder]
    return Sentence(
        WINS[result.source],
        {"who": seats[result.winner], "tile": tile, "giver": giver, "worth": value(result)},
    )


def _describe_claim(event: events.Claimed, after: State, seats: Sequence[str]) -> Sentence:
    """A pung or kong names its kind of tile once, a chow all three, as 3-4-5s."""
    meld = parse_meld(event.meld)
    first = meld.tiles[0]
    tiles = TileRun.of_chow(meld.tiles) if meld.kind is MeldKind.CHOW else first.code
    laid = () if after.hand is None else after.hand.players[event.seat].melds
    giver = laid[-1].source if laid else None
    if giver is None:
        return Sentence(CLAIMS[meld.kind], {"who": seats[event.seat], "tiles": tiles})
    return Sentence(CLAIMS_FROM[meld.kind], {"who": seats[event.seat], "tiles": tiles, "giver": seats[giver]})


def _describe_draw(event: events.Drawn, after: State, seats: Sequence[str]) -> Sentence:
    hand = after.hand
    template = msgid("{who} draws {tile}")
    if hand is not None and hand.replaced:
        template = msgid("{who} draws {tile} as a replacement")
    elif hand is not None and hand.phase is Phase.SEA:
        template = msgid("{who} draws {tile} from the sea")
    tile = event.tile or Sentence("a tile")
    return Sentence(template, {"who": seats[event.seat], "tile": tile})


def _describe_discard(event: events.Discarded, after: State, seats: Sequence[str]) -> Sentence:
    gambits = 0 if after.hand is None else after.hand.players[event.seat].gambits
    template = msgid("{who} discards {tile}: a Fortune Gambit") if gambits else msgid("{who} discards {tile}")
    return Sentence(template, {"who": seats[event.seat], "tile": event.tile or Sentence("an unseen tile")})


def _give_reason(said: Sentence, why: str) -> Sentence:
    return Sentence("{what}: {why}", {"what": said, "why": say_reason(why)}) if why else said


def reword_refusal(error: CompanionError) -> Sentence:
    """Why a win cannot be entered, for a person at a table: without the words around it that suit a log."""
    said = error.sentence
    inner = said.params.get("reason") or said.params.get("problem")
    if isinstance(inner, CompanionError):
        inner = inner.sentence
    if isinstance(inner, Sentence):
        return inner
    if said.template == messages.OTHER_COUNT:
        return Sentence("{given} of {right} tiles entered.", said.params)
    if said.template == messages.SHOW_THE_KONG:
        return Sentence(
            "{given} of {right} tiles entered. Enter the four tiles of the concealed kong too.",
            said.params,
        )
    if said.template == messages.WHICH_HIDDEN_KONG:
        return Sentence("Which tile is the concealed kong? Enter its four equal tiles.")
    return said
