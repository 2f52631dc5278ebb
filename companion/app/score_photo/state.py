"""The state of scoring a photographed hand, as one frozen value. The steps from one state to the next are
functions: of the tiles (`editing.py`), of how the hand was won (`how_won.py`), of its photo (`photo.py`), of
a win in the game in play (`entering.py`), and of the tiles on the table, for the coach (`open_tiles.py`). No
Kivy, no rule.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path

from companion.app.effects import ComeToFront, GoBack, ShowMessage
from companion.app.feature import BarButton, FeatureState, Tabs, remember
from companion.app.live_preview import LivePreview
from companion.app.news import (
    CameraChosen,
    Covered,
    FairGameSet,
    HandShownWanted,
    News,
    OpenTilesWanted,
    OtherGameSuspected,
    PackingAgreed,
    PackingWanted,
    PastWinWanted,
    PictureChosen,
    PictureFailed,
    PictureLost,
    PictureOpened,
    PictureProgress,
    PictureRead,
    ScorePhotoWanted,
    SeatWins,
    Started,
    TableRulesCancelled,
    TableRulesChosen,
    TileRefused,
    TileSetChanged,
    TilesLearned,
    Uncovered,
    WinEntryWanted,
)
from companion.app.score_photo import editing, entering, how_won, open_tiles, photo
from companion.app.score_photo.editing import Page, Pane
from companion.app.score_photo.game_win import GameWin, LastHandWon, UndoWin, is_chosen, is_complete
from companion.app.shown import ShownPicture
from companion.app.text import list_people, name_seats
from companion.game.updates import PlayedGame
from companion.photo_hand.claims import AssumedTile, Claims
from companion.photo_hand.draft import Outcome, WinDraft, evaluate
from companion.photo_hand.hand import PhotoHand, PhotoTile
from companion.photo_hand.open_tiles import Held
from companion.rules import RULE_SETS
from companion.sentences import Sentence
from companion.tiles import SET_TILES, MeldKind
from companion.vision.reading import TileReading

PACK_FROM = 1500
"""Width of the narrowest window, in dp, whose bar has room for the button that packs a reading."""


@dataclass(frozen=True, slots=True)
class ScorePhoto(FeatureState):
    """A hand on its way to a score; or, while the hand is `waiting`, the tiles on the table around it.

    The draft and its score:
      draft: it is kept on disk and undone step by step; everything else lives only while the window is open.
      outcome: the score of `draft`, or why it has none.
      assumed_tile: the winning tile that is assumed in a game, where nobody knows it.
      claims: what is asked about the claims of a hand without a picture, where it changes the score.
      past: the drafts before it. Two equal ones mean that a tile set learned something in between.
      asks_game: nobody has chosen yet which game is played.

    The page and the keyboard of tiles:
      page, pane: what is shown; a small window shows one pane at a time.
      selected: the id of the tile that the keyboard corrects. adding: the keyboard adds tiles.
      naming_fortune: it names the fortune tile. naming_win: the tile touched next is the winning one.

    The picture:
      shown, shown_path: the opened picture and its file. seen: that file and what was read in it last.
      loading: another picture is being opened. taking: one was taken and is on its way.
      ignores_opened: the next picture opened is for tiles on the table that nobody enters any more.
      preview: the live picture of a camera. camera: the chosen one, None for the first there is.
      resumes: the live picture comes back with the page.

    The game in play:
      played: that game. game_win: the win being entered into it, None where a hand is scored without a game.
      booked: the wins entered last. fair: the game is a fair one, so no advice is offered.

    The tiles on the table, for the coach:
      waiting: the hand that waits while they are entered. open_entry: what was entered of them.
    """

    draft: WinDraft = field(default_factory=WinDraft)
    outcome: Outcome = field(default_factory=lambda: evaluate(WinDraft()))
    assumed_tile: AssumedTile | None = None
    claims: Claims | None = None
    past: tuple[WinDraft, ...] = ()
    asks_game: bool = False
    page: Page = Page.TABLE
    pane: Pane = Pane.TILES
    selected: int | None = None
    adding: bool = False
    naming_fortune: bool = False
    naming_win: bool = False
    shown: ShownPicture | None = None
    shown_path: str | None = None
    seen: tuple[str, tuple[TileReading, ...]] | None = None
    loading: bool = False
    taking: bool = False
    ignores_opened: bool = False
    preview: LivePreview | None = None
    camera: str | None = None
    resumes: bool = False
    played: PlayedGame = field(default_factory=PlayedGame)
    game_win: GameWin | None = None
    booked: entering.Booked | None = None
    fair: bool = False
    waiting: open_tiles.WaitingHand | None = None
    open_entry: open_tiles.OpenTilesEntry | None = None

    @classmethod
    def resume(cls, kept: WinDraft | None) -> ScorePhoto:
        """The state with the kept draft, its picture not opened yet; or the first state ever."""
        draft = how_won.fold_base(kept or WinDraft())
        first = cls(asks_game=kept is None)
        return replace(editing.set_draft(first, draft, ()), effects=()).also(editing.announce_game(draft))

    @property
    def kept(self) -> WinDraft | None:
        """The draft to keep on disk; None if there is no hand and nobody has chosen a game."""
        draft = self.loose_draft
        return None if self.asks_game and editing.is_bare(draft) else draft

    @property
    def hand(self) -> PhotoHand:
        return self.draft.hand

    @property
    def scored_draft(self) -> WinDraft:
        """The draft as it is scored: with the winning tile and the claims that are assumed."""
        draft = self.assumed_tile.apply(self.draft) if self.assumed_tile else self.draft
        return self.claims.apply(draft) if self.claims else draft

    @property
    def asks_claims(self) -> bool:
        """Whether nobody has entered yet which sets were claimed, and it changes the score."""
        return self.claims is not None and self.claims.assumed is not None

    @property
    def is_settled(self) -> bool:
        """Whether the win in the game could be booked and nothing that was asked about it is still open."""
        win = self.game_win
        if win is None or win.only_shown or not win.is_complete or self.open_questions:
            return False
        assumes = self.asks_claims or self.asks_tile
        doubts = bool(self.hand.unsure) or self.hand.is_doubtful
        asks = win.asks_kongs(self.draft)
        asks |= win.asks_claimed_from(self.draft) and win.claimed_from is None
        return not (self.typing or self.loading or assumes or doubts or asks)

    @property
    def loose_draft(self) -> WinDraft:
        """The draft that is scored without a game."""
        hand = self.waiting.draft if self.waiting else self.draft
        return self.game_win.loose if self.game_win else hand

    @property
    def seated_draft(self) -> WinDraft:
        """The draft with the source and the discarder that the game knows."""
        chance = self.game_win.find_chance(self.draft) if self.game_win else None
        if chance is None:
            return self.draft
        discarder = self.draft.discarder if chance.discarder is None else chance.discarder
        return self.draft.record(source=chance.source, discarder=discarder)

    @property
    def meld_kinds(self) -> tuple[MeldKind, ...]:
        """The melds that tiles can form: none among the tiles on the table."""
        return () if self.waiting else self.draft.meld_kinds

    @property
    def typing(self) -> bool:
        """Whether the keyboard of tiles is open."""
        return self.adding or self.naming_fortune or self.selected is not None

    @property
    def can_undo(self) -> bool:
        return bool(self.past)

    @property
    def can_teach(self) -> bool:
        """Whether there are corrections that the tile set has not learned yet."""
        return editing.has_corrections(self.draft) and self.draft not in self.past[-1:]

    @property
    def strange_tiles(self) -> tuple[str, ...]:
        """The kinds of the hand that the game does not have."""
        counted = [tile for tile in self.hand.tiles if self.hand.counts(tile.id)]
        return tuple(dict.fromkeys(tile.code for tile in counted if self.draft.lacks(tile)))

    @property
    def other_games(self) -> tuple[str, ...]:
        """The games that have all tiles of the hand."""
        kinds = {tile.code for tile in self.hand.tiles if self.hand.counts(tile.id) and tile.is_kind}
        return tuple(
            name
            for name, rules in RULE_SETS.items()
            if name != self.draft.rules and kinds <= {kind.code for kind in rules.tile_set.kinds}
        )

    def count_left(self, corrected: PhotoTile | None) -> dict[str, int]:
        """How many tiles of each kind are left, not counting the tile that is corrected."""
        tile_set = self.draft.rule_set.tile_set
        left = {kind.code: tile_set.copies[kind.index] for kind in tile_set.kinds}
        melded = {member for meld in self.hand.melds for member in meld.members}
        held = [tile.code for tile in self.hand.free if tile is not corrected]
        held += [
            code
            for meld in self.hand.melds
            if not (corrected and corrected.id in melded)
            for code in meld.codes
        ]
        if self.waiting:
            held += [code for part in Held.of(self.waiting.draft.hand) for code in part]
        for code in held:
            if code in left:
                left[code] -= 1
        return left

    def count_unseen(self, corrected: PhotoTile | None) -> dict[str, int]:
        """As `count_left`, without the tiles that are open on the table of the game."""
        elsewhere = self.game_win.count_elsewhere(self.draft) if self.game_win and not self.waiting else {}
        left = self.count_left(corrected)
        return {code: max(count - elsewhere.get(code, 0), 0) for code, count in left.items()}

    @property
    def open_questions(self) -> tuple[str, ...]:
        """The questions about the win that are still open, in order."""
        if self.game_win is None:
            return ()
        tile = ("tile",) if self.assumed_tile and self.assumed_tile.decides else ()
        return (*self.game_win.list_open_questions(self.draft), *tile)

    @property
    def asks_tile(self) -> bool:
        """Whether the tile touched next below the picture is the winning one."""
        return self.naming_win or (self.assumed_tile is not None and self.assumed_tile.matters)

    @property
    def supposes_tile(self) -> bool:
        """Whether the winning tile is only assumed: of a hand scored without a game, it is the last one."""
        if self.assumed_tile is not None:
            return not self.assumed_tile.decides
        alone = self.game_win is None and self.waiting is None and self.draft.winning is not None
        return alone and is_complete(self.draft) and not is_chosen(self.draft)

    @property
    def winning_tile(self) -> PhotoTile | None:
        """The winning tile of the hand, as far as it is known or assumed."""
        if self.waiting:
            return None
        chance = self.game_win.find_chance(self.draft) if self.game_win else None
        if self.game_win and (
            self.game_win.only_shown or {"winner", "from", "tile"} & set(self.open_questions)
        ):
            return None
        if self.assumed_tile is not None:
            return self.hand.tile(self.assumed_tile.id)
        if chance is not None and chance.tile is not None:
            held = [tile for tile in self.hand.concealed if tile.code == chance.tile.code]
            return held[-1] if held else None
        return self.draft.winning

    @property
    def may_ask_coach(self) -> bool:
        """Whether the coach can be asked: the hand has a size before or after a draw, and is not a win."""
        if self.game_win or self.fair or (self.outcome.score and self.outcome.score.legal):
            return False
        hand = self.hand
        size = len(hand.concealed) + SET_TILES * (len(hand.melds) + len(hand.unnamed))
        between = self.draft.rule_set.hand_size
        return all(tile.is_kind for tile in hand.concealed) and size in (between, between + 1)

    @property
    def asked_fields(self) -> frozenset[str] | None:
        """The fields that a person is asked for besides the tiles; None for all, without a game."""
        return self.game_win.list_fields(self.draft) if self.game_win else None

    @property
    def known_facts(self) -> tuple[Sentence, ...]:
        """What the game knows of the win, in words."""
        return self.game_win.list_facts(self.draft) if self.game_win else ()

    @property
    def stated_rows(self) -> dict[str, int]:
        """The rows that were stated in place of the tiles, by id with how often they count."""
        return dict(self.draft.stated.rows) if self.draft.stated else {}

    @property
    def seat_names(self) -> tuple[Sentence, ...]:
        """The names of the seats."""
        return name_seats(self.game_win.state if self.game_win else None)

    @property
    def people(self) -> tuple[str, ...]:
        return list_people(self.game_win.state if self.game_win else None)

    @property
    def title(self) -> Sentence:
        if self.waiting:
            return Sentence("Tiles on the table")
        if self.game_win and self.game_win.only_shown:
            return Sentence("Show a hand")
        return Sentence("Mahjong!") if self.game_win else Sentence("Score a photo")

    @property
    def home(self) -> Page:
        """The page with the tiles: of a win in the game, of the tiles on the table, or of a hand alone."""
        if self.game_win or self.waiting:
            return Page.ENTRY if self.game_win else Page.OPEN
        return Page.GAME if self.asks_game and editing.is_bare(self.draft) else Page.TABLE

    @property
    def is_overlay(self) -> bool:
        return False

    @property
    def pauses_following(self) -> bool:
        return True

    @property
    def wants_pictures(self) -> bool:
        return self.page in (Page.TABLE, Page.OPEN)  # the page of a win has buttons of its own

    @property
    def bar_buttons(self) -> tuple[BarButton, ...]:
        if self.page is Page.GAME:
            return ()
        bare = editing.is_bare(self.draft)
        new = Sentence("Clear") if self.waiting else Sentence("New hand")
        icon = "close" if self.waiting else "plus"
        clear = BarButton("clear", new, icon, 120, photo.clear_tiles, disabled=bare, work=True)
        if not photo.has_reading(self):
            return (clear,)
        words = Sentence("Pack a bad reading")
        pack = BarButton("pack", words, "folder", 200, photo.ask_to_pack, work=True, words_from=PACK_FROM)
        return clear, pack

    @property
    def tabs(self) -> Tabs | None:
        if self.page is not Page.TABLE:
            return None
        offers = editing.offer_panes(self.outcome.score)
        return Tabs(offers, self.pane.value, lambda key: lambda state: editing.show_pane(state, Pane(key)))

    def undo(self) -> ScorePhoto:
        return photo.undo(self)

    def step_back(self) -> ScorePhoto:
        """Close the keyboard, or go back to the page before."""
        if self.typing:
            return editing.stop_typing(self)
        if self.waiting:
            return open_tiles.finish_open_tiles(self)
        if self.page is Page.ENTRY:
            return entering.drop_winner(self)
        if self.page is Page.ROWS:
            return editing.show(self, Page.ENTRY)
        return self.also(GoBack()) if self.page in (Page.TABLE, Page.GAME) else editing.show(self, self.home)

    def on_news(self, news: News) -> ScorePhoto:
        """The step that the news makes necessary."""
        if self.waiting and isinstance(news, open_tiles.LEAVES_TABLE):
            return open_tiles.leave_open_tiles(self).on_news(news)
        match news:
            case Started():
                return photo.reopen_picture(self)
            case ScorePhotoWanted() if self.game_win and self.game_win.submitting:
                return self.also(ComeToFront())  # the win is on its way into the game
            case ScorePhotoWanted(None):
                alone = entering.lay_aside(self)
                shown = alone if alone.home is Page.TABLE else replace(alone, page=alone.home)
                return photo.show_picture(shown).also(ComeToFront())
            case OtherGameSuspected():
                return editing.show(self, Page.GAME)
            case TableRulesChosen(by) if by == photo.ASKER:
                return photo.apply_house(self, news)
            case TableRulesCancelled(by) if by == photo.ASKER:
                return self.also(ComeToFront())
            case ScorePhotoWanted(Path() as path):
                return photo.open_picture(replace(entering.lay_aside(self), seen=None), path).also(
                    ShowMessage(None), ComeToFront()
                )
            case PictureChosen(path):
                return photo.open_picture(replace(self, seen=None), path).also(ShowMessage(None))
            case PictureProgress(doing):
                return self.work(doing)
            case PictureOpened() if self.ignores_opened:
                return replace(self, ignores_opened=False)
            case PictureOpened(path, shown):
                opened = replace(self, shown=shown, shown_path=str(path), loading=False)
                return photo.set_picture(opened, str(path))
            case PictureRead(path, reading):
                if reading is None:
                    return self.work(None)
                accept = entering.then_show(lambda state: photo.accept_reading(state, str(path), reading))
                return accept(self.work(None))
            case PictureFailed(_, why):
                return replace(self, loading=False).work(None).also(ShowMessage(why, passes=True))
            case TileSetChanged(again=True):
                return photo.read_again(self)
            case FairGameSet(fair):
                return replace(open_tiles.leave_open_tiles(self) if fair else self, fair=fair)
            case OpenTilesWanted():
                return open_tiles.begin_open_tiles(self)
            case TilesLearned():
                return replace(self, past=remember(self.past, self.draft))
            case TileRefused(quad):
                return editing.select(self, editing.find_tile(self.hand, quad))
            case SeatWins(seat):
                begun = entering.begin_win(self, seat)
                return editing.show_pane(editing.show(begun, begun.home), Pane.WIN)
            case WinEntryWanted(seat, at_once):
                return entering.begin_win(self, seat, at_once=at_once)
            case PastWinWanted():
                return entering.begin_past_win(self, news)
            case HandShownWanted(seat):
                return entering.begin_showing(self, seat)
            case Covered():
                return photo.cover(self)
            case Uncovered():
                return photo.uncover(self)
            case CameraChosen(camera):
                return replace(self, camera=camera)
            case PackingWanted():
                return photo.ask_to_pack(self)
            case PackingAgreed():
                return photo.begin_packing(self)
            case LastHandWon(seat):
                return entering.add_winner(self, seat)
            case UndoWin():
                return entering.take_back(self, news)
            case PictureLost() if self.taking:
                return photo.watch(replace(self, taking=False))
        return self
