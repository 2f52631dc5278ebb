"""Figures of one game, and of all kept games: totals over hands, who won how, winning patterns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path

from companion.errors import CompanionError
from companion.files import make_checksum
from companion.game import shelf
from companion.game.file import list_standing, read_entries
from companion.game.game import encode_pinned
from companion.game.pictures import folder_of, name_picture
from companion.game.shelf import recall
from companion.money import Currency, settle
from companion.rules import RULE_SETS, Source
from companion.rules.rule_set import ScoreLine
from companion.rules.scoring import converts
from companion.rules.stated import STATED_ROW
from companion.rules.win import Stakes, describe_stakes
from companion.sentences import msgid
from companion.sheets.hands import Sheet, SheetHand, SheetWin, make_sheet
from companion.table.events import Event, FalseWin, Won, decode_event
from companion.table.state import Points
from companion.words import Words

NOTHING = Decimal(0)
ONE_POINT = Stakes()
"""The stakes of a game in which a point of a win's value is paid as one."""
DEALS_IN_A_ROW = msgid("Most deals in a row")
"""The heading of `PersonFigures.dealt`."""
PEOPLE_HEADS = (
    msgid("Player"), msgid("Points"), msgid("Hands played"), msgid("Wins"), msgid("Self-draws"),
    msgid("Deal-ins"), DEALS_IN_A_ROW, msgid("False wins"),
)  # fmt: skip
PATTERN_HEADS = (msgid("Winning patterns"), msgid("Wins"))
"""The headings of a table of figures."""


@dataclass(frozen=True, slots=True)
class PatternCount:
    """In how many wins a row of the rule set counted."""

    name: str
    name_zh: str
    wins: int


@dataclass(frozen=True, slots=True)
class PersonFigures:
    """What one person did. evenings: played, among those that are added up. hands: that counted. wins: of
    them self_draws were drawn, the others were on another's tile. given: wins of others on a tile of this
    person. worth: of all wins together, in the unit of the game. dealt: the most hands in a row with this
    dealer. points: won or lost. patterns: of this person's wins, the most frequent first."""

    name: str
    hands: int
    wins: int
    self_draws: int
    given: int
    worth: int
    dealt: int
    false_wins: int
    points: int
    patterns: tuple[PatternCount, ...] = ()
    evenings: int = 1

    @property
    def average_worth(self) -> float | None:
        """Of a win; None without one."""
        return self.worth / self.wins if self.wins else None


@dataclass(frozen=True, slots=True)
class Figures:
    """people: by person, as in the sheet. totals: what each has before the first hand and after every one.
    patterns: the most frequent first."""

    people: tuple[PersonFigures, ...]
    totals: tuple[Points, ...]
    patterns: tuple[PatternCount, ...]
    hands: int
    draws: int


def find_day(begun: str) -> date | None:
    """The day of a time in ISO 8601, by the clock of this place; None for any other text, as in a game that
    was imported."""
    try:
        return datetime.fromisoformat(begun).astimezone().date()
    except (ValueError, OverflowError):
        return None


@dataclass(frozen=True, slots=True)
class BestHand:
    """The win of a game that is worth most. hand: its number. winner, giver: people; giver is None for a
    self-draw. value: in `unit`. concealed, melds, flowers: codes of drawn tiles as in SheetWin, all empty
    where they are not known. pictures: names of the files that may hold its photo, the likeliest first."""

    hand: int
    winner: int
    giver: int | None
    value: int
    unit: str
    lines: tuple[ScoreLine, ...]
    tile: str | None
    concealed: tuple[str, ...]
    melds: tuple[tuple[str, ...], ...]
    flowers: tuple[str, ...]
    pictures: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Evening:
    """A kept game as the figures of many need it. An empty name in `figures.people` is nobody's. practice:
    whether it is a practice game, which counts in no figures of many. events: checksum of the events, by
    which the same game under another name is known; "" if unknown. currency: what a point was worth
    at the end."""

    name: str
    begun: str
    rules: str
    figures: Figures
    practice: bool = False
    events: str = ""
    currency: Currency | None = None
    stakes: Stakes = ONE_POINT
    base: int = 1
    best: BestHand | None = None

    @property
    def people(self) -> tuple[str, ...]:
        """The names of those who played, sorted."""
        return tuple(sorted(person.name for person in self.figures.people if person.name))

    @property
    def year(self) -> int | None:
        """In which it was begun; None if that is unknown."""
        day = find_day(self.begun)
        return None if day is None else day.year


