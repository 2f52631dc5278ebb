"""A win as people state it without entering its tiles: its value ("5 fan"), or the rows of the table that it
has. What follows from the facts (self-drawn, dealer, last tile …) is worked out, and so is what cannot be.

Which rows go together is asked of the rows themselves: each says by `when` in which outlines it is looked
for, so rows go together if one outline of a hand fits them all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache, partial, reduce
from itertools import islice, product
from operator import and_, or_
from typing import Annotated, Any, NoReturn

from msgspec import Meta, Struct
from msgspec.structs import replace as changed

from companion.errors import RequestError
from companion.rules import messages
from companion.rules.hand import DRAGONS, WINDS
from companion.rules.kinds import NUMBER_MAX
from companion.rules.outline import Outline
from companion.rules.registry import rule_set
from companion.rules.request import check_situation
from companion.rules.rule_set import TIMES, ComputedRow, Need, Pattern, RuleSet, ScoreLine
from companion.rules.scoring import CONVERSION, Score, make_line, settle
from companion.rules.win import HandReading, Reason, ScoreRequest, Source, Win


class Stated(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What people say that a win is worth: one of the two.

    value: in the game's unit, before a payment table and without what depends on the payer. rows: how often
    each row of the table counts, by its id; rows that follow from the facts may be left out.
    """

    value: Annotated[int, Meta(ge=0, le=NUMBER_MAX)] | None = None
    rows: dict[str, Annotated[int, Meta(ge=1, le=99)]] = {}


STATED_ROW = ComputedRow(
    id="stated",
    name="Value as stated",
    name_zh="报出的牌值",
    value=1,
    meaning="What the players said that the hand is worth; its tiles were not entered.",
    meaning_zh="牌友报出的牌值，未录入手牌。",
    ruling="",
)


class Standing(StrEnum):
    """Whether a row counts in a stated win."""

    FREE = "free"
    """It may count; people say so."""
    STATED = "stated"
    GIVEN = "given"
    """It follows from the facts and from the rows that were stated."""
    REPLACED = "replaced"
    """It counts in another row, `by`."""
    EXCLUDED = "excluded"
    """No hand has it together with the row `by`."""


@dataclass(frozen=True, slots=True)
class StatedRow:
    """A row of the table in a stated win. value: what it adds, or multiplies by, each time that it counts; of
    a special hand the limit, where the table has one. count: how often it counts, or would. by: the row that
    replaces or excludes it."""

    row: Pattern
    value: int
    standing: Standing
    count: int = 0
    by: Pattern | None = None

    @property
    def counts(self) -> bool:
        return self.standing in (Standing.STATED, Standing.GIVEN)

    @property
    def may_change(self) -> bool:
        """Whether people may state it, or take it back."""
        return self.standing in (Standing.FREE, Standing.STATED) or (
            self.standing is Standing.EXCLUDED and self.count > 0
        )


GROUPS = Outline._fields[Outline._fields.index("shape") + 1 :]
"""The fields of an outline that count the groups of a reading."""
VALUES_TRIED = 40
"""How many values are looked through for those that win."""
FLOWERS = tuple(range(9))
"""How many flowers a hand may have."""
STANDARD = "standard"
"""The shape of sets and a pair."""


class NeedsTiles(Exception):
    """A row was asked about the tiles of a win of which only the facts are known."""


class _RequestWithoutTiles(ScoreRequest):
    """A request of which the tiles are not known. Asking for them raises NeedsTiles."""

    def __init__(self, request: ScoreRequest) -> None:
        self.__dict__.update(request.__dict__)


def _raise_needs_tiles(_: object) -> NoReturn:
    raise NeedsTiles


for _name in ("hand", "melds", "winning_tile", "flowers"):
    setattr(_RequestWithoutTiles, _name, property(_raise_needs_tiles))


class _WinWithoutTiles(Win):
    """A win of which only the request is known. Asking for anything that the tiles decide raises
    NeedsTiles."""

    __slots__ = ()

    def __init__(self, rules: RuleSet, request: ScoreRequest) -> None:
        self.request = _RequestWithoutTiles(request)
        self.seats = rules.seats(request.options)
        self.options = request.options
        read: Any = request.options.__getitem__
        self.on = self.number = read
        self.by_flowers = not rules.flower_wins.isdisjoint(request.situation)
        self.self_drawn = request.source is Source.SELF_DRAW
        self.robbed = request.source is Source.ROBBED_KONG
        self.by_dealer = request.winner == request.dealer

    def __getattr__(self, name: str) -> NoReturn:
        raise NeedsTiles


