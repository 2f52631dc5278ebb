"""Ties a decoder, which sees one table, to the running game, in which others report too.

The game's log is the one truth. What the decoder states becomes proposals of its source. Events that others
report wait a moment: usually the decoder sees the same by itself, and needs to be told only what it does not
see, and corrections. Its own log has other numbers than the game's; `_numbers` translates. Tiles that the
game knows and that the decoder has not seen put down are hidden from it (`ExpectedTiles`): it would read them
as moves.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from msgspec.structs import replace as changed

from companion.errors import EventError
from companion.following.decoder import DOUBTS, NOT_OF_GAME, OTHER_HAND, UNEXPLAINED, UNREADABLE, Decoder
from companion.following.hypotheses import NAMED_BY
from companion.following.notices import Asked, Found, Lost, Notice, Stated
from companion.game.deciding import SAME_FACT_S, Decision, Pending, Progress, Verdict, Why
from companion.game.facts import REPEATS, Fact, compare_events, find_source, find_time
from companion.game.owner import GameTransaction
from companion.game.proposals import Proposal, Reporter, Trust, TrustPolicy
from companion.live.doubts import Doubts, count_open, find_sea_doubt
from companion.live.noticed import (
    EventNoticed,
    FollowingLost,
    FollowingResumed,
    LostState,
    Noticed,
    QuestionAsked,
)
from companion.live.running import RunningGame
from companion.seeing.sights import (
    HELD,
    IS_COVERED,
    MOVED_AWAY,
    NO_TABLE,
    OTHER_SIZE,
    SHAKES,
    TOO_BRIGHT,
    TOO_DARK,
    TWO_TABLES,
    Roll,
    SeenTile,
    Sight,
)
from companion.sentences import Sentence
from companion.table.events import (
    CERTAIN_FROM,
    Called,
    Corrected,
    CurrencyAgreed,
    DealSet,
    Dealt,
    Drawn,
    EntryCancelled,
    Event,
    FalseWin,
    GameEnded,
    GameStarted,
    HandShown,
    HandStarted,
    HandVoided,
    IndicatorTurned,
    PointsMoved,
    ReadyDeclared,
    SeatsChanged,
    WinPassed,
    Won,
)
from companion.table.state import Phase, State

EXPECTED_S = 20.0
"""Seconds within which such a tile is expected to appear; later ones of its kind are moves."""


@dataclass(slots=True)
class ExpectedTiles:
    """codes: how many of each are expected until `until_s`, which is known from the next sight on; hidden:
    the tracks that turned out to be such."""

    codes: Counter[str] = field(default_factory=Counter)
    until_s: float | None = None
    hidden: set[int] = field(default_factory=set)
    _known: set[int] = field(default_factory=set)

    def expect(self, codes: Counter[str]) -> None:
        """From now on these come in sight without being moves."""
        self.codes += codes
        self.until_s = None

    def expect_unseen(self, state: State, codes: Counter[str], last: Sight | None) -> None:
        """Expect the open tiles of these kinds that the last sight does not have."""
        seen = Counter(_read(tile) for tile in last.tiles) if last else Counter[str]()
        open_now = count_open(state)
        missing = {code: min(count, open_now[code] - seen[code]) for code, count in codes.items()}
        self.expect(Counter({code: count for code, count in missing.items() if count > 0}))

    def hide(self, sight: Sight) -> Sight:
        """The sight without such tiles."""
        if self.until_s is None:
            self.until_s = sight.t + EXPECTED_S
        elif sight.t > self.until_s:
            self.codes.clear()
        for tile in sight.tiles:
            code = _read(tile)
            if tile.track not in self._known and not tile.standing and self.codes[code] > 0:
                self.codes[code] -= 1
                self.hidden.add(tile.track)
            self._known.add(tile.track)
        if not self.hidden:
            return sight
        return replace(sight, tiles=tuple(tile for tile in sight.tiles if tile.track not in self.hidden))


def _read(tile: SeenTile) -> str:
    return tile.readings[0][0] if tile.readings else ""


__all__ = ["MOVED", "UNEXPLAINED", "describe_lost", "make_why"]

MOVED = (NO_TABLE, TWO_TABLES, HELD, MOVED_AWAY, OTHER_SIZE)
"""Reasons for which the table has to be found again."""
WORDS = {
    NO_TABLE: Sentence("The table is not found: show all four of its corners, in good light, or touch them."),
    TWO_TABLES: Sentence(
        "Two tables are in view: show one alone, or touch the four corners of the one you play at."
    ),
    HELD: Sentence("The camera moves all the time: put it on a stand."),
    MOVED_AWAY: Sentence(
        "The camera was moved: searching for the table. Show all four of its corners, or touch them."
    ),
    OTHER_SIZE: Sentence(
        "The camera's picture has a different size: searching for the table. Show all four of its "
        "corners, or touch them."
    ),
    UNEXPLAINED: Sentence(
        "No legal move explains the tiles on the table. Touch the event that is wrong, or accept the "
        "tiles as they are."
    ),
    NOT_OF_GAME: Sentence(
        "The table shows tiles that this game does not have, or more than it has: check the rules, "
        "and remove tiles of another set."
    ),
    OTHER_HAND: Sentence(
        "A hand is shown with more or fewer tiles than a hand of this game has: check the rules."
    ),
    UNREADABLE: Sentence(
        "Most tiles on the table cannot be read: turn the lamp or the camera if the tiles reflect "
        "light, or teach the program your tiles."
    ),
    IS_COVERED: Sentence("The camera is covered: uncover it to continue."),
    SHAKES: Sentence("The camera shakes: hold it still, or fasten it."),
    TOO_DARK: Sentence("The picture is too dark: switch a lamp on."),
    TOO_BRIGHT: Sentence("The picture is too bright: turn the lamp or the camera away from each other."),
}


def make_why(trouble: str) -> Sentence:
    """Why, by the trouble of a sight: in few words, or in those of another program that recorded it."""
    if trouble in WORDS:
        return Sentence(trouble)
    return Sentence("The game cannot be followed: {why}.", {"why": trouble.removesuffix(".")})


def describe_lost(why: Sentence) -> Sentence:
    """The reason why the game cannot be followed, with what to do about it."""
    return WORDS.get(why.template, why)


def make_question(pending: Pending, t: float) -> QuestionAsked:
    """The question that is asked at `t`: which event it is about, the choices, and who reported them."""
    fact, said = pending.fact, pending.proposal.event
    event = said.right if isinstance(said, Corrected) else said
    number = None
    if fact is not None:
        number = fact.number
    elif isinstance(said, Corrected):
        number = said.number
    choices = [_describe(each) for each in (fact.event if fact else None, event) if each is not None]
    sources = (*(fact.seen_by if fact else ()), pending.proposal.source)
    named = event or (fact.event if fact else said)
    about = str(named.__struct_config__.tag)
    return QuestionAsked(t, number, about, tuple(dict.fromkeys(choices)), sources)


def _describe(event: Event) -> str:
    """What distinguishes the event from others of its type: its tile, meld or seat."""
    parts = (getattr(event, name, None) for name in ("tile", "meld", "hand", "dice", "seat"))
    return next((str(part) for part in parts if part is not None), "?")


NEVER_PASSED_ON = (GameStarted, HandShown, PointsMoved, EntryCancelled, CurrencyAgreed)
"""Events that change nothing for the tiles on the table: they never go to the decoder."""
SPOKEN = (Called, WinPassed, ReadyDeclared, FalseWin, HandVoided, SeatsChanged, DealSet, GameEnded)
"""Events that nobody can see: they are passed to the decoder immediately."""
SEEN_WITH_OTHERS = (HandStarted, Dealt, Drawn)
"""Events that the decoder states together with the next tile that it sees."""


@dataclass(frozen=True, slots=True)
class Reported:
    """An event that others reported, with its number in the game's log; the decoder has not stated it yet."""

    number: int
    event: Event
    since_s: float


