"""What kind of mistake a decision was, and one sentence that teaches."""

from __future__ import annotations

from companion.coach import messages
from companion.coach import messages as words
from companion.coach.results import Advised, Mistake
from companion.coach.seen import SeatView
from companion.coach.words.wording import describe_chance, format_cost, round_percent
from companion.sentences import Sentence
from companion.table.events import AddedKong, Claimed, ConcealedKong, Discarded, Event, ReadyDeclared, Won
from companion.tiles import Tile

MIN_DANGER_DIFFERENCE = 0.02
"""Chances to deal in that differ by less count as equal."""
MIN_WIN_DIFFERENCE = 0.01
"""Chances to win that differ by less count as equal."""
DANGER_SHARE = 0.5
"""The share of a cost from which danger is the subject of the sentence."""
VISIBLE_DANGER = 0.15
"""Minimum chance of dealing in at which the danger counts as visible."""
CLAIM_NAMES = {"c": "chow", "p": "pung", "k": "kong"}
Explained = tuple["Mistake", Sentence]


def explain(
    seen: SeatView,
    tile: Tile | None,
    chosen: Advised,
    best: Advised,
    cost: float,
    stake: float,
    *,
    dealt_in: bool,
    slight: bool = False,
) -> tuple[Mistake | None, Sentence | None]:
    """Why the best choice was better than the one made, in the first way that fits.

    cost: its cost, and stake: the mean cost of dealing in, in what the game is paid in. slight: whether that
    is too little to be called a mistake: then a deal-in was not clearly avoidable.
    """
    if best is chosen:
        return None, _explain_bad_luck(chosen, tile) if dealt_in else None
    params = {"cost": format_cost(cost), "tile": "" if tile is None else tile.code}
    if isinstance(best.do, Won):
        return Mistake.MISSED_WIN, Sentence(words.MISSED_WIN, {"value": f"{best.value or 0:g}"})
    if isinstance(chosen.do, Won):
        return Mistake.TOO_SOON, Sentence(words.TOO_SOON, params)
    if chosen.do is None or isinstance(chosen.do, Claimed):
        return _explain_claim(chosen, best, params)
    if isinstance(chosen.do, ConcealedKong | AddedKong):
        return Mistake.KONG, _add_reason(Sentence(words.BAD_KONG, params), chosen, best)
    if isinstance(best.do, ConcealedKong | AddedKong):
        why = Sentence(words.MISSED_KONG, params | {"best": best.do.tile})
        return Mistake.KONG, _add_reason(why, chosen, best)
    if isinstance(chosen.do, ReadyDeclared):
        why = Sentence(words.BAD_CALL, params | {"best": _tile_of(best)})
        return Mistake.CALL, _add_reason(why, chosen, best)
    if isinstance(best.do, ReadyDeclared) and chosen.shanten <= 0:
        why = Sentence(words.MISSED_CALL, params | {"best": _tile_of(best)})
        return Mistake.CALL, _add_reason(why, chosen, best)
    danger = ((chosen.deal_in or 0.0) - (best.deal_in or 0.0)) * stake
    by_danger = danger >= DANGER_SHARE * cost
    return _explain_discard(seen, chosen, best, cost, by_danger=by_danger, dealt_in=dealt_in, slight=slight)


def _explain_bad_luck(chosen: Advised, tile: Tile | None) -> Sentence:
    did = "" if tile is None else tile.code
    return Sentence(words.UNLUCKY, {"did": did, "often": describe_chance(chosen.deal_in or 0.0)})


def _explain_claim(chosen: Advised, best: Advised, params: dict[str, str]) -> Explained:
    if best.do is None:
        return Mistake.BAD_CLAIM, _add_reason(Sentence(words.BAD_CLAIM, params), chosen, best)
    if isinstance(chosen.do, Claimed):
        better, worse = _name_claim(best.do), _name_claim(chosen.do)
        if better == worse:
            return Mistake.BAD_CLAIM, _add_reason(Sentence(words.OTHER_CLAIM, params), chosen, best)
        why = Sentence(words.BETTER_CLAIM, params | {"better": better, "worse": worse})
        return Mistake.BAD_CLAIM, _add_reason(why, chosen, best)
    count, fewer = best.live, chosen.live
    helped: dict[str, object] = {**params, "count": count, "fewer": fewer}
    if best.shanten < chosen.shanten:
        helped |= {"nearer": _describe_distance(best), "away": _describe_distance(chosen)}
        return Mistake.REFUSED, Sentence(words.MISSED_CLAIM, helped)
    if best.shanten == chosen.shanten and count > fewer:
        return Mistake.REFUSED, Sentence(words.MISSED_CLAIM_WIDER, helped)
    return Mistake.REFUSED, _add_reason(Sentence(words.MISSED_CLAIM_PLAIN, params), chosen, best)