class _ReadingWithoutTiles(HandReading, frozen=True, dict=True):
    """The reading of a win whose tiles are not known."""

    def __getattribute__(self, name: str) -> Any:
        raise NeedsTiles


_READING = _ReadingWithoutTiles("", ())


def score_stated(request: ScoreRequest, stated: Stated) -> Score:
    """The score of a win of which only that is stated; tiles, melds and flowers of the request are not looked
    at. A score without a reading. It is not legal where the value is too low for a win.

    Raises RequestError where value and rows are stated, for situations that cannot be, and for a row that the
    game does not have or that cannot be.
    """
    rules = rule_set(request.rules)
    win = _WinWithoutTiles(rules, request)
    sign = rules.sign(request.options)
    check_situation(rules, win.request, _may_hold)
    if stated.value is not None and stated.rows:
        raise RequestError(messages.VALUE_OR_ROWS, field="stated")
    if stated.value is not None:
        counted = [changed(make_line(STATED_ROW, 1, sign), value=stated.value)]
    else:
        listed = list_rows(request, stated.rows)
        _check_rows(rules, listed, stated.rows)
        counted = [make_line(each.row, each.count, sign) for each in listed if each.counts]
    conversions = [
        make_line(row, count, sign)
        for row in rules.table(request.options).patterns
        if row.table == CONVERSION and (count := _count(row, win))
    ]
    lines = rules.combine(win, (*counted, *conversions))
    worth = rules.worth(win, sign.join([line.value for line in lines]))
    return settle(rules, win, lines, worth, None, (), _find_reason(rules, win, lines))


def list_rows(request: ScoreRequest, stated: Mapping[str, int]) -> tuple[StatedRow, ...]:
    """The rows that such a win can have, in the order of the table. stated: how often those count that people
    named, by id; unknown ids are not looked at.

    What was not stated does not count in the winner's favour: of two rows of which one must hold, that of
    the lower value is given (ruling C-14 knows the tiles; here nobody does).
    """
    rules = rule_set(request.rules)
    win, hands = _WinWithoutTiles(rules, request), _Hands(rules, request)
    counts = {row.id: _count(row, win) for row in rules.table(request.options).patterns}
    rows = [
        row
        for row in rules.table(request.options).patterns
        if row.table != CONVERSION and row.situation in (None, *request.situation)
        and counts[row.id] != 0 and hands.allow([row])
    ]  # fmt: skip
    held = [row for row in rows if row.id in stated]
    given = _find_given(hands, held, [row for row in rows if counts[row.id] and row.id not in stated])
    standing: list[StatedRow] = []
    for row in rows:
        (line, *_) = rules.combine(win, (make_line(row, 1, rules.sign(request.options)),))
        as_listed = partial(StatedRow, row, line.value)
        if row.id in stated:
            by = hands.find_conflict(row, held)
            found = as_listed(Standing.EXCLUDED if by else Standing.STATED, stated[row.id], by)
        elif row in given:
            found = as_listed(Standing.GIVEN, counts[row.id] or 0)
        elif hands.allow([*held, row]):
            found = as_listed(Standing.FREE)
        else:
            found = as_listed(Standing.EXCLUDED, by=hands.find_conflict(row, held))
        standing.append(found)
    return tuple(standing if rules.additive_option and win.on(rules.additive_option) else _replace(standing))


def _find_given(hands: _Hands, held: Sequence[Pattern], decided: Sequence[Pattern]) -> list[Pattern]:
    """Of the rows that the outline alone decides, those without which no hand has the rows `held` and none of
    the higher rows that nobody stated."""
    given: list[Pattern] = []
    not_stated: list[Pattern] = []
    for row in sorted(decided, key=lambda row: -row.value):
        must = [*held, *given]
        is_given = not hands.allow(must, [*not_stated, row]) and hands.allow([*must, row], not_stated)
        (given if is_given else not_stated).append(row)
    return given


