"""Statements of hypotheses that change: stated, doubted, taken back."""

from __future__ import annotations

import random

import pytest

from companion.errors import EventError
from companion.following.draws import DrawSign, DrawSigns
from companion.following.hypotheses import Hypothesis, Step
from companion.following.notices import Stated
from companion.following.statements import (
    LONG_DOUBTED_S,
    NAME_WAITS_S,
    SOON_S,
    UNSEEN_WAITS_S,
    SeenHand,
    Statements,
)
from companion.table.apply import fold
from companion.table.events import (
    Claimed,
    Corrected,
    Dealt,
    Discarded,
    Drawn,
    Event,
    FlowerSetOut,
    GameStarted,
    HandStarted,
    number_corrected,
)

SEEN = SeenHand(True, False, False, lambda step: DrawSign.TAKEN, DrawSigns(), 0.0, 0.0)


def trust(step: Step) -> float:
    return 1.0


def begin(rules: str) -> tuple[Statements, Step]:
    """A hand that is dealt, and the step from which it goes on."""
    log: list[Event] = [GameStarted(rules=rules), HandStarted(dealer=0), Dealt()]
    state = fold(log)
    assert state is not None
    root = Step(None, None, state)
    statements = Statements(log)
    statements.begin(root)
    return statements, root


def state_at_once(rules: str, event: Event, named: float) -> Stated:
    """What is said of an event that happened for sure, whose tile reads so surely as the one it names."""
    statements, root = begin(rules)
    then = Hypothesis(root.then(event, (1,), 0.0))
    (stated,) = statements.update([(0.0, then)], NAME_WAITS_S, lambda step: named, SEEN)
    return stated


def test_a_doubtful_name_is_stated_before_long_and_holds_nothing_up() -> None:
    statements, root = begin("hefei")
    doubtful = root.then(Discarded(seat=0, tile="5p"), (1,), 0.0)
    after = doubtful.then(Drawn(seat=1), (), 0.0).then(Discarded(seat=1, tile="8s"), (2,), 0.0)
    judged = [(0.0, Hypothesis(after))]

    def read(step: Step) -> float:
        return 0.8 if step is doubtful else 1.0

    assert statements.update(judged, NAME_WAITS_S / 2, read, SEEN) == []
    first, _, last = statements.update(judged, NAME_WAITS_S, read, SEEN)
    assert (first.event, first.certain) == (doubtful.event, False)
    assert 0.75 < first.p < 0.8
    assert (last.event, last.certain) == (after.event, True)


def test_what_was_in_doubt_is_not_certain() -> None:
    statements, root = begin("hefei")
    one = Hypothesis(root.then(Discarded(seat=0, tile="5p"), (1,), 0.0))
    other = Hypothesis(root.then(Discarded(seat=0, tile="6p"), (2,), 0.0))
    assert statements.update([(0.0, one), (1.0, other)], 0.5, trust, SEEN) == []
    (settled,) = statements.update([(0.0, one), (13.0, other)], SOON_S, trust, SEEN)
    assert settled.event == one.step.event
    assert not settled.certain


def test_what_follows_a_discard_that_nobody_saw_is_not_certain() -> None:
    statements, root = begin("hefei")
    unseen = root.then(Discarded(seat=0), (), 0.0)
    after = unseen.then(Drawn(seat=1), (), 4.0).then(Discarded(seat=1, tile="8s"), (2,), 4.0)
    said = statements.update([(0.0, Hypothesis(after))], UNSEEN_WAITS_S, trust, SEEN)
    assert [each.event for each in said] == [unseen.event, Drawn(seat=1), after.event]
    assert not said[-1].certain


def test_what_is_stated_in_place_of_others_is_not_certain() -> None:
    statements, root = begin("hebei")
    discard = root.then(Discarded(seat=0, tile="5p"), (1,), 0.0)
    statements.update([(0.0, Hypothesis(discard.then(Drawn(seat=1), (), 0.0)))], 0.0, trust, SEEN)
    claim = discard.then(Claimed(seat=2, meld="p555p"), (2, 3, 4), 0.5)
    judged = [(0.0, Hypothesis(claim.then(Discarded(seat=2, tile="8s"), (5,), 0.5)))]
    back, *anew = statements.update(judged, 0.5, trust, SEEN)
    assert back.event == Corrected(number=5, right=None)
    assert len(anew) == 2
    assert not any(each.certain for each in anew)