class Rolls:
    """The rolls that one camera, `source`, sees. Each counts once."""

    def __init__(self, source: Reporter) -> None:
        self._source = source
        self._used: Roll | None = None
        self._second: Roll | None = None

    def find_event(
        self, progress: Progress, roll: Roll | None, bare_s: float | None, t_ns: int
    ) -> Event | None:
        """The event that the roll means; None if already known. t_ns: when it was thrown.

        bare_s: since when no tile of a hand is on the table, None while one is. Dice that have been there for
        longer belong to the hand before.
        """
        if roll is None or (self._used is not None and roll.since_s <= self._used.since_s):
            return None
        event = self._begin_hand(progress, roll, bare_s) if not progress.state.playing else None
        if progress.state.playing:
            event = self._complete_hand(progress, roll, t_ns)
        if event is not None:
            self._used, self._second = roll, None
        return event

    def complete(self, event: Event, progress: Progress) -> Event:
        """An event with the roll that belongs to it: the second of a hand is for its indicator."""
        roll, numbers = self._second, progress.state.house.wall.indicator_dice
        if not isinstance(event, IndicatorTurned) or roll is None or len(roll.pips) != numbers:
            return event
        return changed(event, dice=roll.pips)

    def _begin_hand(self, progress: Progress, roll: Roll, bare_s: float | None) -> Event | None:
        state = progress.state
        is_new = bare_s is not None and roll.since_s > bare_s
        if not is_new or state.over or len(roll.pips) not in state.house.wall.dice:
            return None
        return HandStarted(dealer=state.deal.dealer, dice=roll.pips)

    def _complete_hand(self, progress: Progress, roll: Roll, t_ns: int) -> Event | None:
        """The roll of a hand that has just begun, or a second one of it."""
        state = progress.state
        fact = _find_start(progress)
        if fact is None or state.hand is None:
            return None
        started = fact.event
        assert isinstance(started, HandStarted)
        is_own = self._source in fact.seen_by
        if is_own and started.dice is not None and state.house.wall.indicator_dice:
            self._second = roll
            return None
        if abs(t_ns - fact.t_ns) > SAME_FACT_S * 1e9 or len(roll.pips) not in state.house.wall.dice:
            return None
        right = changed(started, dice=roll.pips)
        if not is_own:
            return right
        is_alone = fact.seen_by == (self._source,)
        if (
            right == started
            or not is_alone
            or (started.dice is not None and state.hand.phase is not Phase.DEAL)
        ):
            return None
        return Corrected(number=fact.number, right=right)  # it was thrown again, or is read late