def _replace(standing: Sequence[StatedRow]) -> Iterator[StatedRow]:
    """The rows, those marked that count in another one."""
    replacing = {id: each.row for each in standing if each.counts for id in each.row.replaces}
    for each in standing:
        by = replacing.get(each.row.id)
        is_open = each.standing is not Standing.EXCLUDED
        yield replace(each, standing=Standing.REPLACED, by=by) if by and is_open else each


def list_values(request: ScoreRequest, count: int) -> tuple[int, ...]:
    """The lowest values that such a win can be stated to have, in order, at most that many. Where rows are
    multiplied they are products of the rows' values."""
    rules = rule_set(request.rules)
    sign = rules.sign(request.options)
    rows = list_rows(request, {})
    least = sign.join([sign.repeated(each.row.value, each.count) for each in rows if each.counts])
    tried: Iterable[int] = range(least, least + VALUES_TRIED)
    if sign is TIMES:
        factors = {each.row.value for each in rows if not each.counts}
        products = {least}
        for _ in range(count):
            products |= {each * factor for each in products for factor in factors}
            products = set(sorted(products)[: 2 * count])
        tried = sorted(products)
    winning = (value for value in tried if score_stated(request, Stated(value=value)).legal)
    return tuple(islice(winning, count))


def _check_rows(rules: RuleSet, listed: Sequence[StatedRow], stated: Mapping[str, int]) -> None:
    """RequestError for a stated row that the win cannot have."""
    known = {each.row.id: each for each in listed}
    for id, count in stated.items():
        if id not in known:
            names = [each.row.id for each in listed]
            raise RequestError(
                messages.NO_SUCH_ROW, field="rows", row=id, rules=rules.title, allowed=", ".join(names)
            )
        row, against = known[id].row, known[id].by
        if count > row.most:
            raise RequestError(messages.ROW_TOO_OFTEN, field="rows", row=row.name, most=row.most, count=count)
        if known[id].standing is Standing.EXCLUDED and against is not None:
            raise RequestError(messages.ROWS_EXCLUDE, field="rows", row=row.name, other=against.name)


def _may_hold(need: Need, request: ScoreRequest) -> bool:
    """Whether what a situation takes for granted is so, as far as that can be said without the tiles."""
    try:
        return need.holds(request)
    except NeedsTiles:
        return True


def _find_reason(rules: RuleSet, win: Win, lines: tuple[ScoreLine, ...]) -> Reason | None:
    """Why a win with these lines is none, as far as that can be said without its tiles."""
    try:
        return rules.restrict(win, _READING, lines)
    except NeedsTiles:
        return None


def _count(row: Pattern, win: Win) -> int | None:
    """How often the row counts wherever it is looked for; None where the tiles decide that."""
    try:
        return row.count(win, _READING)
    except NeedsTiles:
        return None


class _Undecided(Exception):
    """A field of an outline was read that is not decided yet."""

    def __init__(self, field: str) -> None:
        super().__init__(field)
        self.field = field


class _Sketch:
    """An outline of which some fields are decided."""

    def __init__(self, fields: Mapping[str, Any]) -> None:
        self.__dict__.update(fields)

    def __getattr__(self, field: str) -> NoReturn:
        raise _Undecided(field)


