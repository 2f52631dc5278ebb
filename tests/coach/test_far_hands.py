"""The widths of far hands, compared with a plain count."""

import random
from collections.abc import Iterator

import numpy as np
import pytest

from companion.coach.described import describe_position
from companion.coach.play.simulation import play
from companion.coach.seen import SeatView, count_left, observe
from companion.coach.value.chances import estimate_chances
from companion.coach.value.corrections import Traits
from companion.coach.value.distances import PLACES, StandardDistances
from companion.coach.value.estimates import Widths
from companion.coach.value.judge import HandView, Judge
from companion.coach.value.outlook import Outlook
from companion.rules import shanten
from companion.rules.waiting import make_hand
from companion.table.events import GameStarted
from companion.table.state import Phase
from companion.tiles import KINDS, Tile, counts


def find_far_turns(rules: str, number: int) -> Iterator[SeatView]:
    """Own turns without melds, two tiles from ready after the best discard, and far from seven pairs."""
    for played in play(GameStarted(rules=rules), 10**6, random.Random(f"widths {rules}")):
        for step in played.steps:
            hand = step.state.hand
            if hand is None or not step.state.playing or hand.phase is not Phase.TURN:
                continue
            seen = observe(step.state, hand.turn)
            tiles, fortune = seen.player.concealed, hand.fortune
            pairs = sum(tiles.count(kind) > 1 for kind in set(tiles))
            away = shanten(step.state.house.rules, tiles, (), step.state.house.scoring, fortune)
            if not seen.player.melds and not seen.player.flowers and pairs <= 3 and away == 2:
                yield seen
                number -= 1
                break
        if not number:
            return


def make_widths(seen: SeatView, judge: Judge, *, claims: bool) -> Widths:
    """claims: whether any tile may be claimed from anybody."""
    chances = estimate_chances(seen)
    if not claims:
        chances = type(chances)(chances.draws, 0, hazards=chances.hazards)
    left = count_left(seen)
    outlook = Outlook.of(judge, seen)._replace(chances=chances, chows=claims)
    return Widths(outlook, np.array(left[:34]), 0, np.ones(PLACES))


def list_discards(seen: SeatView, judge: Judge) -> tuple[list[bytes], Traits, np.ndarray]:
    """The hands after each discard, and which places bring each nearer."""
    tiles = seen.player.concealed
    hand = make_hand(judge.rules, list(counts(tiles)), (), judge.options, None)
    reach, outs = StandardDistances(hand, judge.rules.game((), judge.options)), sorted(set(tiles))
    places = np.array([tile.index for tile in outs])
    lacking = reach.after_discards()[places].astype(np.int64)
    useful = reach.after_exchanges(places) < lacking[:, None]
    left = np.append(np.array(count_left(seen)[:34]), (0, 0))
    live = (useful * left).sum(axis=1) / left.sum()
    none = np.zeros(len(outs))
    traits = Traits(none, None, lacking, live, none, none, 0, 0, 3)
    return [bytes(counts(_remove(tiles, out))) for out in outs], traits, useful


def _remove(tiles: tuple[Tile, ...], out: Tile) -> tuple[Tile, ...]:
    at = tiles.index(out)
    return (*tiles[:at], *tiles[at + 1 :])


@pytest.mark.parametrize("rules", ["hebei", "taiwanese"])
def test_a_step_ahead_agrees_with_the_judge_after_every_useful_tile(rules: str) -> None:
    looked = 0
    for seen in find_far_turns(rules, 3):
        judge = Judge(seen.state.house.rules, seen.state.house.scoring)
        widths, left = make_widths(seen, judge, claims=False), list(count_left(seen))
        hands, traits, useful = list_discards(seen, judge)
        at = int(np.where(traits.lacking == traits.lacking.min(), traits.live, 0).argmax())
        tiles = tuple([kind for kind, n in zip(KINDS, hands[at], strict=False) for _ in range(n)])
        time = total = 0.0
        for place in np.flatnonzero(useful[at][:34]).tolist():
            if left[place]:
                rest = [*left[:place], left[place] - 1, *left[place + 1 :]]
                best = judge.discards(HandView((*tiles, KINDS[place]), (), rest, None))[0]
                time += left[place] / best.after.live
                total += left[place]
        found = widths._look_ahead(hands[at], (), useful[at], int(traits.lacking[at]))
        assert found == pytest.approx(total / time)
        looked += 1
    assert looked == 3


def test_the_hand_that_is_wider_a_step_later_is_best() -> None:
    seen = describe_position({"rules": "hebei", "seat": 1, "hand": "34579m336p257889s", "left": 60})
    judge = Judge(seen.state.house.rules, seen.state.house.scoring)
    widths = make_widths(seen, judge, claims=True)
    hands, traits, useful = list_discards(seen, judge)
    outs = sorted(set(seen.player.concealed))
    nearest = traits.lacking == traits.lacking.min()
    now, ahead = (widths.compare(hands, (), traits, useful, looks) for looks in (0, len(hands)))
    for spread in (now, ahead):
        assert spread.max() == 1
        assert ((spread > 0) == nearest).all()
    assert (np.diff(now[nearest][np.argsort(traits.live[nearest])]) >= 0).all()
    assert [outs[int(spread.argmax())].code for spread in (now, ahead)] == ["5s", "2s"]
