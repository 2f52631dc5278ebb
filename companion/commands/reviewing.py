"""`companion review`: every decision of a game rated by what it cost, and the evening of each player."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from companion.commands import coach_words
from companion.commands.games import offering_copy
from companion.commands.inputs import (
    LOG_MAX_BYTES,
    STDIN,
    AsJson,
    InLanguage,
    open_lines,
    refuse_in,
    refuse_input,
)
from companion.commands.output import console, print_json, tell
from companion.commands.progress import ProgressLine
from companion.errors import InputError
from companion.foreign import reading
from companion.rules.reckoning import describe_worth
from companion.stopping import check, until_stopped
from companion.tiles import format_tiles
from companion.words import Language, Words

if TYPE_CHECKING:
    from rich.text import Text

    from companion.coach.declared import DeclaredHand
    from companion.coach.results import RatedDecision
    from companion.coach.review import PersonReview, ReviewedHand
    from companion.sheets.hands import Sheet, SheetHand, SheetWin
    from companion.table.events import Event

NO_PLAYER = "--player {given} is nobody in this game: choose from {allowed}."
NO_SUCH_HAND = "--hand {given} is not in this game: it has hands 1 to {last}."
NONE_COUNTS = "--hand {given} is not in this game: it has no hand that counts."
NO_HANDS = "In this game no hand was begun: there is nothing to review."
COLOURS = {
    "best": "green", "fine": "cyan", "inexact": "yellow", "mistake": "dark_orange", "blunder": "red",
}  # fmt: skip
WORST = 2


def review(
    log: Annotated[
        str, typer.Argument(metavar="LOG", help="A log of events, one a line, - for stdin; or a kept game.")
    ],
    player: Annotated[
        str | None, typer.Option(metavar="NAME|SEAT", help="Only this player's decisions.")
    ] = None,
    hand: Annotated[int | None, typer.Option(min=1, metavar="N", help="Only this hand.")] = None,
    every: Annotated[bool, typer.Option("--all", help="List every decision, not only the worst.")] = False,
    language: InLanguage = Language.ENGLISH,
    as_json: AsJson = False,
) -> None:
    """Review a game: what each decision cost in expected payment, and the two worst of each hand explained.

    Only what was recorded can be reviewed: of a hand that nobody saw, the danger of its discards. The review
    of an evening takes minutes; Ctrl-C ends it, and what was reviewed until then is shown.
    """
    with refuse_in(Words(language)):
        _review(log, player, hand, every, language, as_json)


def _review(
    log: str, player: str | None, hand: int | None, every: bool, language: Language, as_json: bool
) -> None:
    from companion.coach.review import ReviewedHand, sum_up
    from companion.sheets.hands import make_sheet
    from companion.sheets.told_hands import read_told

    kept = _find_kept(log)
    with reading(refuse_input(log)):
        sheet = make_sheet(_read_log(log) if kept is None else _read_kept(kept))
    told = () if kept is None else read_told(kept)
    teller = Teller(sheet, Words(language))
    person = None if player is None else _find_person(sheet, player, teller.names)
    wanted = [each for each in sheet.hands if each.number and hand in (None, _number(each))]
    if not wanted:
        last = max(map(_number, sheet.hands), default=0)
        if not any(each.number for each in sheet.hands):
            raise InputError(NO_HANDS)
        raise InputError(NO_SUCH_HAND if last else NONE_COUNTS, given=hand, last=last)
    done: list[ReviewedHand] = []
    own: list[RatedDecision] = []
    progress = ProgressLine()
    with until_stopped():
        for each in wanted:
            own = []
            for decision in _review_hand(each, person, told):
                check()
                own.append(decision)
                progress.show(
                    f"{len(done)} of {len(wanted)} hands done; decisions of the next one: {len(own)}"
                )
            done.append(ReviewedHand(each.number, tuple(own), counts=not each.abandoned))
    if len(done) < len(wanted):
        ended = wanted[len(done)]
        done.append(ReviewedHand(ended.number, tuple(own), counts=not ended.abandoned))
    progress.clear()
    people = sum_up(done)
    whole = len(done) == len(wanted)
    if as_json:
        print_json(_to_json(teller, list(zip(done, wanted, strict=False)), people, whole))
        return
    for reviewed, played in zip(done, wanted, strict=False):
        teller.show_hand(reviewed, played, every)
    teller.show_evening(people, several=len(done) > 1)
    if not whole:
        tell(teller.words(coach_words.ENDED, done=len(done), all=len(wanted)))


def _find_kept(name: str) -> Path | None:
    """The kept game of that name, where it is no log. InputError lists the games where the name is one of a
    game, without folder and ending, and there is none."""
    from companion.game import shelf

    path = Path(name)
    if name == STDIN or path.exists():
        return None
    is_bare = path.name == name and not path.suffix
    with offering_copy(name):
        return shelf.find(name) if is_bare or name in shelf.names() else None


def _read_kept(path: Path) -> list[Event]:
    from companion.game.game import Game
    from companion.table.log import decode_event

    with offering_copy(path.stem):
        return [decode_event(entry.event) for entry in Game.read(path).file.standing]


def _read_log(name: str) -> list[Event]:
    from companion.table.log import decode_log

    with open_lines(name, LOG_MAX_BYTES) as lines, reading(refuse_input(name)):
        events = [event for _, event in decode_log(lines)]
    if not events:
        raise InputError(NO_HANDS)
    return events


def _number(hand: SheetHand) -> int:
    """As the score sheet numbers it: 0 for a hand that does not count."""
    return 0 if hand.abandoned else hand.number


def _find_person(sheet: Sheet, given: str, shown: Sequence[str]) -> int:
    """The person with that name, or number. shown: what the review calls people."""
    names = {shown[person].casefold(): person for person in sheet.people}
    names |= {name.casefold(): person for person, name in enumerate(sheet.names) if name}
    found = names.get(given.casefold())
    if found is None and given.isdecimal() and int(given) in sheet.people:
        found = int(given)
    if found is None:
        raise InputError(
            NO_PLAYER, given=repr(given), allowed=", ".join(shown[person] for person in sheet.people)
        )
    return found


def _review_hand(
    hand: SheetHand, person: int | None, told: Sequence[DeclaredHand]
) -> Iterator[RatedDecision]:
    from companion.coach.advice import make_coach
    from companion.coach.review import Reviewer
    from companion.sheets.hands import list_steps

    steps = [(step.number, step.event, step.state) for step in list_steps(hand)]
    seated = steps[0][2].seated
    seats = [seat for seat in hand.before.house.seats if person in (None, seated[seat])]
    yield from Reviewer(make_coach(hand.before.house)).review_hand(hand.before, steps, seats, told)


class Teller:
    """Tells a review of a game in one language."""

    def __init__(self, sheet: Sheet, words: Words) -> None:
        from companion.coach.words.wording import name_people

        self.rules, self.words = sheet.rules, words
        self.names = name_people(sheet.names, words)

    def show_hand(self, reviewed: ReviewedHand, hand: SheetHand, every: bool) -> None:
        """How the hand ended, and of each player the worst decisions, or all."""
        from companion.coach.messages import NO_MISTAKE
        from companion.coach.review import pick_worst
        from companion.coach.words.wording import format_payment

        out, words = console(), self.words
        out.print(self._head(hand), style="bold")
        names = self.name_seats(hand)
        for person in sorted({each.person for each in reviewed.decisions}):
            own = [each for each in reviewed.decisions if each.person == person]
            rated = [each for each in own if each.is_rated]
            cost = format_payment(sum(each.cost for each in rated))
            name = self.names[person]
            said = (
                words(coach_words.RATED, name=name, count=len(rated), cost=cost)
                if rated
                else words(coach_words.NOT_RATED, name=name, count=len(own))
            )
            if 0 < len(rated) < len(own):
                said = words(coach_words.PARTLY_RATED, said=said, count=len(own) - len(rated))
            out.print(f"  {said}")
            for each in own if every else _choose_shown(own, pick_worst(rated, WORST)):
                out.print(self._line(each, names))
            drew = hand.find_drawer(person)
            if drew is not None and len(rated) == len(own) and not any(each.mistake for each in rated):
                out.print("    " + words(NO_MISTAKE, winner=self.names[drew]))

    def show_evening(self, people: Sequence[PersonReview], *, several: bool) -> None:
        """The evening of everybody, and of whom the tiles are not known. several: of several hands."""
        from companion.coach.messages import NOT_KNOWN, NOTHING_TO_REVIEW

        out, words = console(), self.words
        if not people:
            out.print(words(NOTHING_TO_REVIEW))
            return
        out.print(words(coach_words.THE_EVENING), style="bold")
        for each in people:
            for line in self._tell_evening(each, several=several):
                out.print(line)
        unknown = ", ".join(self.names[each.person] for each in people if each.unrated)
        if unknown:
            out.print(words(NOT_KNOWN, who=unknown))

    def _tell_evening(self, each: PersonReview, *, several: bool) -> Iterator[str]:
        from companion.coach.messages import OF_KIND
        from companion.coach.words.wording import format_payment

        words, name = self.words, self.names[each.person]
        if each.decisions:
            cost, mean = format_payment(each.cost), f"{each.mean_cost:.2f}"
            said = [words(coach_words.COST_EACH, name=name, count=each.decisions, cost=cost, mean=mean)]
            if each.worst_hand is not None and several:
                number, most = each.worst_hand
                said.append(words(coach_words.WORST_HAND, number=number, cost=format_payment(most)))
            yield "  " + "; ".join(said)
            yield "    " + ", ".join(f"{words(grade)} {count}" for grade, count in _in_order(each.grades))
        else:
            yield "  " + words(coach_words.NOT_RATED, name=name, count=each.unrated)
        kinds = [
            words(OF_KIND, kind=words(kind), count=count, cost=format_payment(each.mistake_costs[kind]))
            for kind, count in each.mistakes.items()
        ]
        if kinds:
            yield "    " + words(coach_words.COST_MOST, kinds="; ".join(kinds))
        if each.deal_ins:
            yield "    " + words(coach_words.AVOIDABLE, count=each.deal_ins, avoidable=each.avoidable)

    def name_seats(self, hand: SheetHand) -> list[str]:
        """Who sat in each seat in that hand."""
        return [self.names[person] for person in (hand.after.hand or hand.after).seated]

    def say_why(self, decision: RatedDecision, names: Sequence[str]) -> str | None:
        """The sentence of a decision, if it has one. names: by seat."""
        from companion.coach.words.wording import phrase

        return None if decision.why is None else phrase(decision.why, self.words, names)

    def _head(self, hand: SheetHand) -> str:
        """Which hand it is, and how it ended."""
        if hand.abandoned and hand.number == 1:
            return self.words(coach_words.BEFORE_THE_FIRST)
        if hand.abandoned:
            return self.words(coach_words.AFTER_HAND, number=hand.number - 1)
        nobody = coach_words.NOBODY_WINS if hand.finished else coach_words.NOT_FINISHED
        ends = "; ".join(self._describe_win(win) for win in hand.wins) or self.words(nobody)
        return self.words(coach_words.HAND, number=hand.number, ends=ends)

    def _describe_win(self, win: SheetWin) -> str:
        said = {"name": self.names[win.winner], "value": self.words.say(describe_worth(win.score))}
        if win.giver is None:
            return self.words(coach_words.SELF_DRAWN, **said)
        return self.words(coach_words.ON_A_TILE, **said, giver=self.names[win.giver])

    def _line(self, decision: RatedDecision, names: Sequence[str]) -> Text:
        from rich.text import Text

        from companion.coach.words.wording import describe_choice, describe_decision, describe_grade
        from companion.table.events import Discarded

        found = Text("    ")
        found.append(describe_grade(decision, self.words), style=COLOURS[decision.grade])
        did = describe_decision(decision, self.words)
        found.append("  " + self.words(coach_words.AT_EVENT, number=decision.number, did=did))
        why = self.say_why(decision, names)
        if why is not None:
            found.append(f": {why}")
        best = decision.best
        if decision.cost and best is not None and (why is None or not isinstance(decision.did, Discarded)):
            found.append("  " + self.words("Best: {act}", act=describe_choice(best, self.words)))
        if decision.held:
            held, melds = format_tiles(decision.held), " ".join(map(str, decision.melds))
            said = coach_words.HELD_AND_LAID if melds else coach_words.HELD
            found.append("\n      " + self.words(said, tiles=held, melds=melds), style="dim")
        return found


def _choose_shown(own: Sequence[RatedDecision], worst: Sequence[RatedDecision]) -> list[RatedDecision]:
    """The worst, and what dealt in beside: a player asks about that first."""
    return [each for each in own if each in worst or each.dealt_in]


def _in_order(grades: dict[Any, int]) -> list[tuple[str, int]]:
    return [(name, grades[name]) for name in COLOURS if name in grades]


def _to_json(
    teller: Teller,
    done: Sequence[tuple[ReviewedHand, SheetHand]],
    people: Sequence[PersonReview],
    whole: bool,
) -> dict[str, Any]:
    return {
        "rules": teller.rules,
        "names": list(teller.names),
        "complete": whole,
        "hands": [
            {
                "number": reviewed.number,
                "abandoned": hand.abandoned,
                "decisions": [
                    _decision_json(each, teller.say_why(each, teller.name_seats(hand)))
                    for each in reviewed.decisions
                ],
            }
            for reviewed, hand in done
        ],
        "people": [
            {
                "person": each.person,
                "name": teller.names[each.person],
                "decisions": each.decisions,
                "unrated": each.unrated,
                "cost": round(each.cost, 4),
                "mean_cost": round(each.mean_cost, 4),
                "worst_hand": None if each.worst_hand is None else {
                    "number": each.worst_hand[0], "cost": round(each.worst_hand[1], 4)
                },
                "grades": dict(_in_order(each.grades)),
                "mistakes": {kind.value: count for kind, count in each.mistakes.items()},
                "mistake_costs": {kind.value: round(cost, 4) for kind, cost in each.mistake_costs.items()},
                "deal_ins": each.deal_ins,
                "avoidable": each.avoidable,
            }
            for each in people
        ],
    }  # fmt: skip


def _decision_json(decision: RatedDecision, why: str | None) -> dict[str, Any]:
    import msgspec

    best = decision.best
    return {
        "event": decision.number,
        "seat": decision.seat,
        "person": decision.person,
        "did": None if decision.did is None else msgspec.to_builtins(decision.did),
        "tile": None if decision.tile is None else decision.tile.code,
        "rated": decision.is_rated,
        "best": None if best is None or best.do is None else msgspec.to_builtins(best.do),
        "cost": round(decision.cost, 4),
        "grade": decision.grade.value,
        "deal_in": round(decision.deal_in, 4),
        "dealt_in": decision.dealt_in,
        "mistake": None if decision.mistake is None else decision.mistake.value,
        "why": why,
        "hand": format_tiles(decision.held),
        "melds": [str(meld) for meld in decision.melds],
    }
