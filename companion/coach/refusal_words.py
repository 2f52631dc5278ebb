"""What is said of a hand that is nearer to a winning shape than to a win: why the rules refuse it, and what
would do."""

from __future__ import annotations

from math import comb

from companion.coach import messages
from companion.coach.aims import Aim
from companion.coach.held_tiles import put_in
from companion.coach.outlook import Outlook
from companion.coach.pricing import Pricer, place_hand, place_left
from companion.coach.reach import HONORS, RANKS, Sets
from companion.coach.views import Standing, View
from companion.rules import Source, waits
from companion.rules.waiting import make_hand
from companion.sentences import Sentence
from companion.tiles import KINDS, Meld, Tile

READY, PAIR = 0, 2
NEAR = 2
"""A hand that is farther from a winning shape is not asked what it would be worth in it."""


def explain_minimum(
    outlook: Outlook, held: bytes, melds: tuple[Meld, ...], standing: Standing
) -> Sentence | None:
    """Why the nearest finished hand would not win, and what would do; of a ready hand, why a tile that
    completes it does not win. None where it does.

    held: 42 counts of a hand between turns, which stands so.
    """
    if not outlook.standings.binds(held, melds):
        return None
    tiles = tuple([kind for kind, count in zip(KINDS, held, strict=False) for _ in range(count)])
    if standing.shanten <= READY:
        return _explain_wait(outlook, held, tiles, melds, [kind.tile for kind in standing.useful])
    shape = outlook.judge.shanten(View(tiles, melds, outlook.left, outlook.fortune))
    if shape > NEAR or (shape >= standing.shanten and standing.useful):
        return None
    finished = _finish_by_shape(outlook, held, tiles, melds)
    if finished is None:
        return None
    reason = outlook.payoff.score(*finished, Source.SELF_DRAW).reason
    if reason is None:
        return None
    template = messages.NO_TILE_WINS if shape == READY else messages.NEAREST_REFUSED
    said = Sentence(template, {"reason": reason.sentence})
    would_do = _name_nearest(outlook, held, melds)
    return said if would_do is None else Sentence(messages.ALSO, {"why": said, "reason": would_do})


def _explain_wait(
    outlook: Outlook, held: bytes, tiles: tuple[Tile, ...], melds: tuple[Meld, ...], useful: list[Tile]
) -> Sentence | None:
    """Why a tile that completes a ready hand is none of the useful ones."""
    judge = outlook.judge
    for tile in waits(judge.rules, tiles, melds, judge.options, outlook.fortune):
        if outlook.left[tile.index] and tile not in useful:
            reason = outlook.payoff.score(put_in(held, tile), melds, tile, Source.SELF_DRAW).reason
            if reason is not None:
                return Sentence(messages.REFUSED_ALONE, {"tile": tile.code, "reason": reason.sentence})
    return None


def _finish_by_shape(
    outlook: Outlook, held: bytes, tiles: tuple[Tile, ...], melds: tuple[Meld, ...]
) -> tuple[bytes, tuple[Meld, ...], Tile] | None:
    """The nearest finished hand whatever it is worth, and the tile that comes last."""
    judge = outlook.judge
    for tile in waits(judge.rules, tiles, melds, judge.options, outlook.fortune):
        if outlook.left[tile.index]:
            return put_in(held, tile), melds, tile
    hand = make_hand(judge.rules, list(held), melds, judge.options, outlook.fortune)
    placed, _ = place_left(outlook.left, outlook.wild)
    pricer = Pricer(
        judge.rules, judge.options, outlook.fortune, outlook.payoff, melds, place_hand(hand), hand.wild,
        placed, outlook.chows,
    )  # fmt: skip
    whole = next(iter(pricer.price(Aim(), 1).concealed), None)
    if whole is None:
        return None
    last = next((at for at, count in enumerate(whole) if count > held[at]), None)
    return None if last is None else (whole, melds, KINDS[last])


def _name_nearest(outlook: Outlook, held: bytes, melds: tuple[Meld, ...]) -> Sentence | None:
    """What the nearest hands are that win; None where that is not said in a word."""
    near = outlook.standings.measure_aims(held, melds, None).winning
    single = [aim.honors[0] for aim in near if aim == Aim(honors=aim.honors[:1])]
    if single:
        template = messages.PUNG_DOES if len(single) == 1 else messages.ANY_PUNG_DOES
        return Sentence(template, {"tiles": _list_honors(single)})
    pairs = [aim.honors for aim in near if aim == Aim(honors=aim.honors[:2])]
    kinds = sorted({rank for pair in pairs for rank in pair})
    if len(kinds) > PAIR and len(pairs) == comb(len(kinds), PAIR):
        return Sentence(messages.TWO_PUNGS_DO, {"tiles": _list_honors(kinds)})
    for aim in near:
        if aim == Aim(honors=aim.honors):
            return Sentence(messages.PUNGS_DO, {"tiles": _list_honors([*aim.honors])})
        if aim.shape is None and aim.sets is not Sets.ANY and not aim.honors:
            return Sentence(messages.SETS_DO[aim.sets is Sets.CHOWS])
        if aim.shape is None and len({*aim.suits} - {HONORS}) == 1 and not aim.honors:
            return Sentence(messages.SUIT_DOES[HONORS in aim.suits])
    return None


def _list_honors(ranks: list[int]) -> str:
    return " ".join(KINDS[HONORS * RANKS + rank].code for rank in ranks)
