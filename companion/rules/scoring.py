"""Scoring: every reading of the hand is valued, the best is kept, and it is settled who pays what.

Knows no pattern, option or game by name, except the options that all games share. Further down: the rows that
count in a win, which parts of a request were read (`traced`), the fields that were left out although they
matter (`find_assumed`), and how a score is explained.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import combinations, product
from math import prod
from typing import Any, NamedTuple

from msgspec import Struct
from msgspec.structs import replace as changed

from companion.rules.fields import FIELDS, Field
from companion.rules.hand import WILD, Group, make_meld_group, mark_won
from companion.rules.kinds import Json
from companion.rules.options import FALSE_WIN_PENALTY
from companion.rules.outline import Debt, OfWin, Outline, make_outline
from companion.rules.registry import RULE_SETS, rule_set
from companion.rules.request import ScoreQuestion, check, check_circumstances, is_valid, with_value
from companion.rules.rule_set import (
    PLUS,
    TIMES,
    Bearers,
    Cash,
    ComputedRow,
    Pattern,
    PayerPattern,
    Payments,
    RuleSet,
    ScoreLine,
    Share,
    Sign,
    Table,
)
from companion.rules.waiting import make_hand, meets_quota, waits_of_hand
from companion.rules.win import HandReading, Options, OptionValue, Reason, ScoreRequest, Stakes, Win
from companion.sentences import Sentence, msgid, write_number
from companion.tiles import Tile, counts

OUTLINES = 1 << 14
"""Maximum number of outlines whose possible rows are cached."""


class Lines(dict[int, ScoreLine]):
    """The lines of a row by how often it was found, each made when it is first asked for."""

    def __init__(self, row: Pattern | PayerPattern, sign: Sign) -> None:
        super().__init__()
        self._row, self._sign = row, sign
        self.replaces = row.replaces if isinstance(row, Pattern) else ()

    def __missing__(self, count: int) -> ScoreLine:
        line = self[count] = make_line(self._row, count, self._sign)
        return line


lines_of = cache(Lines)
"""The lines of a row under a sign, equal ones once."""


@lru_cache(OUTLINES)
def select_rows(
    table: Table, sign: Sign, of_win: OfWin, shape: str, tally: int
) -> tuple[tuple[Callable[[Win, HandReading], int], Lines], ...]:
    """The rows of a table that can be found in a reading of such a win: of each its `count`, and its lines.

    `tally` is that of the reading's groups.
    """
    outline = make_outline(of_win, shape, tally)
    rows = _rows_of_shape(table, sign, shape, outline.situation)
    return tuple([(count, lines) for when, count, lines in rows if when(outline)])


@cache
def _rows_of_shape(
    table: Table, sign: Sign, shape: str, situation: frozenset[str]
) -> tuple[tuple[Callable[[Outline], bool], Callable[[Win, HandReading], int], Lines], ...]:
    """The rows that are possible in that shape and situation, whatever else is in the outline."""
    return tuple(
        [
            (row.when, row.count, lines_of(row, sign))
            for row in table.patterns
            if row.shape in (None, shape) and (row.situation is None or row.situation in situation)
        ]
    )


PayerRows = tuple[tuple[Callable[[Win, int], int], Lines], ...]
"""The `count` and the lines of each row of a payer."""


@cache
def select_payer_rows(
    rules: RuleSet, self_drawn: bool, by_dealer: bool
) -> tuple[tuple[PayerRows, PayerRows], tuple[PayerRows, PayerRows]]:
    """The rows that can be found in the debts of such a win, by whether the payer is the dealer and whether
    the winning tile was the payer's, as in `select_payer_rows(…)[of_dealer][discarded]`."""

    def select(of_dealer: bool, discarded: bool) -> PayerRows:
        debt = Debt(self_drawn, by_dealer, of_dealer, discarded)
        rows = [row for row in rules.payer_patterns if row.when(debt)]
        return tuple([(row.count, lines_of(row, rules.payer_sign)) for row in rows])

    return (select(False, False), select(False, True)), (select(True, False), select(True, True))


def make_line(row: Pattern | PayerPattern | ComputedRow, count: int, sign: Sign) -> ScoreLine:
    """The line of a row that was found `count` times."""
    return ScoreLine(row.id, row.name, row.name_zh, count, sign.repeated(row.value, count), row.ruling)


