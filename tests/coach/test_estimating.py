"""The parts of estimates, each compared with a plain calculation: distances to narrow aims, claims, the
chain of rates, ready hands.
"""

import random
from functools import cache
from itertools import combinations

import numpy as np
import pytest
from msgspec.structs import replace

from companion.coach.advice import Coach, make_coach
from companion.coach.play.simulation import play
from companion.coach.seen import SeatView, count_left, observe
from companion.coach.value.aims import Aim, PartKind, list_aims, list_parts, measure
from companion.coach.value.chances import (
    MOST_LACKING,
    WAYS,
    Chain,
    ChainHands,
    Chances,
    Rates,
    WinPath,
    load_rates,
    mark_claimable,
)
from companion.coach.value.danger import predict_chance, read_signs, risk
from companion.coach.value.distances import PLACES, Sets, StandardDistances
from companion.coach.value.judge import HandView, Judge, make_hand_view
from companion.coach.value.outlook import Outlook
from companion.coach.value.payoff import Payoff
from companion.coach.value.ready import NearHands
from companion.errors import InputError
from companion.rules import RULE_SETS, Source, rule_set, waits
from companion.rules.waiting import make_hand
from companion.table.events import Discarded, GameStarted
from companion.table.moves import find_flower
from companion.table.state import Phase
from companion.tiles import KINDS, Tile, counts, parse_meld
from tests.coach.asking import advise_in_steps

RATES = Rates(
    others_win=(0.05,) * 5, threatened=(0.05,) * 20, loss=(2.0,) * 5, paid=(0.5,) * 5,
    useful=(0.06, 0.15, 0.25, 0.4, 0.5, 0.6, 0.7, 0.8), claimable=(0.18, 0.16, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2),
    shown=(0.6,) * 8, trust=(1.0,) * 8, kinds=(1.0,) * 20, unsure=(0.1,),
)  # fmt: skip


NARROW = (
    Aim(suits=(0,)), Aim(suits=(1, 3)), Aim(sets=Sets.TRIPLETS), Aim(sets=Sets.CHOWS), Aim(honors=(4,)),
    Aim(honors=(0, 6)), Aim(suits=(0, 1, 2), sets=Sets.CHOWS),
)  # fmt: skip


@cache
def lack_of_suit(own: tuple[int, ...], sets: int, pair: bool, kind: PartKind) -> int:
    parts = list_parts(sets, pair, kind).astype(np.int64)
    return int(np.maximum(parts - np.array(own), 0).sum(axis=1).min(initial=99))


def lack_of(aim: Aim, held: list[int], sets: int) -> int:
    """What a hand lacks to sets and a pair of that aim, every way to share them among the suits tried."""
    least = {(0, False): 0}
    for suit in aim.suits:
        own = tuple([*held[9 * suit : 9 * suit + (7 if suit == 3 else 9)], 0, 0][:9])
        kind = PartKind(suit == 3, False, aim.sets, aim.honors if suit == 3 else ())
        joined: dict[tuple[int, bool], int] = {}
        for (made, had), lacks in least.items():
            for more in range(sets - made + 1):
                for pair in (False, True)[: 2 - had]:
                    key = made + more, had or pair
                    joined[key] = min(joined.get(key, 99), lacks + lack_of_suit(own, more, pair, kind))
        least = joined
    return least[sets, True]