def _find_start(progress: Progress) -> Fact | None:
    """The beginning of the hand in play."""
    return next((each for each in reversed(progress.facts) if isinstance(each.event, HandStarted)), None)


SEES_ITSELF_S = 6.0
"""Seconds that a report of others waits for the decoder to see the same: it states nine in ten events within
2 s, and a doubtful one after 5 s."""
DEVICES_WAIT_S = 12.0
"""Seconds that a call by a button waits for the discard that the camera has not stated yet: the decoder's
maximum delay."""
FOLLOWING = TrustPolicy(
    device=Trust(except_for=frozenset({Won}), waits_s=DEVICES_WAIT_S),
    camera=Trust(),
    script=Trust(waits_s=DEVICES_WAIT_S),
)
"""While a game is followed: the decoder waits by itself until it is sure enough, and what it states without
certainty is entered and marked, so that the game continues."""


class Follows(Protocol):
    """What follows sights into a game, as `Follower` does."""

    def follow(self, sight: Sight, t_ns: int, broken: Sentence | None = None) -> list[Noticed]: ...

    def finish(self, t: float, t_ns: int) -> list[Noticed]: ...

    def begin_here(self, lying: Sequence[Sight] = ()) -> None: ...

    def trust_tiles(self) -> None: ...

    def pop_named_tiles(self) -> dict[int, str]: ...


