"""The state of scoring a photographed hand, as one frozen value, and the steps from one to the next. No Kivy,
no rule.

Its `draft` is kept, and undone step by step; the rest is the moment's.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from companion.app.effects import Announce, Ask, ComeToFront, DropQuestion, Keep, Leave, ReadPicture, Say
from companion.app.feature import BarButton, Tabs, remember
from companion.app.news import (
    CameraChosen,
    Covered,
    FairGameSet,
    GameAtTable,
    GameDoubted,
    GamePicked,
    HandShownWanted,
    HouseChosen,
    HouseNotChosen,
    LessonUnwanted,
    News,
    OpenTilesWanted,
    PackingAgreed,
    PackingWanted,
    PastWinWanted,
    PictureBrought,
    PictureFailed,
    PictureNotKept,
    PictureOpened,
    PictureProgress,
    PictureRead,
    PictureWanted,
    ScorePhotoWanted,
    SeatWins,
    Started,
    TileDoubted,
    TileSetChanged,
    TilesLearned,
    Uncovered,
    WinEntryWanted,
)
from companion.app.score_photo import draft_steps
from companion.app.score_photo.editing import Page, Pane, find_tile, offer_panes
from companion.app.score_photo.game_win import draft_of_game, judge
from companion.app.score_photo.packing import ask_to_pack, begin_packing, has_reading
from companion.app.score_photo.surrounded import LEAVES_TABLE, Surrounded
from companion.app.shown import ShownPicture
from companion.app.text import list_people, name_seats
from companion.photo_hand.draft import WinDraft, evaluate
from companion.photo_hand.from_reading import WHICH_HAND, choose_advice
from companion.rules import RULE_SETS
from companion.sentences import Sentence
from companion.table.state import State
from companion.vision.reading import TileReading

if TYPE_CHECKING:
    from companion.vision import Reading

ASKER = "score_photo"
"""Who asks which table's rules are played."""
PACK_FROM = 1500
"""The narrowest window, in dp, in whose bar there is room for packing a reading."""