class TracedOptions(Mapping[str, OptionValue]):
    """The settings of `options`. `read`: the keys that were looked up, by whichever method."""

    def __init__(self, options: Options) -> None:
        self._options = options
        self.read: set[str] = set()

    def __getitem__(self, key: str) -> OptionValue:
        self.read.add(key)
        return self._options[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._options)

    def __len__(self) -> int:
        return len(self._options)


class TracedRequest(ScoreRequest):
    """The same request. `read`: the attributes that were read, among the fields that may be assumed."""

    read: set[str]

    def __new__(cls, request: ScoreRequest) -> TracedRequest:
        traced = object.__new__(cls)
        traced.__dict__.update(request.__dict__, read=set())
        return traced

    def __init__(self, request: ScoreRequest) -> None:
        pass


def _trace(attribute: str) -> property:
    def read(request: TracedRequest) -> Any:
        request.read.add(attribute)
        return request.__dict__[attribute]

    return property(read)


for _field in FIELDS.values():
    if _field.others:
        setattr(TracedRequest, _field.attribute, _trace(_field.attribute))


SEATS = range(4)


@dataclass(frozen=True, slots=True)
class HouseRule:
    """What the hand would be worth with the house option `option` at `setting`; 0 where it were no win."""

    option: str
    setting: OptionValue
    legal: bool
    value: int
    payments: Payments


class Score(Struct, frozen=True):
    """The answer to a request. A hand that does not win has a `reason`, no lines and no reading.

    `payments` by seat add up to 0; they are those of the `shares` and of `cash`. `waits` are the kinds that
    the hand waited for. The lines, joined by `sign`, make `value`, together with `times`; each
    share is its `plus` and `price` times the value joined with the payer's lines by `payer_sign`
    (`explain_hand`). `stakes` are those of the request. `table` is the setting that chose the scoring table,
    in a game that has several.
    """

    rules: str
    legal: bool
    reason: Reason | None
    value: int
    unit: str
    payments: Payments
    lines: tuple[ScoreLine, ...]
    shares: tuple[Share, ...]
    cash: tuple[Cash, ...]
    reading: HandReading | None
    waits: tuple[Tile, ...]
    sign: Sign
    times: int
    payer_sign: Sign
    price: int
    stakes: Stakes
    table: OptionValue | None = None
    house_rules: tuple[HouseRule, ...] = ()


def score(request: ScoreRequest, *, house_rules: bool = True) -> Score:
    """Score a win by its best reading (ruling C-14). `house_rules=False` skips other house options."""
    if house_rules:
        return trace_score(request, house_rules=True).score
    rules = rule_set(request.rules)
    win = make_win(rules, request)
    return value(rules, win, list_readings(rules, win))


class TracedScore(NamedTuple):
    """A score and what it was calculated from, to compare it with other requests.

    win, readings: the finished hand, and every way to read its tiles. read: the attributes of the request
    that were read, among the fields that may be assumed (traced.py).
    """

    score: Score
    win: Win
    readings: Sequence[HandReading]
    read: Collection[str]


def trace_score(request: ScoreRequest, *, house_rules: bool) -> TracedScore:
    """As `score`, with what the score was calculated from."""
    rules = rule_set(request.rules)
    options = TracedOptions(request.options)
    traced = TracedRequest(request.changed(options=options) if house_rules else request)
    win = make_win(rules, traced)
    readings = list_readings(rules, win)
    of_readings = frozenset(options.read)
    found = value(rules, win, readings)
    if house_rules:
        others = _compare_other_settings(rules, request, found, win, readings, options.read, of_readings)
        found = changed(found, house_rules=tuple(others))
    return TracedScore(found, win, readings, traced.read)


def value(rules: RuleSet, win: Win, readings: Iterable[HandReading]) -> Score:
    """The score of a win that can be read in these ways."""
    request = win.request
    table, sign = rules.table(request.options), rules.sign(request.options)
    best: tuple[tuple[ScoreLine, ...], int, HandReading] | None = None
    refused: tuple[int, Reason] | None = None
    for reading in readings:
        lines = rules.combine(win, _find_lines(rules, table, win, reading, sign))
        worth = rules.worth(win, sign.join([line.value for line in lines]))
        reason = rules.restrict(win, reading, lines)
        if reason is None:
            if best is None or worth > best[1]:
                best = lines, worth, reading
        elif refused is None or worth > refused[0]:
            refused = worth, reason
    if best is None:
        reason = refused[1] if refused else _explain_no_shape(rules, win)
        return settle(rules, win, (), 0, None, win.waits, reason)
    return settle(rules, win, *best, win.waits)


