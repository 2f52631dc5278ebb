"""Reviews: costs, reasons, hands that nobody recorded, and declared hands."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

import pytest

from companion.coach.advice import make_coach
from companion.coach.declared import DeclaredHand, follow_hand, list_known, place_hand
from companion.coach.described import describe_position
from companion.coach.opponents.follower import Follower
from companion.coach.play.player import BuiltIn
from companion.coach.play.simulation import Seated, Simulation, play
from companion.coach.results import Advised, Grade, Mistake, RatedDecision
from companion.coach.review import (
    ReviewedHand,
    Reviewer,
    find_hands,
    grade_danger,
    grade_share,
    pick_worst,
    sum_up,
)
from companion.coach.seen import observe
from companion.coach.value.judge import Judge, Useful
from companion.coach.words.mistakes import explain
from companion.coach.words.wording import describe_grade
from companion.commands.coach import COST_EACH, NOT_RATED, PARTLY_RATED, RATED
from companion.errors import InputError
from companion.rules import RULE_SETS, Source
from companion.sentences import Sentence
from companion.table.apply import apply
from companion.table.events import Discarded, Drawn, Event, GameStarted, HandShown, HandStarted
from companion.table.knowledge import event_as_seen
from companion.table.state import Phase, State, changed
from companion.table.unrecorded import ReportedWin, enter_win
from companion.tiles import KINDS, Tile, format_tiles, parse_tiles
from companion.words import Language, Words
from lab.bench.coach import choose_first

Steps = list[tuple[int, Event, State]]


def review(before: State, steps: Steps, seats: Sequence[int] = (0, 1, 2, 3)) -> tuple[RatedDecision, ...]:
    return tuple(Reviewer(make_coach(before.house)).review_hand(before, steps, seats))


def as_steps(before: State, events: Sequence[Event], first: int = 2) -> Steps:
    found, state = [], before
    for number, event in enumerate(events, start=first):
        state = apply(state, event)
        found.append((number, event, state))
    return found


def hide(played_before: State, steps: Sequence[object], events: Sequence[Event]) -> list[Event]:
    """The events as a person next to the table sees them."""
    state, found = played_before, []
    for event in events:
        found.append(event_as_seen(state, event, None))
        state = apply(state, event)
    return found


def show_all(events: list[Event], after: State) -> list[Event]:
    """With the hands of all that are not shown yet."""
    assert after.hand is not None
    players = after.hand.players
    return [
        *events,
        *(
            HandShown(seat=seat, hand=format_tiles(players[seat].concealed))
            for seat in after.house.seats
            if not players[seat].shown
        ),
    ]


@pytest.mark.slow
def test_careless_discards_cost_in_the_review() -> None:
    """A seat that always discards its lowest tile costs itself far more than the built-in players do."""
    start = GameStarted(rules="hefei")
    before = apply(None, start)
    judge = Judge(before.house.rules, before.house.scoring)
    usual, silly = BuiltIn(judge), Follower(judge, choose_first, 0.0)
    simulation = Simulation(before.house, random.Random(8), Seated((usual, silly, usual, usual)))
    events = [step.event for step in simulation.hand(before)]
    decisions = review(before, as_steps(before, events), (1, 2))
    by_person = {each.person: each for each in sum_up([ReviewedHand(1, decisions)])}
    assert by_person[1].mean_cost > 3 * by_person[2].mean_cost
    assert by_person[1].mistakes
    hand, cost = by_person[1].worst_hand or (0, 0.0)
    assert (hand, cost) == (1, by_person[1].cost)
    worst = pick_worst(decisions)
    assert len(worst) == 2
    assert worst[0].cost >= worst[1].cost > 0
    assert all(each.why is not None and each.seat == 1 for each in worst)


def test_a_hand_that_nobody_recorded_has_no_decisions() -> None:
    before = apply(None, GameStarted(rules="hong_kong"))
    tiles = tuple(parse_tiles("111m222m333p444s77z"))
    won = enter_win(before, ReportedWin(1, Source.DISCARD, 3, tiles[-1], tiles))
    assert review(before, as_steps(before, won.events)) == ()


@pytest.mark.slow
@pytest.mark.parametrize("rules", list(RULE_SETS))
def test_game_entered_by_touch_is_reviewed_where_known(rules: str) -> None:
    played = next(play(GameStarted(rules=rules), 1, random.Random(8)))
    full = [step.event for step in played.steps]
    public = show_all(hide(played.before, played.steps, full), played.after)
    decisions = review(played.before, as_steps(played.before, public))
    discards = [event for event in full if isinstance(event, Discarded)]
    assert sum(isinstance(each.did, Discarded) for each in decisions) >= len(discards) / 2
    unrated = [each for each in decisions if not each.is_rated]
    assert unrated
    assert all(each.cost >= 0 and each.why is not None for each in unrated)
    people = sum_up([ReviewedHand(1, decisions)])
    assert sum(each.unrated for each in people) == len(unrated)


@pytest.mark.slow
@pytest.mark.parametrize("rules", list(RULE_SETS))
def test_hands_shown_at_the_end_are_reconstructed(rules: str) -> None:
    """Each hand that hindsight gives is the true one, and the last discard is always among them."""
    found = 0
    for seed in range(12):
        played = next(play(GameStarted(rules=rules), 1, random.Random(seed)))
        full = [step.event for step in played.steps]
        public = show_all(hide(played.before, played.steps, full), played.after)
        truth = [played.before, *(step.state for step in played.steps)]
        steps = as_steps(played.before, public)
        states = [played.before, *(state for _, _, state in steps)]
        for seat in played.before.house.seats:
            for at, tiles in find_hands(states, public, seat).items():
                if at < len(full):
                    hand = truth[at].hand
                    assert hand is not None
                    assert tiles == tuple(sorted(hand.players[seat].concealed))
                    found += 1
    assert found > 20


def test_a_declared_hand_is_followed_through_the_game() -> None:
    played = next(play(GameStarted(rules="taiwanese"), 1, random.Random(4)))
    full = [step.event for step in played.steps]
    states = [played.before, *(step.state for step in played.steps)]
    at = next(i for i, s in enumerate(states) if s.hand is not None and s.hand.phase is Phase.TURN)
    seat = 2
    hand = states[at].hand
    assert hand is not None
    declared = DeclaredHand(seat, at, hand.players[seat].concealed)
    public = list(enumerate(hide(played.before, played.steps, full), start=1))
    asked = 0
    for end in range(at, len(full)):
        now = states[end].hand
        assert now is not None
        if now.players[seat].shown:
            break
        held = follow_hand(declared, public[:end])
        assert held is not None
        assert not held.lost
        if held.unnamed is not None:
            asked += 1
            event = full[held.unnamed - 1]
            assert isinstance(event, Drawn)
            declared = declared.name_draw(held.unnamed, Tile.parse(event.tile or ""))
            held = follow_hand(declared, public[:end])
            assert held is not None
        assert held.tiles == tuple(sorted(now.players[seat].concealed))
        assert held.unknown == 0
    assert asked > 3
    assert follow_hand(declared, [*public, (len(public) + 1, HandStarted(dealer=0))]) is None
    assert follow_hand(declared, public[: at - 1]) is None
    wrong = DeclaredHand(seat, at, (KINDS[0],) * 3)
    held = follow_hand(wrong, public)
    assert held is not None
    assert held.lost


def test_an_impossible_hand_is_refused_in_one_sentence() -> None:
    played = next(play(GameStarted(rules="hefei"), 1, random.Random(4)))
    full = [step.event for step in played.steps]
    at = next(i for i, event in enumerate(full) if isinstance(event, Discarded)) + 1
    state = as_steps(played.before, hide(played.before, played.steps, full)[:at])[-1][2]
    assert state.hand is not None
    true = played.steps[at - 1].state.hand
    assert true is not None
    tiles = true.players[1].concealed
    seen = observe(place_hand(state, 1, tiles), 1)
    assert seen == observe(played.steps[at - 1].state, 1) or seen.player.concealed == tiles
    gone = full[at - 1]
    assert isinstance(gone, Discarded)
    wrong = [
        (tiles[:-1], "12 tiles entered: this player has 13 concealed tiles now."),
        ((*tiles[:-1], Tile.parse("1z")), "1z is not in this game."),
        ((Tile.parse(gone.tile or ""),) * 4 + tiles[4:], f"5 of {gone.tile} in this hand and on the table"),
    ]
    for given, said in wrong:
        with pytest.raises(InputError) as problem:
            place_hand(state, 1, given)
        assert str(problem.value).startswith(said)


def test_grades_are_relative_to_the_cost_of_dealing_in() -> None:
    shares = (0.0, 0.05, 0.15, 0.3, 0.5)
    assert [grade_share(share) for share in shares] == list(Grade)


@pytest.mark.slow
def test_only_the_best_choice_costs_nothing() -> None:
    start, costs = GameStarted(rules="hefei"), 0
    for seed in range(3):
        played = next(play(start, 1, random.Random(seed)))
        steps = as_steps(played.before, [step.event for step in played.steps])
        for each in review(played.before, steps, (0,)):
            assert (each.grade is Grade.BEST) == (each.cost == 0) == (each.best is each.chosen)
            costs += each.cost > 0
    assert costs


def test_a_discard_of_an_unknown_hand_is_graded_by_its_danger() -> None:
    chances = (0.0, 0.02, 0.05, 0.15, 0.3, 0.5)
    assert [grade_danger(chance) for chance in chances] == [Grade.BEST, *Grade]


@pytest.mark.parametrize(("chance", "said"), [(0.0, "<1%"), (0.004, "<1%"), (0.006, "1%"), (0.123, "12%")])
def test_a_very_small_danger_is_not_shown_as_none(chance: float, said: str) -> None:
    decision = RatedDecision(
        number=3, seat=0, person=0, tile=KINDS[0], did=Discarded(seat=0, tile="1m"), chosen=None, best=None,
        cost=0.0, share=0.0, grade=Grade.BEST, deal_in=chance, dealt_in=False, mistake=None, why=None,
        held=(), melds=(),
    )  # fmt: skip
    assert describe_grade(decision, Words(Language.ENGLISH)) == f"Deals in: {said}"


def make_choice(code: str | None, *, shanten: int = 1, live: int = 8, deal_in: float = 0.0) -> Advised:
    do = None if code is None else Discarded(seat=0, tile=code)
    useful = (Useful(KINDS[4], live),)
    return Advised(do, None, shanten, useful, Sentence("why"), 0.0, 0.0, 0.1, deal_in)


@pytest.mark.parametrize(
    ("chosen", "best", "dealt_in", "kind"),
    [
        ({"code": "1m", "deal_in": 0.3}, {"code": "9m"}, True, Mistake.DEALT_IN),
        ({"code": "1m", "deal_in": 0.3}, {"code": "9m"}, False, Mistake.RISKY),
        ({"code": "1m", "shanten": 1}, {"code": "9m", "shanten": 0}, False, Mistake.MISSED_READY),
        ({"code": "2m", "live": 4}, {"code": "9m", "live": 9}, False, Mistake.BROKE_PAIR),
        ({"code": "1m", "shanten": 2}, {"code": "9m", "shanten": 1}, False, Mistake.FARTHER),
        ({"code": "1m", "live": 4}, {"code": "9m", "live": 9}, False, Mistake.FEWER),
        ({"code": "1m"}, {"code": "9m"}, False, Mistake.WORTH_LESS),
        ({"code": None}, {"code": "9m"}, False, Mistake.REFUSED),
    ],
)
def test_each_kind_of_mistake_has_its_sentence(
    chosen: dict[str, object], best: dict[str, object], dealt_in: bool, kind: Mistake
) -> None:
    seen = describe_position({"rules": "hebei", "hand": "122m345p678s1235z9m"})
    one, other = make_choice(**chosen), make_choice(**best)  # type: ignore[arg-type]
    mistake, why = explain(seen, KINDS[0], one, other, 1.0, 3.0, dealt_in=dealt_in)
    assert mistake is kind
    assert why is not None
    assert "{" not in str(why)


@pytest.mark.slow
def test_a_hand_declared_while_it_was_played_is_rated() -> None:
    played = next(play(GameStarted(rules="hefei"), 1, random.Random(8)))
    full = [step.event for step in played.steps]
    steps = as_steps(played.before, hide(played.before, played.steps, full))
    at = next(i for i, event in enumerate(full) if isinstance(event, Discarded) and event.seat == 1)
    hand = played.steps[at - 1].state.hand
    assert hand is not None
    declared = DeclaredHand(1, steps[at - 1][0], hand.players[1].concealed)
    for (number, _, _), event in zip(steps[at:], full[at:], strict=True):
        if isinstance(event, Drawn) and event.seat == 1:
            declared = declared.name_draw(number, Tile.parse(event.tile or ""))
    reviewer = Reviewer(make_coach(played.before.house))
    known = [each for each in reviewer.review_hand(played.before, steps, (1,), (declared,)) if each.is_rated]
    truth = review(played.before, as_steps(played.before, full), (1,))
    rated = {each.number: each.grade for each in truth}
    assert len(known) > 3
    assert sum(rated.get(each.number) == each.grade for each in known) >= len(known) - 1


@pytest.mark.slow
def test_a_deal_in_is_called_visible_only_where_it_counts_as_avoidable() -> None:
    """Two games in which a tile dealt in that was a little more dangerous than the best, and hardly worse."""
    slight = 0
    for rules, seed, seat in (("hefei", 2, 1), ("taiwanese", 4, 2)):
        played = next(play(GameStarted(rules=rules), 1, random.Random(seed)))
        steps = as_steps(played.before, [step.event for step in played.steps])
        decisions = review(played.before, steps, (seat,))
        [person] = sum_up([ReviewedHand(1, decisions)])
        said = [str(each.why) for each in decisions if each.dealt_in]
        assert person.deal_ins == len(said) == 1
        assert person.avoidable == sum("the danger was visible" in each for each in said)
        slight += "was hardly better" in said[0]
    assert slight == 2


def test_a_costly_deal_in_was_visible() -> None:
    seen = describe_position({"rules": "hebei", "hand": "122m345p678s1235z9m"})
    one, other = make_choice("1m", deal_in=0.3), make_choice("9m")
    for slight, said in ((False, "the danger was visible"), (True, "was hardly better")):
        _, why = explain(seen, KINDS[0], one, other, 1.0, 3.0, dealt_in=True, slight=slight)
        assert said in str(why)


def test_a_small_danger_is_not_called_visible_and_the_better_choice_has_a_reason() -> None:
    seen = describe_position({"rules": "hebei", "hand": "122m345p678s1235z9m"})
    one = make_choice("1m", deal_in=0.08)
    _, why = explain(seen, KINDS[0], one, make_choice("9m"), 1.0, 3.0, dealt_in=True)
    assert str(why) == "1m dealt in. Its chance of that was about 8%; for 9m only <1%."
    for more, less, reason in (
        ({"win_rate": 0.34}, {}, "It wins about 34% of the time, the other 10%."),
        ({}, {}, "It does not win more often (10% and 10%), but pays more."),
        ({}, {"deal_in": 0.03}, "It deals in less than 1% of the time, the other 3%."),
    ):
        best, chosen = changed(make_choice("9m"), **more), changed(make_choice("1m"), **less)
        _, why = explain(seen, KINDS[0], chosen, best, 1.0, 3.0, dealt_in=False)
        assert str(why) == f"9m was worth 1.0 points more than 1m in the long run. {reason}"


def make_decision(cost: float) -> RatedDecision:
    best, chosen = make_choice("9m"), make_choice("1m")
    return RatedDecision(
        number=5, seat=0, person=0, tile=KINDS[0], did=chosen.do, chosen=chosen, best=best, cost=cost,
        share=0.0, grade=Grade.BEST, deal_in=0.0, dealt_in=False, mistake=None, why=None, held=(), melds=(),
    )  # fmt: skip


def test_a_hand_that_does_not_count_is_kept_apart_from_its_replacement() -> None:
    """They share a number; the cost of the first is not added to the other."""
    hands = [ReviewedHand(2, (make_decision(5.0),), counts=False), ReviewedHand(2, (make_decision(3.0),))]
    [person] = sum_up(hands)
    assert person.worst_hand == (2, 3.0)
    assert (person.cost, person.decisions) == (8.0, 2)
    [person] = sum_up(hands[:1])
    assert person.worst_hand is None


@pytest.mark.parametrize("rules", ["hefei", "taiwanese", "hong_kong"])
def test_a_draw_that_nobody_named_is_known_by_its_discard(rules: str) -> None:
    """Only the tiles after the deal were told. What follows from discards alone is what was truly held."""
    inferred = 0
    for seed in range(10):
        played = next(play(GameStarted(rules=rules), 1, random.Random(seed)))
        full = [step.event for step in played.steps]
        public = list(enumerate(hide(played.before, played.steps, full), start=1))
        for seat in range(4):
            at = next(i for i, event in enumerate(full) if isinstance(event, Discarded)) + 1
            hand = played.steps[at - 1].state.hand
            assert hand is not None
            declared = DeclaredHand(seat, at, hand.players[seat].concealed)
            for number, tiles in list_known(declared, public).items():
                now = played.steps[number - 1].state.hand
                held = follow_hand(declared, public[:number])
                assert now is not None
                assert held is not None
                if not now.players[seat].shown:
                    assert tiles == tuple(sorted(now.players[seat].concealed))
                inferred += held.unknown > 0
    assert inferred > 3


def test_the_discard_of_a_drawn_tile_that_nobody_named_is_rated() -> None:
    played = next(play(GameStarted(rules="hefei"), 1, random.Random(8)))
    full = [step.event for step in played.steps]
    steps = as_steps(played.before, hide(played.before, played.steps, full))
    start = next(i for i, event in enumerate(full) if isinstance(event, Discarded)) + 1
    hand = played.steps[start - 1].state.hand
    assert hand is not None
    for seat in range(4):
        tiles = hand.players[seat].concealed
        drawn = next(
            i for i in range(start, len(full)) if isinstance(full[i], Drawn) and full[i].seat == seat
        )
        thrown = full[drawn + 1]
        if isinstance(thrown, Discarded) and thrown.tile not in {tile.code for tile in tiles}:
            break
    declared = DeclaredHand(seat, steps[start - 1][0], tiles)
    reviewer = Reviewer(make_coach(played.before.house))
    decisions = list(reviewer.review_hand(played.before, steps[: drawn + 2], (seat,), (declared,)))
    [own] = [each for each in decisions if each.number == steps[drawn + 1][0]]
    assert own.is_rated
    assert own.held == tuple(sorted((*tiles, Tile.parse(thrown.tile or ""))))


@pytest.mark.parametrize("template", [RATED, COST_EACH, NOT_RATED, PARTLY_RATED])
def test_one_decision_is_singular(template: str) -> None:
    words = Words(Language.ENGLISH)
    for count, said in ((1, r"\b1 (decision|discard)\b"), (2, r"\b2 (decisions|discards)\b")):
        sentence = words(template, name="Ann", said="Ann", count=count, cost="3.00", mean="3.00")
        assert re.search(said, sentence), sentence