class Follower:
    """Follows one table for `game`, in the name of `source`. key: what begins the keys of its events, so that
    none is entered twice; its own of each recording. Raises EventError if no game is played."""

    def __init__(self, game: RunningGame, source: Reporter, *, key: str | None = None) -> None:
        self._game = game
        self._source = source
        self._key = key
        self._events: tuple[Event, ...] = ()
        self._numbers: list[int] = []
        self._entered: set[int] = set()
        self._waiting: list[Reported] = []
        self._expected = ExpectedTiles()
        self._rolls = Rolls(source)
        self._last: Sight | None = None
        self._begun = self._proposed = self._asked = 0
        self._refused = False
        self._doubts = Doubts()
        self._broken: Sentence | None = None
        self._standing = LostState()
        self._named: dict[int, str] = {}
        game.transact(lambda transaction: self._begin(transaction.get_progress(), 0.0)).result()

    def follow(self, sight: Sight, t_ns: int, broken: Sentence | None = None) -> list[Noticed]:
        """What is noticed in this sight. t_ns: its time on the game's clock. broken: why its source has no
        picture, where that is the sight's trouble. Raises EventError if no game is played."""
        self._broken = broken
        return self._game.transact(
            lambda transaction: self._follow(transaction, sight, sight.t, t_ns)
        ).result()

    def finish(self, t: float, t_ns: int) -> list[Noticed]:
        """What is noticed at the end of a recording."""
        return self._game.transact(lambda transaction: self._follow(transaction, None, t, t_ns)).result()

    def trust_tiles(self) -> None:
        """A person confirms the rules and the tiles: they are no longer doubted."""
        self._doubts.trust()

    def pop_named_tiles(self) -> dict[int, str]:
        """The codes of tiles that others have named since the last call, by their numbers in the sights."""
        named, self._named = self._named, {}
        return named

    def begin_here(self, lying: Sequence[Sight] = ()) -> None:
        """Take the tiles on the table as those of the game's log, whatever they are. lying: the last sights
        of them, where they were not followed."""
        self._game.transact(lambda transaction: self._pass_over(transaction.get_progress(), lying)).result()

    # Everything below runs on the game's thread.

    def _pass_over(self, progress: Progress, lying: Sequence[Sight]) -> None:
        before, expected = self._decoder, self._expected
        for sight in lying:
            before.note(sight)
        self._begin(progress, 0.0)
        self._decoder.take_over(before)
        self._expected = ExpectedTiles() if lying else expected  # of what was not followed none was hidden

    def _follow(
        self, transaction: GameTransaction, sight: Sight | None, t: float, t_ns: int
    ) -> list[Noticed]:
        """sight: None at the end of a recording."""
        noticed = list(self._catch_up(transaction.get_progress(), t))
        if sight is not None and not sight.trouble:
            self._pass_on_overdue(transaction.get_progress(), t)
            noticed += self._note_roll(transaction, sight, t_ns)
            sight = self._last = self._expected.hide(sight)
        failed: list[int] = []
        notices = self._decoder.finish() if sight is None else self._decoder.follow(sight)
        self._numbers += [0] * sum(isinstance(each, Stated) for each in notices)
        for notice in notices:
            noticed += self._handle_notice(transaction, notice, t_ns, failed)
        if failed:
            self._retract(transaction.get_progress(), failed)
        noticed += self._catch_up(transaction.get_progress(), t)
        noticed += self._ask(transaction.get_progress(), t)
        state, decoder = transaction.get_progress().state, self._decoder
        if any(isinstance(each, EventNoticed) for each in noticed):
            self._doubts.judge_rules(state)
        self._doubts.update_sea(find_sea_doubt(state, decoder.count_unseen_turns(), decoder.find_walls()))
        return [*self._standing.settle(noticed), *self._doubts.settle(t)]

    def _note_roll(self, transaction: GameTransaction, sight: Sight, t_ns: int) -> Iterator[Noticed]:
        """Propose the event that the dice on the table stand for. The decoder sees the first tile of the hand
        by itself."""
        roll, progress = sight.dice, transaction.get_progress()
        if roll is None:
            return
        t_ns -= round((sight.t - roll.since_s) * 1e9)
        event = self._rolls.find_event(progress, roll, self._decoder.bare_s, t_ns)
        if event is None:
            return
        decision = transaction.decide(Proposal(event, t_ns, self._source, roll.p, key=self._make_key()))
        if decision.verdict is not Verdict.ACCEPTED:
            return
        entered, after = decision.event, decision.progress
        assert entered is not None
        number = len(after.events)
        if not isinstance(entered, Corrected):
            self._decoder.expect_hand()
            self._waiting.append(Reported(number, entered, sight.t))
        self._entered.add(number)
        certain = roll.p >= CERTAIN_FROM
        yield EventNoticed(sight.t, entered, roll.p, certain, self._source, number, after.state)

    def _handle_notice(
        self, transaction: GameTransaction, notice: Notice, t_ns: int, failed: list[int]
    ) -> Iterator[Noticed]:
        match notice:
            case Stated():
                for each in self._split(transaction.get_progress(), notice):
                    if failed or not (yield from self._state(transaction, each, t_ns)):
                        failed.append(notice.number)
                        break
            case Asked():
                number = self._numbers[notice.number - 1]
                if number:
                    yield QuestionAsked(notice.t, number, notice.about, notice.choices)
            case Lost(why=why) if why not in DOUBTS:
                self._doubts.update_tiles(None)
                yield FollowingLost(notice.t, self._broken or make_why(why))
            case Lost() | Found():
                self._doubts.update_tiles(make_why(notice.why) if isinstance(notice, Lost) else None)
                yield FollowingResumed(notice.t)

    def _state(
        self, transaction: GameTransaction, stated: Stated, t_ns: int
    ) -> Generator[Noticed, None, bool]:
        """Propose the decoder's statement; returns whether the event is in the game now, or was before."""
        event, at = stated.event, stated.number - 1
        if isinstance(event, Corrected):
            fact = self._numbers[event.number - 1]
            if not fact:
                return True
            if event.right is None and self._is_begun_by_others(transaction.get_progress(), fact):
                return False
            upto = None if event.upto is None else max(self._list_own(event).values())
            event = changed(event, number=fact, upto=upto)
        known = self._find_waiting(event)
        if known is not None:
            self._numbers[at] = known.number
            self._waiting.remove(known)
            t_ns = find_time(transaction.get_progress().facts, known.number, t_ns)
        event = self._rolls.complete(event, transaction.get_progress())
        decision = transaction.decide(Proposal(event, t_ns, self._source, stated.p, key=self._make_key()))
        if decision.verdict is Verdict.ACCEPTED:
            if self._refused:
                self._refused = False
                yield FollowingResumed(stated.t)
            yield from self._note_entered(decision, stated, at)
        elif decision.verdict is Verdict.REPEATED and decision.fact is not None:
            self._numbers[at] = self._numbers[at] or decision.fact.number
        elif decision.verdict is Verdict.REFUSED and known is None and not self._refused:
            self._refused = True
            assert decision.error is not None
            yield FollowingLost(stated.t, decision.error.sentence)
        return known is not None or decision.verdict in (Verdict.ACCEPTED, Verdict.REPEATED)

    def _split(self, progress: Progress, stated: Stated) -> list[Stated]:
        """The statement; where it corrects several events between which others have entered something, one
        for each of them, the last first."""
        event = stated.event
        if not isinstance(event, Corrected) or event.upto is None:
            return [stated]
        own = self._list_own(event)
        between = range(min(own.values(), default=0) + 1, max(own.values(), default=0))
        others = (number for number in between if number not in self._numbers)
        if own and all(isinstance(progress.events[number - 1], Corrected) for number in others):
            return [replace(stated, event=changed(event, number=min(own)))]
        alone = [Corrected(number=number) for number in sorted(own, reverse=True)]
        alone[-1:] = [changed(event, number=each.number, upto=None) for each in alone[-1:]]
        return [replace(stated, event=each) for each in alone]

    def _list_own(self, correction: Corrected) -> dict[int, int]:
        """The game's numbers of the events that a correction of the decoder takes back, by the decoder's."""
        log = self._decoder.log
        return {
            number: self._numbers[number - 1]
            for number in (correction.number, *correction.others)
            if self._numbers[number - 1] and not isinstance(log[number - 1], Corrected)
        }

    def _is_begun_by_others(self, progress: Progress, number: int) -> bool:
        """Whether that event began a hand and others reported it: it stays in the game even if the tiles on
        the table were not of that hand."""
        began = isinstance(progress.events[number - 1], SEEN_WITH_OTHERS)
        return began and number not in self._entered

    def _make_key(self) -> str | None:
        self._proposed += 1
        return self._key and f"{self._key}:{self._proposed}"

    def _note_entered(self, decision: Decision, stated: Stated, at: int) -> Iterator[Noticed]:
        entered, after = decision.event, decision.progress
        assert entered is not None
        number = len(after.events)
        if isinstance(entered, Corrected) and not isinstance(stated.event, Corrected):
            self._numbers[at] = entered.number  # it completes what others reported
        else:
            self._numbers[at] = number
        self._entered.add(number)
        yield EventNoticed(stated.t, entered, stated.p, stated.certain, self._source, number, after.state)

    def _find_waiting(self, event: Event) -> Reported | None:
        """The first event reported by others that this is too."""
        return next((each for each in self._waiting if compare_events(each.event, event) in REPEATS), None)

    def _retract(self, progress: Progress, numbers: Sequence[int]) -> None:
        """Correct the decoder's log: the events that it stated by these numbers do not stand in the game."""
        for number in reversed(numbers):
            if not self._void(progress, number):
                return
        self._pass_on_waiting(progress)

    def _void(self, progress: Progress, at: int) -> bool:
        """Take an event out of the decoder's log; as `_pass_on`."""
        accepted = self._pass_on(progress, Corrected(number=at, right=None))
        if accepted:
            self._numbers[at - 1] = 0
            self._numbers.append(0)
        return accepted

    def _catch_up(self, progress: Progress, t: float) -> Iterator[Noticed]:
        """Handle what others have done in the game since."""
        if progress.events[:1] != self._events[:1]:
            self._doubts = Doubts()
            self._begin(progress, t)
            return
        if progress.events is self._events:
            return
        same = 0
        for ours, theirs in zip(self._events, progress.events, strict=False):
            if ours is not theirs and ours != theirs:
                break
            same += 1
        begun = self._begun
        for number in range(len(self._events), same, -1):
            self._entered.discard(number)
            if self._begun == begun:
                self._forget(progress, number)
        self._events = progress.events
        for number in range(same + 1, len(progress.events) + 1):
            if number in self._entered:
                continue
            event = progress.events[number - 1]
            source = find_source(progress.reports, number)
            if self._begun == begun:
                self._handle_reported(progress, Reported(number, event, t))
            p = progress.ps[number - 1]
            yield EventNoticed(t, event, p, p >= CERTAIN_FROM, source, number, progress.state)

    def _begin(self, progress: Progress, t: float) -> None:
        """Follow from here, with nothing known of the tiles on the table. The unseen events of a hand that
        has just begun wait for its first tile."""
        events = progress.events
        begun = len(events)
        while isinstance(events[begun - 1], (HandStarted, Dealt)):
            begun -= 1
        self._begun += 1
        self._decoder = Decoder(events[:begun])
        self._events = events
        self._numbers = list(range(1, begun + 1))
        self._expected = ExpectedTiles()
        self._expected.expect(count_open(self._decoder.state))
        self._entered.clear()
        self._waiting = [Reported(at + 1, events[at], t) for at in range(begun, len(events))]
        if self._waiting:
            self._decoder.expect_hand()

    def _forget(self, progress: Progress, number: int) -> None:
        """An event of the game was undone."""
        waiting = [each for each in self._waiting if each.number == number]
        if waiting:
            self._waiting.remove(waiting[0])
            return
        at = self._find_own(number)
        if at:
            self._void(progress, at)

    def _forget_all(self, progress: Progress, correction: Corrected) -> None:
        """Several events in a row did not happen."""
        first, last = (self._find_own(number) for number in (correction.number, correction.others[-1]))
        if first and last:
            if self._pass_on(progress, changed(correction, number=first, upto=last)):
                self._numbers[first - 1 : last] = [0] * (last - first + 1)
                self._numbers.append(0)
            return
        begun = self._begun
        for number in (*reversed(correction.others), correction.number):
            if self._begun == begun:
                self._forget(progress, number)

    def _handle_reported(self, progress: Progress, reported: Reported) -> None:
        """Handle an event that others have entered."""
        event = reported.event
        if isinstance(event, NEVER_PASSED_ON):
            return
        if isinstance(event, HandStarted):
            self._decoder.expect_hand()
        if not isinstance(event, Corrected):
            self._waiting.append(reported)
            return
        if event.others and event.right is None:
            self._forget_all(progress, event)
            return
        for at, each in enumerate(self._waiting):
            if each.number == event.number:
                self._waiting[at : at + 1] = [] if event.right is None else [replace(each, event=event.right)]
                return
        at = self._find_own(event.number)
        track = self._decoder.find_tile(at)
        if track is not None and isinstance(event.right, NAMED_BY) and event.right.tile is not None:
            self._named[track] = event.right.tile
        upto = None if event.upto is None else self._find_own(event.upto)
        if at and upto != 0 and self._pass_on(progress, changed(event, number=at, upto=upto)):
            self._numbers.append(reported.number)

    def _pass_on_overdue(self, progress: Progress, t: float) -> None:
        """Pass on to the decoder what it should have seen by now, how a hand ended once the next one has
        begun, and what it cannot see."""
        for at in range(len(self._waiting) - 1, -1, -1):
            each = self._waiting[at]
            seen_alone = not isinstance(each.event, (*SEEN_WITH_OTHERS, *SPOKEN))
            overdue = seen_alone and not 0 <= t - each.since_s < SEES_ITSELF_S
            if overdue or (at and isinstance(each.event, HandStarted)):
                self._pass_on_waiting(progress, at + overdue)
                break
        while self._waiting and isinstance(self._waiting[0].event, SPOKEN):
            self._pass_on_waiting(progress, 1)

    def _pass_on_waiting(self, progress: Progress, count: int | None = None) -> None:
        """Pass on to the decoder the first `count` events that wait, or all of them."""
        count = len(self._waiting) if count is None else count
        passed_on, self._waiting = self._waiting[:count], self._waiting[count:]
        before = count_open(self._decoder.state)
        for each in passed_on:
            if not self._pass_on(progress, each.event):
                return
            self._numbers.append(each.number)
        laid = count_open(self._decoder.state) - before
        self._expected.expect_unseen(self._decoder.state, laid, self._last)

    def _pass_on(self, progress: Progress, event: Event) -> bool:
        """Whether the decoder accepts this event. Where it contradicts what the decoder stated, the decoder
        begins again from the game's log."""
        try:
            self._decoder.accept(event)
        except EventError:
            self._begin(progress, self._last.t if self._last else 0.0)
            return False
        return True

    def _find_own(self, number: int) -> int:
        """The number that an event of the game has in the decoder's log; 0 if it has none."""
        for at in range(len(self._numbers), 0, -1):
            if self._numbers[at - 1] == number:
                return at
        return 0

    def _ask(self, progress: Progress, t: float) -> Iterator[Noticed]:
        """Ask a person about the proposals that wait for one, once each."""
        for each in progress.pending:
            if each.number > self._asked and each.why is not Why.EARLY:
                self._asked = each.number
                yield make_question(each, t)


class Teachable(Protocol):
    """What reads tiles, and can learn what one of them is."""

    def teach(self, number: int, code: str) -> None: ...


def teach(watch: Teachable, follower: Follows) -> None:
    """Pass on which tiles people have named since the last time."""
    for number, code in follower.pop_named_tiles().items():
        watch.teach(number, code)
