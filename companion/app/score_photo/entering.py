"""The steps of entering wins into the game that is played, as methods that the state of the page has. No
Kivy, no rule."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Self

from companion.app.effects import Announce, Ask, ComeToFront, Effect, Leave, Say
from companion.app.live_preview import LivePreview
from companion.app.news import HandEndWanted, HandPicture, News, PastWinTold, PastWinWanted, TableWanted
from companion.app.score_photo import draft_steps
from companion.app.score_photo.editing import HandEditing, Page, Pane
from companion.app.score_photo.game_win import (
    GameWin,
    TakeBack,
    TellWin,
    Winner,
    WinUnwanted,
    begin_draft,
    find_proposed,
    is_chosen,
    is_whole,
    list_more_winners,
    make_told,
)
from companion.app.text import say_entered
from companion.live.deciding import Progress
from companion.live.played_game import PlayedGame
from companion.photo_hand.draft import WinDraft
from companion.photo_hand.hand import PhotoTile
from companion.rules import Source
from companion.sentences import Sentence
from companion.table.state import State
from companion.table.untold import ToldWin


@dataclass(frozen=True, slots=True)
class WatchHand(Effect):
    """Show the live picture of that camera, or of the first that there is. quietly: whether nothing is said
    where there is none."""

    camera: str | None
    quietly: bool


@dataclass(frozen=True, slots=True)
class StopWatching(Effect):
    """Let the camera go."""


@dataclass(frozen=True, slots=True)
class Booked:
    """Wins that were entered last. win: as it was entered, `winners` all of them. after: the game then;
    steps: how many events it was."""

    win: GameWin
    winners: tuple[Winner, ...]
    after: State
    steps: int


@dataclass(frozen=True, slots=True)
class Entering(HandEditing):
    """played: the game that is played. game_win: the win that is entered into it, None where a hand is scored
    without a game. booked: what was entered last. preview: the live picture of a camera; camera: the one that
    was chosen, None for the first that there is."""

    played: PlayedGame = field(default_factory=PlayedGame)
    game_win: GameWin | None = None
    booked: Booked | None = None
    preview: LivePreview | None = None
    camera: str | None = None

    @property
    def open_questions(self) -> tuple[str, ...]:
        """What a person still has to say of the win, in order."""
        return self.game_win.list_open(self.draft) if self.game_win else ()

    @property
    def asks_tile(self) -> bool:
        """Whether the tile that is touched next below the picture is the one that won."""
        return self.naming_win or "tile" in self.open_questions

    @property
    def supposes_tile(self) -> bool:
        """Whether the last tile of a hand that is scored without a game is only taken for the winning one."""
        alone = self.game_win is None and self.waiting is None and self.draft.winning is not None
        return alone and is_whole(self.draft) and not is_chosen(self.draft)

    @property
    def winning_tile(self) -> PhotoTile | None:
        """The tile of the hand that won, as far as that is known or supposed."""
        if self.waiting:
            return None
        chance = self.game_win.find_chance(self.draft) if self.game_win else None
        if self.game_win and (self.game_win.shows or {"winner", "from", "tile"} & set(self.open_questions)):
            return None
        if chance is not None and chance.tile is not None:
            held = [tile for tile in self.hand.concealed if tile.code == chance.tile.code]
            return held[-1] if held else None
        return self.draft.winning

    def touch(self, tile_id: int) -> Self:
        """Where it is asked which tile won, it is that one."""
        tile = self.hand.tile(tile_id)
        if self.asks_tile and tile in self.hand.concealed and not tile.needs_look:
            return self.stop_typing()._with_hand(self.hand.win_with(tile_id))
        return HandEditing.touch(self, tile_id)

    def with_winner(self, seat: int) -> Self:
        said = HandEditing.with_winner(self._say("winner"), seat)
        if self.game_win is None:
            return said
        if said.draft.discarder != self.draft.discarder or self.game_win.list_cases():
            return said._ask_again("from")
        return said if said.draft != self.draft else said._with_draft(said.draft, said.past)

    def with_case(self, seat: int, source: Source) -> Self:
        """That player won so, which the game knows to be possible."""
        draft = draft_steps.choose_winner(self.draft, seat).record(source=source)
        said = self._say("winner")._say("from").change(draft)
        return said if said.draft != self.draft else said._with_draft(said.draft, said.past)

    def with_giver(self, seat: int | None, source: Source = Source.DISCARD) -> Self:
        """The tile is that player's; with None, the winner drew it."""
        said = self._say("from")
        if seat is None:
            after = said.record(source=Source.SELF_DRAW)
        else:
            after = said.change(draft_steps.choose_giver(said.draft, seat, source))
        said = after if after.draft != self.draft else after._with_draft(after.draft, after.past)
        asks_fortune = said.open_questions[:1] == ("fortune",) and bool(said.hand.tiles)
        return said.name_fortune() if asks_fortune else said

    def with_claimed_from(self, seat: int) -> Self:
        """The melds are made of that player's discards."""
        if self.game_win is None:
            return self
        win = replace(self.game_win, claimed_from=seat)
        return replace(self, game_win=win)._with_draft(self.draft, self.past)

    def _ask_again(self, question: str) -> Self:
        if self.game_win is None:
            return self
        win = replace(self.game_win, said=self.game_win.said - {question})
        return replace(self, game_win=win)._with_draft(self.draft, self.past)

    def _say(self, question: str) -> Self:
        if self.game_win is None:
            return self
        win = replace(self.game_win, said=self.game_win.said | {question})
        return replace(self, game_win=win)

    def know(self, played: PlayedGame) -> Self:
        """The game stands so now; a win that is being entered is judged by that."""
        after, win = replace(self, played=played), self.game_win
        if win is None or win.tells or win.past:
            return after
        if played.progress is None:
            return after.leave_game()
        stands = self.booked.after if (win.replaces or win.booked) and self.booked else win.state
        if played.progress.state == stands:
            return after
        if win.booked:
            return after.leave_game()
        if win.earlier:
            changed = Sentence("The game has moved on meanwhile: enter the wins again.")
            return after.leave_game().also(Say(changed))
        return replace(after, game_win=replace(win, state=played.progress.state))._with_draft(
            self.draft, self.past
        )

    def begin_game_win(self, seat: int | None, *, at_once: bool = False) -> Self:
        """A win is to be entered into the kept game that is played; without one that seat won here. at_once:
        whether it is known that it is not on the next tile."""
        progress = self.played.progress
        if progress is None or self.played.path is None:
            return self if seat is None else self.with_winner(seat)
        booked = self.booked
        if booked and progress.state == booked.after and seat not in [w.draft.winner for w in booked.winners]:
            return self._add_winner(booked, progress, seat)
        win = GameWin(progress.state, self._loose)
        proposed = find_proposed(progress, seat)
        if proposed is not None or at_once:
            win = replace(win, said=frozenset({"winner", "from"}))
        elif seat is not None or len(win.list_cases()) == 1:
            win = replace(win, said=frozenset({"winner"}))
        return self._begin(win, begin_draft(progress.state, seat, proposed))

    def begin_past(self, asked: PastWinWanted) -> Self:
        """A hand that is over was won by that seat, or by one that is asked for."""
        said = frozenset[str]() if asked.seat is None else frozenset({"winner"})
        draft = begin_draft(asked.state, asked.seat)
        if asked.fortune is not None:
            draft = draft.record(fortune=asked.fortune)
        return self._begin(GameWin(asked.state, self._loose, past=True, said=said), draft)

    def begin_showing(self, seat: int | None) -> Self:
        """A player shows the hand after it is over."""
        progress = self.played.progress
        if progress is None or progress.state.hand is None or self.played.path is None:
            return self
        said = frozenset() if seat is None else frozenset({"winner"})
        win = GameWin(progress.state, self._loose, shows=True, said=said)
        return self._begin(win, begin_draft(progress.state, seat))

    def _add_winner(self, booked: Booked, progress: Progress, seat: int | None) -> Self:
        """Another has won on the tile on which wins were booked: all of them are booked anew, together."""
        win = replace(
            booked.win, loose=self._loose, earlier=booked.winners, replaces=booked.steps, tells=False,
            booked=0, said=frozenset() if seat is None else frozenset({"winner"}), claimed_from=None,
        )  # fmt: skip
        more = win.list_more()
        if not more or (seat is not None and seat not in more):
            fresh = GameWin(progress.state, self._loose, said=frozenset(() if seat is None else {"winner"}))
            return self._begin(fresh, begin_draft(progress.state, seat))
        first = booked.winners[0].draft
        return self._begin(win, self._follow(first, more[0] if seat is None else seat))

    @property
    def _loose(self) -> WinDraft:
        hand = self.waiting.draft if self.waiting else self.draft
        return self.game_win.loose if self.game_win else hand

    def _follow(self, first: WinDraft, seat: int) -> WinDraft:
        """The draft of the next winner on the tile of the first."""
        return first.next_hand().record(
            winner=seat, source=first.source, discarder=first.discarder, fortune=first.fortune,
            situation=first.situation,
        )  # fmt: skip

    def _begin(self, win: GameWin, draft: WinDraft) -> Self:
        begun = replace(self.stop_typing(), game_win=win, pane=Pane.TILES, page=Page.ENTRY)._without_picture()
        begun = begun._with_draft(draft, ()).also(ComeToFront(), Say(None))
        known = win.past or (begun.game_win is not None and begun.game_win.is_whole)
        if begun.game_win is not None and begun.game_win.is_all_known(draft) and not begun.open_questions:
            return replace(begun, page=Page.RESULT)
        return begun if known or begun.hand.tiles else begun.also(WatchHand(self.camera, quietly=True))

    def enter_another(self) -> Self:
        """Another has won on the same tile; the winners until now are kept."""
        win, progress = self.game_win, self.played.progress
        if win is None or not win.is_whole or win.tells or not win.list_more():
            return self
        if win.booked and self.booked and progress:
            return self._add_winner(self.booked, progress, None)
        winners = (*win.earlier, Winner(self.draft, make_told(win, self.draft)))
        said = frozenset({"winner"}) if len(win.list_more()) == 1 else frozenset[str]()
        first = winners[0].draft
        after = replace(win, earlier=winners, said=said, claimed_from=None)
        return self._begin(after, self._follow(first, win.list_more()[0]))

    def drop_winner(self) -> Self:
        """The winner that is being entered is none after all: the one before stands as it was entered."""
        win = self.game_win
        if win is None or not win.earlier or win.replaces or win.booked:
            return self.leave_game()
        *before, last = win.earlier
        said = frozenset({"winner", "from", "tile"})
        after = replace(win, earlier=tuple(before), said=said, claimed_from=last.told.claimed_from)
        back = replace(self.stop_typing(), game_win=after, page=Page.RESULT)._without_picture()
        return back._with_draft(last.draft, ())._show_picture().also(StopWatching())

    def leave_game(self) -> Self:
        """The win is not entered; what was scored without a game is there again."""
        return self._go_back(())

    def _go_back(self, told: tuple[ToldWin, ...], pictures: tuple[HandPicture | None, ...] = ()) -> Self:
        """To the table, or to the sheet, which is told these wins of a hand that is over."""
        if self.game_win is None:
            return self
        wanted = PastWinTold(told, pictures) if self.game_win.past else TableWanted()
        return self.lay_aside().also(Leave(), Announce(wanted))

    def lay_aside(self) -> Self:
        """Without the win that is being entered, and with what was scored without a game."""
        if self.game_win is None:
            return self
        left = replace(self.stop_typing(), game_win=None, page=Page.TABLE, preview=None)._without_picture()
        return left._with_draft(self.game_win.loose, ()).also(StopWatching())

    def confirm(self) -> Self:
        """All four have seen it: it is booked."""
        win = self.game_win
        if win is None or not win.is_whole or win.tells or win.booked or self.open_questions:
            return self
        winners = (*(winner.draft for winner in win.earlier), self.draft)
        pictures = () if win.shows else tuple(_find_picture(draft) for draft in winners)
        if win.past:
            told = (*(winner.told for winner in win.earlier), make_told(win, self.draft))
            return self._go_back(told, pictures)
        telling = replace(self, game_win=replace(win, tells=True))
        return telling.also(TellWin(win.events, win.replaces, self.played.path, pictures))

    def declare_false(self) -> Self:
        """The win is none: who pays for it is shown where other ends of a hand are."""
        if self.game_win is None or self.game_win.tells:
            return self
        return self.also(Announce(HandEndWanted("false_win", self.draft.winner)))

    def declare_kong(self) -> Self:
        """A kong is entered where other ends of a hand are; the win is gone on with after it."""
        if self.game_win is None or self.game_win.tells:
            return self
        return self.also(Announce(HandEndWanted("kong")))

    def take_told(self, steps: int, progress: Progress, trouble: Sentence | None) -> Self:
        """All of it is in the game. trouble: why its picture could not be kept."""
        win = self.game_win
        if win is None or not win.tells:
            return self
        booked = None
        if not win.shows:
            winners = (*win.earlier, Winner(self.draft, make_told(win, self.draft)))
            booked = Booked(win, winners, progress.state, steps)
        unwanted = WinUnwanted(steps, len(progress.events))
        said = trouble or say_entered(win.list_entered())
        asked = Ask(said, Sentence("Take it back"), unwanted, passes=trouble is None)
        after = replace(self, booked=booked)
        if booked and list_more_winners(progress.state):
            told = replace(win, tells=False, booked=steps)
            return replace(after, game_win=told, page=Page.RESULT).also(asked)
        return after.leave_game().also(asked)

    def take_refusal(self, why: Sentence) -> Self:
        """It could not be entered."""
        win = self.game_win
        return (replace(self, game_win=replace(win, tells=False)) if win else self).also(
            Say(why, passes=True)
        )

    def hear_of_game(self, news: News) -> Self:
        """The step that a wish to take something back makes necessary: as long as nothing came after it."""
        progress = self.played.progress
        if isinstance(news, WinUnwanted) and progress and len(progress.events) == news.at:
            return self.also(TakeBack(news.steps))
        return self

    @abstractmethod
    def _without_picture(self) -> Self:
        """With no picture shown."""

    @abstractmethod
    def _show_picture(self) -> Self:
        """The picture of the draft instead of another one."""


def _find_picture(draft: WinDraft) -> HandPicture | None:
    """The picture in which the hand was seen, and where it lies there."""
    counted = [tile for tile in draft.hand.tiles if draft.hand.counts(tile.id)]
    quads = tuple(tile.quad for tile in counted if tile.quad is not None)
    return HandPicture(Path(draft.picture), quads) if draft.picture and quads else None