def settle(
    rules: RuleSet,
    win: Win,
    lines: tuple[ScoreLine, ...],
    worth: int,
    reading: HandReading | None,
    waits: tuple[Tile, ...],
    reason: Reason | None = None,
) -> Score:
    """The score of a win with these lines, which are worth that much before the request's base; or of a false
    one, for this reason. Nothing of the win is read but its request and who won how."""
    request, cash = win.request, _find_cash(rules, win.request)
    stakes = request.stakes
    shares: tuple[Share, ...] = ()
    times, price = (request.base, stakes.unit) if rules.value_holds_base else (1, stakes.unit * request.base)
    if reason is None:
        worth *= times
        shares = _shares(rules, win, worth, price, stakes.base * request.base, cash)
        payments = _sum_payments(request, shares, cash)
    else:
        payments = _add_cash(_penalty(rules, win, cash), cash)
    return Score(
        rules.name, reason is None, reason, worth, rules.unit, payments, lines, shares, cash, reading, waits,
        rules.sign(request.options), times, rules.payer_sign, price, stakes,
        rules.chosen_table(request.options),
    )  # fmt: skip


def _find_cash(rules: RuleSet, request: ScoreRequest) -> tuple[Cash, ...]:
    if not rules.cash_rows:
        return ()
    return tuple([Cash(make_line(row, 1, PLUS), paid) for row, paid in rules.cash(request)])


def make_win(rules: RuleSet, request: ScoreRequest) -> Win:
    """The win that a request describes."""
    options = request.options
    seats, by_flowers = rules.seats(options), not rules.flower_wins.isdisjoint(request.situation)
    finished = make_hand(rules, counts(request.hand), request.melds, options, request.fortune)
    last = request.winning_tile
    if last is None:
        return Win(request, seats, by_flowers, finished, None, (), None)
    wild = finished.wildcard
    stands_for: Tile | None = last
    if wild is not None:
        stands_for = None if last is wild.tile else wild.tile if last is wild.substitute else last
    before = finished.without(last, stands_for)
    waits = waits_of_hand(rules, before, options)
    return Win(request, seats, by_flowers, finished, before, waits, stands_for)


def list_readings(rules: RuleSet, win: Win) -> list[HandReading]:
    """Every grouping of every shape, with the winning tile in every place that it can have.

    Of a shape whose groupings are all worth the same, the first; the first place where that does not matter.
    """
    if win.by_flowers:
        return [HandReading(id, ()) for id in rules.flower_wins & win.request.situation]
    if _misses_quota(rules, win):
        return []
    melds = tuple([make_meld_group(meld) for meld in win.melds])
    every_place = rules.place_matters(win)
    found: list[HandReading] = []
    for shape in rules.winning_shapes(win.options):
        for groups in shape.splits(win.hand):
            if not shape.is_in_force(win.options):
                break
            placed = _place_winning_tile(groups, win)
            for each in placed if every_place and not shape.alike else placed[:1]:
                found.append(HandReading(shape.id, each + melds))
            if shape.alike:
                break
    return found


def _misses_quota(rules: RuleSet, win: Win) -> bool:
    """Whether the game asks for more tiles of one suit. A hand that waited for its winning tile has them."""
    return (
        rules.quota is not None
        and win.request.winning_tile not in win.waits
        and not meets_quota(rules.quota.needs(win.melds, win.options), win.hand)
    )


def _place_winning_tile(groups: tuple[Group, ...], win: Win) -> list[tuple[Group, ...]]:
    if win.before is None:
        return [groups]
    bit = WILD if win.last is None else 1 << win.last.index
    places: list[tuple[Group, ...]] = []
    for i, here in enumerate(groups):
        if here.bits & bit and here not in groups[:i]:
            places.append((*groups[:i], mark_won(here, win.self_drawn), *groups[i + 1 :]))
    return places


def _find_lines(
    rules: RuleSet, table: Table, win: Win, reading: HandReading, sign: Sign
) -> tuple[ScoreLine, ...]:
    tally = 0
    for group in reading.groups:
        tally += group.tally
    found: list[ScoreLine] = []
    replaced: list[str] = []
    for count, lines in select_rows(table, sign, win.outline, reading.shape, tally):
        if n := count(win, reading):
            found.append(lines[n])
            if lines.replaces:
                replaced += lines.replaces
    if not replaced or (rules.additive_option and win.on(rules.additive_option)):
        return tuple(found)
    return tuple([line for line in found if line.id not in replaced])


