"""What the coach shows, and the pure steps that it takes. No Kivy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from companion.app.coach.effects import (
    AskHand,
    KeepTold,
    KeptCoach,
    Question,
    Review,
    StopReview,
    Think,
)
from companion.app.coach.position import NO_HAND, Position, find_position
from companion.app.coach.replayed import Key, Replayed
from companion.app.coach.thinking import Answer, count_named
from companion.app.effects import Announce, ComeToFront, DropRefusal, Keep, Leave, ReadPicture, Say
from companion.app.feature import BarButton, FeatureState, Room
from companion.app.news import (
    AdviceWanted,
    Covered,
    FairGameSet,
    News,
    OpenTilesWanted,
    PictureBrought,
    PictureFailed,
    PictureRead,
    PictureWanted,
    StepShown,
    StepWanted,
    TableWanted,
)
from companion.app.text import list_people
from companion.coach.declared import DeclaredHand, StoredHand, place_hand
from companion.coach.results import Level, RatedDecision
from companion.errors import InputError
from companion.game.updates import PlayedGame
from companion.photo_hand.hand import PhotoHand
from companion.sentences import Sentence, msgid
from companion.table.state import State
from companion.tiles import BACK, UNKNOWN, Tile
from companion.vision.reading import Reading

NOTHING_READ = msgid("No tiles were found in this picture: touch the tiles of the hand instead.")
WHOSE_FIRST = msgid("Choose whose hand it is first, then touch its tiles.")
UNREAD = msgid("Tiles that could not be read were left out: {count}. Touch those that are missing.")


TOLD_MOST = 100
"""Hands of an evening that people told: they are kept for its review."""


class Subject(StrEnum):
    """What the page is about."""

    TABLE = "table"
    HAND = "hand"
    REVIEW = "review"


@dataclass(frozen=True, slots=True)
class CoachState(FeatureState):
    """fair: whether the game is, and nothing is shown. on: whether the panel stands beside the table;
    reviews: whether it stands beside a hand that is replayed. shown: whether the page is in front.

    seat: whose hand is looked at, None for whoever's is known. told: hands that people told, in the kept
    game `told_in`. entering: the codes of a hand that is being told, None while nobody tells any;
    from_table: whether that was asked for beside the table, which then comes back. fields: of
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
    told: tuple[DeclaredHand, ...] = ()
    told_in: str | None = None
    entering: tuple[str, ...] | None = None
    from_table: bool = False
    fields: Mapping[str, object] | None = None
    position: Position = field(default_factory=Position)
    question: Question | None = None
    answer: Answer | None = None
    replayed: Replayed | None = None

    @classmethod
    def restore(cls, kept: KeptCoach) -> CoachState:
        told = tuple(each.restore() for each in kept.told)
        return cls(on=kept.on, level=kept.level, told=told, told_in=kept.game)

    @property
    def kept(self) -> KeptCoach:
        """What is to be on disk."""
        return KeptCoach(self.on, self.level, self.told_in, tuple(StoredHand.of(each) for each in self.told))

    @property
    def page(self) -> str:
        return "coach"

    @property
    def aside(self) -> bool:
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
            (Room.STEP, Sentence("What did it cost?"), CoachState.toggle_reviews, self.reviews),
        )
        return tuple(
            BarButton("coach", text, "coach", 100, step, chosen=chosen, room=room)
            for room, text, step, chosen in ways
        )

    def panel_for(self, room: Room) -> str | None:
        if self.fair:
            return None
        if room is Room.TABLE:
            return "coach_beside" if self.on and self.position.trouble != NO_HAND else None
        return "coach_step" if self.reviews and self.replayed is not None else None

    @property
    def is_settled(self) -> bool:
        asked = self.question is not None and (self.answer is None or not self.answer.final)
        return not asked and (not self.reviews or self.replayed is None or self.replayed.is_done)

    @property
    def game(self) -> State | None:
        """The state of the game that is played."""
        return self.played.progress.state if self.played.progress else None

    # What is asked.

    def toggle(self) -> CoachState:
        """Have the panel beside the table, or take it away."""
        return replace(self, on=not self.on).also(Keep())._ask()

    def set_level(self, level: Level) -> CoachState:
        return replace(self, level=level).also(Keep())._ask()

    def choose_seat(self, seat: int) -> CoachState:
        """Look at that seat's hand from now on; where a hand is being told, it is that seat's."""
        telling = None if self.entering is None else ()
        return replace(self, seat=seat, entering=telling)._ask().also(DropRefusal())

    def enter(self) -> CoachState:
        """Show all that the coach has to say about what is in front."""
        subject = Subject.REVIEW if self.replayed is not None and self.reviews else Subject.TABLE
        return replace(self, shown=True, subject=subject)._ask().also(ComeToFront())

    @property
    def lying_count(self) -> int:
        """How many tiles lie open beside the hand that was asked about."""
        return count_named(str((self.fields or {}).get("seen", "")))

    def enter_lying(self) -> CoachState:
        """Have what lies on the table entered."""
        return self.also(Announce(OpenTilesWanted()))

    def show_table(self) -> CoachState:
        """The table, where a hand is played."""
        return replace(self, shown=False)._ask().also(Leave(), Announce(TableWanted()))

    def step_back(self) -> CoachState:
        if self.entering is not None and not self.from_table:
            return replace(self, entering=None)
        after = replace(self, shown=False, entering=None, from_table=False)
        return after._ask().also(Leave())

    def take_played(self, played: PlayedGame) -> CoachState:
        """The game has moved on; hands told in another one are gone."""
        after = replace(self, played=played)
        if played.name is not None and played.name != self.told_in:
            after = replace(after, told=(), told_in=played.name, seat=None, entering=None)
        return after._ask()

    def take_answer(self, question: Question, answer: Answer) -> CoachState:
        return replace(self, answer=answer) if question is self.question else self

    def _ask(self) -> CoachState:
        """Ask about what is there now, where that is something else than before."""
        progress = self.played.progress
        wants_table = self.on or (self.shown and self.subject is Subject.TABLE)
        position = Position()
        question: Question | None = None
        if self.fair:
            pass
        elif self.shown and self.subject is Subject.HAND and self.fields is not None:
            question = AskHand(self.fields, self.level)
        elif wants_table:
            position = find_position(progress, self.told, self.seat, self.level)
            question = position.question
        after = replace(self, position=position)
        if question == self.question:
            return after
        return replace(after, question=question, answer=None).also(Think(question))

    # A hand that a person tells.

    @property
    def held_count(self) -> int:
        """How many concealed tiles the hand that is told must have."""
        hand = self.game.hand if self.game else None
        return 0 if hand is None or self.position.seat is None else hand.players[self.position.seat].count

    def begin_entering(self, seat: int | None = None) -> CoachState:
        """A person tells the hand of that seat, or of the one that is looked at."""
        chosen = self.position.seat if seat is None else seat
        after = replace(self, seat=chosen, entering=(), from_table=False, shown=True, subject=Subject.TABLE)
        return after._ask().also(ComeToFront())

    def tell(self) -> CoachState:
        """A person says, beside the table, what is missing: the tile that was drawn, or the whole hand."""
        if self.position.unnamed is not None:
            return self.enter()
        return replace(self.begin_entering(), from_table=True)

    def touch_tile(self, code: str) -> CoachState:
        """One more tile of the hand that is told; or the name of the tile that was drawn."""
        if self.entering is None:
            return self._name_draw(code)
        if self.position.seat is None:
            return self.also(Say(Sentence(WHOSE_FIRST), passes=True))
        if len(self.entering) >= self.held_count:
            return self
        entering = tuple(sorted((*self.entering, code), key=lambda c: Tile.parse(c)))
        return replace(self, entering=entering).also(DropRefusal())

    def drop_tile(self, at: int) -> CoachState:
        """Without that tile of the hand that is told."""
        if self.entering is None:
            return self
        entering = (*self.entering[:at], *self.entering[at + 1 :])
        return replace(self, entering=entering).also(DropRefusal())

    def finish_entering(self) -> CoachState:
        """The hand is told; where it cannot be so, why not."""
        state, seat, progress = self.game, self.position.seat, self.played.progress
        if self.entering is None or state is None or seat is None or progress is None:
            return self
        tiles = tuple(Tile.parse(code) for code in self.entering)
        try:
            place_hand(state, seat, tiles)
        except InputError as error:
            return self.also(Say(error.sentence, passes=True))
        told = DeclaredHand(seat, len(progress.events), tiles)
        before = tuple(each for each in self.told if (each.seat, each.at) != (seat, told.at))
        kept = (*before, told)[-TOLD_MOST:]
        after = replace(self, told=kept, told_in=self.played.name, entering=None)
        return after._go_back_beside()._ask()._keep_told()

    def _go_back_beside(self) -> CoachState:
        """Where the panel stands beside the table, show that again: it has the answer."""
        return replace(self, shown=False).also(Leave()) if self.on else self

    def _name_draw(self, code: str) -> CoachState:
        seat, number = self.position.seat, self.position.unnamed
        if number is None:
            return self
        own = next((each for each in reversed(self.told) if each.seat == seat), None)
        if own is None:
            return self
        told = tuple(each.name_draw(number, Tile.parse(code)) if each is own else each for each in self.told)
        named = replace(self, told=told)._ask()
        if named.position.trouble is not None:
            return self.also(Say(named.position.trouble, passes=True))
        return named._go_back_beside()._keep_told()

    def _keep_told(self) -> CoachState:
        """With what was told on disk, beside the game too."""
        beside = () if self.told_in is None else (KeepTold(self.told_in, self.told),)
        return self.also(Say(None), Keep(), *beside)

    def take_picture(self, *, from_camera: bool) -> CoachState:
        """Have a person bring a picture of the hand."""
        return self.also(Announce(PictureWanted(from_camera)))

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
            return after.also(Say(Sentence(NOTHING_READ), passes=True))
        unread = len(codes) - len(read)
        return after.also(Say(Sentence(UNREAD, {"count": unread}) if unread else None, trouble=False))

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
        return replace(self, shown=False).also(Announce(StepWanted(number)))

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
        """Begin with what is to be reviewed next."""
        if self.replayed is None or not self.reviews or self.fair:
            return self
        wanted = self.replayed.list_wanted()
        if not wanted:
            return self.also(StopReview())
        told = self.told if self.replayed.game in (None, self.told_in) else ()
        return self.also(Review(self.replayed.sheet, wanted, told, self.replayed.game))

    def hear(self, news: News) -> CoachState:
        match news:
            case FairGameSet(fair):
                after = replace(self, fair=fair, entering=None)._ask()
                return after.also(StopReview()) if fair else after._review()
            case StepShown():
                return self._look_at(news)
            case AdviceWanted(fields) if not self.fair:
                asked = replace(self, fields=fields, subject=Subject.HAND, shown=True)
                return asked._ask().also(ComeToFront())
            case Covered():
                return replace(self, shown=False, entering=None)._ask()
            case PictureBrought(path) if self.entering is not None:
                return self.work(Sentence("Opening the picture …")).also(ReadPicture(path))
            case PictureRead(_, reading) if reading is not None:
                return self._take_reading(reading)
            case PictureFailed(_, why):
                return self.work(None).also(Say(why, passes=True))
        return self