def follow_on(step: Step, text: str) -> Step:
    """The chain with discards in turn, each `seat:tile`, drawn before but for the first."""
    for at, each in enumerate(text.split()):
        seat, tile = int(each[0]), each[2:]
        step = step.then(Drawn(seat=seat), (), 0.0) if at else step
        step = step.then(Discarded(seat=seat, tile=tile), (10 * seat + at,), 0.0)
    return step


def test_one_event_that_was_another_is_put_right_where_it_stands() -> None:
    """Nobody drew: the discard was claimed. All that followed stays said."""
    statements, root = begin("hebei")
    discard = root.then(Discarded(seat=0, tile="5m"), (1,), 0.0)
    drawn = follow_on(discard.then(Drawn(seat=1), (), 0.0), "1:9p 2:8s 3:7s")
    claimed = follow_on(discard.then(Claimed(seat=1, meld="c456m"), (2, 3, 4), 0.5), "1:9p 2:8s 3:7s 0:1z")
    statements.update([(0.0, Hypothesis(drawn))], 0.0, trust, SEEN)
    changed, *anew = statements.update([(0.0, Hypothesis(claimed))], 0.5, trust, SEEN)
    assert changed.event == Corrected(number=5, right=Claimed(seat=1, meld="c456m"))
    assert [each.event for each in anew] == [Drawn(seat=0), Discarded(seat=0, tile="1z")]
    assert [step.event for step, _ in statements.stated][1:] == [step.event for step in claimed.back()][
        -2::-1
    ]


def test_kinds_that_change_places_are_put_right_in_an_order_that_is_legal_throughout() -> None:
    statements, root = begin("hebei")
    first, second = (
        follow_on(root, f"0:9m 1:9m 2:9m 3:{one} 0:5p 1:{other} 2:6p 3:7p 0:8p")
        for one, other in (("9m", "2z"), ("2z", "9m"))
    )
    statements.update([(0.0, Hypothesis(first))], 0.0, trust, SEEN)
    said = statements.update([(0.0, Hypothesis(second))], 0.5, trust, SEEN)
    assert [each.event.right for each in said if isinstance(each.event, Corrected)] == [
        Discarded(seat=3, tile="2z"),
        Discarded(seat=1, tile="9m"),
    ]
    said = statements.update([(0.0, Hypothesis(first))], 40.0, trust, SEEN)
    for length in range(3, len(statements.log) + 1):
        fold(statements.log[:length])


def find_late_flower(root: Step, tile: str, flower: str) -> Hypothesis:
    """Four discards, the first of that tile, and a flower that was set out before the second of them."""
    step = follow_on(root, f"0:{tile}").then(Drawn(seat=1), (), 0.0)
    step = set_out(step, (1, flower)).then(Discarded(seat=1, tile="9p"), (11,), 0.0)
    for seat, other in ((2, "8s"), (3, "7s")):
        step = step.then(Drawn(seat=seat), (), 0.0)
        step = step.then(Discarded(seat=seat, tile=other), (11 * seat,), 0.0)
    return Hypothesis(step)


def test_after_an_event_that_was_several_others_are_still_put_right_where_they_stand() -> None:
    """A flower that was found late, then another name of a tile before it: all later ones stay said."""
    statements, root = begin("hong_kong")
    statements.update([(0.0, Hypothesis(follow_on(root, "0:5p 1:9p 2:8s 3:7s")))], 0.0, trust, SEEN)
    (late,) = statements.update([(0.0, find_late_flower(root, "5p", "2f"))], 1.0, trust, SEEN)
    assert isinstance(late.event, Corrected)
    assert late.event.more
    (named,) = statements.update([(0.0, find_late_flower(root, "6p", "2f"))], 2.0, trust, SEEN)
    assert named.event == Corrected(number=4, right=Discarded(seat=0, tile="6p"))
    (again,) = statements.update([(0.0, find_late_flower(root, "6p", "3f"))], 3.0, trust, SEEN)
    assert isinstance(again.event, Corrected)
    assert again.event.number == late.event.number
    assert FlowerSetOut(seat=1, tile="3f") in again.event.rights
    for length in range(3, len(statements.log) + 1):
        fold(statements.log[:length])


def test_what_was_said_stays_where_several_things_are_found_before_it() -> None:
    """Two flowers before the second and the fourth of five discards, and the last of these was none."""
    statements, root = begin("hong_kong")
    first = follow_on(root, "0:5p 1:9p 2:8s 3:7s 0:4s")
    statements.update([(0.0, Hypothesis(first))], 0.0, trust, SEEN)
    step = find_late_flower(root, "5p", "2f").step.before
    assert step is not None
    step = set_out(step, (3, "3f")).then(Discarded(seat=3, tile="7s"), (33,), 0.0)
    before = {number: stated.event for stated, number in statements.stated[1:]}
    said = statements.update([(0.0, Hypothesis(step))], 1.0, trust, SEEN)
    assert all(isinstance(each.event, Corrected) for each in said)
    last = max(before)
    numbers = [each.event.number for each in said if isinstance(each.event, Corrected)]
    assert len(numbers) == 3
    assert min(numbers) > min(before)
    assert fold(statements.log) == step.state
    assert last not in {number for _, number in statements.stated}
    for length in range(3, len(statements.log) + 1):
        fold(statements.log[:length])


