"""The practice game as a frozen value: the state of the table, and what was touched. No Kivy, no rule."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from msgspec import Struct, structs

from companion.app.effects import ComeToFront, Effect, GoBack, Keep, SendNews, ShowMessage
from companion.app.feature import FeatureState, Room
from companion.app.news import (
    Covered,
    FairGameSet,
    GamePicked,
    HandAdvised,
    NewGameWanted,
    News,
    PracticeTableWanted,
    PracticeWanted,
    SheetWanted,
    TableRulesCancelled,
    TableRulesChosen,
    Uncovered,
    WinEntryWanted,
)
from companion.app.practice.given_away import GivenAway, HandCost
from companion.app.practice.lessons import LESSONS, LessonPlace
from companion.app.text import list_names, list_people
from companion.coach.opponents.strengths import Strength
from companion.live.event_words import describe_event
from companion.live.practice_hand import Pace, PersonMoves, PracticeView, Stage
from companion.profiles import find_played
from companion.sentences import Sentence
from companion.table.events import Called, Dealt, Drawn, Event, GameStarted, HandStarted
from companion.table.state import State

ASKER = "practice"
"""Name of this page in requests for the table's rules."""
LATEST_MAX = 16
"""The latest events that are listed next to the table."""
VERBATIM = "{name}"
NOT_LISTED = (GameStarted, Dealt, Called)
"""Events that are seen, or that the next one shows."""


@dataclass(frozen=True, slots=True)
class BeginPractice(Effect):
    """Choose a number for a game that starts so, and begin it."""

    start: GameStarted


@dataclass(frozen=True, slots=True)
class Do(Effect):
    """The person does that, one of the events that were asked."""

    event: Event


@dataclass(frozen=True, slots=True)
class CallWin(Effect):
    """The person says that the hand wins."""


@dataclass(frozen=True, slots=True)
class PassUp(Effect):
    """The person wants nothing of what was offered."""


@dataclass(frozen=True, slots=True)
class BeginHand(Effect):
    """Start the next hand, or continue after an undo."""


@dataclass(frozen=True, slots=True)
class UndoEvents(Effect):
    """What the person did last is taken back."""


@dataclass(frozen=True, slots=True)
class SetPace(Effect):
    """The built-in players act so fast."""

    pace: Pace


@dataclass(frozen=True, slots=True)
class SetStrength(Effect):
    """The built-in players play with this strength."""

    strength: Strength


@dataclass(frozen=True, slots=True)
class RateGame(Effect):
    """Rate the person's decisions in the finished hands of this game; `known` are rated."""

    events: tuple[Event, ...]
    known: tuple[HandCost, ...]


@dataclass(frozen=True, slots=True)
class StopRating(Effect):
    """Rate nothing any more."""


class KeptPractice(Struct, frozen=True):
    """On disk. table: the name of the house profile that was played last; start: how that game began."""

    strength: Strength = Strength.USUAL
    table: str = ""
    start: GameStarted | None = None


