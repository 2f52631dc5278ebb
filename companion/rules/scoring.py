"""Scoring: every reading of the hand is valued, the best is kept, and it is settled who pays what.

Knows no pattern, option or game by name, except the options that all games share.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from companion.errors import RequestError
from companion.rules.options import FALSE_WIN_PENALTY
from companion.rules.registry import rule_set
from companion.rules.request import check
from companion.rules.rule_set import Line, RuleSet
from companion.rules.splitting import suits_of
from companion.rules.waiting import kinds_waited_for
from companion.rules.win import (
    Group,
    Hand,
    OptionValue,
    Reading,
    Reason,
    ScoreRequest,
    Source,
    Win,
    group,
    meld_group,
)
from companion.tiles import Tile, counts

SEATS = range(4)
Payments = tuple[int, int, int, int]
NOTHING: Payments = (0, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class Share:
    """What one player pays: the hand's value with the `lines` that concern this payer makes `owed`.

    `pays` is less than `owed` where a cap or an empty balance says so.
    """

    payer: int
    lines: tuple[Line, ...]
    owed: int
    pays: int


@dataclass(frozen=True, slots=True)
class HouseRule:
    """What the hand would be worth with the house option `option` at `setting`; 0 where it were no win."""

    option: str
    setting: OptionValue
    legal: bool
    value: int
    payments: Payments


@dataclass(frozen=True, slots=True)
class Score:
    """The answer to a request. A hand that is no win has a `reason`, no lines and no reading.

    `payments` by seat add up to 0. `waits` are the kinds that the hand waited for.
    """

    rules: str
    legal: bool
    reason: Reason | None
    value: int
    unit: str
    payments: Payments
    lines: tuple[Line, ...]
    shares: tuple[Share, ...]
    reading: Reading | None
    waits: tuple[Tile, ...]
    house_rules: tuple[HouseRule, ...]


def score(request: ScoreRequest, *, house_rules: bool = True) -> Score:
    """Score a win by its best reading (ruling C-14); `house_rules=False` spares looking at other settings."""
    rules = rule_set(request.rules)
    result = _score(rules, request)
    return (
        replace(result, house_rules=tuple(_other_settings(rules, request, result))) if house_rules else result
    )


def _score(rules: RuleSet, request: ScoreRequest) -> Score:
    win = _win(rules, request)
    best: tuple[tuple[Line, ...], int, Reading] | None = None
    for reading in _readings(rules, win):
        lines, value = rules.combine(win, _lines(rules, win, reading))
        if best is None or value > best[1]:
            best = lines, value, reading
    if best is None:
        return _no_win(rules, win, _no_shape(rules, win))
    reason = rules.limit(win.hand, win.options)
    if reason is not None:
        return _no_win(rules, win, reason)
    lines, value, reading = best
    shares = tuple(_share(rules, win, value, payer) for payer in rules.payers(win))
    return Score(
        rules.name, True, None, value, rules.unit, _payments(win, shares), lines, shares, reading,
        tuple(sorted(win.waits)), (),
    )  # fmt: skip


def _win(rules: RuleSet, request: ScoreRequest) -> Win:
    hand = counts(request.hand)
    total = list(hand)
    for meld in request.melds:
        for tile in meld.tiles:
            total[tile.index] += 1
    finished = Hand(suits_of(hand), tuple(total), request.melds)
    last = request.winning_tile
    if last is None:
        return Win(request, finished, frozenset())
    hand[last.index] -= 1
    total[last.index] -= 1
    before = Hand(suits_of(hand), tuple(total), request.melds)
    return Win(request, finished, kinds_waited_for(rules, before, request.options))


def _readings(rules: RuleSet, win: Win) -> Iterator[Reading]:
    """Every grouping of every shape, with the winning tile in every place that it can have."""
    melds = tuple(meld_group(meld) for meld in win.melds)
    for shape in rules.shapes:
        if shape.option is None or win.options[shape.option]:
            for groups in shape.splits(win.hand):
                for placed in _places(groups, win):
                    yield Reading(shape.id, placed + melds)


def _places(groups: tuple[Group, ...], win: Win) -> Iterator[tuple[Group, ...]]:
    last = win.request.winning_tile
    if last is None:
        yield groups
        return
    drawn = win.request.source is Source.SELF_DRAW
    for i, here in enumerate(groups):
        if here.holds(last) and here not in groups[:i]:
            yield (*groups[:i], group(here.kind, here.tile, drawn, True), *groups[i + 1 :])


def _lines(rules: RuleSet, win: Win, reading: Reading) -> tuple[Line, ...]:
    found = [(pattern, n) for pattern in rules.patterns if (n := pattern.count(win, reading))]
    replaced = {id for pattern, _ in found for id in pattern.replaces}
    return tuple(pattern.line(n) for pattern, n in found if pattern.id not in replaced)


def _no_shape(rules: RuleSet, win: Win) -> Reason:
    for shape in rules.shapes:
        if shape.option_is_off is not None and any(True for _ in shape.splits(win.hand)):
            return shape.option_is_off
    return rules.no_shape


def _no_win(rules: RuleSet, win: Win, reason: Reason) -> Score:
    penalty = int(win.options[FALSE_WIN_PENALTY.key]) * win.request.base
    payments = _by_seat([-3 * penalty if seat == win.request.winner else penalty for seat in SEATS])
    waited = tuple(sorted(win.waits))
    return Score(rules.name, False, reason, 0, rules.unit, payments, (), (), None, waited, ())


def _share(rules: RuleSet, win: Win, value: int, payer: int) -> Share:
    lines = tuple(row.line(n) for row in rules.payer_patterns if (n := row.count(win, payer)))
    owed = rules.pays(win, value, lines)
    limits = [owed]
    if win.request.cap is not None:
        limits.append(win.request.cap)
    if win.request.balances is not None:
        limits.append(win.request.balances[payer])
    return Share(payer, lines, owed, min(limits))


def _payments(win: Win, shares: tuple[Share, ...]) -> Payments:
    payments = [0, 0, 0, 0]
    for share in shares:
        payments[share.payer] -= share.pays
        payments[win.request.winner] += share.pays
    return _by_seat(payments)


def _by_seat(payments: list[int]) -> Payments:
    first, second, third, fourth = payments
    return first, second, third, fourth


def _other_settings(rules: RuleSet, request: ScoreRequest, now: Score) -> Iterator[HouseRule]:
    """The settings of one option at a time under which the hand would be valued or paid otherwise."""
    for option in rules.options:
        for setting in option.alternatives(request.options[option.key]):
            other = replace(request, options={**request.options, option.key: setting})
            try:
                check(rules, other)
            except RequestError:
                then = replace(now, legal=False, value=0, payments=NOTHING)
            else:
                then = _score(rules, other)
            if (then.legal, then.value, then.payments) != (now.legal, now.value, now.payments):
                yield HouseRule(option.key, setting, then.legal, then.value, then.payments)