@dataclass(frozen=True, slots=True)
class AddedFigures:
    """people: by name, the most points first; `worth` is 0. totals: by name in that order, the points won so
    far after each evening. patterns: as in Figures."""

    people: tuple[PersonFigures, ...]
    totals: tuple[tuple[int, ...], ...]
    patterns: tuple[PatternCount, ...]
    evenings: int
    hands: int


@dataclass(frozen=True, slots=True)
class GameFigures(AddedFigures):
    """Of the evenings of one game at which a win cost the same points, and a point was worth the same.
    currency: None for points only. money: what each of the people has won, settled evening by evening; empty
    without a currency. best: the evening with the hand that is worth most; None without a win."""

    rules: str = ""
    currency: Currency | None = None
    stakes: Stakes = ONE_POINT
    money: tuple[Decimal, ...] = ()
    best: Evening | None = None


@dataclass(frozen=True, slots=True)
class WonMoney:
    """What a person has won in a currency, settled evening by evening, and at how many evenings."""

    name: str
    amount: Decimal
    evenings: int


@dataclass(frozen=True, slots=True)
class MoneyRanking:
    """Who has won how much in the currency of that symbol, in whatever games; the most first. totals: by
    person in that order, the money won so far before the first evening and after each. games: how many games,
    as GameFigures tells them apart, were played in it."""

    symbol: str
    people: tuple[WonMoney, ...]
    totals: tuple[tuple[Decimal, ...], ...]
    games: int


@dataclass(frozen=True, slots=True)
class ManyEvenings(AddedFigures):
    """Points are comparable within each of `games` only, the one with the most hands first; if there are
    several, people here are in the order of their evenings and wins, and their points mean nothing.
    money: a ranking for each currency. same: of each game that is not counted its name, and that of the game
    with the same events which is. counted: the evenings that are added up, in the order in which they were
    begun."""

    games: tuple[GameFigures, ...] = ()
    money: tuple[MoneyRanking, ...] = ()
    same: tuple[tuple[str, str], ...] = ()
    counted: tuple[Evening, ...] = ()


@dataclass(frozen=True, slots=True)
class Selection:
    """Which evenings are added up; None: all of them. year: in which they were begun. people: the names of
    all who played, sorted."""

    year: int | None = None
    rules: str | None = None
    people: tuple[str, ...] | None = None

    def includes(self, evening: Evening) -> bool:
        return (
            self.year in (None, evening.year)
            and self.rules in (None, evening.rules)
            and self.people in (None, evening.people)
        )


EVERYTHING = Selection()


def calculate_figures(sheet: Sheet) -> Figures:
    """The figures of one game."""
    counted = [hand for hand in sheet.hands if _counts(hand)]
    wins = [win for hand in counted for win in hand.wins]
    false_wins = Counter(
        penalty.person
        for hand in counted
        for penalty in hand.penalties
        if isinstance(penalty.event, FalseWin)
    )
    people = tuple(
        PersonFigures(
            name=sheet.names[person],
            hands=len(counted),
            wins=sum(win.winner == person for win in wins),
            self_draws=sum(win.winner == person and win.source is Source.SELF_DRAW for win in wins),
            given=sum(win.giver == person for win in wins),
            worth=sum(win.score.value for win in wins if win.winner == person),
            dealt=_count_longest([hand.dealer == person for hand in counted]),
            false_wins=false_wins[person],
            points=sheet.state.points[person] - sheet.start[person],
            patterns=_rank(_count_patterns(win for win in wins if win.winner == person)),
        )
        for person in range(4)
    )
    patterns = _count_patterns(wins)
    draws = sum(hand.drawn for hand in counted)
    return Figures(people, _list_totals(sheet), _rank(patterns), len(counted), draws)


def _counts(hand: SheetHand) -> bool:
    """Whether the hand is over, and counts."""
    return hand.number > 0 and hand.finished and not hand.abandoned


