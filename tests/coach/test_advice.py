"""Advice: worth against an exhaustive enumeration, and what the coach may look at."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np
import pytest
from msgspec.structs import replace

from companion.coach.advice import Coach, make_coach
from companion.coach.described import describe_position
from companion.coach.play.simulation import play
from companion.coach.results import Advice, Level
from companion.coach.seen import SeatView, count_left, observe
from companion.coach.value.aims import TargetBuilder, list_aims
from companion.coach.value.chances import Chances
from companion.coach.value.choices import list_branches
from companion.coach.value.danger import deferred_danger_share, risk
from companion.coach.value.endgame import Endgame
from companion.coach.value.judge import Judge
from companion.coach.value.payoff import Payoff
from companion.errors import RequestError
from companion.rules import RULE_SETS, Source, rule_set, shanten, useful_tiles
from companion.table.events import Claimed, Discarded, Event, GameStarted, Won
from companion.table.state import Phase
from companion.table.wins import list_known_melds
from companion.tiles import KINDS, Tile, counts, parse_meld
from lab.bench.advice_speed import STEPS, measure
from tests.coach.asking import advise_in_steps

Held = tuple[int, ...]


def advise(level: Level = Level.FULL, **given: object) -> Advice:
    seen = describe_position({"rules": "hebei", "seat": 1, **given})
    *_, last = Coach(Judge(seen.state.house.rules, seen.state.house.scoring)).advise(seen, level)
    return last


def enumerate_all(payoff: Payoff, chances: Chances, held: Held, left: Held, draws: int) -> float:
    """The worth of a hand between turns: every tile that may come, every discard, nothing left out."""
    if draws == 0:
        return 0.0
    total, shows, pays = sum(left), 0.0, 0.0
    for place in range(34):
        if left[place]:
            more = bytes((*held[:place], held[place] + 1, *held[place + 1 :]))
            pay = payoff.pay(more, (), KINDS[place], Source.DISCARD)
            if more[place] <= 4 and pay > 0:
                shows += left[place] / total
                pays += pay * left[place] / total
    gone = 1 - (1 - chances.shown * shows) ** chances.others
    drawn = 0.0
    for place in range(34):
        if left[place]:
            more_held = (*held[:place], held[place] + 1, *held[place + 1 :])
            rest = (*left[:place], left[place] - 1, *left[place + 1 :])
            last = draws == 1
            pay = payoff.pay(bytes(more_held), (), KINDS[place], Source.SELF_DRAW, last)
            found = [pay] if pay > 0 else []
            for out in range(34):
                if more_held[out]:
                    after = (*more_held[:out], more_held[out] - 1, *more_held[out + 1 :])
                    found.append(enumerate_all(payoff, chances, after, rest, draws - 1))
            drawn += max(found) * left[place] / total
    stays = 1 - chances.hazard
    return (gone * pays / shows if shows else 0.0) + (1 - gone) * (
        stays * drawn - chances.hazard * chances.loss
    )


def small_endgames(rules: str, number: int) -> Iterator[tuple[SeatView, Held, Held]]:
    """Positions near the wall's end, with few tiles unseen: a hand between turns, and what is left."""
    rng, found = random.Random(f"endgames {rules}"), 0
    for played in play(GameStarted(rules=rules), 10**6, rng):
        for step in played.steps:
            hand = step.state.hand
            if hand is None or hand.phase is not Phase.TURN or hand.discards < 20:
                continue
            seen = observe(step.state, hand.turn)
            if seen.player.melds or seen.player.flowers:
                continue
            concealed = list(seen.player.concealed)
            concealed.remove(rng.choice(concealed))
            if shanten(step.state.house.rules, concealed, (), step.state.house.scoring, hand.fortune) > 1:
                continue
            unseen = [i for i, n in enumerate(count_left(seen)[:34]) for _ in range(n)]
            rng.shuffle(unseen)
            near = {
                tile.index for tile in useful_tiles(step.state.house.rules, concealed, (), None, hand.fortune)
            }
            unseen.sort(key=lambda place: place not in near)
            few = counts([KINDS[i] for i in unseen[: rng.randint(2, 4)] + unseen[-2:]])
            yield seen, tuple(counts(concealed)), tuple(few)
            found += 1
            if found == number:
                return
            break


@pytest.mark.sampled(2)
@pytest.mark.slow
@pytest.mark.parametrize("rules", RULE_SETS)
def test_worth_is_that_of_an_exhaustive_enumeration(rules: str, endgames: int) -> None:
    won = 0
    for seen, held, left in small_endgames(rules, endgames):
        house = seen.state.house
        chances = Chances(2, 3, hazard=0.1, loss=1.0)
        payoff = Payoff(seen)
        exact = Endgame(house.rules, house.scoring, (), seen.hand.fortune, payoff, chances)
        for draws in (1, 2):
            wanted = enumerate_all(payoff, chances, held, left, draws)
            assert exact.evaluate(bytes(held), left, draws)[0] == pytest.approx(wanted)
            won += wanted > 0
    assert won > 3