@pytest.mark.slow
@pytest.mark.parametrize("rules", ["hebei", "taiwanese"])
def test_distances_to_narrow_aims_agree_with_a_plain_count(rules: str, hands: int) -> None:
    game_of, rng = rule_set(rules), random.Random(f"aims {rules}")
    deck = [kind for kind in KINDS[:34] for _ in range(4)]
    game = game_of.game((), game_of.defaults)
    for _ in range(hands // 100):
        tiles = rng.sample(deck[: rng.choice((36, 72, 136))], game_of.hand_size + 1)
        held = list(counts(tiles))
        hand = make_hand(game_of, held.copy(), (), game_of.defaults, None)
        places = np.flatnonzero(held)
        for aim in NARROW:
            found = measure(aim, hand, game, places)
            for number, place in enumerate(places.tolist()):
                after = held.copy()
                after[place] -= 1
                lack = lack_of(aim, after, game.sets)
                assert found.lacking[number] == lack, (aim, tiles, place)
                drawn = rng.randrange(34)
                if after[drawn] < 4:
                    more = after.copy()
                    more[drawn] += 1
                    nearer = lack_of(aim, more, game.sets) < lack
                    assert found.useful[number, drawn] == nearer, (aim, tiles, place, drawn)


def test_aims_that_melds_rule_out_are_not_tried() -> None:
    hebei = rule_set("hebei")
    shapes = list(hebei.shapes_in_force(hebei.defaults))
    game = hebei.game((), hebei.defaults)
    every = list_aims(shapes, game, ())
    assert every[0] == Aim()
    assert sum(aim.shape is not None for aim in every) == 2
    chow, wind = parse_meld("c234m"), parse_meld("p111z")
    assert list_aims(shapes, game, (chow,)) == [Aim(), Aim(suits=(0,)), Aim(suits=(0, 3))]
    assert Aim(suits=(0,)) not in list_aims(shapes, game, (wind,))
    assert Aim(sets=Sets.TRIPLETS) in list_aims(shapes, game, (wind,))


def test_a_claim_makes_a_set_with_two_held_tiles() -> None:
    rng = random.Random("claims")
    for _ in range(200):
        held = np.zeros((1, PLACES), np.int64)
        for place in rng.sample(range(34), 9):
            held[0, place] = rng.randint(1, 3)
        pungs, chows = mark_claimable(held, chows=True)
        own = held[0].tolist()
        for kind in range(34):
            neighbours = [(kind - 2, kind - 1), (kind - 1, kind + 1), (kind + 1, kind + 2)]
            chow = kind < 27 and any(
                min(pair) // 9 == max(pair) // 9 == kind // 9 and own[pair[0]] and own[pair[1]]
                for pair in neighbours
                if min(pair) >= 0
            )
            assert pungs[0, kind] == (own[kind] >= 2)
            assert chows[0, kind] == (chow and own[kind] < 2)
        assert not mark_claimable(held, chows=False)[1].any()


def go_on(
    lacking: int, draw: float, claim: float, left: int, way: WinPath, hazard: float
) -> tuple[float, float, float]:
    """What becomes of one hand, at the usual pace, calculated one draw after the other."""
    if left == 0:
        return 0.0, 0.0, 0.0

    def usual(lacking: int, left: int) -> tuple[float, float, float]:
        may = way.taken if lacking == 1 else way.claims
        expected = RATES.shown[lacking - 1] * RATES.claimable[lacking - 1]
        often = 1 - np.exp(-expected) if may else 0.0
        return go_on(lacking, RATES.useful[lacking - 1], often, left, way, hazard)

    if lacking == 1:
        drawn, claimed = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)
    else:
        drawn = usual(lacking - 1, left - 1)
        both = zip(usual(lacking - 1, left), usual(lacking - 1, left - 1), strict=True)
        claimed = tuple([(a + b) / 2 for a, b in both])  # type: ignore[assignment]
    stayed = go_on(lacking, draw, claim, left - 1, way, hazard)
    lost = (0.0, 0.0, hazard)
    return tuple(
        [
            claim * c + (1 - claim) * ((1 - hazard) * (draw * d + (1 - draw) * s) + o)
            for c, d, s, o in zip(claimed, drawn, stayed, lost, strict=True)
        ]
    )  # type: ignore[return-value]


@pytest.mark.parametrize("way", WAYS)
def test_the_chain_agrees_with_a_plain_step_by_step_calculation(way: WinPath) -> None:
    hazard, draws = 0.1, 5
    chain = Chain(Chances(draws, 3, hazards=(hazard,) * draws), RATES)
    usual = chain.find_width(3, RATES.useful[2])
    for lacking in (1, 2, 3):
        items = ChainHands(*[np.array([each]) for each in (lacking, 0.3, 0.2, WAYS.index(way), usual)])
        wanted = go_on(lacking, 0.3, 0.2, draws, way, hazard)
        assert chain.find_outcomes(items)[0] == pytest.approx(wanted)
    never = ChainHands(*[np.array([each]) for each in (MOST_LACKING, 0.0, 0.0, 0, 0)])
    assert chain.find_outcomes(never)[0] == pytest.approx((0, 0, 1 - (1 - hazard) ** draws))