def _explain_no_shape(rules: RuleSet, win: Win) -> Reason:
    if rules.quota is not None and _misses_quota(rules, win):
        return rules.quota.reason(win.hand, win.request.options)
    for shape in rules.winning_shapes(win.options):
        if shape.option_is_off is not None and any(True for _ in shape.splits(win.hand)):
            return shape.option_is_off
    return rules.no_shape


def _penalty(rules: RuleSet, win: Win, cash: tuple[Cash, ...]) -> list[int]:
    """What a false win costs (ruling C-17)."""
    request = win.request
    return false_win_payments(
        request.options, request.base, request.winner, win.seats, _balances_after(rules, win, cash)
    )


def false_win_payments(
    options: Options, base: int, seat: int, seats: Collection[int], balances: Sequence[int] | None
) -> list[int]:
    """What a false win of `seat` costs, by seat (ruling C-17): the same to each opponent of `seats`.

    It is counted in points: the stakes leave it as it is. It is no more than the player has, and then what
    does not divide goes one by one to the first opponents counterclockwise (S-06); `balances` None: debts are
    allowed.
    """
    opponents = [each for step in SEATS[1:] if (each := (seat + step) % len(SEATS)) in seats]
    owed = int(options[FALSE_WIN_PENALTY.key]) * base * len(opponents)
    share, rest = divmod(owed if balances is None else min(owed, balances[seat]), len(opponents))
    payments = [0] * len(SEATS)
    for place, each in enumerate(opponents):
        payments[each] = share + (place < rest)
    payments[seat] = -share * len(opponents) - rest
    return payments


def _balances_after(rules: RuleSet, win: Win, cash: tuple[Cash, ...]) -> Payments | None:
    """What the cash leaves of each balance; None if debts are allowed."""
    balances = win.request.balances
    if balances is None or (rules.debt_option is not None and win.on(rules.debt_option)):
        return None
    return _add_cash(list(balances), cash)


def _shares(
    rules: RuleSet, win: Win, value: int, price: int, plus: int, cash: tuple[Cash, ...]
) -> tuple[Share, ...]:
    """What each payer pays, limited to the balance after cash payments."""
    request, join, cap = win.request, rules.payer_sign.join, win.request.cap
    rows = select_payer_rows(rules, win.self_drawn, win.by_dealer)
    found = []
    for payer in rules.payers(win):
        found_lines: list[ScoreLine] = []
        owed = value
        for count, lines in rows[payer == request.dealer][payer == request.discarder]:
            if n := count(win, payer):
                found_lines.append(line := lines[n])
                owed = join((owed, line.value))
        owed = plus + price * owed
        pays = owed if cap is None else min(owed, cap)
        found.append(Share(payer, tuple(found_lines), owed, pays, (), plus))
    shares = tuple(found)
    bearers = rules.bearers(win)
    if bearers is not None:
        shares = tuple([_bear_shares(bearers, seat, shares) for seat in sorted(bearers.seats)])
    if request.also_won:
        shares = tuple([share for share in shares if share.payer not in request.also_won])
    left = _balances_after(rules, win, cash)
    if left is None:
        return shares
    return tuple([changed(share, pays=min(share.pays, left[share.payer])) for share in shares])


def _bear_shares(bearers: Bearers, seat: int, shares: tuple[Share, ...]) -> Share:
    """The shares of all as one of the player in that seat."""
    times = bearers.times
    joined = sum(prod(line.value for line in share.lines) for share in shares)
    lines = [changed(make_line(bearers.row, 1, TIMES), value=joined)]
    if bearers.times_row is not None:
        lines.append(changed(make_line(bearers.times_row, 1, TIMES), value=times))
    owed, paid, plus = (
        times * sum(amounts)
        for amounts in zip(*((share.owed, share.pays, share.plus) for share in shares), strict=True)
    )
    return Share(seat, tuple(lines), owed, paid, shares, plus)


def _sum_payments(request: ScoreRequest, shares: tuple[Share, ...], cash: tuple[Cash, ...]) -> Payments:
    payments = [0, 0, 0, 0]
    for share in shares:
        payments[share.payer] = -share.pays
    payments[request.winner] = -sum(payments)
    return _add_cash(payments, cash)


