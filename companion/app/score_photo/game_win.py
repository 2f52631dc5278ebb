"""A win that is entered into the game that is played: what of the draft the game says, what a person still
has to say, and what is booked. No Kivy, no rule."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from companion.app.effects import Effect
from companion.app.news import HandPicture, News
from companion.app.text import name_seats
from companion.errors import EventError
from companion.money import add_money
from companion.photo_hand.draft import WinDraft
from companion.rules import Score, Situation, Source
from companion.sentences import Sentence, msgid
from companion.table.events import Event, HandShown
from companion.table.state import Phase, State
from companion.table.unrecorded import (
    EnteredWin,
    ReportedWin,
    count_unseen_kongs,
    has_no_record,
    list_known_chances,
    needs_fortune,
)
from companion.table.wins import Chance, find_chance
from companion.tiles import MeldKind, Tile
from companion.words.tile_names import name_tile

QUESTIONS = {
    "winner": msgid("Who won?"),
    "from": msgid("Whose tile won?"),
    "fortune": msgid("Which tile was turned over?"),
    "tile": msgid("Touch the tile that won."),
}
"""What a person is asked, in order, in the words that stand on the page while it is open."""
WHOSE_HAND = msgid("Whose hand is it?")


@dataclass(frozen=True, slots=True)
class TellWin(Effect):
    """Enter these events into the game, all or none, in place of its last `instead_of` ones; keep the
    pictures beside it, of each winner in order. kept: the game's file."""

    events: tuple[Event, ...]
    instead_of: int = 0
    kept: Path | None = None
    pictures: tuple[HandPicture | None, ...] = ()


@dataclass(frozen=True, slots=True)
class TakeBack(Effect):
    """Undo that many events of the game."""

    steps: int


@dataclass(frozen=True, slots=True)
class WinUnwanted(News):
    """The events that were entered last, that many, are to be taken back. at: how many the game had then."""

    steps: int
    at: int


@dataclass(frozen=True, slots=True)
class Winner:
    """One of several winners, as far as entered."""

    draft: WinDraft
    told: ReportedWin