def find_positions(rules: str, number: int, wanted: object) -> list[SeatView]:
    """Own turns in simulated hands that `wanted` accepts, one of a hand."""
    found: list[SeatView] = []
    for played in play(GameStarted(rules=rules), 10**6, random.Random(f"positions {rules}")):
        for step in played.steps:
            hand = step.state.hand
            if hand is None or not step.state.playing or hand.phase is not Phase.TURN:
                continue
            seen = observe(step.state, hand.turn)
            if find_flower(seen.player) is None and seen.player.count % 3 == 2 and wanted(seen):  # type: ignore[operator]
                found.append(seen)
                break
        if len(found) == number:
            return found
    return found


@pytest.mark.slow
@pytest.mark.parametrize("rules", RULE_SETS)
def test_a_ready_hand_agrees_with_a_plain_draw_by_draw_calculation(rules: str) -> None:
    def is_ready(seen: SeatView) -> bool:
        return not seen.player.melds and judge_of(seen).shanten(between(seen)) == 0

    def judge_of(seen: SeatView) -> Judge:
        return Judge(seen.state.house.rules, seen.state.house.scoring)

    def between(seen: SeatView) -> HandView:

        view = make_hand_view(seen)
        best = judge_of(seen).discards(view)[0].discard
        rest = list(view.concealed)
        rest.remove(best)
        return replace(view, concealed=tuple(rest))

    won = 0
    for seen in find_positions(rules, 4, is_ready):
        house, view, left = seen.state.house, between(seen), count_left(seen)
        payoff, hazards = Payoff(seen), (0.1, 0.2)
        chances = Chances(2, 3, hazards=hazards, loss=1.5)
        near = NearHands(Outlook.of(judge_of(seen), seen)._replace(chances=chances, rates=RATES, chows=True))
        held = bytes(counts(view.concealed))
        unseen = sum(left[:34])
        drawn = taken = pays_drawn = pays_taken = 0.0
        for tile in waits(house.rules, view.concealed, (), house.scoring, view.fortune):
            full = bytes(counts((*view.concealed, tile)))
            share = left[tile.index] / unseen
            if (pay := payoff.pay(full, (), tile, Source.SELF_DRAW)) > 0:
                drawn, pays_drawn = drawn + share, pays_drawn + share * pay
            if (pay := payoff.pay(full, (), tile, Source.DISCARD)) > 0:
                taken, pays_taken = taken + share, pays_taken + share * pay
        claim = 1 - np.exp(-0.6 * 3 * taken)
        value = 0.0
        for hazard in hazards[::-1]:
            value = (1 - hazard) * (pays_drawn + (1 - drawn) * value) - hazard * 1.5
            if taken and pays_taken / taken > value:
                value = claim * pays_taken / taken + (1 - claim) * value
        assert near.evaluate_ready(held, ())[-1, 0] == pytest.approx(value)
        won += pays_drawn > 0
    assert won


@pytest.mark.slow
@pytest.mark.parametrize("rules", RULE_SETS)
def test_estimates_do_not_depend_on_earlier_questions(rules: str) -> None:
    """Memories that are kept from one decision to the next change no answer."""
    positions = find_positions(rules, 3, lambda seen: seen.hand.discards > 12)
    kept = make_coach(positions[0].state.house)
    for seen in (*positions, *positions):
        assert kept.decide(seen) == make_coach(seen.state.house).decide(seen)


@pytest.mark.slow
@pytest.mark.sampled(2)
@pytest.mark.parametrize("rules", [name for name in RULE_SETS if name != "hangzhou"])
def test_no_step_back_of_a_near_hand_wins_more_often(rules: str) -> None:
    """Of hands one tile from ready: who steps back can do so a turn later, too. No tile is wild."""
    for seen in find_positions(rules, 12, is_one_from_ready):
        *_, advice = make_coach(seen.state.house).advise(seen, mind_danger=False)
        discards = [each for each in advice.choices if isinstance(each.do, Discarded)]
        wins = {
            ahead: [each.win_rate or 0.0 for each in discards if (each.shanten <= 1) is ahead]
            for ahead in (True, False)
        }
        if wins[False]:
            assert min(wins[True]) >= max(wins[False])