@pytest.mark.slow
@pytest.mark.parametrize("rules", RULE_SETS)
def test_the_nearest_finished_hand_is_at_the_distance(rules: str) -> None:
    game, rng = rule_set(rules), random.Random(f"targets {rules}")
    copies = game.tile_set.copies[:34]
    deck = [kind for kind, n in zip(KINDS, copies, strict=False) for _ in range(n)]
    for _ in range(25):
        hand = rng.sample(deck, game.hand_size + 1)
        held = np.array(counts(hand)[:34], np.uint8)
        left = np.array(copies, np.uint8) - held
        table = game.game((), game.defaults)
        shop = TargetBuilder(table, 0, held, left)
        aims = list_aims(list(game.shapes_in_force(game.defaults)), table, ())
        built = np.concatenate([shop.build(aim, 12) for aim in aims])
        assert (built.sum(axis=1) == len(hand)).all()
        assert (np.maximum(built.astype(int) - held, 0) <= left).all()
        lacking = np.maximum(built.astype(int) - held, 0).sum(axis=1)
        assert lacking.min() == shanten(game, hand) + 1, hand


def test_hidden_tiles_change_no_advice() -> None:
    """Other tiles in hidden hands, and another wall, change no advice."""
    [played] = play(GameStarted(rules="hebei"), 1, random.Random(5))
    looked = 0
    for step in played.steps:
        hand = step.state.hand
        if hand is None or hand.phase is not Phase.TURN or hand.turn != 2 or looked == 2:
            continue
        a, b, c, d = hand.players
        assert (a.melds, b.melds) is not None
        swapped = replace(
            step.state,
            hand=replace(
                hand,
                players=(
                    replace(a, concealed=(*b.concealed, *a.concealed)[: len(a.concealed)]),
                    replace(b, concealed=(*b.concealed, *a.concealed)[len(a.concealed) :]),
                    c,
                    d,
                ),
            ),
        )
        house = step.state.house
        answers = [
            list(Coach(Judge(house.rules, house.scoring)).advise(observe(state, 2), stop=lambda: True))
            for state in (step.state, swapped)
        ]
        assert answers[0] == answers[1]
        looked += 1
    assert looked


def test_a_valuable_shape_that_is_farther_away_is_seen() -> None:
    """A flush that is two from ready is worth more than a cheap hand that is one from ready."""
    advice = advise(rules="taiwanese", hand="1123345578889s45p77m", left=60)
    best, nearest = advice.choices[0], min(advice.choices, key=lambda choice: choice.shanten)
    assert isinstance(best.do, Discarded)
    assert (best.do.tile or "")[1] != "s"
    assert best.shanten == nearest.shanten + 1


def test_answers_come_one_after_the_other_and_stop_on_request() -> None:
    seen = describe_position({"rules": "hebei", "seat": 1, "hand": "2345m88m345p678s1z5z", "left": 60})
    coach = Coach(Judge(seen.state.house.rules))
    assert len(list(coach.advise(seen))) == 3
    assert len(list(coach.advise(seen, stop=lambda: True))) == 2


def test_with_two_draws_left_the_last_answer_is_exact() -> None:
    given = {"rules": "hebei", "seat": 1, "hand": "2345m88m345p678s1z5z", "left": 9}
    *_, last = advise_in_steps(given)
    assert {choice.value_error for choice in last.choices} == {0.0}


def test_a_win_is_advised_before_all_else_and_a_claim_with_the_discard_after_it() -> None:
    won = advise(hand="234m567m88m345p678s", left=60).choices[0]
    assert (won.shanten, won.win_rate, won.value_error) == (-1, 1.0, 0.0)
    offered = advise(
        hand="2345m88m345p67s1z5z", rivers=[["8s"], [], [], []], offer={"tile": "8s", "from": 0}, left=60
    )
    assert {choice.do is None for choice in offered.choices} == {True, False}
    assert all(choice.then is not None for choice in offered.choices if choice.do is not None)


@pytest.mark.sampled
@pytest.mark.slow
@pytest.mark.parametrize("rules", RULE_SETS)
def test_useful_tiles_after_a_claim_are_those_after_the_advised_discard(rules: str) -> None:
    """Distance, useful tiles and danger are those of `then`."""
    rng, claims = random.Random(f"claims {rules}"), 0
    for played in play(GameStarted(rules=rules), 10**6, rng):
        for step in played.steps:
            hand = step.state.hand
            if hand is None or hand.phase is not Phase.CLAIM or hand.offer is None or hand.offer.tile is None:
                continue
            seat = (hand.offer.seat + 1) % 4
            seen = observe(step.state, seat)
            if len(list_branches(seen)) < 2:
                continue
            house, left = step.state.house, count_left(seen)
            *_, advice = Coach(Judge(house.rules, house.scoring)).advise(seen)
            for each in advice.choices:
                if each.then is None or not isinstance(each.do, Claimed):
                    continue
                meld = parse_meld(each.do.meld)
                held = [*seen.player.concealed, hand.offer.tile]
                for tile in (*meld.tiles, each.then):
                    held.remove(tile)
                melds = (*list_known_melds(seen.player), meld)
                asked = (house.rules, held, melds, house.scoring, hand.fortune)
                wanted = {tile: left[tile.index] for tile in useful_tiles(*asked) if left[tile.index]}
                assert {kind.tile: kind.unseen for kind in each.useful} == wanted
                assert each.shanten == shanten(*asked)
                assert each.deal_in == risk(seen, each.then)[0]
                claims += 1
        if claims > 10:
            return


