"""`companion advise` and `companion review`: advice for a position, from photos too; and every decision of a
game rated by what it cost.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from companion.coach import messages
from companion.coach.described import HIDDEN_KONG, read_four, read_seat
from companion.commands.games import offering_copy
from companion.commands.inputs import (
    LOG_MAX_BYTES,
    STDIN,
    AsJson,
    BatchFile,
    InLanguage,
    RequestFile,
    answer_lines,
    open_lines,
    read_input,
    refuse_in,
    refuse_input,
)
from companion.commands.output import ProgressLine, console, print_json, print_message
from companion.commands.pictures import TileSetName
from companion.commands.tile_sets import load_named_set
from companion.errors import CompanionError, InputError, PictureError, RequestError, quote
from companion.foreign import Undecodable, load_json, reading
from companion.photo_hand.from_reading import hand_fields, unsure
from companion.photo_hand.hand import PhotoHand
from companion.photo_hand.open_tiles import (
    Held,
    encode_open_tiles,
    find_other_tiles,
    limit_to_copies,
    read_table,
)
from companion.rules import RuleSet
from companion.rules.kinds import HouseOptionsKind
from companion.rules.request import find_rules
from companion.rules.scoring import describe_worth
from companion.sentences import write_number
from companion.stopping import check, until_stopped
from companion.tiles import UNKNOWN, Tile, format_tiles, parse_meld, parse_tiles
from companion.words import Language, Words

if TYPE_CHECKING:
    from rich.text import Text

    from companion.coach.declared import DeclaredHand
    from companion.coach.results import Advice, Advised, RatedDecision
    from companion.coach.review import PersonReview, ReviewedHand
    from companion.coach.seen import SeatView
    from companion.sheets.hands import Sheet, SheetHand, SheetWin
    from companion.table.events import Event
    from companion.vision import Reading, Recogniser

CHOICES = "Choices, the best first"
CHOICE_HEADS = ("choice", "from ready", "useful", "worth", "wins", "deals in")
STILL_TO_COME = "Still to come, exactly:"
STILL_AT_MOST = "Still to come, at most, since some tiles on the table are unknown:"
READ_HAND = "The hand: {tiles}"
READ_HAND_AND_MELDS = "The hand: {tiles}, melds: {melds}"
READ_OPEN = "Open on the table: {tiles} ({count})"
READ_UNSURE = "Not sure in {file} ({tiles}): where that is wrong, name the tiles instead of the photo."

HAND = "Hand {number}: {ends}"
BEFORE_THE_FIRST = "A hand that does not count, before hand 1"
AFTER_HAND = "A hand that does not count, after hand {number}"
NOBODY_WINS = "nobody wins"
NOT_FINISHED = "not finished"
SELF_DRAWN = "{name} wins {value} by self-draw"
ON_A_TILE = "{name} wins {value} on the tile of {giver}"
RATED = "{name}: {count} decisions, cost {cost} points"
NOT_RATED = "{name}: tiles not recorded, danger of {count} discards"
PARTLY_RATED = "{said}; {count} discards not rated: tiles not recorded"
AT_EVENT = "event {number}, {did}"
HELD = "held {tiles}"
HELD_AND_LAID = "held {tiles}, melds {melds}"
THE_EVENING = "The evening"
COST_EACH = "{name}: {count} decisions, cost {cost} points, {mean} each"
WORST_HAND = "worst hand: {number} ({cost})"
COST_MOST = "Costliest mistakes: {kinds}"
AVOIDABLE = "deal-ins: {count}, {avoidable} avoidable"
ENDED = "The review was stopped early: {done} of {all} hands are in it."

COACH_SENTENCES = (
    CHOICES, *CHOICE_HEADS, STILL_TO_COME, STILL_AT_MOST, READ_HAND, READ_HAND_AND_MELDS, READ_OPEN,
    READ_UNSURE, HAND, BEFORE_THE_FIRST, AFTER_HAND, NOBODY_WINS,
    NOT_FINISHED, SELF_DRAWN, ON_A_TILE, RATED, NOT_RATED, PARTLY_RATED, AT_EVENT, HELD, HELD_AND_LAID,
    THE_EVENING, COST_EACH, WORST_HAND, COST_MOST, AVOIDABLE, ENDED,
)  # fmt: skip


NO_PLAYER = "--player {given} is not in this game: choose from {allowed}."
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

    Only recorded tiles can be reviewed; for an unknown hand, only the danger of its discards. The review
    of an evening takes minutes; Ctrl-C ends it, and what was reviewed until then is shown.
    """
    with refuse_in(Words(language)):
        _review(log, player, hand, every, language, as_json)