def _list_totals(sheet: Sheet) -> tuple[Points, ...]:
    """What everybody has at first, and before the next hand that counts; at last what everybody has now."""
    found = [sheet.start]
    for hand in sheet.hands:
        if _counts(hand):
            found.append(hand.totals)
        elif len(found) > 1:
            found[-1] = hand.totals
    if len(found) == 1 and sheet.state.points != sheet.start:  # paid before the first hand is over
        found.append(sheet.state.points)
    return tuple(found)


def add_up(evenings: Sequence[Evening]) -> ManyEvenings:
    """The figures of many games together, in the order in which they were begun. Games with the same events,
    such as one and its restored copy, count once. Of two people with one name in a game, as in an imported
    one, the second counts as another person, with a number."""
    evenings = [_tell_apart(evening) for evening in evenings]
    first: dict[str, Evening] = {}
    for evening in sorted(evenings, key=lambda evening: evening.name):
        first.setdefault(evening.events or evening.name, evening)
    counted = {evening.name for evening in first.values()}
    same = tuple((each.name, first[each.events].name) for each in evenings if each.name not in counted)
    ordered = sorted(first.values(), key=lambda evening: (evening.begun, evening.name))
    apart: dict[tuple[object, ...], list[Evening]] = {}
    for evening in ordered:
        apart.setdefault(_find_game(evening), []).append(evening)
    games = sorted(map(_add_game, apart.values()), key=lambda game: -game.hands)
    people, totals, patterns, evenings_count, hands = _add(ordered)
    if len(games) > 1:
        order = sorted(
            range(len(people)), key=lambda at: (-people[at].evenings, -people[at].wins, people[at].name)
        )
        people = tuple(people[at] for at in order)
        totals = tuple(tuple(total[at] for at in order) for total in totals)
    return ManyEvenings(
        people, totals, patterns, evenings_count, hands, tuple(games), _rank_money(ordered), same,
        tuple(ordered),
    )  # fmt: skip


def _find_game(evening: Evening) -> tuple[object, ...]:
    """Equal for evenings whose points can be added."""
    money = evening.currency
    worth = (money.symbol, money.point) if money else ("", "")
    return evening.rules, evening.stakes, evening.base, *worth


def _add_game(evenings: Sequence[Evening]) -> GameFigures:
    """Of one game, at the same stakes."""
    last, added = evenings[-1], _add(evenings)
    won = {one.name: one.amount for ranking in _rank_money(evenings) for one in ranking.people}
    money = tuple(won[person.name] for person in added[0]) if won else ()
    return GameFigures(*added, last.rules, last.currency, last.stakes, money, _find_best(evenings))


def _find_best(evenings: Sequence[Evening]) -> Evening | None:
    """The evening with the hand that is worth most, the first of several."""
    won = [evening for evening in evenings if evening.best is not None]
    return max(won, key=lambda evening: evening.best.value if evening.best else 0, default=None)


def _rank_money(evenings: Sequence[Evening]) -> tuple[MoneyRanking, ...]:
    by_symbol: dict[str, list[tuple[Evening, dict[str, Decimal]]]] = {}
    for evening in evenings:
        if evening.currency is not None:
            names = [person.name for person in evening.figures.people]
            won = dict(zip(names, _settle(evening, evening.currency), strict=True))
            by_symbol.setdefault(evening.currency.symbol, []).append((evening, won))
    return tuple(_rank_people(symbol, played) for symbol, played in by_symbol.items())


def _rank_people(symbol: str, played: Sequence[tuple[Evening, dict[str, Decimal]]]) -> MoneyRanking:
    """played: the evenings in that currency, each with what everybody won by name."""
    names = {name for _, won in played for name in won if name}
    people = [
        WonMoney(
            name,
            sum((won.get(name, NOTHING) for _, won in played), NOTHING),
            sum(name in won for _, won in played),
        )
        for name in names
    ]
    people.sort(key=lambda one: (-one.amount, one.name))
    totals = [(NOTHING,) * len(people)]
    for _, won in played:
        gained = (won.get(one.name, NOTHING) for one in people)
        totals.append(tuple(had + more for had, more in zip(totals[-1], gained, strict=True)))
    games = {_find_game(evening) for evening, _ in played}
    return MoneyRanking(symbol, tuple(people), tuple(totals), len(games))


