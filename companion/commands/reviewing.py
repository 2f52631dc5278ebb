"""`companion review`: every decision of a game rated by what it cost, and the evening of each player."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from companion.commands.inputs import STDIN, AsJson, open_input
from companion.commands.output import console, print_json, tell
from companion.commands.progress import ProgressLine
from companion.errors import InputError

if TYPE_CHECKING:
    from rich.text import Text

    from companion.coach.evening import PersonReview, ReviewedHand
    from companion.coach.review import Decision
    from companion.sheets.hands import Sheet, SheetHand, SheetWin
    from companion.table.events import Event

NO_PLAYER = "--player {given} is nobody in this game: choose from {allowed}."
NO_SUCH_HAND = "--hand {given} is not in this game: it has hands 1 to {last}."
NO_HANDS = "In this game no hand was begun: there is nothing to review."
ENDED = "The review was ended before the game was: {done} of {all} hands are in it."
COLOURS = {
    "best": "green", "fine": "cyan", "inexact": "yellow", "mistake": "dark_orange", "blunder": "red",
}  # fmt: skip
WORST = 2
DONE = {
    "Discarded": "discarded", "Claimed": "claimed", "ConcealedKong": "kong of", "AddedKong": "kong of",
}  # fmt: skip
HEADS = ("player", "decisions", "cost of each", "in all", "worst hand", "grades", "mistakes", "dealt in")


def review(
    log: Annotated[
        str, typer.Argument(metavar="LOG", help="A log of events, one a line, - for stdin; or a kept game.")
    ],
    player: Annotated[
        str | None, typer.Option(metavar="NAME|SEAT", help="Only this player's decisions.")
    ] = None,
    hand: Annotated[int | None, typer.Option(min=1, metavar="N", help="Only this hand.")] = None,
    every: Annotated[bool, typer.Option("--all", help="List every decision, not only the worst.")] = False,
    as_json: AsJson = False,
) -> None:
    """Review a game: what each decision cost in expected payment, and the two worst of each hand explained.

    Only what was recorded can be reviewed: of a hand that nobody saw, the danger of its discards. The review
    of an evening takes minutes; Ctrl-C ends it, and what was reviewed until then is shown.
    """
    from companion.coach.evening import ReviewedHand, sum_up
    from companion.sheets.hands import make_sheet

    sheet = make_sheet(_read_events(log))
    person = None if player is None else _find_person(sheet, player)
    wanted = [each for each in sheet.hands if each.number and hand in (None, each.number)]
    if not wanted:
        last = max((each.number for each in sheet.hands), default=0)
        raise InputError(NO_SUCH_HAND, given=hand, last=last) if last else InputError(NO_HANDS)
    done: list[ReviewedHand] = []
    own: list[Decision] = []
    progress = ProgressLine()
    try:
        for each in wanted:
            own = []
            for decision in _review_hand(each, person):
                own.append(decision)
                progress.show(
                    f"Hand {each.number}, {len(done)} of {len(wanted)} hands done: {len(own)} decisions"
                )
            done.append(ReviewedHand(each.number, tuple(own)))
    except KeyboardInterrupt:
        done.append(ReviewedHand(wanted[len(done)].number, tuple(own)))
    progress.clear()
    people = sum_up(done)
    whole = len(done) == len(wanted)
    if as_json:
        print_json(_to_json(sheet, done, people, whole))
        return
    names = _name_people(sheet)
    for reviewed, played in zip(done, wanted, strict=False):
        _show_hand(reviewed, played, names, every)
    _show_evening(people, names)
    _tell_unknown(people, names)
    if not whole:
        tell(ENDED.format(done=len(done), all=len(wanted)))


def _read_events(name: str) -> list[Event]:
    """The events of a log, or of the kept game of that name."""
    from companion.history import Game, shelf
    from companion.table.log import decode_event, decode_log

    if name != STDIN and not Path(name).exists() and name in shelf.names():
        with Game.resume(shelf.find(name)) as game:
            return [decode_event(entry.event) for entry in game.file.standing]
    with open_input(name) as file:
        events = [event for _, event in decode_log(file)]
    if not events:
        raise InputError(NO_HANDS)
    return events


def _find_person(sheet: Sheet, given: str) -> int:
    names = {name.casefold(): person for person, name in enumerate(sheet.names) if name}
    found = names.get(given.casefold())
    if found is None and given.isdecimal() and int(given) in sheet.people:
        found = int(given)
    if found is None:
        allowed = ", ".join(sheet.names[person] or str(person) for person in sheet.people)
        raise InputError(NO_PLAYER, given=repr(given), allowed=allowed)
    return found


def _review_hand(hand: SheetHand, person: int | None) -> Iterator[Decision]:
    from companion.coach.asking import make_coach
    from companion.coach.review import Reviewer
    from companion.sheets.hands import list_steps

    steps = [(step.number, step.event, step.state) for step in list_steps(hand)]
    seated = steps[0][2].seated
    seats = [seat for seat in hand.before.house.seats if person in (None, seated[seat])]
    yield from Reviewer(make_coach(hand.before.house)).review_hand(hand.before, steps, seats)


def _name_people(sheet: Sheet) -> list[str]:
    return [name or f"seat {person}" for person, name in enumerate(sheet.names)]


def _show_hand(reviewed: ReviewedHand, hand: SheetHand, names: Sequence[str], every: bool) -> None:
    from companion.coach.review import pick_worst

    out = console()
    ends = "; ".join(_describe_win(win, names) for win in hand.wins) or "nobody wins"
    out.print(f"Hand {reviewed.number}: {ends}", style="bold")
    for person in sorted({each.person for each in reviewed.decisions}):
        own = [each for each in reviewed.decisions if each.person == person]
        rated = [each for each in own if each.is_rated]
        if rated:
            out.print(f"  {names[person]}: {len(rated)} decisions, cost {sum(x.cost for x in rated):.2f}")
        else:
            out.print(f"  {names[person]}: tiles not recorded, danger of {len(own)} discards")
        shown = own if every else _choose_shown(own, pick_worst(rated, WORST))
        for each in shown:
            out.print(_line(each))


def _describe_win(win: SheetWin, names: Sequence[str]) -> str:
    on = "by self-draw" if win.giver is None else f"on {names[win.giver]}'s tile"
    return f"{names[win.winner]} wins {win.value} {on}"


def _choose_shown(own: Sequence[Decision], worst: Sequence[Decision]) -> list[Decision]:
    """The worst, and what dealt in beside: a player asks about that first."""
    return [each for each in own if each in worst or each.dealt_in]


def _line(decision: Decision) -> Text:
    from rich.text import Text

    found = Text("    ")
    if decision.is_rated:
        found.append(f"{decision.grade:8}", style=COLOURS[decision.grade])
        found.append(f" {-decision.cost:+6.2f}  " if decision.cost else "         ")
    else:
        found.append("danger  ", style=COLOURS[decision.grade])
        found.append(f" {decision.deal_in:6.1%}  ")
    found.append(f"event {decision.number}, {_describe(decision)}")
    if decision.why is not None:
        found.append(f": {decision.why}")
    return found


def _describe(decision: Decision) -> str:
    """What was done, briefly."""
    tile = decision.tile.code if decision.tile else "a tile"
    if decision.did is None:
        return f"left {tile}"
    return f"{DONE[type(decision.did).__name__]} {tile}"


def _show_evening(people: Sequence[PersonReview], names: Sequence[str]) -> None:
    from rich.table import Table

    if not people:
        return
    table = Table(title="The evening", title_justify="left")
    for name in HEADS:
        table.add_column(name, overflow="fold")
    for each in people:
        worst = "" if each.worst_hand is None else f"{each.worst_hand[0]} ({each.worst_hand[1]:.1f})"
        table.add_row(
            names[each.person], str(each.decisions), f"{each.mean_cost:.3f}", f"{each.cost:.1f}", worst,
            ", ".join(f"{count} {grade}" for grade, count in _in_order(each.grades)),
            ", ".join(f"{count}× {kind}" for kind, count in each.mistakes.items()),
            f"{each.deal_ins}, {each.avoidable} avoidable" if each.deal_ins else "never",
        )  # fmt: skip
    console().print(table)


def _in_order(grades: dict[Any, int]) -> list[tuple[str, int]]:
    return [(name, grades[name]) for name in COLOURS if name in grades]


def _tell_unknown(people: Sequence[PersonReview], names: Sequence[str]) -> None:
    from companion.coach.review_words import NOT_KNOWN, NOTHING_TO_REVIEW

    unknown = ", ".join(names[each.person] for each in people if each.unrated)
    if unknown:
        console().print(NOT_KNOWN.format(who=unknown))
    elif not people:
        console().print(NOTHING_TO_REVIEW)


def _to_json(
    sheet: Sheet, done: Sequence[ReviewedHand], people: Sequence[PersonReview], whole: bool
) -> dict[str, Any]:
    return {
        "rules": sheet.rules,
        "names": _name_people(sheet),
        "complete": whole,
        "hands": [
            {"number": hand.number, "decisions": [_decision_json(each) for each in hand.decisions]}
            for hand in done
        ],
        "people": [
            {
                "person": each.person,
                "name": _name_people(sheet)[each.person],
                "decisions": each.decisions,
                "unrated": each.unrated,
                "cost": round(each.cost, 4),
                "mean_cost": round(each.mean_cost, 4),
                "worst_hand": None if each.worst_hand is None else {
                    "number": each.worst_hand[0], "cost": round(each.worst_hand[1], 4)
                },
                "grades": dict(_in_order(each.grades)),
                "mistakes": {kind.value: count for kind, count in each.mistakes.items()},
                "deal_ins": each.deal_ins,
                "avoidable": each.avoidable,
            }
            for each in people
        ],
    }  # fmt: skip


def _decision_json(decision: Decision) -> dict[str, Any]:
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
        "why": None if decision.why is None else str(decision.why),
    }