def is_one_from_ready(seen: SeatView) -> bool:
    hand = seen.hand
    judge = Judge(seen.state.house.rules, seen.state.house.scoring)
    return hand.wall.live_left > 8 and judge.discards(make_hand_view(seen))[0].after.shanten == 1


@pytest.mark.slow
def test_a_coach_that_ignores_danger_discards_what_deals_in_more_often() -> None:
    """Late, with a hand that is not ready."""

    def is_late(seen: SeatView) -> bool:
        judge = Judge(seen.state.house.rules, seen.state.house.scoring)
        return seen.hand.wall.live_left <= 24 and judge.shanten(make_hand_view(seen)) > 0

    minded = ignored = 0.0
    for seen in find_positions("hebei", 12, is_late):
        coach = make_coach(seen.state.house)
        minded += risk_of(coach, seen, True)
        ignored += risk_of(coach, seen, False)
    assert minded < 0.7 * ignored


def risk_of(coach: Coach, seen: SeatView, mind_danger: bool) -> float:
    do = coach.decide(seen, mind_danger).do
    return risk(seen, Tile.parse(do.tile))[0] if isinstance(do, Discarded) and do.tile else 0.0


def test_a_tile_that_all_players_let_pass_is_safer() -> None:
    [seen] = find_positions("hong_kong", 1, lambda seen: seen.hand.discards > 40)
    last = [seen.hand.players[seat].discards[-1] for seat in range(4) if seat != seen.seat]
    signs = [read_signs(seen, tile, seen.hand.turn ^ 2) for tile in last if tile is not None]
    fresh = [each._replace(passed=0) for each in signs]
    assert sum(predict_chance("hong_kong", each) for each in signs) < sum(
        predict_chance("hong_kong", each) for each in fresh
    )


def test_every_game_has_rates_and_a_game_without_a_table_gets_their_mean() -> None:
    for rules in RULE_SETS:
        rates = load_rates(rules)
        assert len(rates.threatened) == 20
        assert rates.others_win[0] < rates.others_win[2]
        assert all(0.5 < each < 2 for each in rates.trust)
    assert load_rates("none").loss[0] == pytest.approx(
        sum(load_rates(rules).loss[0] for rules in RULE_SETS) / len(RULE_SETS)
    )


def test_the_second_answer_has_the_same_choices() -> None:
    answers = list(advise_in_steps({"rules": "hebei", "seat": 1, "hand": "2345m88m345p678s1z5z", "left": 60}))
    shape, quick, thorough = answers
    assert all(choice.value is None for choice in shape.choices)
    assert {choice.do for choice in quick.choices} == {choice.do for choice in thorough.choices}
    assert all(choice.value_error is not None and choice.value_error > 0 for choice in thorough.choices)


def test_the_distance_without_a_suit_is_that_of_a_hand_without_it() -> None:
    """A suit that is no part of an aim adds nothing and costs nothing."""
    hebei = rule_set("hebei")
    game = hebei.game((), hebei.defaults)
    for pair, sets in combinations(range(2, 9), 2):
        held = [0] * 42
        held[pair] += 2
        for rank in (sets, sets + 9, sets + 18):
            held[rank] += 1
        hand = make_hand(hebei, held.copy(), (), hebei.defaults, None)
        only = [n if index < 9 else 0 for index, n in enumerate(held)]
        alone = make_hand(hebei, only, (), hebei.defaults, None)
        assert StandardDistances(hand, game, (0,)).now == StandardDistances(alone, game, (0,)).now


def test_nothing_to_decide_is_an_error() -> None:
    [played] = play(GameStarted(rules="hebei"), 1, random.Random(1))
    state = next(step.state for step in played.steps if step.state.hand and step.state.hand.turn == 2)
    with pytest.raises(InputError, match="nothing to decide"):
        make_coach(state.house).decide(observe(state, 1))
