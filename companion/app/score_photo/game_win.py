"""A win that is entered into the game that is played: what of the draft the game says, and what is booked. No
Kivy, no rule."""

from __future__ import annotations

from dataclasses import dataclass

from companion.app.effects import Effect
from companion.app.news import News
from companion.app.text import SEAT_NAMES
from companion.app.tile_names import name_tile
from companion.errors import CompanionError, EventError
from companion.photo_hand.draft import WinDraft
from companion.photo_hand.hand import PhotoHand
from companion.photo_hand.scoring import Outcome
from companion.rules import Situation, Source
from companion.running.deciding import Progress
from companion.sentences import Sentence, msgid
from companion.table.apply import apply
from companion.table.events import Dealt, Event, FalseWin, HandStarted, Won
from companion.table.state import Phase, State
from companion.table.told_win import EnteredWin, enter_win, list_known_chances
from companion.table.untold import ToldWin
from companion.table.wins import Chance, find_chance
from companion.tiles import UNKNOWN, Suit, Tile, parse_meld, parse_tiles


@dataclass(frozen=True, slots=True)
class TellWin(Effect):
    """Enter these events into the game, all or none."""

    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class TakeBack(Effect):
    """Undo that many events of the game."""

    steps: int


@dataclass(frozen=True, slots=True)
class WinUnwanted(News):
    """The events that were entered last, that many, are to be taken back."""

    steps: int


@dataclass(frozen=True, slots=True)
class GameWin:
    """state: of the game before it. loose: the draft that is scored without a game. seat_is_known: whether
    it was said who won. entered: the win as it would be booked, None where it is none yet. tells: whether it
    is on its way into the game. booked: how many events it was, once it is there."""

    state: State
    loose: WinDraft
    seat_is_known: bool = False
    entered: EnteredWin | None = None
    tells: bool = False
    booked: int = 0

    def chance(self, draft: WinDraft) -> Chance | None:
        """On what the winner wins, where the game knows it."""
        return choose_chance(self.state, draft)

    def sources(self, seat: int) -> tuple[Source, ...]:
        """Where the winning tile can have come from, as far as the game knows it; all of them where it does
        not."""
        known = list_known_chances(self.state, seat)
        return tuple(each.chance.source for each in known) or tuple(Source)

    def asked_fields(self, draft: WinDraft) -> frozenset[str]:
        """The fields of a request that the game does not say."""
        known = list_known_chances(self.state, draft.winner)
        if known:
            return frozenset({"winner", "source"} if len(known) > 1 else {"winner"})
        fortune = {"fortune"} if self.state.house.wall.indicator_dice else set()
        return frozenset({"winner", "source", "from", "situation"} | fortune)

    def known_facts(self, draft: WinDraft) -> tuple[Sentence, ...]:
        """What the game says, in words."""
        names = name_seats(self.state)
        deal = self.state.deal
        facts = [Sentence("Dealer: {name}", {"name": names[deal.dealer]})]
        chance = self.chance(draft)
        if chance is not None and chance.discarder is None:
            facts.append(Sentence("{name} drew the winning tile.", {"name": names[draft.winner]}))
        elif chance is not None:
            tile = Sentence("a tile") if chance.tile is None else name_tile(chance.tile.code)
            giver = names[chance.discarder or 0]
            template = (
                msgid("It is the tile of {name}: {tile}.")
                if chance.source is Source.DISCARD
                else msgid("It robs the kong of {name}: {tile}.")
            )
            facts.append(Sentence(template, {"name": giver, "tile": tile}))
        return tuple(facts)

    @property
    def situations(self) -> tuple[Situation, ...]:
        """In which the win is."""
        held = self.entered.request.situation if self.entered else frozenset()
        return tuple(each for each in self.state.house.rules.situations if each.id in held)

    def may_be_false(self, seat: int) -> bool:
        """Whether the seat's false win can be entered."""
        try:
            for_now = self.state
            for event in self.list_false(seat):
                for_now = apply(for_now, event)
        except EventError:
            return False
        return True

    def list_false(self, seat: int) -> tuple[Event, ...]:
        """The events of a false win; a hand that was not recorded begins with it."""
        begun: tuple[Event, ...] = ()
        if not self.state.playing:
            begun = (HandStarted(dealer=self.state.deal.dealer), Dealt())
        elif self.state.hand is not None and self.state.hand.phase is Phase.DEAL:
            begun = (Dealt(),)
        return (*begun, FalseWin(seat=seat))


def name_seats(state: State) -> tuple[Sentence, ...]:
    """Who sits in each seat, by name; a seat whose person has none, by its place."""
    return tuple(
        Sentence("{name}", {"name": state.names[person] or Sentence(SEAT_NAMES[seat])})
        for seat, person in enumerate(state.seated)
    )


