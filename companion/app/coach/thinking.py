"""The coach's answers, computed on threads of their own and refined step by step: the questions that a step
asks, and the workers that answer them. No Kivy."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from msgspec import Struct, field

from companion.app.effects import Effect
from companion.coach import messages
from companion.coach.advice import Coach
from companion.coach.declared import DeclaredHand, StoredHand
from companion.coach.described import describe_position
from companion.coach.results import Advice, Level
from companion.coach.seen import SeatView, is_least, name_left, observe
from companion.coach.value.danger import Dangers
from companion.coach.value.judge import HandStatus, Judge
from companion.coach.words.reasons import explain_risk
from companion.errors import CompanionError, InputError
from companion.sentences import Sentence, msgid
from companion.sheets.hands import Sheet
from companion.table.apply import apply
from companion.table.events import Discarded, GameStarted
from companion.table.house import House
from companion.table.state import State
from companion.tiles import KINDS, SET_TILES, UNKNOWN, Suit, Tile, counts, parse_meld, parse_tiles


@dataclass(frozen=True, slots=True)
class AskTable:
    """What that seat is to do in this state of the game, in which its tiles are known."""

    state: State
    seat: int
    level: Level


@dataclass(frozen=True, slots=True)
class AskHand:
    """What is to be discarded from a hand without a game. fields: as in AdviceWanted."""

    fields: Mapping[str, object]
    level: Level


CoachTask = AskTable | AskHand


@dataclass(frozen=True, slots=True)
class Think(Effect):
    """Answer this in place of what was asked before; None: nothing any more."""

    question: CoachTask | None


@dataclass(frozen=True, slots=True)
class Review(Effect):
    """Review the decisions of these people in these hands of the sheet, by their places, in place of what was
    reviewed before. declared: hands entered in that game; none: those that are kept with `game`."""

    sheet: Sheet
    hands: tuple[tuple[int, tuple[int, ...]], ...]
    declared: tuple[DeclaredHand, ...] = ()
    game: str | None = None


@dataclass(frozen=True, slots=True)
class StopReview(Effect):
    """End the review that is under way."""


@dataclass(frozen=True, slots=True)
class KeepDeclared(Effect):
    """Keep these as all that was entered in the kept game of that name."""

    game: str
    declared: tuple[DeclaredHand, ...]


class KeptCoach(Struct, frozen=True):
    """On disk. on: whether the panel is open next to the table. game: the kept one in which hands were
    entered."""

    on: bool = False
    level: Level = Level.FULL
    game: str | None = None
    declared: tuple[StoredHand, ...] = field(default=(), name="told")

    @property
    def is_valid(self) -> bool:
        return all(each.is_valid for each in self.declared)


NO_FORTUNE = msgid("Enter the Fortune tile first, so that the coach knows what is wild.")
NO_HAND_SIZE = msgid(
    "{found} concealed tiles entered. A hand has {wanted} besides its melds, or {less} before the draw."
)
FAILED = msgid("The coach cannot advise on this ({why}).")
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Danger:
    """The chance that a discard of that kind deals in, and the sign that says so."""

    code: str
    chance: float
    why: Sentence


@dataclass(frozen=True, slots=True)
class Answer:
    """tiles: the hand that is advised, as codes. advice: None if there is nothing to decide, and then
    standing describes the hand between turns, and refused why the nearest finished one would not win, None if
    it would. dangers: of the kinds in the hand, the greatest first.
    left: what can still come, by code, at most where `at_least`. final: whether nothing better follows.
    trouble: why there is no advice.
    """

    tiles: tuple[str, ...] = ()
    advice: Advice | None = None
    standing: HandStatus | None = None
    refused: Sentence | None = None
    dangers: tuple[Danger, ...] = ()
    left: Mapping[str, int] | None = None
    at_least: bool = False
    final: bool = False
    trouble: Sentence | None = None

    @property
    def discard(self) -> str | None:
        """The code of the tile that is to be discarded, now or after the claim that is advised."""
        if self.advice is None or not self.advice.choices:
            return None
        best = self.advice.choices[0]
        if isinstance(best.do, Discarded):
            return best.do.tile
        return None if best.then is None else best.then.code


class Advisor:
    """Answers questions; keeps what belongs to one table while questions are about it."""

    def __init__(self) -> None:
        self._house: House | None = None
        self._coach: Coach | None = None

    def answer(self, question: CoachTask, stop: Callable[[], bool]) -> Iterator[Answer]:
        """Answers, each complete and better than the one before; an error of the hand is one of them."""
        try:
            if isinstance(question, AskTable):
                yield from self._answer_table(question, stop)
            else:
                yield from self._answer_hand(question, stop)
        except CompanionError as error:
            yield Answer(final=True, trouble=error.sentence)
        except Exception as error:
            log.exception("the coach")
            why = str(error) or type(error).__name__
            yield Answer(final=True, trouble=Sentence(FAILED, {"why": why}))

    def _answer_table(self, question: AskTable, stop: Callable[[], bool]) -> Iterator[Answer]:
        yield from self._advise(observe(question.state, question.seat), question.level, stop)

    def _answer_hand(self, question: AskHand, stop: Callable[[], bool]) -> Iterator[Answer]:
        fields: dict[str, Any] = dict(question.fields)
        state = apply(None, GameStarted(rules=fields["rules"], options=dict(fields.get("options") or {})))
        house = state.house
        tiles = parse_tiles(str(fields.get("hand", "")))
        melds = tuple(parse_meld(text) for text in fields.get("melds") or ())
        between = house.rules.hand_size - SET_TILES * len(melds)
        if len(tiles) not in (between, between + 1):
            raise InputError(NO_HAND_SIZE, wanted=between + 1, less=between, found=len(tiles))
        seen, unread = read_open(str(fields.get("seen", "")))
        own = (*tiles, *(tile for meld in melds for tile in meld.tiles))
        _check_copies(house, (*own, *seen))
        if not fields.get("fortune") and house.wall.indicator_dice and "fortune" in house.rules.uses:
            raise InputError(NO_FORTUNE)
        less = len(tiles) == between
        request = {
            "rules": fields["rules"], "options": fields.get("options") or {},
            "hand": str(fields["hand"]) + UNKNOWN * less,
            "melds": [list(fields.get("melds") or ()), [], [], []],
            "flowers": [fields.get("flowers") or "", "", "", ""], "fortune": fields.get("fortune"),
            "seen": fields.get("seen") or "",
        }  # fmt: skip
        table = describe_position(request)
        if not less:
            yield from self._advise(table, question.level, stop)
            return
        standing = refused = None
        if question.level is not Level.LEFT:
            standing, refused = self._take_coach(house).assess(table)
        yield Answer(
            _name(tiles), standing=standing, refused=refused, left=name_left(table), at_least=unread > 0,
            final=True,
        )  # fmt: skip

    def _advise(self, seen: SeatView, level: Level, stop: Callable[[], bool]) -> Iterator[Answer]:
        coach = self._take_coach(seen.state.house)
        player = seen.player
        base = Answer(_name(player.concealed), left=name_left(seen), at_least=is_least(seen))
        if level is Level.LEFT or player.hidden:
            yield replace(base, final=True)
            return
        may_discard = player.count % SET_TILES == 2
        if level is Level.FULL:
            base = replace(base, dangers=_list_dangers(seen))
        answered = False
        try:
            last: Advice | None = None
            for last in coach.advise(seen, level, stop):
                answered = True
                yield replace(base, advice=last)
            if last is not None and not stop():
                yield replace(base, advice=last, final=True)
        except CompanionError:
            if answered or may_discard:
                raise
            standing, refused = coach.assess(seen)
            yield replace(base, standing=standing, refused=refused, final=True)

    def _take_coach(self, house: House) -> Coach:
        if self._coach is None or house != self._house:
            self._house, self._coach = house, Coach(Judge(house.rules, house.scoring))
        return self._coach


def read_open(text: str) -> tuple[tuple[Tile, ...], int]:
    """Tiles that are open, of the field `seen`, and how many more were not read."""
    return parse_tiles(text.replace(UNKNOWN, "")), text.count(UNKNOWN)


def count_named(text: str) -> int:
    """How many tiles the field `seen` holds."""
    tiles, unread = read_open(text)
    return len(tiles) + unread


def _check_copies(house: House, tiles: tuple[Tile, ...]) -> None:
    for kind, found in zip(KINDS, counts(tiles), strict=True):
        copies = house.copies[kind.index]
        if found and not copies:
            raise InputError(messages.NOT_OF_GAME, tile=kind.code)
        if found > copies:
            raise InputError(messages.TOO_MANY, tile=kind.code, found=found, copies=copies)


def _name(tiles: tuple[Tile, ...]) -> tuple[str, ...]:
    return tuple(tile.code for tile in sorted(tiles))


def _list_dangers(seen: SeatView) -> tuple[Danger, ...]:
    kinds = sorted({tile for tile in seen.player.concealed if tile.suit is not Suit.FLOWERS})
    dangers = Dangers(seen)
    found = [Danger(kind.code, dangers.risk(kind)[0], explain_risk(seen, kind, dangers)) for kind in kinds]
    return tuple(sorted(found, key=lambda each: -each.chance))