def _add_cash(payments: list[int], cash: tuple[Cash, ...]) -> Payments:
    for each in cash:
        for seat in SEATS:
            payments[seat] += each.payments[seat]
    first, second, third, fourth = payments
    return first, second, third, fourth


def _compare_other_settings(
    rules: RuleSet,
    request: ScoreRequest,
    now: Score,
    win: Win,
    readings: Sequence[HandReading],
    read: Collection[str],
    of_readings: Collection[str],
) -> Iterator[HouseRule]:
    """The settings of one option at a time under which this hand would have another value or other payments.

    `read` are the options that were read for the score `now`, `of_readings` those read for the win and its
    readings, which stay the same under other options. Settings under which the request is not valid are left
    out: without flowers nobody has set one out.
    """
    checked = TracedOptions(request.options)
    check(rules, request.changed(options=checked))
    for option in rules.options:
        if option.key not in read:
            continue
        for setting in option.alternatives(request.options[option.key]):
            other = request.changed(options={**request.options, option.key: setting})
            if option.key in checked.read and not is_valid(rules, other):
                continue
            if option.key in of_readings:
                then = score(other, house_rules=False)
            else:
                then = value(rules, win.under(other), readings)
            if differs(then, now):
                yield HouseRule(option.key, setting, then.legal, then.value, then.payments)


def differs(then: Score, now: Score) -> bool:
    """Whether the value, the payments or whether the hand wins changed."""
    return (then.legal, then.value, then.payments) != (now.legal, now.value, now.payments)


def find_assumed(question: ScoreQuestion, found: TracedScore) -> dict[str, Json]:
    """The fields that were left out, that the game reads, and that with another setting would change the
    value or the payments of this hand; each with the setting that was assumed, in JSON.

    Only fields that every win has are tried (`Field.others`), one at a time. Where none alone decides and the
    hand is refused, as for too few fan, they are tried together: listed are the fields of the smallest groups
    with which it wins. None of them changes the tiles of the hand, so its readings stay the same.
    """
    rules = rule_set(question.request.rules)
    fields = [field for field in _fields_with_others(rules) if field.name in question.left_out]
    read = [field for field in fields if field.attribute in found.read]
    deciding = [field for field in read if _changes_result(rules, question, found, [field])]
    if not deciding and not found.score.legal and found.readings:
        together = _list_smallest_groups(rules, question, found, fields)
        deciding = [field for field in fields if any(field in group for group in together)]
    return {field.name: field.default_in(rules) for field in deciding}


def _list_smallest_groups(
    rules: RuleSet, question: ScoreQuestion, found: TracedScore, fields: Sequence[Field]
) -> list[tuple[Field, ...]]:
    """The smallest groups of several fields that together change the result."""
    for size in range(2, len(fields) + 1):
        groups = [
            group for group in combinations(fields, size) if _changes_result(rules, question, found, group)
        ]
        if groups:
            return groups
    return []


def _changes_result(
    rules: RuleSet, question: ScoreQuestion, found: TracedScore, fields: Sequence[Field]
) -> bool:
    """Whether some other values of these fields together change the value or the payments."""
    for tried in _list_changed(rules, question.request, fields):
        then = value(rules, found.win.under(tried), found.readings)
        if differs(then, found.score) and is_valid(rules, tried, check_circumstances):
            return True
    return False


def _list_changed(rules: RuleSet, request: ScoreRequest, fields: Sequence[Field]) -> Iterator[ScoreRequest]:
    """The request with each combination of other values of these fields."""
    for others in product(*(_decode_others(rules, field.name) for field in fields)):
        tried = request
        for field, other in zip(fields, others, strict=True):
            tried = with_value(tried, field, other)
        yield tried


@cache
def _fields_with_others(rules: RuleSet) -> tuple[Field, ...]:
    return tuple(field for field in FIELDS.values() if field.others and field.used_by(rules))


@cache
def _decode_others(rules: RuleSet, name: str) -> tuple[Any, ...]:
    """The values other than the default, as a ScoreRequest holds them."""
    field = FIELDS[name]
    default = field.default_in(rules)
    return tuple(field.kind.decode(name, other, rules) for other in field.others if other != default)


