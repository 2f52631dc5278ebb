"""How well whole hands are followed from noisy sights: what is right, what is wrong and said with certainty,
how often a person is asked, and how long a sight takes.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Any

from companion.coach.play.simulation import PlayedHand, play
from companion.following.decoder import Decoder
from companion.following.notices import Asked, Stated
from companion.live.noticed import state_line
from companion.rules import RULE_SETS
from companion.table.apply import fold
from companion.table.events import (
    Corrected,
    Discarded,
    Drawn,
    Event,
    FlowerSetOut,
    GameStarted,
    Won,
    number_corrected,
)
from companion.table.knowledge import event_as_seen
from lab.bench.certainty import ALL, Certainty, Said, judge_statements
from lab.bench.followed_films import (
    MELDS,
    UNSEEN,
    Figures,
    VisibleTruth,
    compare_left,
    decode_truth,
    find_common,
    is_open,
    list_visible,
    reduce_event,
)
from lab.bench.laid_hands import Customs, LaidHand, Noise, film_hand, lay_filmed_hand, lay_hand, make_sights
from lab.film.customs import Pose

SEED = 20261122
TOLD_SHARE, TOLD_OF = 0.2, 4
"""Share of the sights at which a person names one of the latest discards, and how many are the latest."""


@dataclass(slots=True)
class Tally:
    """What was counted over some hands. certainty: of the statements; left: of the numbers of tiles left,
    where it is known when nothing moves."""

    counts: Counter[str] = field(default_factory=Counter)
    left: Figures = field(default_factory=Figures)
    certainty: Certainty = field(default_factory=Certainty)

    def share(self, part: str, whole: str) -> float | None:
        return round(self.counts[part] / self.counts[whole], 4) if self.counts[whole] else None


def bench_games(hands: int, seed: int, film: Pose | None = None, *, answers: bool = False) -> dict[str, Any]:
    """The figures of every game, and of all together; certainty: of each kind of event, in all games."""
    tallies = {rules: bench(rules, hands, Noise(), seed, film, answers=answers) for rules in RULE_SETS}
    total = add_up(tallies.values())
    games = [report(rules, tally) for rules, tally in tallies.items()]
    return {"games": [*games, report("all", total)], "certainty": total.certainty.report()}


def bench(
    rules: str, hands: int, noise: Noise, seed: int = SEED, film: Pose | None = None, *, answers: bool = False
) -> Tally:
    """Follow n hands of a game, each on a table with its own customs; film: as a film's camera that
    stands there sees them; answers: whether a person names a discard now and then."""
    tally = Tally()
    start = GameStarted(rules=rules)
    for number, played in enumerate(play(start, hands, random.Random(f"{rules} {seed}"))):
        rng = random.Random(f"{rules} {seed} {number}")
        if film is None:
            follow_hand(played, noise, rng, tally, answers=answers)
        else:
            filmed = film_hand(played, film, seed + number)
            laid, truth = lay_filmed_hand(filmed, rng), list_visible(decode_truth(filmed.truth))
            follow_laid(played, laid, noise, rng, tally, truth, answers=answers)
    return tally


def follow_hand(
    played: PlayedHand, noise: Noise, rng: random.Random, tally: Tally, *, answers: bool = False
) -> Decoder:
    """Follow one hand, laid out on a table with customs of its own, and count."""
    customs = Customs.choose(rng, public=played.before.house.policy.kongs.public)
    return follow_laid(played, lay_hand(played, customs, rng, 0.0), noise, rng, tally, answers=answers)


def follow_laid(
    played: PlayedHand,
    laid: LaidHand,
    noise: Noise,
    rng: random.Random,
    tally: Tally,
    truth: VisibleTruth | None = None,
    *,
    answers: bool = False,
) -> Decoder:
    """Follow one hand that lies there, and count; truth: where it is of a film; answers: as for `bench`."""
    decoder = Decoder([played.start])
    discards = [event for event in list_truth(played) if isinstance(event, Discarded)]
    teller = random.Random(len(discards))
    states: list[tuple[float, dict[str, Any]]] = []
    stated: list[Stated] = []
    asked: list[Asked] = []
    for sight in make_sights(laid, noise, rng, 0.0, 0):
        began = time.process_time()
        notices = decoder.follow(sight)
        tally.counts["us"] += round(1e6 * (time.process_time() - began))
        tally.counts["sights"] += 1
        stated += [each for each in notices if isinstance(each, Stated)]
        asked += [each for each in notices if isinstance(each, Asked)]
        if answers and teller.random() < TOLD_SHARE:
            _tell_tile(decoder, discards, teller)
        if truth is not None:
            states.append((sight.t, state_line(decoder.state)))
    if truth is not None:
        compare_left(truth, states, tally.left)
    tally.counts["questions"] += len(asked)
    compare(played, decoder, stated, tally)
    count_named_wins(played, decoder, asked, tally)
    return decoder


def _tell_tile(decoder: Decoder, discards: Sequence[Discarded], rng: random.Random) -> None:
    """Say which tile one of the last discards was, of those that are of the right players so far."""
    found = [each for each in number_corrected(decoder.log) if isinstance(each[1], Discarded)]
    known = [
        Corrected(number=number, right=true)
        for (number, event), true in takewhile(_is_same_seat, zip(found, discards, strict=False))
    ]
    if known:
        decoder.accept(rng.choice(known[-TOLD_OF:]))


def _is_same_seat(pair: tuple[tuple[int, Event], Discarded]) -> bool:
    (_, found), true = pair
    return isinstance(found, Discarded) and found.tile is not None and found.seat == true.seat


def compare(played: PlayedHand, decoder: Decoder, stated: Sequence[Stated], tally: Tally) -> None:
    """Hold what was stated against what happened."""
    truth = list_truth(played)
    numbered = number_corrected(decoder.log)[1:]
    found = [reduce_event(event) for _, event in numbered]
    counts = tally.counts
    counts["hands"] += 1
    for name, kinds in (
        ("discards", (Discarded,)),
        ("melds", MELDS),
        ("flowers", (FlowerSetOut,)),
        ("wins", (Won,)),
    ):
        wanted = [event for event in truth if isinstance(event, kinds)]
        got = [event for event in found if isinstance(event, kinds)]
        counts[name] += len(wanted)
        counts[f"{name} right"] += _count_common(wanted, got)
        counts[f"{name} stated"] += len(got)
    after = fold(decoder.log)
    wall = None if after is None or after.hand is None else after.hand.wall.live_left
    last = played.after.hand
    counts["left right"] += last is not None and wall == last.wall.live_left
    counts["whole right"] += [e for e in truth if not isinstance(e, Drawn)] == [
        e for e in found if not isinstance(e, Drawn)
    ]
    counts["open"] += sum(map(is_open, found))
    said = [Said(each.event, each.number, each.p, each.certain, each.t) for each in stated]
    tally.certainty.add(judge_statements(truth, decoder.log, said))


def count_named_wins(played: PlayedHand, decoder: Decoder, asked: Sequence[Asked], tally: Tally) -> None:
    """Count the wins that are right, or asked about with the right hand among the answers: one touch."""
    said = {repr(reduce_event(event)) for _, event in number_corrected(decoder.log)[1:]}
    choices = {choice for each in asked for choice in each.choices}
    for won in list_truth(played):
        if isinstance(won, Won):
            named = " ".join((won.hand or "", *won.kongs)) in choices
            tally.counts["wins named"] += named or repr(won) in said


def list_truth(played: PlayedHand) -> list[Event]:
    """What happened, as far as a camera can see it."""
    befores = [played.before, *(step.state for step in played.steps)]
    return [
        reduce_event(event_as_seen(before, step.event, None))
        for before, step in zip(befores, played.steps, strict=False)
        if not isinstance(step.event, UNSEEN)
    ]


def _count_common(truth: Sequence[Event], found: Sequence[Event]) -> int:
    return len(find_common(truth, found))


def report(rules: str, tally: Tally) -> dict[str, Any]:
    """The figures of a game."""
    counts, said = tally.counts, tally.certainty.counts.get(ALL, Counter())
    return {
        "rules": rules,
        "hands": counts["hands"],
        "discards": counts["discards"],
        "discards_right": tally.share("discards right", "discards"),
        "discards_left_open": counts["open"],
        "melds": counts["melds"],
        "melds_right": tally.share("melds right", "melds"),
        "flowers_right": tally.share("flowers right", "flowers"),
        "wins": counts["wins"],
        "wins_right": tally.share("wins right", "wins"),
        "wins_right_or_one_touch": tally.share("wins named", "wins"),
        "left_right": tally.share("left right", "hands"),
        "settled": tally.left.off.total(),
        "settled_right": tally.left.share_exact(),
        "seas": tally.left.counts["seas"],
        "seas_right": tally.left.counts["seas right"],
        "hands_right": tally.share("whole right", "hands"),
        "certain": said["certain"],
        "wrong_and_certain": said["wrong"],
        "certain_and_taken_back": said["back"],
        "questions_per_hand": tally.share("questions", "hands"),
        "ms_a_sight": round(counts["us"] / 1000 / max(1, counts["sights"]), 2),
    }


def add_up(tallies: Iterable[Tally]) -> Tally:
    """All of them together."""
    total = Tally()
    for tally in tallies:
        total.counts.update(tally.counts)
        total.left.add(tally.left)
        total.certainty.add(tally.certainty)
    return total