@dataclass(frozen=True, slots=True)
class Practice(FeatureState):
    """table: None if no practice game is played. chooses: whether a person chooses which game; shown:
    whether the page is in front. paused, quick: what was chosen of the pace. waits: whether a touch is on its
    way to the table; touched: the tile that was. latest: the latest events, the oldest first. kept: the
    strength of the opponents and the table; fair: whether fair game is on, so that nothing is rated.
    given_away: what the person's decisions cost, None while no hand is over. lesson: the step of the lesson
    that is shown, and its game; None without one. notes: what the coach shows below
    each tile of the hand, by its code; best: the tile that it would discard."""

    table: PracticeView | None = None
    chooses: bool = True
    shown: bool = False
    paused: bool = False
    quick: bool = False
    waits: bool = False
    touched: str | None = None
    latest: tuple[Sentence, ...] = ()
    kept: KeptPractice = field(default_factory=KeptPractice)
    fair: bool = False
    given_away: GivenAway | None = None
    lesson: LessonPlace | None = None
    notes: Mapping[str, str] = field(default_factory=dict)
    best: str | None = None

    @property
    def page(self) -> str:
        if self.lesson is not None:
            return "lesson_steps"
        return "practice_games" if self.chooses or self.table is None else "practice"

    @property
    def title(self) -> Sentence:
        if self.lesson is not None:
            return Sentence("Lesson")
        table = self.played_by
        if table is None or self.chooses:
            return Sentence("Practice game")
        return Sentence("Practice game · {table}", {"table": table})

    @property
    def played_by(self) -> Sentence | None:
        """The table whose rules are played: the name of a person's profile, of a ready-made one, or of the
        game."""
        game, kept = self.game, self.kept
        if self.table is None or game is None:
            return None
        if kept.table and kept.start == _without_number(self.table.progress.events[0]):
            return Sentence(VERBATIM, {"name": kept.table})
        rules, options = game.house.rules, game.house.options
        ready = find_played(rules.name, options, game.currency)
        return Sentence(ready.title if ready else rules.title)

    @property
    def game(self) -> State | None:
        """How the practice game stands, as the person sees it."""
        return self.table.progress.state if self.table else None

    @property
    def people(self) -> tuple[str, ...]:
        return list_people(self.game)

    @property
    def asked(self) -> PersonMoves | None:
        """What the person may touch now."""
        return self.table.asked if self.table and not self.waits else None

    @property
    def room(self) -> Room | None:
        is_played = self.page == "practice" and self.game is not None and self.game.playing
        return Room.OWN_TABLE if is_played else None

    @property
    def can_go_on(self) -> bool:
        """Whether a practice game is open that is not over."""
        return self.table is not None and self.table.stage is not Stage.OVER

    @property
    def pace(self) -> Pace:
        """How fast the built-in players are to act now."""
        if self.paused or not self.shown or self.chooses or self.lesson is not None:
            return Pace.PAUSED
        return Pace.QUICK if self.quick else Pace.CALM

    # Which game.

    def choose(self) -> Practice:
        """Show which games can be practised."""
        return replace(self, chooses=True, lesson=None)._set_pace().also(ComeToFront())

    def pick_table(self) -> Practice:
        """A person picks one of all tables: games as written, ready-made and own house rules."""
        return self.also(ShowMessage(None), SendNews(GamePicked(None, ASKER)))

    def set_strength(self, strength: Strength) -> Practice:
        """The opponents play with that strength, from now on and in later games."""
        return replace(self, kept=structs.replace(self.kept, strength=strength)).also(
            SetStrength(strength), Keep()
        )

    def pick_game(self, rules: str) -> Practice:
        """A person picks that game; by which table's rules it is played is asked elsewhere."""
        return self.also(ShowMessage(None), SendNews(GamePicked(rules, ASKER)))

    def begin(self, chosen: TableRulesChosen) -> Practice:
        """Play that game by that table's rules, from its first hand on."""
        start = GameStarted(
            rules=chosen.rules,
            options=dict(chosen.options),
            stakes=chosen.stakes,
            currency=chosen.currency,
            cap=chosen.cap,
        )
        kept = structs.replace(self.kept, table=chosen.table, start=start)
        return replace(self, paused=False, kept=kept).also(Keep(), BeginPractice(start))

    def start(self, start: GameStarted, number: int) -> Practice:
        """That number is the game's."""
        return self.also(SendNews(NewGameWanted(structs.replace(start, practice=number))))

    def go_on(self) -> Practice:
        """Show the table of the game that is open."""
        return replace(self, chooses=False, lesson=None)._show(shown=True)

    # At the table.

    def show_table(self, table: PracticeView | None) -> Practice:
        """Show the present table; None closes it."""
        if table is None:
            gone = replace(self, table=None, chooses=True, waits=False, touched=None, latest=())
            return replace(gone, given_away=None).also(StopRating())
        waits = self.waits and self.table is not None and not _answers(self.table, table)
        touched = self.touched if waits else None
        after = replace(self, table=table, waits=waits, touched=touched, latest=self._tell(table))
        after = after._rate(self.table)
        if table.said is not None:
            after = after.also(ShowMessage(table.said))
        return after.also(SendNews(WinEntryWanted(table.seat, at_once=True))) if table.wins else after

    def _rate(self, before: PracticeView | None) -> Practice:
        """Have the hands rated that are over."""
        table = self.table
        assert table is not None
        events = table.progress.events
        is_same_game = before is not None and before.progress.events[0] is events[0]
        known = self.given_away if is_same_game else None
        after = replace(self, given_away=known)
        is_over = table.stage in (Stage.BETWEEN, Stage.OVER) and table.progress.state.hands > 0
        if self.fair or not is_over or (known and before and before.progress.events is events):
            return after
        after = after if known else replace(after, given_away=GivenAway())
        return after.also(RateGame(events, known.hands if known else ()))

    def accept_ratings(self, found: GivenAway) -> Practice:
        """With what is rated by now."""
        return self if self.given_away is None else replace(self, given_away=found)

    def replay(self, number: int) -> Practice:
        """Show the position of that decision on the replayed table, with what was better."""
        return self.also(SendNews(SheetWanted(shows=number)))

    def _tell(self, table: PracticeView) -> tuple[Sentence, ...]:
        """The events of the hand, with the new ones."""
        events = table.progress.events
        known = self.table.progress.events if self.table else events
        if events[: len(known)] != known:
            return ()
        state = table.progress.state
        latest, names = self.latest, list_names(state)
        for event in events[len(known) :]:
            hidden = isinstance(event, Drawn) and event.tile is None
            latest = () if isinstance(event, HandStarted) else latest
            if not hidden and not isinstance(event, NOT_LISTED):
                latest = (*latest, describe_event(event, state, names))
        return latest[-LATEST_MAX:]

    def play(self, event: Event) -> Practice:
        """The person does that."""
        if self.asked is None or not self.asked.allows(event):
            return self
        touched = getattr(event, "tile", None)
        return replace(self, waits=True, touched=touched).also(ShowMessage(None), Do(event))

    def discard(self, code: str) -> Practice:
        """The person discards that tile, if that may be."""
        discards = self.asked.discards if self.asked else ()
        found = next((event for event in discards if event.tile == code), None)
        return self if found is None else self.play(found)

    def call_win(self) -> Practice:
        return self.also(ShowMessage(None), CallWin()) if self.asked and self.asked.wins else self

    def pass_up(self) -> Practice:
        if self.asked is None or not self.asked.passes:
            return self
        return replace(self, waits=True).also(ShowMessage(None), PassUp())

    def begin_hand(self) -> Practice:
        return self if self.waits else replace(self, waits=True, paused=False)._set_pace().also(BeginHand())

    @property
    def can_undo(self) -> bool:
        return self.page == "practice" and self.table is not None and len(self.table.progress.events) > 1

    def undo(self) -> Practice:
        """Before the person's last move, and what followed it."""
        return self.also(ShowMessage(None), UndoEvents())

    # The pace.

    def toggle_pause(self) -> Practice:
        return replace(self, paused=not self.paused)._set_pace()

    def toggle_quick(self) -> Practice:
        return replace(self, quick=not self.quick, paused=False)._set_pace()

    def skip(self) -> Practice:
        """On to what the person is asked next."""
        return replace(self, paused=False)._set_pace().also(SetPace(Pace.SKIP))

    def _set_pace(self) -> Practice:
        return self.also(SetPace(self.pace))

    def _show(self, *, shown: bool) -> Practice:
        """The page is in front, or covered: nobody plays behind another page."""
        after = replace(self, shown=shown)._set_pace()
        return after.also(ComeToFront()) if shown else after

    def show_sheet(self) -> Practice:
        return self.also(SendNews(SheetWanted()))

    def step_back(self) -> Practice:
        if self.lesson is not None:
            return self.leave_lesson()
        return self.also(GoBack())

    # The lesson.

    def begin_lesson(self, rules: str) -> Practice:
        """Show the first step of that game's lesson."""
        return replace(self, lesson=LessonPlace(rules)).also(ShowMessage(None), ComeToFront())

    def leave_lesson(self) -> Practice:
        """Show which games can be practised."""
        return replace(self, lesson=None, chooses=True)._set_pace()

    def turn_lesson(self, steps: int) -> Practice:
        """The lesson that number of steps on, or back; beyond the last one the game begins."""
        if self.lesson is None:
            return self
        at, lesson = self.lesson.at + steps, self.lesson
        if at >= len(LESSONS[lesson.rules]):
            return self.leave_lesson().pick_game(lesson.rules)
        return replace(self, lesson=replace(lesson, at=max(0, at)))

    def on_news(self, news: News) -> Practice:
        match news:
            case FairGameSet(fair):
                after = replace(self, fair=fair, given_away=None if fair else self.given_away)
                return after.also(StopRating()) if fair else after
            case PracticeWanted():
                return self.choose()
            case PracticeTableWanted():
                return self.go_on()
            case TableRulesChosen(by) if by == ASKER:
                return self.begin(news)
            case TableRulesCancelled(by) if by == ASKER:
                return self.choose()
            case HandAdvised(notes, best):
                return replace(self, notes=notes, best=best)
            case Covered():
                return self._show(shown=False)
            case Uncovered():
                return replace(self, shown=True)._set_pace()
        return self


def _without_number(start: Event) -> Event:
    """How the game began, whatever its walls are."""
    return structs.replace(start, practice=None) if isinstance(start, GameStarted) else start


def _answers(before: PracticeView, now: PracticeView) -> bool:
    """Whether a touch has come to something: more happened, something else is asked, or it was refused."""
    moved = now.progress.events is not before.progress.events or now.stage is not before.stage
    return moved or now.asked != before.asked or now.said is not None