def _add_reason(why: Sentence, chosen: Advised, best: Advised) -> Sentence:
    return Sentence(messages.ALSO, {"why": why, "reason": _compare(chosen, best)})


def _compare(chosen: Advised, best: Advised) -> Sentence:
    """Why the best choice is better: its danger, immediate pay, how often it wins, or its pay."""
    danger, less = chosen.deal_in or 0.0, best.deal_in or 0.0
    if danger > less + MIN_DANGER_DIFFERENCE:
        return Sentence(words.BEST_SAFER, {"often": describe_chance(less), "percent": round_percent(danger)})
    paid = best.why.params.get("reason")
    if isinstance(paid, Sentence) and paid.template == messages.KONG_PAID:
        return paid
    wins, other = best.win_rate or 0.0, chosen.win_rate or 0.0
    if wins >= other + MIN_WIN_DIFFERENCE:
        return Sentence(
            words.BEST_WINS_MORE_OFTEN, {"percent": round_percent(wins), "less": round_percent(other)}
        )
    if {"row", "pays"} <= best.why.params.keys():
        return Sentence(words.FOR_ROW, {name: best.why.params[name] for name in ("row", "pays")})
    return Sentence(words.BEST_PAYS_MORE, {"percent": round_percent(wins), "less": round_percent(other)})


def _name_claim(do: Event) -> str:
    assert isinstance(do, Claimed)
    return CLAIM_NAMES[do.meld[0]]


def _explain_discard(
    seen: SeatView,
    chosen: Advised,
    best: Advised,
    cost: float,
    *,
    by_danger: bool,
    dealt_in: bool,
    slight: bool,
) -> Explained:
    did, better = _tile_of(chosen), _tile_of(best)
    params: dict[str, object] = {"did": did, "best": better, "cost": format_cost(cost)}
    danger, less = chosen.deal_in or 0.0, best.deal_in or 0.0
    if danger > less + MIN_DANGER_DIFFERENCE:
        chances = {"often": describe_chance(danger), "less": round_percent(less)}
        if dealt_in:
            template = words.DEALT_IN if danger >= VISIBLE_DANGER else words.DEALT_IN_SMALL
            template = words.DEALT_IN_SLIGHT if slight else template
            return Mistake.DEALT_IN, Sentence(template, params | chances)
        if by_danger:
            return Mistake.RISKY, Sentence(words.RISKY, params | chances)
    count, fewer = best.live, chosen.live
    params |= {
        "count": count,
        "fewer": fewer,
        "away": _describe_distance(chosen),
        "nearer": _describe_distance(best),
    }
    if best.shanten <= 0 < chosen.shanten:
        return Mistake.MISSED_READY, Sentence(words.MISSED_READY, params)
    helped = (best.shanten, -count) < (chosen.shanten, -fewer)
    held = [tile.code for tile in seen.player.concealed]
    if helped and held.count(did) == 2 and held.count(better) == 1:
        return Mistake.BROKE_PAIR, Sentence(words.BROKE_PAIR, params)
    if best.shanten < chosen.shanten:
        return Mistake.FARTHER, Sentence(words.FARTHER, params)
    if best.why.template == messages.FASTER and best.why.params["tile"] == did:
        kept = {name: best.why.params[name] for name in ("row", "pays", "less")}
        return Mistake.CHEAPER, Sentence(words.CHEAPER, params | kept)
    if helped:
        return Mistake.FEWER, Sentence(words.FEWER, params)
    return Mistake.WORTH_LESS, Sentence(words.WORTH_LESS, params | {"why": _compare(chosen, best)})


def _describe_distance(choice: Advised) -> Sentence:
    if choice.shanten <= 0:
        return Sentence(words.AT_READY)
    return Sentence(words.AWAY, {"count": choice.shanten})


def _tile_of(choice: Advised) -> str:
    """What is discarded, at once or after the call."""
    if isinstance(choice.do, Discarded):
        return choice.do.tile or ""
    return "" if choice.then is None else choice.then.code