def test_where_a_flower_was_found_late_no_flower_is_certain_nor_the_draw_that_replaces_it() -> None:
    sure = []
    for is_late in (False, True):
        statements, root = begin("hong_kong")
        last = follow_on(root, "0:5p 1:9p 2:8s 3:7s")
        statements.update([(0.0, Hypothesis(last))], 0.0, trust, SEEN)
        if is_late:
            last = find_late_flower(root, "5p", "2f").step
            statements.update([(0.0, Hypothesis(last))], 0.0, trust, SEEN)
        drawn = last.then(Drawn(seat=0), (), 2.0).then(FlowerSetOut(seat=0, tile="5f"), (5,), 2.0)
        after = drawn.then(Drawn(seat=0), (), 2.0).then(Discarded(seat=0, tile="1z"), (6,), 2.0)
        said = statements.update([(0.0, Hypothesis(after))], 2.5, trust, SEEN)
        sure.append([each.certain for each in said])
    assert sure == [[True, True, True, True], [True, False, False, True]]


def test_another_name_is_no_surer_than_the_tile_reads() -> None:
    statements, root = begin("hefei")
    first = Hypothesis(root.then(Discarded(seat=0, tile="5p"), (1,), 0.0))
    statements.update([(0.0, first)], 0.0, trust, SEEN)
    renamed = Hypothesis(root.then(Discarded(seat=0, tile="6p"), (1,), 0.0))
    (corrected,) = statements.update([(0.0, renamed)], 0.5, lambda step: 0.7, SEEN)
    assert isinstance(corrected.event, Corrected)
    assert corrected.p < 0.7


def test_a_flower_must_read_more_surely_than_a_discard_to_be_certain() -> None:
    discard, flower = Discarded(seat=0, tile="5p"), FlowerSetOut(seat=0, tile="3f")
    assert state_at_once("hong_kong", discard, 0.99).certain
    assert not state_at_once("hong_kong", flower, 0.99).certain
    assert state_at_once("hong_kong", flower, 0.9995).certain


def test_what_is_less_likely_does_not_stand_for_ever() -> None:
    statements, root = begin("hefei")
    said = Hypothesis(root.then(Discarded(seat=0, tile="5p"), (1,), 0.0))
    likelier = Hypothesis(root.then(Discarded(seat=0, tile="6p"), (1,), 0.0))
    (first,) = statements.update([(0.0, said)], 1.0, trust, SEEN)
    assert first.event == Discarded(seat=0, tile="5p")
    doubts = [(0.0, likelier), (0.5, said)]
    stated: list[Stated] = []
    for second in range(2, round(LONG_DOUBTED_S) + 4):
        stated += statements.update(doubts, float(second), trust, SEEN)
    (corrected,) = stated
    assert corrected.event == Corrected(number=first.number, right=Discarded(seat=0, tile="6p"))
    assert corrected.t > LONG_DOUBTED_S
    assert not corrected.certain


def test_what_was_taken_back_is_not_said_again_at_every_glimpse() -> None:
    statements, root = begin("hebei")
    discard = root.then(Discarded(seat=0, tile="5p"), (1,), 0.0)
    drawn = Hypothesis(discard.then(Drawn(seat=1), (), 0.0))
    claimed = Hypothesis(discard.then(Claimed(seat=2, meld="p555p"), (2, 3, 4), 0.0))
    for second in range(20):
        likelier, other = (drawn, claimed) if second % 2 == 0 else (claimed, drawn)
        statements.update([(0.0, likelier), (5.0, other)], second, trust, SEEN)
    assert sum(isinstance(event, Corrected) for event in statements.log) == 1
    for second in (20.0, 29.0, 31.0):
        statements.update([(0.0, drawn), (5.0, claimed)], second, trust, SEEN)
    assert [event for event in statements.log if isinstance(event, Corrected)][1:] == [
        Corrected(number=7, right=None)
    ]