def list_more_winners(state: State) -> tuple[int, ...]:
    """Who may still win on the tile with which the hand ended."""
    hand = state.hand
    if hand is None or hand.phase is not Phase.OVER or not hand.results:
        return ()
    found = []
    for seat in state.house.seats:
        try:
            find_chance(state, hand, seat)
        except EventError:
            continue
        found.append(seat)
    return tuple(found)


def choose_chance(state: State, draft: WinDraft) -> Chance | None:
    """On what the winner wins: the tile that lies there, or the one that is drawn next, as the draft says
    where it can be either. None where the game does not know it."""
    chances = [each.chance for each in list_known_chances(state, draft.winner)]
    said = (chance for chance in chances if chance.source is draft.source)
    return next(said, chances[0] if chances else None)


def begin_draft(progress: Progress, seat: int | None) -> WinDraft:
    """The draft of a win in the game as it stands: what the game says is in it. Without a seat whose turn it
    is wins, with the tile that is drawn next. A win that was proposed, and waits for a person, brings its
    tiles along."""
    state = progress.state
    proposed = next(
        (
            each.proposal.event
            for each in reversed(progress.pending)
            if isinstance(each.proposal.event, Won) and seat in (None, each.proposal.event.seat)
        ),
        None,
    )
    if proposed is not None:
        seat = proposed.seat
    draws = seat is None and state.hand is not None and state.playing
    if seat is None and state.hand is not None and state.playing:
        seat = state.hand.turn
    house = state.house
    own = house.rules.defaults
    draft = WinDraft(
        rules=house.rules.name,
        options=tuple(sorted((key, value) for key, value in house.scoring.items() if own[key] != value)),
        winner=state.deal.dealer if seat is None else seat,
        dealer=state.deal.dealer,
        streak=state.deal.streak,
        round_wind=state.deal.wind % 4,
        base=house.base,
        cap=house.cap,
    )
    known = list_known_chances(state, draft.winner)
    source = known[-1 if draws else 0].chance.source if known else draft.source
    draft = draft.record(discarder=(draft.winner + 1) % 4, source=source)
    if state.hand is not None and state.playing and state.hand.fortune is not None:
        draft = draft.record(fortune=state.hand.fortune.code)
    if proposed is not None and proposed.hand:
        hand = PhotoHand()
        for tile in parse_tiles(proposed.hand):
            hand = hand.add(tile.code)
        draft = draft.record(hand=hand)
    return draft


def make_told(draft: WinDraft, state: State) -> ToldWin:
    """What the draft says of the win; of a hand that was followed only the tiles."""
    chance = choose_chance(state, draft)
    hand = draft.hand
    tiles = [Tile.parse(tile.code) for tile in hand.free if tile.is_kind]
    melds = tuple(parse_meld(laid.notation) for laid in hand.melds)
    flowers = tuple(tile for tile in tiles if tile.suit is Suit.FLOWERS)
    laid = tuple(tile for meld in melds for tile in meld.tiles)
    winning = draft.winning
    tile = Tile.parse(winning.code) if winning and winning.is_kind else None
    if chance is not None:
        return ToldWin(draft.winner, chance.source, chance.discarder, tile, (*tiles, *laid), melds, flowers)
    return ToldWin(
        draft.winner,
        draft.source,
        draft.discarder,
        tile,
        (*tiles, *laid),
        melds,
        flowers,
        frozenset(draft.situation),
        Tile.parse(draft.fortune) if draft.fortune else None,
    )


def judge(win: GameWin, draft: WinDraft) -> tuple[Outcome, EnteredWin | None]:
    """The win as the game would book it, or the sentence that says what is wrong or missing."""
    if not draft.hand.tiles and not draft.by_flowers and not _knows_hand(win.state, draft.winner):
        return Outcome(problem=Sentence("Take a picture of the winner's hand, or touch its tiles.")), None
    unread = sum(tile.code == UNKNOWN for tile in draft.hand.free)
    if unread:
        told = Sentence(
            "Tiles that could not be read: {count}. Tap each one and say what it is.", {"count": unread}
        )
        return Outcome(problem=told), None
    try:
        entered = enter_win(win.state, make_told(draft, win.state))
    except CompanionError as error:
        inner = error.sentence.params.get("reason") or error.sentence.params.get("problem")
        if isinstance(inner, CompanionError):
            inner = inner.sentence
        return Outcome(problem=inner if isinstance(inner, Sentence) else error.sentence), None
    return Outcome(score=entered.compare()), entered


def _knows_hand(state: State, seat: int) -> bool:
    """Whether the game knows all tiles of that seat."""
    hand = state.hand
    return (
        hand is not None
        and state.playing
        and bool(hand.players[seat].concealed)
        and not (hand.players[seat].hidden)
    )