def test_a_request_and_the_same_position_of_a_game_get_the_same_answers() -> None:
    request = {"rules": "hebei", "seat": 1, "hand": "2345m88m345p678s1z5z", "left": 60}
    state = describe_position(request).state
    asked, in_play = list(advise_in_steps(request)), list(make_coach(state.house).advise(observe(state, 1)))
    assert asked == in_play
    assert len(asked) > 2
    assert len(list(advise_in_steps(request, lambda: True))) < len(asked)
    [only] = advise_in_steps({**request, "level": "left"})
    assert (only.choices, only.left) == ((), asked[0].left)


@pytest.mark.parametrize("level", ["most", 3, None])
def test_a_level_that_does_not_exist_is_refused(level: object) -> None:
    with pytest.raises(RequestError, match="level"):
        next(advise_in_steps({"rules": "hebei", "hand": "1m", "level": level}))


@pytest.mark.parametrize("left", [60, 9])
def test_danger_counts_and_deferred_danger_counts_unless_values_are_exact(left: int) -> None:
    request = {"rules": "hebei", "seat": 1, "hand": "2345m88m345p678s1z5z", "left": left}
    seen = describe_position({**request, "melds": [["p222p", "p999p", "p777p"], [], [], []]})
    coach = Coach(Judge(seen.state.house.rules))
    *_, minded = coach.advise(seen)
    *_, fearless = coach.advise(seen, mind_danger=False)
    exact = {choice.value_error for choice in fearless.choices} == {0.0}
    assert exact == (left == 9)
    without = {choice.do: choice.value or 0.0 for choice in fearless.choices}
    lost: dict[Event | None, float] = {}
    risks = []
    for choice in minded.choices:
        assert isinstance(choice.do, Discarded)
        chance, cost = risk(seen, Tile.parse(choice.do.tile or ""))
        lost[choice.do] = chance * (without[choice.do] + cost)
        risks.append(chance)
    plain = max(lost.values()) if exact else lost[max(without, key=lambda do: without[do])]
    for choice in minded.choices:
        later = 0.0 if exact else deferred_danger_share(seen) * max(0.0, plain - lost[choice.do])
        assert choice.value == pytest.approx(without[choice.do] - lost[choice.do] - later)
    assert max(risks) > 0.003


@pytest.mark.parametrize(("rules", "seed", "unsure"), [("hefei", 1, True), ("taiwanese", 11, False)])
def test_a_win_is_passed_up_only_for_a_surely_higher_value(rules: str, seed: int, unsure: bool) -> None:
    """Which is said; and it is said, too, of what may be as good."""
    played = next(play(GameStarted(rules=rules), 1, random.Random(seed)))
    at = next(n for n, step in enumerate(played.steps) if isinstance(step.event, Won))
    state, event = played.steps[at - 1].state, played.steps[at].event
    assert isinstance(event, Won)
    seen = observe(state, event.seat)
    *_, advice = Coach(Judge(state.house.rules, state.house.scoring)).advise(seen)
    win = next(each for each in advice.choices if isinstance(each.do, Won))
    best = next(each for each in advice.choices if each is not win)
    assert best.do is None
    assert (best.value or 0) > (win.value or 0)
    assert (advice.choices[0] is win) is unsure
    said = str(best.why)
    assert f"win of {win.value:g}" in said
    assert ("which may be as good" in said) is unsure
    assert f"wins {100 * (best.win_rate or 0):.0f}% of the time" in said


def test_the_best_win_has_no_sentence_about_passing_it_up() -> None:
    advice = advise(hand="234m88m345p678s123s", left=20, rules="hebei")
    win = next(each for each in advice.choices if isinstance(each.do, Won))
    assert advice.choices[0] is win
    assert not any("passes up" in str(each.why) for each in advice.choices)


def test_no_claim_is_rated_above_a_win_that_may_be_as_good() -> None:
    advice = advise(
        rules="hefei", seat=2, hand="234567m345p55s88m", left=22, rivers=[[], ["5s"], [], []],
        offer={"tile": "5s", "from": 1},
    )  # fmt: skip
    assert isinstance(advice.choices[0].do, Won)


@pytest.mark.slow
def test_every_position_of_a_hand_is_timed_step_by_step() -> None:
    found = measure("hefei", 1)
    assert found["positions"] > 10
    first, second, last = (found[step]["50"] for step in STEPS)
    assert 0 <= first <= second <= last
    for step in STEPS:
        assert found[step]["50"] <= found[step]["95"] <= found[step]["100"]