@dataclass(frozen=True, slots=True)
class ScorePhoto(Surrounded):
    """A photographed hand on its way to a score.

    The keyboard of tiles corrects the tile with the id `selected`, adds tiles (`adding`), or names the
    fortune tile (`naming_fortune`). `outcome` is the score of `draft`, `past` are those before it, two alike
    where a lesson came between. `shown` is the opened picture `shown_path`, `seen` what was last read.
    `asks_game`: whether nobody has said yet which game is played.
    """

    shown: ShownPicture | None = None
    shown_path: str | None = None
    seen: tuple[str, tuple[TileReading, ...]] | None = None
    asks_game: bool = False

    @classmethod
    def resume(cls, kept: WinDraft | None) -> ScorePhoto:
        """As it was left with that draft, its picture not opened yet; or, without one, as it first is."""
        draft = draft_steps.fold_base(kept or WinDraft())
        return cls(draft, evaluate(draft), asks_game=kept is None).also(announce_game(draft))

    @property
    def kept(self) -> WinDraft | None:
        """What is to be on disk: nothing where no hand is there and nobody has said what is played."""
        draft = self._loose
        return None if self.asks_game and _is_bare(draft) else draft

    @property
    def aside(self) -> bool:
        return False

    @property
    def title(self) -> Sentence:
        if self.waiting:
            return Sentence("What lies on the table")
        if self.game_win and self.game_win.shows:
            return Sentence("A hand is shown")
        return Sentence("Mahjong!") if self.game_win else Sentence("Score a photo")

    @property
    def home(self) -> Page:
        """The page with the tiles, of a win in the game or of a hand alone."""
        if self.game_win or self.waiting:
            return Page.ENTRY if self.game_win else Page.OPEN
        return Page.GAME if self.asks_game and _is_bare(self.draft) else Page.TABLE

    @property
    def people(self) -> tuple[str, ...]:
        return list_people(self.game_win.state if self.game_win else None)

    @property
    def seat_names(self) -> tuple[Sentence, ...]:
        """What the seats are called."""
        return name_seats(self.game_win.state if self.game_win else None)

    @property
    def asked_fields(self) -> frozenset[str] | None:
        """The fields that a person is asked for beside the hand; None for all, where no game says any."""
        return self.game_win.list_fields(self.draft) if self.game_win else None

    @property
    def known_facts(self) -> tuple[Sentence, ...]:
        """What the game says of the win."""
        return self.game_win.list_facts(self.draft) if self.game_win else ()

    @property
    def seated_draft(self) -> WinDraft:
        """The draft, with the source and the discarder that the game says."""
        chance = self.game_win.find_chance(self.draft) if self.game_win else None
        if chance is None:
            return self.draft
        giver = self.draft.discarder if chance.discarder is None else chance.discarder
        return self.draft.record(source=chance.source, discarder=giver)

    @property
    def pauses_following(self) -> bool:
        return True

    @property
    def wants_pictures(self) -> bool:
        return self.page is not Page.GAME

    @property
    def bar_buttons(self) -> tuple[BarButton, ...]:
        if self.page is Page.GAME:
            return ()
        bare = _is_bare(self.draft)
        new = Sentence("Take all out") if self.waiting else Sentence("New hand")
        icon = "close" if self.waiting else "plus"
        clear = BarButton("clear", new, icon, 120, ScorePhoto.clear_tiles, disabled=bare, work=True)
        if not has_reading(self):
            return (clear,)
        words = Sentence("Pack a bad reading")
        pack = BarButton("pack", words, "folder", 200, ask_to_pack, work=True, words_from=PACK_FROM)
        return clear, pack

    @property
    def tabs(self) -> Tabs | None:
        if self.page is not Page.TABLE:
            return None
        offers = offer_panes(self.outcome.score)
        return Tabs(offers, self.pane.value, lambda key: lambda state: state.show_pane(Pane(key)))

    def undo(self) -> ScorePhoto:
        """The draft before the last change, its picture opened; or the last lesson taken back."""
        if not self.past:
            return self
        if self.past[-1] == self.draft:
            return replace(self, past=self.past[:-1]).also(Announce(LessonUnwanted()))
        undone = self._with_draft(self.past[-1], self.past[:-1])
        if undone.hand.tile(self.selected or 0) is None:
            undone = replace(undone, selected=None)
        if undone.draft.picture != self.draft.picture:
            return undone._show_picture()
        return undone if undone.draft.rules == self.draft.rules else undone._fit_to_game()

    def choose_picture(self) -> ScorePhoto:
        """Have a person choose a picture of a hand."""
        return self.also(Announce(PictureWanted(from_camera=False)))

    def take_picture(self) -> ScorePhoto:
        """Have a person take a picture of a hand with the camera."""
        return self.also(Announce(PictureWanted(from_camera=True)))

    def step_back(self) -> ScorePhoto:
        """The keyboard put away, or the table shown."""
        if self.typing:
            return self.stop_typing()
        if self.waiting:
            return self.finish_table()
        if self.page is Page.ENTRY:
            return self.drop_winner()
        return self.also(Leave()) if self.page in (Page.TABLE, Page.GAME) else self.show(self.home)

    def hear(self, news: News) -> ScorePhoto:
        if self.waiting and isinstance(news, LEAVES_TABLE):
            return self.leave_table().hear(news)
        match news:
            case Started():
                return self._open_again()
            case ScorePhotoWanted() if self.game_win and self.game_win.tells:
                return self.also(ComeToFront())  # it is on its way into the game
            case ScorePhotoWanted(None):
                alone = self.lay_aside()
                shown = alone if alone.home is Page.TABLE else replace(alone, page=alone.home)
                return shown._show_picture().also(ComeToFront())
            case GameDoubted():
                return self.show(Page.GAME)
            case HouseChosen(by) if by == ASKER:
                return self.play_house(news)
            case HouseNotChosen(by) if by == ASKER:
                return self.also(ComeToFront())
            case ScorePhotoWanted(Path() as path):
                return replace(self.lay_aside(), seen=None).open_picture(path).also(Say(None), ComeToFront())
            case PictureBrought(path):
                return replace(self, seen=None).open_picture(path).also(Say(None))
            case PictureProgress(doing):
                return self.work(doing)
            case PictureOpened() if self.late:
                return replace(self, late=False)
            case PictureOpened(path, shown):
                opened = replace(self, shown=shown, shown_path=str(path), loading=False)
                return opened.with_picture(str(path))
            case PictureRead(path, reading):
                return self.work(None)._read(str(path), reading) if reading else self.work(None)
            case PictureFailed(_, why):
                return replace(self, loading=False).work(None).also(Say(why, passes=True))
            case TileSetChanged(again=True):
                return self.read_again()
            case FairGameSet(fair):
                return replace(self.leave_table() if fair else self, fair=fair)
            case OpenTilesWanted():
                return self.begin_table()
            case TilesLearned():
                return replace(self, past=remember(self.past, self.draft))
            case TileDoubted(quad):
                return self.select(find_tile(self.hand, quad))
            case SeatWins(seat):
                begun = self.begin_game_win(seat)
                return begun.show(begun.home).show_pane(Pane.WIN)
            case WinEntryWanted(seat, at_once):
                return self.begin_game_win(seat, at_once=at_once)
            case PastWinWanted():
                return self.begin_past(news)
            case HandShownWanted(seat):
                return self.begin_showing(seat)
            case Covered():
                return self.cover()
            case Uncovered():
                return self.uncover()
            case CameraChosen(camera):
                return replace(self, camera=camera)
            case PackingWanted():
                return ask_to_pack(self)
            case PackingAgreed():
                return begin_packing(self)
            case PictureNotKept() if self.taking:
                return replace(self, taking=False).watch()
        return self.hear_of_game(news)

    def open_picture(self, path: Path, *, read: bool = True) -> ScorePhoto:
        """The tiles on the table stay until that file has turned out to be a picture."""
        another = str(path) != self.shown_path
        opening = replace(self.stop_watching(), loading=another, taking=False, late=False).work(
            Sentence("Opening the picture …")
        )
        return opening.also(ReadPicture(path, read))

    def read_again(self) -> ScorePhoto:
        """The picture on the table is read once more; what a person settled stays."""
        return self.open_picture(Path(self.draft.picture)) if self.draft.picture else self

    def clear_tiles(self) -> ScorePhoto:
        """A bare table: no picture, no tiles. Who deals, the stakes and the house rules stay."""
        bare = self.change(self.draft.next_hand()).stop_typing().forget_table()
        return replace(bare, shown=None, shown_path=None)

    def with_picture(self, picture: str) -> ScorePhoto:
        """A picture on the table.

        Another one than before starts a new hand; the old one can be had back by `undo`.
        """
        if picture == self.draft.picture:
            return self
        before = self.draft if _is_bare(self.draft) else self.make_way()
        changed = self.change(replace(before, picture=picture)).forget_table()
        return changed.show(changed.home).also(Say(None))

    def with_reading(self, picture: str, readings: Iterable[TileReading]) -> ScorePhoto:
        """What was read of `picture`; nothing where another picture has taken its place meanwhile.

        Steps taken while it was being read can be undone without losing it.
        """
        if picture != self.draft.picture:
            return self
        seen = tuple(readings)
        first_id = self.hand.next_id

        def read(draft: WinDraft) -> WinDraft:
            if draft.picture != picture:
                return draft
            hand = replace(draft.hand, next_id=max(draft.hand.next_id, first_id))
            return replace(draft, hand=self.arrange(hand, seen, draft))

        return self._with_draft(read(self.draft), tuple(read(draft) for draft in self.past))

    def pick_game(self, rules: str) -> ScorePhoto:
        """A person picks that game; by which table's rules it is played is asked elsewhere."""
        return self.also(Announce(GamePicked(rules, ASKER)))

    def play_house(self, chosen: HouseChosen) -> ScorePhoto:
        """The hand is scored by that table's rules."""
        rules = RULE_SETS[chosen.rules]
        usual = rules.defaults
        changed = ((key, value) for key, value in chosen.options.items() if usual.get(key, value) != value)
        draft = draft_steps.choose_rules(self.draft, chosen.rules).record(
            options=tuple(sorted(changed)),
            stakes=None if chosen.stakes == rules.own_stakes else chosen.stakes,
            base=1,
            cap=chosen.cap,
        )
        state = self._with_game(draft)
        return state.show(Page.TABLE if state.page is Page.GAME else state.page)

    def choose_game(self, rules: str) -> ScorePhoto:
        """A person says that this game is played as written, before there is a hand."""
        return self.with_rules(rules).show(Page.TABLE)

    def play_as(self, state: State) -> ScorePhoto:
        """A hand that is scored next is scored as in that game, which has been opened; but it is none of its
        deals, and so the first of its dealer."""
        known = replace(self, asks_game=False)
        if self.game_win or self.waiting or not _is_bare(self.draft):
            return known
        page = Page.TABLE if self.page is Page.GAME else self.page
        return replace(known, page=page)._with_draft(draft_of_game(state).record(streak=None), ())

    def with_rules(self, rules: str) -> ScorePhoto:
        """A person says that this game is played as written."""
        return self._with_game(draft_steps.choose_rules(self.draft, rules))

    def _with_game(self, draft: WinDraft) -> ScorePhoto:
        """A person says that the game of this draft is played: nobody has to be asked any more."""
        known = self
        if self.asks_game:
            known = replace(self, asks_game=False).also(DropQuestion(GameDoubted()), Keep())
        changed = known.change(draft)
        return known if changed is known else changed._fit_to_game()

    def _without_picture(self) -> ScorePhoto:
        return replace(self, shown=None, shown_path=None, loading=False, taking=False)

    def _with_draft(self, draft: WinDraft, past: tuple[WinDraft, ...]) -> ScorePhoto:
        if self.game_win:
            outcome, win = judge(self.game_win, draft)
            return replace(self, draft=draft, outcome=outcome, past=past, game_win=win)
        if self.waiting:
            return replace(self, draft=draft, past=past)
        after = replace(self, draft=draft, outcome=evaluate(draft), past=past)
        return after.also(Keep(), announce_game(draft))

    def _fit_to_game(self) -> ScorePhoto:
        """After a change of the game: what was read as this game can have it, or the picture read again."""
        if self.seen and self.seen[0] == self.draft.picture:
            return self.with_reading(*self.seen)
        return self.read_again()

    def _show_picture(self) -> ScorePhoto:
        if self.draft.picture == self.shown_path:
            return self
        return replace(self, shown=None, shown_path=None)._open_again()

    def _open_again(self) -> ScorePhoto:
        """Open the picture of the draft; its tiles are read only where it has none."""
        if self.draft.picture is None:
            return self
        return self.open_picture(Path(self.draft.picture), read=not self.hand.tiles)

    def _read(self, picture: str, reading: Reading) -> ScorePhoto:
        again = self.seen is not None and self.seen[0] == picture
        state = replace(self, seen=(picture, reading.tiles)).with_reading(picture, reading.tiles)
        if not reading.tiles:
            return state.also(
                Say(
                    Sentence(
                        "No tiles were found in this picture: take it from closer by and in even light,"
                        " or add the tiles by hand."
                    )
                )
            )
        if again:  # what is said then is why: what was learned, or which tile set is used
            return state
        asked = WHICH_HAND if state.hand.is_doubtful else choose_advice(reading.advice)
        if asked:
            return state.also(Say(asked, trouble=False))
        if not self.asks_game or self.waiting:
            return state
        title = state.draft.rule_set.title
        scored = Sentence("This hand is scored as {rules}.", {"rules": title})
        return state.also(Ask(scored, Sentence("Another game"), GameDoubted(), passes=True))


def _is_bare(draft: WinDraft) -> bool:
    """Whether there is no hand in it."""
    return not draft.hand.tiles and draft.picture is None


def announce_game(draft: WinDraft) -> Announce:
    """Have all hear what is played."""
    return Announce(GameAtTable(draft.rules, draft.options, draft.dealer))
