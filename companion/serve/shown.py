"""What viewers see of a game: one JSON value, made of open tiles only. Pure.

All lists are by seat, as the players sit now. Words are in the viewer's language. Fields: docs/phones.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.game.watching import PlayedSoFar
from companion.live.noticed import state_line
from companion.money import describe_currency, format_money
from companion.rules import Score, Share
from companion.rules.fields import FIELDS
from companion.rules.kinds import WIND_NAMES
from companion.sentences import Sentence, msgid
from companion.sheets.hands import Sheet, SheetHand, SheetWin
from companion.sheets.wording import (
    describe_deal,
    describe_hand,
    describe_rules,
    describe_win,
    list_transfers,
    name_lines,
    write_line,
    write_share,
    write_worth,
)
from companion.table.knowledge import state_as_seen
from companion.table.settling import POINTS, Settlement, list_won, settle_up
from companion.table.state import HandState, OfferKind, Phase, Player, State
from companion.words import Words

Json = dict[str, Any]
VERSION = 1
"""Version of the answers; it is raised when a field changes its meaning."""
HANDS_SHOWN = 8
"""The newest hands of the score sheet that are listed."""


def show_game(played: PlayedSoFar, sheet: Sheet, number: int, words: Words) -> Json:
    """The document of `GET /state`. sheet: of the same events. number: greater in each newer document."""
    seated = played.state.seated
    names = tuple(name or words("Player {number}", number=at) for at, name in enumerate(sheet.names, start=1))
    state = state_as_seen(played.state, None)
    last = next((hand for hand in reversed(sheet.hands) if hand.wins), None)
    wins = [] if last is None else [_show_win(last, win, sheet, names, words) for win in last.wins]
    return {
        "version": VERSION,
        "number": number,
        "game": played.name,
        "events": len(played.events),
        "rules": sheet.rules,
        "agreed": _show_agreed(state),
        "meld_kinds": state.house.melds,
        "over": state.over,
        "state": state_line(state) | _show_hand(state),
        "names": [names[person] for person in seated],
        "seats": [seat for seat, person in enumerate(seated) if person in sheet.people],
        "scores": _show_scores(sheet, names, words),
        "last_win": wins[-1] if wins else None,
        "wins": wins,
        "said": {
            "rules": describe_rules(sheet, words),
            "deal": describe_deal(sheet.hands[-1], sheet.rules, names, words) if sheet.hands else "",
            "status": _say_status(sheet, state, names, words),
            "left": _say_left(state, words),
        },
    }


def _show_agreed(state: State) -> Json:
    """The fields of a score request that the game settles for a win now."""
    house, deal, hand = state.house, state.deal, state.hand
    own = house.rules.defaults
    wild = house.wild(hand.fortune if hand is not None and state.playing else None)
    settled = {
        "rules": house.rules.name,
        "options": {key: value for key, value in house.scoring.items() if own[key] != value},
        "dealer": deal.dealer,
        "streak": deal.streak,
        "round_wind": WIND_NAMES[deal.wind % len(WIND_NAMES)],
        "stakes": {"base": house.stakes.base, "unit": house.stakes.unit},
        "base": house.base,
        "cap": house.cap,
        "balances": state.purses,
        "fortune": wild and wild.tile.code,
    }
    return {
        name: value
        for name, value in settled.items()
        if value is not None and FIELDS[name].used_by(house.rules)
    }


def show_trouble(trouble: Sentence, number: int, words: Words) -> Json:
    """The same document where there is no game to show, and why."""
    return {
        "version": VERSION,
        "number": number,
        "game": None,
        "state": None,
        "names": [],
        "scores": None,
        "last_win": None,
        "trouble": words.say(trouble),
    }


def _show_hand(state: State) -> Json:
    """More about the hand in play, or the last one, than `companion track` prints."""
    hand = state.hand
    if hand is None:
        return {"hand": state.hands + 1, "playing": False, "dealer": state.deal.dealer, "players": []}
    offer, fortune, indicator = hand.offer, hand.fortune, hand.indicator
    is_hidden = (
        offer is not None and offer.kind is OfferKind.CONCEALED_KONG and not state.house.policy.kongs.public
    )
    return {
        "hand": state.hands + state.playing,
        "playing": state.playing,
        "dealer": hand.deal.dealer,
        "offer": offer
        and {
            "kind": offer.kind.value,
            "seat": offer.seat,
            "tile": offer.tile.code if offer.tile and not is_hidden else None,
        },
        "fortune": fortune and fortune.code,
        "indicator": indicator and indicator.code,
        "players": [_show_player(player) for player in hand.players],
    }


def _show_player(player: Player) -> Json:
    """concealed: how many tiles; shown: those that are open, as after a win."""
    return {
        "concealed": player.count,
        "shown": [tile.code for tile in sorted(player.concealed)],
        "ready": player.ready is not None,
        "sources": [laid.source for laid in player.melds],
    }


def _show_scores(sheet: Sheet, names: Sequence[str], words: Words) -> Json:
    """Totals, what each has won, and who pays whom, which no practice game settles."""
    state, seated = sheet.state, sheet.state.seated
    settlement = settle_up(state, state.currency or POINTS) if state.house.practice is None else None
    won = list_won(state)
    return {
        "points": list(state.balances),
        "won": [won[person] for person in seated],
        "money": _show_money(settlement, seated),
        "currency": words.say(describe_currency(state.currency)),
        "settle_up": []
        if settlement is None
        else [
            {"from": seated.index(each.payer), "to": seated.index(each.taker), "amount": str(each.amount)}
            for each in settlement.transfers
        ],
        "said": [] if settlement is None else list_transfers(settlement, names, words),
        "hands": [
            {
                "number": hand.number,
                "said": describe_hand(hand, names, words),
                "points": [hand.points[person] for person in seated],
                "totals": [hand.totals[person] for person in seated],
            }
            for hand in sheet.hands[-HANDS_SHOWN:]
        ],
    }


def _show_money(settlement: Settlement | None, seated: Sequence[int]) -> list[str] | None:
    if settlement is None or settlement.currency == POINTS:
        return None
    return [format_money(settlement.amounts[person], settlement.currency) for person in seated]


def _show_win(hand: SheetHand, win: SheetWin, sheet: Sheet, names: Sequence[str], words: Words) -> Json:
    """A win with its lines and payments. `payers`: how each payment comes about, in words."""
    seated = sheet.state.seated
    score = win.score
    of_then = (hand.after.hand or hand.after).seated
    return {
        "hand": hand.number,
        "winner": seated.index(win.winner),
        "from": None if win.giver is None else seated.index(win.giver),
        "source": win.source.value,
        "tile": win.tile,
        "concealed": list(win.concealed),
        "melds": [list(meld) for meld in win.melds],
        "flowers": list(win.flowers),
        "value": score.value,
        "unit": score.unit,
        "said": describe_win(win, names, words),
        "worth": write_worth(score, words),
        "lines": [
            {
                "id": line.id,
                "name": line.name,
                "name_zh": line.name_zh,
                "count": line.count,
                "value": line.value,
                "said": words.both(line.name, line.name_zh)[0],
                "brings": write_line(line, score.sign, score),
            }
            for line in score.lines
        ],
        "payments": [win.payments[person] for person in seated],
        "payers": [
            {"seat": seated.index(of_then[share.payer])} | say_share(score, share, words)
            for share in score.shares
        ],
    }


def say_share(score: Score, share: Share, words: Words) -> Json:
    """How a payment comes about: `lines` of this payer, and the sum as `said`."""
    return {"lines": name_lines(share.lines, score, words), "said": write_share(score, share, words)}


def _say_status(sheet: Sheet, state: State, names: Sequence[str], words: Words) -> str:
    """What the table waits for, in a sentence."""
    hand = state.hand
    if state.playing and hand is not None:
        return _say_turn(hand, [names[person] for person in state.seated], words)
    if state.over:
        return words("The game is over.")
    if hand is None or not sheet.hands:
        return words("The first hand has not begun.")
    return describe_hand(sheet.hands[-1], names, words)


_TURNS = {
    Phase.DEAL: msgid("{who} deals"),
    Phase.CLAIM: msgid("{who} draws next"),
    Phase.REPLACEMENT: msgid("{who} draws a replacement"),
    Phase.FLOWERS: msgid("{who} sets out flowers"),
    Phase.SEA: msgid("{who} has drawn from the Sea Floor"),
    Phase.EXHAUSTED: msgid("No tile is left: the hand is a draw"),
}
_TO_DISCARD = msgid("{who} discards next")


def _say_turn(hand: HandState, names: Sequence[str], words: Words) -> str:
    seat = hand.deal.dealer if hand.phase in (Phase.DEAL, Phase.INDICATOR) else hand.turn
    template = _TURNS[Phase.DEAL] if hand.phase is Phase.INDICATOR else _TURNS.get(hand.phase, _TO_DISCARD)
    return words(template, who=names[seat])


def _say_left(state: State, words: Words) -> str:
    """How far the Sea Floor is, or that it has begun; what the number of tiles left means in other games."""
    hand = state.hand
    if hand is None or not state.playing:
        return ""
    if not hand.wall.rule.sea:
        return words("tiles left")
    if hand.phase is not Phase.SEA and not hand.wall.in_sea:
        return words("Sea Floor in {count}", count=hand.wall.before_sea)
    left = hand.wall.live_left
    return words("Sea Floor · {count} left", count=left) if left else words("Sea Floor · the last tile")
