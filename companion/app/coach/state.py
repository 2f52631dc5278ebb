"""What the coach shows: the position it can be asked about, the replayed hand with the cost of its decisions,
and the steps that change them. Frozen values, no Kivy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from companion.app.coach.thinking import (
    Answer,
    AskHand,
    AskTable,
    CoachTask,
    KeepDeclared,
    KeptCoach,
    Review,
    StopReview,
    Think,
    count_named,
)
from companion.app.effects import ClearRefusal, ComeToFront, GoBack, Keep, ReadPicture, SendNews, ShowMessage
from companion.app.feature import BarButton, FeatureState, Room
from companion.app.news import (
    AdviceWanted,
    ChoosePicture,
    Covered,
    FairGameSet,
    HandAdvised,
    News,
    OpenTilesWanted,
    PictureChosen,
    PictureFailed,
    PictureRead,
    SheetWanted,
    StepShown,
    StepWanted,
    TableWanted,
)
from companion.app.text import list_people
from companion.coach import messages
from companion.coach.declared import DeclaredHand, StoredHand, follow_hand, place_hand
from companion.coach.results import Level, RatedDecision
from companion.coach.review import PersonReview, ReviewedHand, pick_worst, sum_up
from companion.coach.words.wording import round_percent
from companion.errors import InputError
from companion.game.deciding import Progress
from companion.game.updates import PlayedGame
from companion.live.practice_hand import PERSON
from companion.photo_hand.hand import PhotoHand
from companion.sentences import Sentence, msgid
from companion.sheets.hands import Sheet, SheetHand
from companion.table.events import number_corrected
from companion.table.state import Phase, State
from companion.tiles import BACK, UNKNOWN, Tile
from companion.vision.reading import Reading

NO_HAND = Sentence("No hand is in play.")
BEFORE_PLAY = (Phase.DEAL, Phase.INDICATOR)


@dataclass(frozen=True, slots=True)
class Position:
    """question: None if nothing can be asked, and then trouble says why, or `wants_hand` that a person has
    to say what the seat holds. unnamed: the event that drew the tile that is to be named next."""

    seat: int | None = None
    question: AskTable | None = None
    trouble: Sentence | None = None
    unnamed: int | None = None
    wants_hand: bool = False


def find_position(
    progress: Progress | None, declared: tuple[DeclaredHand, ...], seat: int | None, level: Level
) -> Position:
    """The position of that seat, or of the one whose tiles are known. declared: hands that people entered."""
    state = progress.state if progress else None
    hand = state.hand if state else None
    if progress is None or state is None or hand is None or not state.playing or hand.phase in BEFORE_PLAY:
        return Position(seat, trouble=NO_HAND)
    chosen = choose_seat(state, declared, seat)
    if level is Level.LEFT:
        viewer = state.house.seats[0] if chosen is None else chosen
        return Position(chosen, AskTable(_place_declared(progress, state, declared, viewer), viewer, level))
    if chosen is None:
        return Position(wants_hand=True)
    if not hand.players[chosen].hidden:
        return Position(chosen, AskTable(state, chosen, level))
    own = next((each for each in reversed(declared) if each.seat == chosen), None)
    held = None if own is None else follow_hand(own, number_corrected(progress.events))
    if held is None:
        return Position(chosen, wants_hand=True)
    if held.lost:
        return Position(chosen, trouble=Sentence(messages.LOST_HAND), wants_hand=True)
    try:
        placed = place_hand(state, chosen, held.tiles, held.unknown)
    except InputError as error:
        return Position(chosen, trouble=error.sentence, wants_hand=True)
    return Position(chosen, AskTable(placed, chosen, level), unnamed=held.unnamed)


def _place_declared(progress: Progress, state: State, declared: tuple[DeclaredHand, ...], seat: int) -> State:
    """The state with what was entered of that seat, as far as it can be so."""
    own = next((each for each in reversed(declared) if each.seat == seat), None)
    held = None if own is None else follow_hand(own, number_corrected(progress.events))
    if held is None or held.lost:
        return state
    try:
        return place_hand(state, seat, held.tiles, held.unknown)
    except InputError:
        return state


def choose_seat(state: State, declared: tuple[DeclaredHand, ...], seat: int | None) -> int | None:
    """The seat that a person chose; else the one whose hand was entered, else one whose tiles the game
    knows."""
    if seat is not None:
        return seat
    if declared:
        return declared[-1].seat
    assert state.hand is not None
    known = [each for each in state.house.seats if not state.hand.players[each].hidden]
    if state.hand.turn in known:
        return state.hand.turn
    return known[0] if known else None


Key = tuple[int, int]
"""The place of a hand in the sheet, and a person."""


@dataclass(frozen=True, slots=True)
class Replayed:
    """The hand at `place` of the sheet, shown at event `number`; person: whose decisions are shown; game:
    the name of the kept game, None for the one that is played.

    found: the decisions that are reviewed, by hand and person; done: which of these are complete. evening:
    whether all hands are being reviewed, or were.
    """

    sheet: Sheet
    place: int
    number: int
    person: int
    found: Mapping[Key, tuple[RatedDecision, ...]] = field(default_factory=dict)
    done: frozenset[Key] = frozenset()
    evening: bool = False
    game: str | None = None

    @classmethod
    def begin(cls, sheet: Sheet, place: int, number: int, game: str | None = None) -> Replayed:
        return cls(sheet, place, number, choose_person(sheet.hands[place]), game=game)

    @property
    def hand(self) -> SheetHand:
        return self.sheet.hands[self.place]

    @property
    def people(self) -> tuple[int, ...]:
        return list_decision_makers(self.hand)

    @property
    def key(self) -> Key:
        return self.place, self.person

    @property
    def decisions(self) -> tuple[RatedDecision, ...]:
        """Of the person in the hand, as far as they are reviewed."""
        return self.found.get(self.key, ())

    @property
    def is_done(self) -> bool:
        return self.key in self.done

    @property
    def worst(self) -> tuple[RatedDecision, ...]:
        """The two that cost most, the worst first."""
        return tuple(pick_worst(self.decisions))

    @property
    def current(self) -> RatedDecision | None:
        """What the person decided at the event that is shown."""
        return next((each for each in self.decisions if each.number == self.number), None)

    def look_at(self, sheet: Sheet, place: int, number: int) -> Replayed:
        """Another step; what is known of unchanged hands is kept."""
        if sheet is self.sheet and place == self.place:
            return replace(self, number=number)
        same = {
            at
            for at, (old, new) in enumerate(zip(self.sheet.hands, sheet.hands, strict=False))
            if old is new or old.events == new.events
        }
        found = {key: own for key, own in self.found.items() if key[0] in same}
        done = frozenset(key for key in self.done if key[0] in same)
        person = self.person if place == self.place else choose_person(sheet.hands[place])
        return Replayed(sheet, place, number, person, found, done, self.evening, self.game)

    def add(self, key: Key, decisions: tuple[RatedDecision, ...], *, done: bool) -> Replayed:
        """These are the decisions of that hand and person; done: all of them."""
        found = {**self.found, key: decisions}
        return replace(self, found=found, done=self.done | {key} if done else self.done)

    def list_wanted(self) -> tuple[tuple[int, tuple[int, ...]], ...]:
        """What is still to be reviewed: hands by their places, each with its people; the one shown first."""
        places = [self.place]
        if self.evening:
            places += [at for at, hand in enumerate(self.sheet.hands) if hand.number and at != self.place]
        wanted = []
        for place in places:
            people = list_decision_makers(self.sheet.hands[place]) if self.evening else (self.person,)
            first = (self.person,) if place == self.place else ()
            lacking = [each for each in (*first, *people) if (place, each) not in self.done]
            if lacking:
                wanted.append((place, tuple(dict.fromkeys(lacking))))
        return tuple(wanted)

    def sum_up(self) -> tuple[PersonReview, ...]:
        """The evening, as far as it is reviewed."""
        hands: dict[int, list[RatedDecision]] = {}
        for (place, person), decisions in sorted(self.found.items()):
            if (place, person) in self.done:
                hands.setdefault(place, []).extend(decisions)
        return sum_up(
            ReviewedHand(hand.number, tuple(own), counts=not hand.abandoned)
            for hand, own in ((self.sheet.hands[place], own) for place, own in hands.items())
        )

    @property
    def share_done(self) -> float:
        """How much of the evening is reviewed, 0 to 1."""
        keys = [
            (at, person)
            for at, hand in enumerate(self.sheet.hands)
            if hand.number
            for person in list_decision_makers(hand)
        ]
        return sum(key in self.done for key in keys) / max(1, len(keys))


def list_decision_makers(hand: SheetHand) -> tuple[int, ...]:
    """Who plays it, by seat."""
    seated = (hand.after.hand or hand.after).seated
    return tuple(seated[seat] for seat in hand.before.house.seats)


def choose_person(hand: SheetHand) -> int:
    """Whose decisions a learner wants to see first: in a practice game the person's own, else who lost most,
    of several whose tile was won on."""
    if hand.before.house.practice is not None:
        return PERSON
    givers = {win.giver for win in hand.wins}
    return min(list_decision_makers(hand), key=lambda person: (hand.points[person], person not in givers))


NOTHING_READ = msgid("No tiles were found in this picture: touch the tiles of the hand instead.")
WHOSE_FIRST = msgid("Choose whose hand it is first, then touch its tiles.")
UNREAD = msgid("Unreadable tiles left out: {count}. Touch the missing ones.")


DECLARED_MAX = 100
"""Hands of an evening that people entered: they are kept for its review."""


class Subject(StrEnum):
    """What the page is about."""

    TABLE = "table"
    HAND = "hand"
    REVIEW = "review"


@dataclass(frozen=True, slots=True)
class CoachState(FeatureState):
    """fair: whether fair game is on, so that nothing is shown. on: whether the panel is shown next to the
    table; reviews: whether it is shown next to a replayed hand. shown: whether the page is in front.

    seat: whose hand is looked at, None for whoever's is known. declared: hands that people entered, in the
    kept game `declared_in`. entering: the codes of a hand that is being entered, None while none is entered;
    from_table: whether that was asked for next to the table, which then comes back. fields: of
    a hand without a game. position: what can be asked about the table; question: what was asked, and its
    answer so far. replayed: the hand that is replayed.
    """

    fair: bool = False
    on: bool = False
    reviews: bool = False
    shown: bool = False
    level: Level = Level.FULL
    subject: Subject = Subject.TABLE
    played: PlayedGame = field(default_factory=PlayedGame)
    seat: int | None = None
    declared: tuple[DeclaredHand, ...] = ()
    declared_in: str | None = None
    entering: tuple[str, ...] | None = None
    from_table: bool = False
    fields: Mapping[str, object] | None = None
    position: Position = field(default_factory=Position)
    question: CoachTask | None = None
    answer: Answer | None = None
    replayed: Replayed | None = None

    @classmethod
    def restore(cls, kept: KeptCoach) -> CoachState:
        declared = tuple(each.restore() for each in kept.declared)
        return cls(on=kept.on, level=kept.level, declared=declared, declared_in=kept.game)

    @property
    def kept(self) -> KeptCoach:
        """What is to be on disk."""
        return KeptCoach(
            self.on, self.level, self.declared_in, tuple(StoredHand.of(each) for each in self.declared)
        )

    @property
    def page(self) -> str:
        return "coach"

    @property
    def is_overlay(self) -> bool:
        return self.entering is None

    @property
    def title(self) -> Sentence | None:
        return Sentence("Coach")

    @property
    def people(self) -> tuple[str, ...]:
        return list_people(self.game)

    @property
    def bar_buttons(self) -> tuple[BarButton, ...]:
        if self.fair:
            return ()
        ways = (
            (Room.TABLE, Sentence("Coach"), CoachState.toggle, self.on),
            (Room.OWN_TABLE, Sentence("Coach"), CoachState.toggle, self.on),
            (Room.STEP, Sentence("What did it cost?"), CoachState.toggle_reviews, self.reviews),
        )
        return tuple(
            BarButton("coach", text, "coach", 100, step, chosen=chosen, room=room)
            for room, text, step, chosen in ways
        )

    def panel_for(self, room: Room) -> str | None:
        if self.fair:
            return None
        if room in (Room.TABLE, Room.OWN_TABLE):
            panel = "coach_beside" if room is Room.TABLE else "coach_above"
            return panel if self.on and self.position.trouble != NO_HAND else None
        return "coach_step" if self.reviews and self.replayed is not None else None

    @property
    def is_ready_to_show(self) -> bool:
        asked = self.question is not None and (self.answer is None or not self.answer.final)
        return not asked and (not self.reviews or self.replayed is None or self.replayed.is_done)

    @property
    def game(self) -> State | None:
        """The state of the running game."""
        return self.played.progress.state if self.played.progress else None

    # What is asked.

    def toggle(self) -> CoachState:
        """Have the panel next to the table, or take it away."""
        return replace(self, on=not self.on).also(Keep())._ask()

    def set_level(self, level: Level) -> CoachState:
        return replace(self, level=level).also(Keep())._ask()

    def choose_seat(self, seat: int) -> CoachState:
        """Look at that seat's hand from now on; where a hand is being entered, it is that seat's."""
        telling = None if self.entering is None else ()
        return replace(self, seat=seat, entering=telling)._ask().also(ClearRefusal())

    def enter(self) -> CoachState:
        """Show the whole advice for the page in front."""
        subject = Subject.REVIEW if self.replayed is not None and self.reviews else Subject.TABLE
        return replace(self, shown=True, subject=subject)._ask().also(ComeToFront())

    @property
    def open_tile_count(self) -> int:
        """How many tiles are open next to the hand that was asked about."""
        return count_named(str((self.fields or {}).get("seen", "")))

    def enter_open_tiles(self) -> CoachState:
        """Enter the open tiles on the table."""
        return self.also(SendNews(OpenTilesWanted()))

    def show_table(self) -> CoachState:
        """The table, where a hand is played."""
        return replace(self, shown=False)._ask().also(GoBack(), SendNews(TableWanted()))

    def step_back(self) -> CoachState:
        if self.entering is not None and not self.from_table:
            return replace(self, entering=None)
        after = replace(self, shown=False, entering=None, from_table=False)
        return after._ask().also(GoBack())

    def with_played(self, played: PlayedGame) -> CoachState:
        """The game has moved on; hands entered in another one are gone."""
        after = replace(self, played=played)
        if played.name is not None and played.name != self.declared_in:
            after = replace(after, declared=(), declared_in=played.name, seat=None, entering=None)
        return after._ask()

    def accept_answer(self, question: CoachTask, answer: Answer) -> CoachState:
        return replace(self, answer=answer)._note_hand() if question is self.question else self

    def _note_hand(self) -> CoachState:
        """Have the page of a practice game show, below each tile of the hand, what the coach says of it."""
        if self.game is None or self.game.house.practice is None:
            return self
        answer = self.answer if self.on else None
        if answer is None:
            return self.also(SendNews(HandAdvised({}, None)))
        notes = {each.code: f"{round_percent(each.chance)}%" for each in answer.dangers}
        if self.level is Level.LEFT:
            notes = {code: str(left) for code, left in (answer.left or {}).items()}
        return self.also(SendNews(HandAdvised(notes, answer.discard)))

    def _ask(self) -> CoachState:
        """Ask about the present position, if it has changed."""
        progress = self.played.progress
        wants_table = self.on or (self.shown and self.subject is Subject.TABLE)
        position = Position()
        question: CoachTask | None = None
        if self.fair:
            pass
        elif self.shown and self.subject is Subject.HAND and self.fields is not None:
            question = AskHand(self.fields, self.level)
        elif wants_table:
            position = find_position(progress, self.declared, self.seat, self.level)
            question = position.question
        after = replace(self, position=position)
        if question == self.question:
            return after
        return replace(after, question=question, answer=None).also(Think(question))._note_hand()

    # A hand that a person tells.

    @property
    def held_count(self) -> int:
        """How many concealed tiles the hand that is entered must have."""
        hand = self.game.hand if self.game else None
        return 0 if hand is None or self.position.seat is None else hand.players[self.position.seat].count

    def begin_entering(self, seat: int | None = None) -> CoachState:
        """The user enters the hand of that seat, or of the one that is shown."""
        chosen = self.position.seat if seat is None else seat
        after = replace(self, seat=chosen, entering=(), from_table=False, shown=True, subject=Subject.TABLE)
        return after._ask().also(ComeToFront())

    def enter_missing(self) -> CoachState:
        """The user enters, next to the table, what is missing: the tile that was drawn, or the whole hand."""
        if self.position.unnamed is not None:
            return self.enter()
        return replace(self.begin_entering(), from_table=True)

    def touch_tile(self, code: str) -> CoachState:
        """One more tile of the hand that is entered; or the name of the tile that was drawn."""
        if self.entering is None:
            return self._name_draw(code)
        if self.position.seat is None:
            return self.also(ShowMessage(Sentence(WHOSE_FIRST), passes=True))
        if len(self.entering) >= self.held_count:
            return self
        entering = tuple(sorted((*self.entering, code), key=lambda c: Tile.parse(c)))
        return replace(self, entering=entering).also(ClearRefusal())

    def drop_tile(self, at: int) -> CoachState:
        """Without that tile of the hand that is entered."""
        if self.entering is None:
            return self
        entering = (*self.entering[:at], *self.entering[at + 1 :])
        return replace(self, entering=entering).also(ClearRefusal())

    def finish_entering(self) -> CoachState:
        """The hand is entered; where it cannot be so, why not."""
        state, seat, progress = self.game, self.position.seat, self.played.progress
        if self.entering is None or state is None or seat is None or progress is None:
            return self
        tiles = tuple(Tile.parse(code) for code in self.entering)
        try:
            place_hand(state, seat, tiles)
        except InputError as error:
            return self.also(ShowMessage(error.sentence, passes=True))
        declared = DeclaredHand(seat, len(progress.events), tiles)
        before = tuple(each for each in self.declared if (each.seat, each.at) != (seat, declared.at))
        kept = (*before, declared)[-DECLARED_MAX:]
        after = replace(self, declared=kept, declared_in=self.played.name, entering=None)
        return after._go_back_beside()._ask()._keep_declared()

    def _go_back_beside(self) -> CoachState:
        """Where the panel stands next to the table, show that again: it has the answer."""
        return replace(self, shown=False).also(GoBack()) if self.on else self

    def _name_draw(self, code: str) -> CoachState:
        seat, number = self.position.seat, self.position.unnamed
        if number is None:
            return self
        own = next((each for each in reversed(self.declared) if each.seat == seat), None)
        if own is None:
            return self
        declared = tuple(
            each.name_draw(number, Tile.parse(code)) if each is own else each for each in self.declared
        )
        named = replace(self, declared=declared)._ask()
        if named.position.trouble is not None:
            return self.also(ShowMessage(named.position.trouble, passes=True))
        return named._go_back_beside()._keep_declared()

    def _keep_declared(self) -> CoachState:
        """With what was entered on disk, next to the game too."""
        beside = () if self.declared_in is None else (KeepDeclared(self.declared_in, self.declared),)
        return self.also(ShowMessage(None), Keep(), *beside)

    def take_picture(self, *, from_camera: bool) -> CoachState:
        """Have a person bring a picture of the hand."""
        return self.also(SendNews(ChoosePicture(from_camera)))

    def _take_reading(self, reading: Reading) -> CoachState:
        state = self.game
        if self.entering is None or state is None:
            return self.work(None)
        rules = state.house.rules
        hand = PhotoHand().read_again(reading.tiles, rules, state.house.melds)
        codes = [tile.code for tile in hand.concealed]
        read = [code for code in codes if code not in (UNKNOWN, BACK)][: self.held_count]
        after = replace(self, entering=tuple(sorted(read, key=lambda c: Tile.parse(c)))).work(None)
        if not codes:
            return after.also(ShowMessage(Sentence(NOTHING_READ), passes=True))
        unread = len(codes) - len(read)
        return after.also(ShowMessage(Sentence(UNREAD, {"count": unread}) if unread else None, trouble=False))

    # A hand that is replayed.

    def toggle_reviews(self) -> CoachState:
        """Rate the decisions of hands that are replayed, or no more."""
        after = replace(self, reviews=not self.reviews)
        return after._review() if after.reviews else after.also(StopReview())

    def choose_person(self, person: int) -> CoachState:
        """Show that person's decisions."""
        if self.replayed is None:
            return self
        return replace(self, replayed=replace(self.replayed, person=person))._review()

    def review_evening(self) -> CoachState:
        """Review all hands, of everybody; or stop that."""
        if self.replayed is None:
            return self
        return replace(self, replayed=replace(self.replayed, evening=not self.replayed.evening))._review()

    def want_step(self, number: int) -> CoachState:
        """Have that event shown."""
        return replace(self, shown=False).also(SendNews(StepWanted(number)))

    def add_decisions(self, key: Key, decisions: tuple[RatedDecision, ...], *, done: bool) -> CoachState:
        if self.replayed is None:
            return self
        return replace(self, replayed=self.replayed.add(key, decisions, done=done))

    def _look_at(self, news: StepShown) -> CoachState:
        if news.sheet is None:
            gone = replace(self, replayed=None)
            return gone.also(StopReview()) if self.replayed is not None else gone
        before = self.replayed
        if before is None or before.game != news.game:
            after = Replayed.begin(news.sheet, news.place, news.number, news.game)
        else:
            after = before.look_at(news.sheet, news.place, news.number)
        looked = replace(self, replayed=after)
        is_same = before is not None and (before.sheet, before.key) == (after.sheet, after.key)
        return looked if is_same else looked._review()

    def _review(self) -> CoachState:
        """Start the next review."""
        if self.replayed is None or not self.reviews or self.fair:
            return self
        wanted = self.replayed.list_wanted()
        if not wanted:
            return self.also(StopReview())
        declared = self.declared if self.replayed.game in (None, self.declared_in) else ()
        return self.also(Review(self.replayed.sheet, wanted, declared, self.replayed.game))

    def on_news(self, news: News) -> CoachState:
        match news:
            case FairGameSet(fair):
                after = replace(self, fair=fair, entering=None)._ask()
                return after.also(StopReview()) if fair else after._review()
            case StepShown():
                return self._look_at(news)
            case SheetWanted(shows=int()):
                return replace(self, reviews=True)
            case AdviceWanted(fields) if not self.fair:
                asked = replace(self, fields=fields, subject=Subject.HAND, shown=True)
                return asked._ask().also(ComeToFront())
            case Covered():
                return replace(self, shown=False, entering=None)._ask()
            case PictureChosen(path) if self.entering is not None:
                return self.work(Sentence("Opening the picture …")).also(ReadPicture(path))
            case PictureRead(_, reading) if reading is not None:
                return self._take_reading(reading)
            case PictureFailed(_, why):
                return self.work(None).also(ShowMessage(why, passes=True))
        return self