@dataclass(frozen=True, slots=True)
class GameWin:
    """state: of the game before the wins. loose: the draft that is scored without a game. shows: whether a
    hand is only shown, after nobody won. past: whether the hand is over, and its win is told to the score
    sheet, not booked.

    said: the questions that are answered. claimed_from: whose discards the melds are made of. earlier: the
    winners before this one, on the same tile. entered: the wins as they would be booked, this one last; empty
    while it is none. shown: the hand as it would be shown, and `waits` what it waits for. tells: whether it
    is on its way into the game. replaces: how many events of the game give way to it. booked: how many events
    it was, once it is there and another may still win on the tile.
    """

    state: State
    loose: WinDraft
    shows: bool = False
    past: bool = False
    said: frozenset[str] = frozenset()
    claimed_from: int | None = None
    earlier: tuple[Winner, ...] = ()
    entered: tuple[EnteredWin, ...] = ()
    shown: HandShown | None = None
    waits: tuple[Tile, ...] = ()
    tells: bool = False
    replaces: int = 0
    booked: int = 0

    @property
    def after(self) -> State | None:
        """The game as it would stand after all of them."""
        return self.entered[-1].after if self.entered else None

    @property
    def is_whole(self) -> bool:
        """Whether this win, or the hand that is shown, could be booked."""
        return self.shown is not None or len(self.entered) > len(self.earlier)

    def is_all_known(self, draft: WinDraft) -> bool:
        """Whether the game knows the winner's tiles and on what they win: nothing is left to enter."""
        hand = self.state.hand
        if self.past or self.shows or hand is None or not self.is_whole or hand.players[draft.winner].hidden:
            return False
        return self.find_chance(draft) is not None

    @property
    def has_no_record(self) -> bool:
        """Whether people have to say what the game would know of a hand that was recorded."""
        return has_no_record(self.state)

    def find_chance(self, draft: WinDraft) -> Chance | None:
        """On what the draft's winner wins, where the game knows it, or the winner of before has said it."""
        if self.earlier:
            first = self.earlier[0].told
            return Chance(draft.winner, first.source or Source.DISCARD, first.discarder, first.tile)
        return choose_chance(self.state, draft)

    def list_cases(self) -> tuple[Chance, ...]:
        """Who may win as the game stands, and on what: a tile that lies there, or the one that is drawn next.
        Empty where the game knows nothing of it, or the winner of before has said it."""
        if self.shows or self.earlier:
            return ()
        seats = self.state.house.seats
        return tuple(known.chance for seat in seats for known in list_known_chances(self.state, seat))

    def list_fields(self, draft: WinDraft) -> frozenset[str]:
        """The fields of a request that a person is asked for. "from" stands for the winning tile's source
        too; "case" for who wins on what, where the game knows who may."""
        if self.shows:
            return frozenset({"winner"})
        asked = {"winner"}
        cases = self.list_cases()
        if cases:
            asked.add("case")
        if self.find_chance(draft) is None or sum(case.seat == draft.winner for case in cases) > 1:
            asked.add("from")
        if not self.has_no_record:
            return frozenset(asked)
        asked.add("situation")
        if self.earlier:
            return frozenset(asked)
        uses = self.state.house.rules.uses
        asked |= uses & {"discards"}
        if needs_fortune(self.state):
            asked.add("fortune")
        if draft.source is Source.SELF_DRAW:
            asked |= uses & {"gambits"}
            asked |= uses & {"consecutive_kongs"} if draft.situation else set()
        return frozenset(asked)

    def asks_claimed_from(self, draft: WinDraft) -> bool:
        """Whether it matters whose discards the melds were made of, so that a person is asked."""
        melds = [meld for meld in draft.hand.melds if meld.kind is not MeldKind.KONG_CONCEALED]
        if self.shows or not self.has_no_record or not melds:
            return False
        uses = self.state.house.rules.uses
        kongs = any(meld.kind is MeldKind.KONG_DISCARD for meld in melds)
        liable = "three_melds" in uses and len(melds) >= self.state.house.policy.liability.melds
        return liable or ("kongs_declared" in uses and kongs)

    @property
    def asks_kongs(self) -> bool:
        """Whether kongs are paid for that nobody recorded while the hand was played."""
        alone = not (self.shows or self.past or self.earlier or self.booked)
        return alone and self.has_no_record and bool(self.state.house.rules.cash_rows)

    def list_open(self, draft: WinDraft) -> tuple[str, ...]:
        """The questions that nobody has answered yet, in order."""
        fields = self.list_fields(draft)
        unsaid = {"winner", "from"} - self.said
        found = {name for name in unsaid if name in fields}
        knows_tile_then = bool(found) and "case" in fields and self.find_chance(draft) is not None
        if "fortune" in fields and draft.fortune is None:
            found.add("fortune")
        if not knows_tile_then and self.asks_tile(draft):
            found.add("tile")
        return tuple(name for name in QUESTIONS if name in found)

    def is_settled(self, draft: WinDraft) -> bool:
        """Whether it has been said who won, and whose tile that was."""
        return not {"winner", "from"} & set(self.list_open(draft))

    def asks_tile(self, draft: WinDraft) -> bool:
        """Whether nobody knows which tile of a whole hand won."""
        if self.shows or self.booked or is_chosen(draft) or draft.winning is None:
            return False
        if not self._is_whole_hand(draft):
            return False
        chance = self.find_chance(draft)
        if chance is not None and (chance.tile is not None or chance.by_flowers):
            return False
        return not (self.is_whole and self.entered[-1].request.winning_tile is None)

    def _is_whole_hand(self, draft: WinDraft) -> bool:
        """Whether the hand has as many tiles as a finished one, with those of kongs that nobody saw."""
        hand = self.state.hand
        unseen = count_unseen_kongs(hand.players[draft.winner]) if hand and not self.has_no_record else 0
        return is_whole(draft) or (unseen > 0 and is_whole(draft, unseen))

    def list_facts(self, draft: WinDraft) -> tuple[Sentence, ...]:
        """What the game says, in words."""
        names = name_seats(self.state)
        facts = [Sentence("Dealer: {name}", {"name": names[self.state.deal.dealer]})]
        chance = None if self.shows or not self.is_settled(draft) else self.find_chance(draft)
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
        held = self.entered[-1].request.situation if self.is_whole and self.entered else frozenset()
        return tuple(each for each in self.state.house.rules.situations if each.id in held)

    @property
    def events(self) -> tuple[Event, ...]:
        """What would be entered."""
        if self.shown is not None:
            return (self.shown,)
        return tuple(event for win in self.entered for event in win.events)

    @property
    def scores(self) -> tuple[Score, ...]:
        """Of each winner, in order, as they would be booked beside one another."""
        after = self.after
        if after is None or after.hand is None:
            return ()
        return tuple(result.score for result in after.hand.results[-len(self.entered) :])

    @property
    def winners(self) -> tuple[int, ...]:
        """Who wins, in the order of `entered`."""
        after = self.after
        if after is None or after.hand is None:
            return ()
        return tuple(result.winner for result in after.hand.results[-len(self.entered) :])

    @property
    def payments(self) -> tuple[int, ...]:
        """What each seat gets by all of it."""
        after = self.after
        if after is None:
            return (0, 0, 0, 0)
        return tuple(after.points[person] - self.state.points[person] for person in self.state.seated)

    def list_entered(self) -> tuple[Sentence, ...]:
        """What is entered: who won, how many points, and what they are worth; or whose hand was shown."""
        names = name_seats(self.state)
        if self.shown is not None:
            return (Sentence("{name} showed the hand", {"name": names[self.shown.seat]}),)
        won = {seat: self.payments[seat] for seat in self.winners}
        return tuple(
            add_money(
                Sentence("{name} won: {count} points", {"name": names[seat], "count": points}),
                points,
                self.state.currency,
            )
            for seat, points in won.items()
        )

    @property
    def settled_seats(self) -> frozenset[int]:
        """Who cannot be the next winner on the tile: those who won on it before, and whose it was."""
        winners = {each.told.seat for each in self.earlier}
        givers = {each.told.discarder for each in self.earlier if each.told.discarder is not None}
        return frozenset(winners | givers)

    def list_more(self) -> tuple[int, ...]:
        """Who else may win on the tile."""
        return list_more_winners(self.after) if self.after is not None else ()


def ask(question: str) -> Sentence:
    """The words of that question."""
    return Sentence(QUESTIONS[question])


def is_chosen(draft: WinDraft) -> bool:
    """Whether the winning tile lies apart, or a person pointed at it."""
    return any(tile.id == draft.hand.chosen_win for tile in draft.hand.concealed)


def is_whole(draft: WinDraft, kongs: int = 0) -> bool:
    """Whether the hand has as many tiles as a finished one, with that many kongs not laid apart."""
    hand = draft.hand
    laid = 3 * (len(hand.melds) + len(hand.unnamed))
    return len(hand.concealed) + laid == draft.rule_set.hand_size + 1 + kongs


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