class _Hands:
    """The outlines of all hands with the facts of a request, and which of them a row fits: each set of
    outlines is a number with a bit for each."""

    def __init__(self, rules: RuleSet, request: ScoreRequest) -> None:
        wild = rules.wild(request.options, request.fortune)
        self._facts: dict[str, Any] = {
            "situation": request.situation,
            "self_drawn": request.source is Source.SELF_DRAW,
            "robbed": request.source is Source.ROBBED_KONG,
            "by_dealer": request.winner == request.dealer,
            "chained": request.gambits + request.consecutive_kongs > 0,
        }
        free = {
            "one_wait": (True, False),
            "flowers": FLOWERS if request.options.get("flowers") else (0,),
            "wild": (0,) if wild is None else tuple(range(wild.copies + 1)),
        }
        shapes = tuple(shape.id for shape in rules.shapes_in_force(request.options))
        drawn = request.source is Source.SELF_DRAW
        self._all, self._bits = _index(rules.sets, shapes, drawn, tuple(free.items()))
        self._fitting: dict[str, int] = {}

    def allow(self, rows: Sequence[Pattern], without: Sequence[Pattern] = ()) -> bool:
        """Whether a hand may have all these rows, and lie outside the outlines of those `without`."""
        left = self._all
        for row in rows:
            left &= self._find_fitting(row)
        for row in without:
            left &= ~self._find_fitting(row)
        return left != 0

    def find_conflict(self, row: Pattern, held: Sequence[Pattern]) -> Pattern | None:
        """The first of the rows `held` with which no hand has `row`; the last where it takes several."""
        others = [other for other in held if other is not row]
        alone = next((other for other in others if not self.allow([row, other])), None)
        return others[-1] if alone is None and not self.allow([row, *others]) else alone

    def _find_fitting(self, row: Pattern) -> int:
        if row.id not in self._fitting:
            self._fitting[row.id] = self._search(row, {})
        return self._fitting[row.id]

    def _search(self, row: Pattern, read: Mapping[str, Any]) -> int:
        """The outlines with these values of the fields that the row has read, and that it fits."""
        try:
            fits = _is_found(row, _Sketch({**self._facts, **read}))
        except _Undecided as open:
            values = self._bits[open.field]
            return reduce(or_, (self._search(row, {**read, open.field: value}) for value in values), 0)
        return reduce(and_, (self._bits[field][value] for field, value in read.items()), self._all * fits)


@cache
def _index(
    sets: int, shapes: tuple[str, ...], self_drawn: bool, free: tuple[tuple[str, tuple[Any, ...]], ...]
) -> tuple[int, dict[str, dict[Any, int]]]:
    """All outlines, with each combination of the values of the fields that are free of the others; and those
    with each value of a field."""
    outlines = list(_list_outlines(sets, shapes, self_drawn))
    bits: dict[str, dict[Any, int]] = {}
    for place, outline in enumerate(outlines):
        for field, value in outline.items():
            of_field = bits.setdefault(field, {})
            of_field[value] = of_field.get(value, 0) | 1 << place
    count = len(outlines)
    for field, values in free:
        copies = sum(1 << count * place for place in range(len(values)))
        bits = {name: {value: at * copies for value, at in of.items()} for name, of in bits.items()}
        block = (1 << count) - 1
        bits[field] = {value: block << count * place for place, value in enumerate(values)}
        count *= len(values)
    return (1 << count) - 1, bits


def _list_outlines(sets: int, shapes: tuple[str, ...], self_drawn: bool) -> Iterator[dict[str, Any]]:
    """What hands of these shapes can look like, in the fields that depend on each other."""
    none = dict.fromkeys(GROUPS, 0)
    for shape in shapes:
        if shape == STANDARD:
            yield from _list_standard(sets, self_drawn)
            continue
        for suits, honors in product(range(4), (True, False)):
            if suits or honors:
                yield {"shape": shape, "closed": True, "suits": suits, "honors": honors, **none}


def _list_standard(sets: int, self_drawn: bool) -> Iterator[dict[str, Any]]:
    for pungs, closed in product(range(sets + 1), (True, False)):
        opened = 0 if self_drawn else 1  # a pung that a discard completes is not concealed
        most_concealed = pungs if closed or pungs < sets else pungs - 1
        for concealed in range(max(0, pungs - opened) if closed else 0, most_concealed + 1):
            for of_dragons, of_winds in product(range(len(DRAGONS) + 1), range(len(WINDS) + 1)):
                of_suits = sets - of_dragons - of_winds
                if of_dragons + of_winds > pungs:
                    continue
                for dragons, winds in ((0, 0), (1, 0), (0, 1)):
                    in_suits = of_suits + (not dragons and not winds)
                    if of_dragons + dragons > len(DRAGONS) or of_winds + winds > len(WINDS):
                        continue
                    for kongs, suits in product(range(pungs + 1), range(min(1, in_suits), 4)):
                        if suits <= in_suits:
                            groups = (
                                sets - pungs, pungs, concealed, kongs, of_dragons, of_winds, dragons, winds
                            )  # fmt: skip
                            yield {
                                "shape": STANDARD, "closed": closed, "suits": suits,
                                "honors": of_suits + 1 > in_suits or of_suits < sets,
                                **dict(zip(GROUPS, groups, strict=True)),
                            }  # fmt: skip


def _is_found(row: Pattern, o: Any) -> bool:
    return (row.shape is None or row.shape == o.shape) and row.when(o)