def _review(
    log: str, player: str | None, hand: int | None, every: bool, language: Language, as_json: bool
) -> None:
    from companion.coach.review import ReviewedHand, sum_up
    from companion.sheets.declared_hands import read_declared
    from companion.sheets.hands import make_sheet

    kept = _find_kept(log)
    with reading(refuse_input(log)):
        sheet = make_sheet(_read_log(log) if kept is None else _read_kept(kept))
    declared = () if kept is None else read_declared(kept)
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
            for decision in _review_hand(each, person, declared):
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
        print_json(_review_to_json(teller, list(zip(done, wanted, strict=False)), people, whole))
        return
    for reviewed, played in zip(done, wanted, strict=False):
        teller.show_hand(reviewed, played, every)
    teller.show_evening(people, several=len(done) > 1)
    if not whole:
        print_message(teller.words(ENDED, done=len(done), all=len(wanted)))


def _find_kept(name: str) -> Path | None:
    """The kept game of that name, unless it is a log. InputError lists the games if the name is that of a
    game, without folder and ending, and no such game exists."""
    from companion.game import shelf

    path = Path(name)
    if name == STDIN or path.exists():
        return None
    is_bare = path.name == name and not path.suffix
    with offering_copy(name):
        return shelf.find(name) if is_bare or name in shelf.names() else None


def _read_kept(path: Path) -> list[Event]:
    from companion.game.game import Game
    from companion.table.events import decode_event

    with offering_copy(path.stem):
        return [decode_event(entry.event) for entry in Game.read(path).file.standing]


def _read_log(name: str) -> list[Event]:
    from companion.table.events import decode_log

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
    hand: SheetHand, person: int | None, declared: Sequence[DeclaredHand]
) -> Iterator[RatedDecision]:
    from companion.coach.advice import make_coach
    from companion.coach.review import Reviewer
    from companion.sheets.hands import list_steps

    steps = [(step.number, step.event, step.state) for step in list_steps(hand)]
    seated = steps[0][2].seated
    seats = [seat for seat in hand.before.house.seats if person in (None, seated[seat])]
    yield from Reviewer(make_coach(hand.before.house)).review_hand(hand.before, steps, seats, declared)


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
                words(RATED, name=name, count=len(rated), cost=cost)
                if rated
                else words(NOT_RATED, name=name, count=len(own))
            )
            if 0 < len(rated) < len(own):
                said = words(PARTLY_RATED, said=said, count=len(own) - len(rated))
            out.print(f"  {said}")
            for each in own if every else _choose_shown(own, pick_worst(rated, WORST)):
                out.print(self._line(each, names))
            drew = hand.find_drawer(person)
            if drew is not None and len(rated) == len(own) and not any(each.mistake for each in rated):
                out.print("    " + words(NO_MISTAKE, winner=self.names[drew]))

    def show_evening(self, people: Sequence[PersonReview], *, several: bool) -> None:
        """The evening of all players, and the players whose tiles are unknown. several: of several hands."""
        from companion.coach.messages import NOT_KNOWN, NOTHING_TO_REVIEW

        out, words = console(), self.words
        if not people:
            out.print(words(NOTHING_TO_REVIEW))
            return
        out.print(words(THE_EVENING), style="bold")
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
            cost, mean = format_payment(each.cost), write_number(each.mean_cost, places=2)
            said = [words(COST_EACH, name=name, count=each.decisions, cost=cost, mean=mean)]
            if each.worst_hand is not None and several:
                number, most = each.worst_hand
                said.append(words(WORST_HAND, number=number, cost=format_payment(most)))
            yield "  " + "; ".join(said)
            yield "    " + ", ".join(f"{words(grade)} {count}" for grade, count in _in_order(each.grades))
        else:
            yield "  " + words(NOT_RATED, name=name, count=each.unrated)
        kinds = [
            words(OF_KIND, kind=words(kind), count=count, cost=format_payment(each.mistake_costs[kind]))
            for kind, count in each.mistakes.items()
        ]
        if kinds:
            yield "    " + words(COST_MOST, kinds="; ".join(kinds))
        if each.deal_ins:
            yield "    " + words(AVOIDABLE, count=each.deal_ins, avoidable=each.avoidable)

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
            return self.words(BEFORE_THE_FIRST)
        if hand.abandoned:
            return self.words(AFTER_HAND, number=hand.number - 1)
        nobody = NOBODY_WINS if hand.finished else NOT_FINISHED
        ends = "; ".join(self._describe_win(win) for win in hand.wins) or self.words(nobody)
        return self.words(HAND, number=hand.number, ends=ends)

    def _describe_win(self, win: SheetWin) -> str:
        said = {"name": self.names[win.winner], "value": self.words.say(describe_worth(win.score))}
        if win.giver is None:
            return self.words(SELF_DRAWN, **said)
        return self.words(ON_A_TILE, **said, giver=self.names[win.giver])

    def _line(self, decision: RatedDecision, names: Sequence[str]) -> Text:
        from rich.text import Text

        from companion.coach.words.wording import describe_choice, describe_decision, describe_grade
        from companion.table.events import Discarded

        found = Text("    ")
        found.append(describe_grade(decision, self.words), style=COLOURS[decision.grade])
        did = describe_decision(decision, self.words)
        found.append("  " + self.words(AT_EVENT, number=decision.number, did=did))
        why = self.say_why(decision, names)
        if why is not None:
            found.append(f": {why}")
        best = decision.best
        if decision.cost and best is not None and (why is None or not isinstance(decision.did, Discarded)):
            found.append("  " + self.words("Best: {act}", act=describe_choice(best, self.words)))
        if decision.held:
            held, melds = format_tiles(decision.held), " ".join(map(str, decision.melds))
            said = HELD_AND_LAID if melds else HELD
            found.append("\n      " + self.words(said, tiles=held, melds=melds), style="dim")
        return found