def set_out(step: Step, *tiles: tuple[int, str]) -> Step:
    """The chain with these flowers, each replaced."""
    for seat, tile in tiles:
        step = step.then(FlowerSetOut(seat=seat, tile=tile), (100 + int(tile[0]),), 0.0)
        step = step.then(Drawn(seat=seat), (), 0.0)
    return step


def test_what_was_said_stays_where_something_is_found_before_it() -> None:
    """A flower that was not found, or was none; all that followed is stated once."""
    statements, root = begin("taiwanese")
    first = follow_on(root, "0:5m 1:9p 2:8s 3:7s")
    late = follow_on(set_out(root, (0, "1f")), "0:5m 1:9p 2:8s 3:7s 0:1z")
    statements.update([(0.0, Hypothesis(first))], 0.0, trust, SEEN)
    numbers = [number for _, number in statements.stated]
    put, *anew = statements.update([(0.0, Hypothesis(late))], 0.5, trust, SEEN)
    flower, drawn, discard = FlowerSetOut(seat=0, tile="1f"), Drawn(seat=0), Discarded(seat=0, tile="5m")
    assert put.event == Corrected(number=numbers[1], right=flower, more=(drawn, discard))
    assert [each.event for each in anew] == [Drawn(seat=0), Discarded(seat=0, tile="1z")]
    assert [number for _, number in statements.stated][1:5] == [numbers[1]] * 3 + [numbers[2]]
    assert fold(statements.log) == late.state


def test_what_was_put_between_is_taken_back_together() -> None:
    statements, root = begin("taiwanese")
    first = follow_on(root, "0:5m 1:9p 2:8s 3:7s")
    late = follow_on(set_out(root, (0, "1f")), "0:5m 1:9p 2:8s 3:7s")
    for at, step in enumerate((first, late, first, follow_on(root, "0:6m 1:9p"))):
        statements.update([(0.0, Hypothesis(step))], 40.0 * at, trust, SEEN)
        statements.update([(0.0, Hypothesis(step))], 40.0 * at + 30.0, trust, SEEN)
        assert fold(statements.log) == step.state
        for length in range(3, len(statements.log) + 1):
            fold(statements.log[:length])


TILES = [f"{number}{suit}" for suit in "mps" for number in range(1, 10)]


def play_on(root: Step, tiles: list[str], flowers: dict[int, int], claims: frozenset[int]) -> Step:
    """Turns with these discards. flowers: which one is set out in a turn; claims: turns that begin with a
    pung instead of a draw."""
    step, seat = root, 0
    for at, tile in enumerate(tiles):
        before = step.event
        if at and at in claims and isinstance(before, Discarded):
            seat = (before.seat + 2) % 4
            claim = Claimed(seat=seat, meld=f"p{str(before.tile)[0] * 3}{str(before.tile)[1]}")
            step = step.then(claim, (200 + at, 300 + at, 400 + at), 0.0)
        elif at:
            seat = (seat + 1) % 4
            step = step.then(Drawn(seat=seat), (), 0.0)
        if at in flowers and not isinstance(step.event, Claimed):
            step = set_out(step, (seat, f"{flowers[at]}f"))
        step = step.then(Discarded(seat=seat, tile=tile), (at,), 0.0)
    return step


@pytest.mark.parametrize("seed", range(12))
def test_whatever_turns_out_the_log_is_legal_and_says_what_stands(seed: int) -> None:
    rng = random.Random(seed)
    statements, root = begin("hong_kong")
    tiles = rng.sample(TILES, 20)
    flowers: dict[int, int] = {}
    claims: set[int] = set()
    for second in range(12):
        for _ in range(rng.randint(1, 3)):
            at = rng.randrange(1, len(tiles))
            match rng.randrange(4):
                case 0:
                    tiles[at] = rng.choice([each for each in TILES if each not in tiles])
                case 1:
                    flowers = {turn: number for turn, number in flowers.items() if turn != at}
                    spare = sorted({1, 2, 3, 4, 5, 6, 7, 8} - set(flowers.values()))
                    flowers |= {at: rng.choice(spare)} if spare else {}
                case 2:
                    flowers.pop(at, None)
                case _:
                    claims ^= {at}
        end = rng.randint(3, len(tiles))
        try:
            last = play_on(root, tiles[:end], flowers, frozenset(claims))
        except EventError:  # more than the copies that there are
            continue
        begun = len(statements.log)
        statements.update([(0.0, Hypothesis(last))], 50.0 * second, trust, SEEN)
        for length in range(begun, len(statements.log) + 1):
            fold(statements.log[:length])
        standing = number_corrected(statements.log)[3:]
        assert standing == [(number, step.event) for step, number in statements.stated[1:]]