def _settle(evening: Evening, currency: Currency) -> tuple[Decimal, ...]:
    return settle([person.points for person in evening.figures.people], currency)


def choose_evenings(evenings: ManyEvenings, selection: Selection) -> ManyEvenings:
    """The figures of those evenings that the selection includes."""
    if selection == EVERYTHING:
        return evenings
    chosen = add_up([evening for evening in evenings.counted if selection.includes(evening)])
    return replace(chosen, same=evenings.same)


def _add(
    ordered: Sequence[Evening],
) -> tuple[tuple[PersonFigures, ...], tuple[tuple[int, ...], ...], tuple[PatternCount, ...], int, int]:
    """The fields of AddedFigures."""
    found: dict[str, list[PersonFigures]] = {}
    for evening in ordered:
        for person in evening.figures.people:
            if person.name:
                found.setdefault(person.name, []).append(person)
    people = sorted(
        (_join(name, each) for name, each in found.items()), key=lambda one: (-one.points, one.name)
    )
    totals: list[tuple[int, ...]] = [(0,) * len(people)]
    for evening in ordered:
        gained: Counter[str] = Counter()
        for person in evening.figures.people:
            gained[person.name] += person.points
        totals.append(tuple(had + gained[one.name] for had, one in zip(totals[-1], people, strict=True)))
    patterns = _add_patterns(evening.figures.patterns for evening in ordered)
    hands = sum(evening.figures.hands for evening in ordered)
    return tuple(people), tuple(totals), _rank(patterns), len(ordered), hands


def _tell_apart(evening: Evening) -> Evening:
    """The evening in which no two people have the same name."""
    seen: Counter[str] = Counter()
    people = []
    for person in evening.figures.people:
        seen[person.name] += 1
        number = seen[person.name]
        name = f"{person.name} ({number})" if person.name and number > 1 else person.name
        people.append(replace(person, name=name))
    return replace(evening, figures=replace(evening.figures, people=tuple(people)))


def list_figure_rows(evenings: ManyEvenings, words: Words) -> list[list[str | int]]:
    """The figures as a table: a heading, of each game and currency a row for each person, then a row for each
    pattern."""
    heads = (*PEOPLE_HEADS, msgid("Game"), msgid("Currency"), msgid("Money"), msgid("Evenings"))
    rows: list[list[str | int]] = [list(map(words, heads))]
    for game in evenings.games:
        rules, money = RULE_SETS[game.rules], game.currency
        title = words.both(rules.title, rules.title_zh)[0]
        if game.stakes != ONE_POINT:
            title = f"{title} · {words.say(describe_stakes(game.stakes, rules.unit))}"
        for at, one in enumerate(game.people):
            figures = (one.points, one.hands, one.wins, one.self_draws, one.given, one.dealt, one.false_wins)
            paid = [money.symbol, f"{game.money[at]:f}"] if money else ["", ""]
            rows.append([one.name, *figures, title, *paid, one.evenings])
    for ranking in evenings.money:
        rows += [[], [words(msgid("Player")), ranking.symbol, words(msgid("Evenings"))]]
        rows += [[one.name, f"{one.amount:f}", one.evenings] for one in ranking.people]
    rows += [[], list(map(words, PATTERN_HEADS))]
    rows += [[words.both(each.name, each.name_zh)[0], each.wins] for each in evenings.patterns]
    return rows


def _join(name: str, parts: Sequence[PersonFigures]) -> PersonFigures:
    return PersonFigures(
        name=name,
        hands=sum(each.hands for each in parts),
        wins=sum(each.wins for each in parts),
        self_draws=sum(each.self_draws for each in parts),
        given=sum(each.given for each in parts),
        worth=0,
        dealt=max(each.dealt for each in parts),
        false_wins=sum(each.false_wins for each in parts),
        points=sum(each.points for each in parts),
        patterns=_rank(_add_patterns(each.patterns for each in parts)),
        evenings=len(parts),
    )


def _count_patterns(wins: Iterable[SheetWin]) -> Counter[tuple[str, str]]:
    """The number of these wins in which each row counts; rows that only turn the sum into units do not, nor
    the value of a win whose rows nobody named."""
    counted: Counter[tuple[str, str]] = Counter()
    for win in wins:
        rules = RULE_SETS[win.score.rules]
        own = [line for line in win.score.lines if not converts(rules, line.id)]
        counted.update({(line.name, line.name_zh) for line in own if line.id != STATED_ROW.id})
    return counted