WORTH = {
    "zui": msgid("{value} zui"),
    "multiplier": msgid("base × {value}"),
    "tai": msgid("{value} tai"),
    "fan": msgid("{value} fan"),
}
"""Text of a hand's worth, by the game's unit."""
WORTH_ELSE = msgid("{value} {unit}")
"""Text of a hand's worth in a game with a unit of its own."""
WORTH_PAID = msgid("{own} = {value} units")
WORTHS = (*WORTH.values(), WORTH_ELSE, WORTH_PAID)
CONVERSION = "payout"
"""The table of rows that turn what the others are counted in into units that are paid."""


@dataclass(frozen=True, slots=True)
class Calculation:
    """`terms`, joined by `sign`, times `times`, plus `plus`, are `total`."""

    terms: tuple[int, ...]
    sign: Sign
    times: int
    total: int
    plus: int = 0

    @property
    def joined(self) -> int:
        """What the terms come to."""
        return self.sign.join(self.terms)

    @property
    def exact(self) -> bool:
        """Whether they make the total; not where a limit made it less. True without terms."""
        return not self.terms or self.plus + self.joined * self.times == self.total

    def __str__(self) -> str:
        """As in (30 + 4) × 20 = 680, or as people state a base: 100 + 20 × (3 + 1) = 180."""
        text = f" {self.sign.symbol} ".join(write_number(term) for term in self.terms)
        if self.times != 1:
            text = f"({text})" if self.sign is PLUS and len(self.terms) > 1 else text
            times = write_number(self.times)
            text = f"{times} × {text}" if self.plus else f"{text} × {times}"
        text = f"{write_number(self.plus)} + {text}" if self.plus else text
        total = write_number(self.total)
        return text if text == total else f"{text} = {total}"


def explain_hand(score: Score) -> Calculation:
    """How the lines of the hand make its value."""
    return Calculation(tuple(line.value for line in score.lines), score.sign, score.times, score.value)


def explain_share(score: Score, share: Share) -> Calculation:
    """How the hand's value and a payer's lines make what that payer owes."""
    terms = (score.value, *(line.value for line in share.lines))
    return Calculation(terms, score.payer_sign, score.price, share.owed, share.plus)


def explain_paid(share: Share) -> str:
    """What a payer pays; of one who pays for all, how the shares within the limit make it:
    100 + 100 + 64 = 264, or 2 × (15 + 15 + 15) = 90."""
    return join_paid(share.owed, share.pays, [(each.owed, each.pays) for each in share.of])


def join_paid(owed: int, pays: int, shares: Sequence[tuple[int, int]]) -> str:
    """As `explain_paid`. shares: what each one owes and pays, where one player pays for all."""
    times = owed // sum(each for each, _ in shares) if shares else 0
    if not shares or pays != times * sum(each for _, each in shares):  # else there was not enough left
        return write_number(pays)
    terms = " + ".join(write_number(each) for _, each in shares)
    return f"{terms if times == 1 else f'{write_number(times)} × ({terms})'} = {write_number(pays)}"


def converts(rules: RuleSet, row_id: str) -> bool:
    """Whether that row turns what the others are counted in into units that are paid."""
    return any(row.id == row_id and row.table == CONVERSION for row in rules.patterns)


def describe_worth(score: Score) -> Sentence:
    """What a win is worth: 15 zui; base × 4; 3 fan = 8 units, where a row of the hand makes units of fan."""
    return describe_value(RULE_SETS[score.rules], score.lines, score.value, score.unit)


def describe_value(rules: RuleSet, lines: Iterable[ScoreLine], value: int, unit: str) -> Sentence:
    """As `describe_worth`, of a hand with these lines and that value in that unit."""
    written = write_number(value)
    own = value_before_conversion(rules, [(line.id, line.value) for line in lines], value)
    template = WORTH.get(unit, WORTH_ELSE)
    if own is None:
        return Sentence(template, {"value": written, "unit": unit})
    fan = Sentence(template, {"value": write_number(own), "unit": unit})
    return Sentence(WORTH_PAID, {"own": fan, "value": written})


def value_before_conversion(rules: RuleSet, lines: Iterable[tuple[str, int]], value: int) -> int | None:
    """What a hand of that value is worth in the game's own unit, within the limit, where one of its lines,
    each an id and a value, turns that into units that are paid; None if none does."""
    units = [more for id, more in lines if converts(rules, id)]
    return value - sum(units) if units else None