def _choose_shown(own: Sequence[RatedDecision], worst: Sequence[RatedDecision]) -> list[RatedDecision]:
    """The worst decisions, and in addition those that dealt in: a player asks about them first."""
    return [each for each in own if each in worst or each.dealt_in]


def _in_order(grades: dict[Any, int]) -> list[tuple[str, int]]:
    return [(name, grades[name]) for name in COLOURS if name in grades]


def _review_to_json(
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


HAND_PHOTO, TABLE_PHOTO = "hand_photo", "table_photo"
OF_HAND = ("hand", "melds")
"""Fields that a picture of the hand stands for."""


class ReadRequest(NamedTuple):
    """A request with what was read in its pictures. unsure: by the field that names the picture, its tiles
    that a person should check, as `companion read` lists them; None without a picture."""

    request: dict[str, Any]
    unsure: dict[str, list[dict[str, Any]]] | None = None

    def list_melds(self) -> list[str]:
        """The own melds, as they were named and read."""
        melds: list[str] = self.request.get("melds", [[]] * 4)[self.request.get("seat", 0)]
        return melds

    def explain(self, problem: RequestError) -> RequestError:
        """What is wrong with the request, with the tiles that were read where it is the photographed hand."""
        if problem.field not in OF_HAND or HAND_PHOTO not in (self.unsure or {}):
            return problem
        tiles = " ".join((self.request["hand"], *self.list_melds()))
        return RequestError(
            messages.READ_AS, field=problem.field, photo=HAND_PHOTO, tiles=tiles, problem=problem
        )


class PhotoReader:
    """Reads the pictures of requests, with the learned set of that name; models are loaded for the first."""

    def __init__(self, set_name: str | None = None) -> None:
        self._set_name = set_name
        self._recogniser: Recogniser | None = None

    def read(self, request: Mapping[str, Any]) -> ReadRequest:
        """The request without the names of pictures; RequestError names the field that is wrong.

        The hand is the separate row of its picture. All other faces of that picture are open tiles, or,
        if there is a picture of the table, all faces of that one but the hand's own. Those that the
        request names too, as discards, or melds and flowers of others, count once.
        """
        named = {name: request[name] for name in (HAND_PHOTO, TABLE_PHOTO) if request.get(name) is not None}
        filled = {name: value for name, value in request.items() if name not in (HAND_PHOTO, TABLE_PHOTO)}
        if not named:
            return ReadRequest(filled)
        for name, value in named.items():
            if not isinstance(value, str):
                raise RequestError(
                    messages.WRONG_TYPE, field=name, allowed="the name of a picture", value=quote(value)
                )
        rules = find_rules(request)
        options = HouseOptionsKind().decode("options", request.get("options", {}), rules)
        kinds = rules.allowed_melds(rules.settings(options))
        table, doubts = PhotoHand(), {}
        if HAND_PHOTO in named:
            reading = self._look(HAND_PHOTO, named[HAND_PHOTO], rules)
            doubts[HAND_PHOTO] = unsure(reading)
            filled |= _fill_hand(filled, reading, rules)
            table = find_other_tiles(PhotoHand().read_again(reading.tiles, rules, kinds))
        held = _find_held(filled)
        if TABLE_PHOTO in named and not _is_same_file(named):
            reading = self._look(TABLE_PHOTO, named[TABLE_PHOTO], rules)
            doubts[TABLE_PHOTO] = unsure(reading)
            table = read_table(PhotoHand(), reading.tiles, held, rules, kinds)
        seen = encode_open_tiles(limit_to_copies(table, held, rules.tile_set), rules.tile_set)
        seen = _leave_out(seen, _count_laid(filled))
        given = filled.get("seen", "")  # after what was read, so that a rank without its suit stays one
        return ReadRequest(filled | {"seen": seen + given if isinstance(given, str) else given}, doubts)

    def _look(self, field: str, name: str, rules: RuleSet) -> Reading:
        from companion.vision import load_recogniser

        if self._recogniser is None:
            self._recogniser = load_recogniser()
        learned = load_named_set(self._set_name, self._recogniser)
        try:
            reading = self._recogniser.read_file(Path(name), rules=rules.name, tile_set=learned)
        except PictureError as problem:
            raise RequestError(messages.UNREADABLE, field=field, problem=problem) from None
        if not reading.tiles:
            raise RequestError(messages.NOTHING_READ, field=field, file=quote(name))
        return reading


def _fill_hand(request: Mapping[str, Any], reading: Reading, rules: RuleSet) -> dict[str, Any]:
    """The fields that the picture of the hand stands for: the hand, and the seat's melds and flowers."""
    if "hand" in request:
        raise RequestError(messages.GIVEN_TWICE, field="hand", photo=HAND_PHOTO)
    seat = read_seat(request.get("seat", 0), "seat")
    melds, flowers = list(read_four(request, "melds", [])), list(read_four(request, "flowers", ""))
    if not isinstance(melds[seat], list) or not all(isinstance(each, str) for each in melds[seat]):
        raise RequestError(
            messages.WRONG_TYPE, field="melds", allowed="a list of melds for each seat",
            value=quote(melds[seat]),
        )  # fmt: skip
    face_down = [text for text in melds[seat] if text.strip() == HIDDEN_KONG]
    laid = [text for text in melds[seat] if text.strip() != HIDDEN_KONG]
    asked = {"rules": rules.name, "options": request.get("options", {}), "melds": laid}
    try:
        found = hand_fields(reading, {}, "", asked, rules.tile_set)
    except CompanionError as problem:
        raise RequestError(messages.UNREADABLE, field=HAND_PHOTO, problem=problem) from None
    melds[seat] = [*face_down, *found.get("melds", laid)]
    flowers[seat] = flowers[seat] or found.get("flowers", "")
    return {"hand": found["hand"], "melds": melds, "flowers": flowers}


def _find_held(request: Mapping[str, Any]) -> Held:
    """The tiles of the seat's hand, as far as the request names them; it is checked later."""
    try:
        seat = read_seat(request.get("seat", 0), "seat")
        concealed = parse_tiles(str(request.get("hand", "")).replace("?", ""))
        own = [text for text in read_four(request, "melds", [])[seat] if text.strip() != HIDDEN_KONG]
        melds = [parse_meld(text) for text in own]
        flowers = parse_tiles(read_four(request, "flowers", "")[seat])
    except (CompanionError, TypeError, AttributeError):
        return Held(())
    laid = [*(tile for meld in melds for tile in meld.tiles), *flowers]
    return Held(tuple(tile.code for tile in concealed), tuple(tile.code for tile in laid))


def _count_laid(request: Mapping[str, Any]) -> Counter[Tile]:
    """The tiles that the request names as discards, and as melds and flowers of others; they are checked
    later."""
    try:
        seat = read_seat(request.get("seat", 0), "seat")
        rivers = [*read_four(request, "rivers", [])]
        others = [each for each in range(len(rivers)) if each != seat]
        melds, flowers = read_four(request, "melds", []), read_four(request, "flowers", "")
        laid = [text for each in rivers for text in ([each] if isinstance(each, str) else each)]
        laid += [text.strip()[1:] for each in others for text in melds[each]] + [
            flowers[each] for each in others
        ]
        return Counter(tile for text in laid for tile in parse_tiles(text.replace(UNKNOWN, " ")))
    except (CompanionError, TypeError, AttributeError):
        return Counter()


def _leave_out(seen: str, laid: Counter[Tile]) -> str:
    """The tiles of the field `seen` without those that are named elsewhere."""
    tiles = Counter(parse_tiles(seen.replace(UNKNOWN, " "))) - laid
    return format_tiles(sorted(tiles.elements())) + UNKNOWN * seen.count(UNKNOWN)


def _is_same_file(named: Mapping[str, str]) -> bool:
    """Whether one picture shows both."""
    if HAND_PHOTO not in named:
        return False
    return os.path.realpath(named[HAND_PHOTO]) == os.path.realpath(named[TABLE_PHOTO])


MOST_LOOKS = 3000
"""Number of hands after which the exact calculation gives up: some ten times as many as simulated hands
needed. A time limit would return different answers to the same request, depending on what else runs."""
NO_PLACE = "Give a request with --request FILE, or many with --batch FILE."


def advise(
    request: RequestFile = None,
    batch: BatchFile = None,
    tile_set: TileSetName = None,
    language: InLanguage = Language.ENGLISH,
    as_json: AsJson = False,
) -> None:
    """Advise a player: tiles left, and the distance, value and risk of each choice.

    A request describes a position; or it names pictures of the hand and of the table: {"rules": "hefei",
    "hand_photo": "hand.jpg", "table_photo": "table.jpg"}; or a game's log: {"log": "game.jsonl", "seat": 1}.
    Only what that seat can see is used.
    """
    if (request is None) == (batch is None):
        raise InputError(NO_PLACE)

    words = Words(language)
    photos = PhotoReader(tile_set)
    if batch is not None:
        answer_lines(batch, partial(answer_request, words=words, photos=photos))
        return
    assert request is not None
    with refuse_in(words):
        text = read_input(request)
        with reading(refuse_input(request)):
            seen, advice, read = _advise(text, photos)
    if as_json:
        print_json(_advice_to_json(seen, advice, read, words))
        return
    if read.unsure is not None:
        _show_read(read, words)
    _show(seen, advice, words)


def answer_request(text: bytes | str, line: int, words: Words, photos: PhotoReader) -> dict[str, Any]:
    """The advice as a JSON object; RequestError with the fault of the request, from that line of a file."""
    return _advice_to_json(*_advise(text, photos, line), words)


def _advise(text: bytes | str, photos: PhotoReader, line: int = 1) -> tuple[SeatView, Advice, ReadRequest]:
    """What the seat sees, the advice, and the request with what was read in its pictures."""
    from companion.coach import messages
    from companion.coach.advice import make_coach, read_level

    try:
        request = load_json(text, line)
    except Undecodable as problem:
        raise RequestError(messages.NOT_JSON, problem=problem.why) from None
    if not isinstance(request, Mapping):
        raise RequestError(messages.NOT_AN_OBJECT, value=quote(request))
    level = read_level(request)
    read = ReadRequest(dict(request)) if "log" in request else photos.read(request)
    try:
        seen = _look(read.request)
    except RequestError as problem:
        raise read.explain(problem) from None
    looks = count()
    *_, advice = make_coach(seen.state.house).advise(seen, level, lambda: next(looks) >= MOST_LOOKS)
    return seen, advice, read


def _look(request: Mapping[str, Any]) -> Any:
    from companion.coach import messages
    from companion.coach.described import describe_position, read_seat
    from companion.coach.seen import observe
    from companion.errors import list_names
    from companion.table.events import decode_log

    if "log" not in request:
        return describe_position(request)
    for name in request:
        if name not in ("log", "seat", "level"):
            raise RequestError(
                messages.UNKNOWN_FIELD, field=str(name), given=quote(name),
                allowed=list_names(name, ("log", "seat", "level")),
            )  # fmt: skip
    if not isinstance(request["log"], str):
        raise RequestError(
            messages.WRONG_TYPE, field="log", allowed="the name of a file", value=quote(request["log"])
        )
    from companion.table.apply import fold

    seat = read_seat(request.get("seat", 0), "seat")
    name = request["log"]
    try:
        with open_lines(name, LOG_MAX_BYTES) as lines, reading(refuse_input(name)):
            state = fold([event for _, event in decode_log(lines)])
    except CompanionError as problem:
        raise RequestError(messages.UNREADABLE, field="log", problem=problem) from None
    if state is None or state.hand is None or not state.playing:
        raise RequestError(messages.NO_HAND, field="log")
    read_seat(seat, "seat", state.house.seats)
    return observe(state, seat)


def _advice_to_json(seen: SeatView, advice: Advice, read: ReadRequest, words: Words) -> dict[str, Any]:
    import msgspec

    choices = []
    for each in advice.choices:
        entry: dict[str, Any] = {
            "do": None if each.do is None else msgspec.to_builtins(each.do),
            "shanten": each.shanten,
            "useful": [[kind.tile.code, kind.unseen] for kind in each.useful],
        }
        if each.self_drawn:
            entry["self_drawn"] = [tile.code for tile in each.self_drawn]
        if each.then is not None:
            entry["then"] = each.then.code
        if each.value is not None:
            entry |= {
                "value": round(each.value, 3),
                "value_error": round(each.value_error or 0.0, 3),
                "win_rate": round(each.win_rate or 0.0, 4),
                "deal_in": round(each.deal_in or 0.0, 4),
            }
        choices.append(entry | {"why": _say_why(seen, each, words)})
    answer = {"choices": choices, "left": advice.left, "at_least": advice.at_least}
    return answer if read.unsure is None else answer | {"request": read.request, "unsure": read.unsure}


def _say_why(seen: SeatView, choice: Advised, words: Words) -> str:
    """The sentence of a choice; players without a name are called by where they sit, seen from who asks."""
    from companion.coach.words.wording import name_around, phrase

    return phrase(choice.why, words, name_around(seen.state, seen.seat, words))


def _show_read(read: ReadRequest, words: Words) -> None:
    """What was read in the pictures, and which tiles are uncertain."""
    out, request, doubts = console(), read.request, read.unsure or {}
    own = read.list_melds()
    if "hand_photo" in doubts:
        said = READ_HAND_AND_MELDS if own else READ_HAND
        out.print(words(said, tiles=request["hand"], melds=" ".join(own)))
    lying = request["seen"]
    count = len(parse_tiles(lying.replace(UNKNOWN, ""))) + lying.count(UNKNOWN)
    out.print(words(READ_OPEN, tiles=lying, count=count))
    for name, tiles in doubts.items():
        if tiles:
            listed = ", ".join(f"{each['tile']}: {each['code']}" for each in tiles)
            out.print(words(READ_UNSURE, file=name, tiles=listed))


def _format_worth(value: float, error: float) -> str:
    """What a choice is worth, and how far that may be off."""
    return f"{write_number(value, signed=True, places=2)} ±{write_number(error, places=2)}"


def _show(seen: SeatView, advice: Advice, words: Words) -> None:
    from rich.table import Table

    from companion.coach.words.wording import describe_choice

    out = console()
    if advice.choices:
        table = Table(title=words(CHOICES), title_justify="left")
        for name in CHOICE_HEADS:
            table.add_column(words(name), overflow="fold")
        for each in advice.choices:
            useful = format_tiles([kind.tile for kind in each.useful])
            table.add_row(
                describe_choice(each, words),
                "" if each.shanten < 0 else str(each.shanten),
                f"{each.live}: {useful}" if useful else "",
                "" if each.value is None else _format_worth(each.value, each.value_error or 0.0),
                "" if each.win_rate is None else f"{each.win_rate:.0%}",
                "" if each.deal_in is None else f"{each.deal_in:.1%}",
            )
        out.print(table)
        best = advice.choices[0]
        out.print(f"{describe_choice(best, words)}: {_say_why(seen, best, words)}")
    out.print(words(STILL_AT_MOST if advice.at_least else STILL_TO_COME))
    for suit in "mpszf":
        kinds = [f"{code}×{count}" for code, count in advice.left.items() if code[-1] == suit]
        if kinds:
            out.print("  " + "  ".join(kinds))