def _add_patterns(parts: Iterable[Sequence[PatternCount]]) -> Counter[tuple[str, str]]:
    added: Counter[tuple[str, str]] = Counter()
    for part in parts:
        added.update({(each.name, each.name_zh): each.wins for each in part})
    return added


def _rank(patterns: Counter[tuple[str, str]]) -> tuple[PatternCount, ...]:
    ranked = sorted(patterns.items(), key=lambda each: (-each[1], each[0]))
    return tuple(PatternCount(name, name_zh, count) for (name, name_zh), count in ranked)


def _count_longest(run: Sequence[bool]) -> int:
    longest = now = 0
    for each in run:
        now = now + 1 if each else 0
        longest = max(longest, now)
    return longest


def read_evening(name: str) -> Evening:
    """The figures of the kept game of that name. InputError if there is none; GameFileError or EventError if
    it cannot be read."""
    path = shelf.find(name)
    evening = recall(path, "evening", Evening, lambda: _reckon(path))
    return replace(evening, name=name)


def read_evenings(
    names: Iterable[str] | None = None,
    tell: Callable[[int, int], None] | None = None,
    more: Sequence[Evening] = (),
) -> ManyEvenings:
    """The figures of these kept games together, of all of them if none are named, and of `more` that are
    known already. Games that cannot be read are left out, and so are practice games, and those in which
    nothing was played. tell: hears how many of how many are read."""
    wanted = list(shelf.names() if names is None else names)
    found = list(more)
    for done, name in enumerate(wanted):
        if tell is not None:
            tell(done, len(wanted))
        try:
            found.append(read_evening(name))
        except (CompanionError, OSError):
            continue
    return add_up([each for each in found if _has_been_played(each) and not each.practice])


def _has_been_played(evening: Evening) -> bool:
    return bool(evening.figures.hands) or any(person.points for person in evening.figures.people)


def _reckon(path: Path) -> Evening:
    entries = list_standing(read_entries(path))
    return make_evening("", entries[0].at, [decode_event(entry.event) for entry in entries])


def make_evening(name: str, begun: str, events: Sequence[Event]) -> Evening:
    """The figures of the game of these events. begun: when, as text that sorts by time."""
    sheet = make_sheet(events)
    is_practice = sheet.state.house.practice is not None
    checksum = make_checksum("\n".join(map(encode_pinned, events)).encode()).hex()
    house, figures = sheet.state.house, calculate_figures(sheet)
    return Evening(
        name, begun, sheet.rules, figures, is_practice, checksum, sheet.state.currency, house.stakes,
        house.base, find_best_hand(sheet),
    )  # fmt: skip


def find_best_win(sheet: Sheet) -> tuple[SheetHand, SheetWin] | None:
    """The win of the game that is worth most, and its hand: of several, the one that was paid most, then the
    first. None without a win."""
    wins = [(hand, win) for hand in sheet.hands if _counts(hand) for win in hand.wins]
    return max(wins, key=lambda won: (won[1].score.value, won[1].payments[won[1].winner]), default=None)


def find_best_hand(sheet: Sheet) -> BestHand | None:
    """That win as a value that can be stored."""
    found = find_best_win(sheet)
    if found is None:
        return None
    hand, win = found
    stands = [(number, event) for number, event in hand.events if number == win.number]
    entered = (*stands, *sheet.list_entered(win.number))
    names = [name_picture(number, event) for number, event in entered if isinstance(event, Won)]
    return BestHand(
        hand.number, win.winner, win.giver, win.score.value, win.score.unit, win.score.lines, win.tile,
        win.concealed, win.melds, win.flowers, tuple(dict.fromkeys(names)),
    )  # fmt: skip


def find_photo(evening: Evening) -> Path | None:
    """The photo of the evening's best hand; None if none was kept."""
    if evening.best is None:
        return None
    folder = folder_of(shelf.FILES.path_of(evening.name))
    return next((folder / name for name in evening.best.pictures if (folder / name).is_file()), None)
