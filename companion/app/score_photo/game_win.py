"""A win that is entered into the game in play: what the game knows of it, what a person still has to answer,
and what the game makes of the draft (`judge`). No Kivy; the rules are asked, not repeated.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from companion.app.effects import Effect
from companion.app.news import HandPicture, News
from companion.app.text import name_seats
from companion.errors import CompanionError, EventError
from companion.game.deciding import Progress
from companion.live.event_words import reword_refusal
from companion.money import add_money
from companion.photo_hand.claims import AssumedTile, Claims, assume_tile, find_claims
from companion.photo_hand.draft import Outcome, WinDraft, evaluate
from companion.photo_hand.hand import PhotoHand
from companion.rules import Score, Situation, Source, decode_request, waits
from companion.rules.scoring import trace_score
from companion.rules.stated import Stated, StatedRow, list_rows, list_values
from companion.rules.win import ScoreRequest
from companion.seeing.preview import SteadyTile
from companion.sentences import Sentence, msgid
from companion.table.apply import apply
from companion.table.events import Event, HandShown, Won
from companion.table.knowledge import count_unseen
from companion.table.moves import find_waits
from companion.table.state import HandState, Phase, Player, State, changed
from companion.table.unrecorded import (
    EnteredWin,
    ReportedWin,
    ask_without_tiles,
    count_unseen_kongs,
    enter_wins,
    has_no_record,
    list_known_chances,
    needs_fortune,
)
from companion.table.wins import Chance, find_chance
from companion.tiles import KINDS, UNKNOWN, MeldKind, Suit, Tile, format_tiles, parse_meld, parse_tiles
from companion.vision.reading import TileReading
from companion.words.tile_names import name_tile

QUESTIONS = {
    "winner": msgid("Who won?"),
    "from": msgid("Who discarded it?"),
    "fortune": msgid("Which tile was turned over?"),
    "tile": msgid("Touch the winning tile."),
}
"""The questions that a person may be asked, in order, as they are shown on the page."""
WHOSE_HAND = msgid("Whose hand is it?")
WHICH_CLAIMED = msgid("Which sets were claimed?")
CLAIMS_DECIDE = msgid("Whether this hand wins depends on its claims. Which sets were claimed?")
OPEN_YET = msgid("These tiles are a win. {question}")
VALUES_OFFERED = 8
LIVE_P = {False: 0.99, True: 0.5}
"""The probability given to a live tile, by whether it is unsure; only sure or unsure matters here."""


@dataclass(frozen=True, slots=True)
class EnterWins(Effect):
    """Enter these events into the game, all or none, in place of its last `instead_of` events, and keep the
    picture of each winner next to its file `kept`."""

    events: tuple[Event, ...]
    instead_of: int = 0
    kept: Path | None = None
    pictures: tuple[HandPicture | None, ...] = ()


@dataclass(frozen=True, slots=True)
class UndoEvents(Effect):
    """Undo this number of events of the game."""

    steps: int


@dataclass(frozen=True, slots=True)
class UndoWin(News):
    """The last `steps` events are to be undone, if the game still has `at` events."""

    steps: int
    at: int


@dataclass(frozen=True, slots=True)
class LastHandWon(News):
    """The win being entered is one more of the last hand, on its tile, by that seat or by one that is asked
    for."""

    seat: int | None


@dataclass(frozen=True, slots=True)
class Winner:
    """One of several winners: the draft, and the win reported from it."""

    draft: WinDraft
    reported: ReportedWin


@dataclass(frozen=True, slots=True)
class GameWin:
    """A win, or a hand to be shown, that is being entered.

    state: the game before the wins. loose: the draft that is scored without a game.
    only_shown: a hand is shown after a draw; nobody wins. past: a win of a past hand, which goes to the score
    sheet instead of being booked.
    answered: the questions answered so far. claimed_from: the seat whose discards the melds were made of.
    earlier: the winners before this one on the same tile. entered: the wins as they would be booked, this one
    last; empty while there is no win. shown: the hand as it would be shown; waits: the tiles it waits for.
    submitting: it is on its way into the game. replaces: how many of the game's last events it replaces.
    booked: how many events it became, while another player may still win on the tile.
    """

    state: State
    loose: WinDraft
    only_shown: bool = False
    past: bool = False
    answered: frozenset[str] = frozenset()
    claimed_from: int | None = None
    earlier: tuple[Winner, ...] = ()
    entered: tuple[EnteredWin, ...] = ()
    shown: HandShown | None = None
    waits: tuple[Tile, ...] = ()
    submitting: bool = False
    replaces: int = 0
    booked: int = 0

    @property
    def after(self) -> State | None:
        """The game after all of them."""
        return self.entered[-1].after if self.entered else None

    @property
    def is_complete(self) -> bool:
        """Whether this win, or the hand that is shown, could be booked."""
        return self.shown is not None or len(self.entered) > len(self.earlier)

    def is_all_known(self, draft: WinDraft) -> bool:
        """Whether the game knows the winner's tiles and on what they win: nothing is left to enter."""
        hand = self.state.hand
        if (
            self.past
            or self.only_shown
            or hand is None
            or not self.is_complete
            or hand.players[draft.winner].hidden
        ):
            return False
        return self.find_chance(draft) is not None

    def has_no_record(self, draft: WinDraft) -> bool:
        """Whether players have to enter what the game would know of a recorded hand: of a new hand too, while
        others may still win on the last tile of the one before."""
        hand = self.state.hand
        follows = hand is not None and hand.phase is Phase.OVER
        return has_no_record(self.state) or (
            follows and (bool(self.earlier) or choose_chance(self.state, draft) is None)
        )

    def find_chance(self, draft: WinDraft) -> Chance | None:
        """On what the draft's winner wins, where the game or an earlier winner's entry tells."""
        if self.earlier:
            first = self.earlier[0].reported
            return Chance(draft.winner, first.source or Source.DISCARD, first.discarder, first.tile)
        return choose_chance(self.state, draft)

    def list_chances(self) -> tuple[Chance, ...]:
        """Who may win now, and on what: the tile just played, or the next tile drawn. Empty if the game
        does not know, or an earlier winner settles it."""
        if self.only_shown or self.earlier:
            return ()
        seats = self.state.house.seats
        return tuple(known.chance for seat in seats for known in list_known_chances(self.state, seat))

    def list_fields(self, draft: WinDraft) -> frozenset[str]:
        """The fields of a request that a person is asked for. "from" includes the source of the winning tile;
        "chance" is who wins on what, where the game knows who may."""
        if self.only_shown:
            return frozenset({"winner"})
        asked = {"winner"}
        chances = self.list_chances()
        if chances:
            asked.add("chance")
        if self.find_chance(draft) is None or sum(chance.seat == draft.winner for chance in chances) > 1:
            asked.add("from")
        if not self.has_no_record(draft):
            return frozenset(asked)
        asked.add("situation")
        if self.earlier:
            return frozenset(asked)
        uses = self.state.house.rules.uses
        if self.state.house.rules.reads("discards", draft.all_options):
            asked |= uses & {"discards"}
        if needs_fortune(self.state):
            asked.add("fortune")
        if draft.source is Source.SELF_DRAW:
            asked |= uses & {"gambits"}
            asked |= uses & {"consecutive_kongs"} if draft.situation else set()
        return frozenset(asked)

    def asks_claimed_from(self, draft: WinDraft) -> bool:
        """Whether a person is asked whose discards the melds were made of, because it matters."""
        melds = [meld for meld in draft.hand.melds if meld.kind is not MeldKind.KONG_CONCEALED]
        if self.only_shown or not self.has_no_record(draft) or not melds:
            return False
        uses = self.state.house.rules.uses
        kongs = any(meld.kind is MeldKind.KONG_DISCARD for meld in melds)
        liable = "three_melds" in uses and len(melds) >= self.state.house.policy.liability.melds
        return liable or ("kongs_declared" in uses and kongs)

    def asks_kongs(self, draft: WinDraft) -> bool:
        """Whether a person is asked for kongs that are paid for and were not recorded."""
        alone = not (self.only_shown or self.past or self.earlier or self.booked)
        return alone and self.has_no_record(draft) and bool(self.state.house.rules.cash_rows)

    def list_open_questions(self, draft: WinDraft) -> tuple[str, ...]:
        """The open questions, in order, but for the winning tile."""
        fields = self.list_fields(draft)
        found = {name for name in {"winner", "from"} - self.answered if name in fields}
        if "fortune" in fields and draft.fortune is None:
            found.add("fortune")
        return tuple(name for name in QUESTIONS if name in found)

    def is_ready_to_show(self, draft: WinDraft) -> bool:
        """Whether it is known who won, and on whose tile."""
        return not {"winner", "from"} & set(self.list_open_questions(draft))

    def lacks_tile(self, draft: WinDraft) -> bool:
        """Whether nobody knows which tile of a whole hand won."""
        if self.only_shown or self.booked or is_chosen(draft) or draft.winning is None or draft.stated:
            return False
        if not self._is_whole_hand(draft):
            return False
        chance = self.find_chance(draft)
        if chance is not None and (chance.tile is not None or chance.by_flowers):
            return False
        return not (self.is_complete and self.entered[-1].request.winning_tile is None)

    def count_elsewhere(self, draft: WinDraft) -> dict[str, int]:
        """How many tiles of each kind are open on the table, but for the winner's and the one that is won."""
        hand = self.state.hand
        if hand is None or self.past or self.only_shown:
            return {}
        unseen, copies = count_unseen(self.state, None), self.state.house.copies
        winner = hand.players[draft.winner]
        own = [tile for laid in winner.melds if laid.meld is not None for tile in laid.meld.tiles]
        own += winner.flowers
        if hand.offer is not None and hand.offer.tile is not None and hand.offer.seat != draft.winner:
            own.append(hand.offer.tile)
        return {kind.code: copies[kind.index] - unseen[kind.index] - own.count(kind) for kind in KINDS}

    def _is_whole_hand(self, draft: WinDraft) -> bool:
        """Whether the hand has the number of tiles of a winning hand, counting hidden kongs."""
        hand, unseen = self.state.hand, 0
        if hand and not self.has_no_record(draft):
            unseen = count_unseen_kongs(hand.players[draft.winner])
        return is_complete(draft) or (unseen > 0 and is_complete(draft, unseen))

    @property
    def may_be_stated(self) -> bool:
        """Whether its value or its rows may be entered in place of its tiles."""
        return not (self.only_shown or self.booked)

    def list_values(self, draft: WinDraft) -> tuple[int, ...]:
        """The lowest values that may be entered in place of the tiles; empty while none may."""
        asked = self._ask_without_tiles(draft)
        return list_values(asked, VALUES_OFFERED) if asked else ()

    def list_rows(self, draft: WinDraft) -> tuple[StatedRow, ...]:
        """The rows that may be entered in place of the tiles; empty while none may."""
        asked = self._ask_without_tiles(draft)
        return list_rows(asked, draft.stated.rows if draft.stated else {}) if asked else ()

    def _ask_without_tiles(self, draft: WinDraft) -> ScoreRequest | None:
        """What is known of the win without its tiles; None where that is not enough for a win."""
        reported = [winner.reported for winner in self.earlier]
        try:
            last = make_reported(self, draft.record(stated=Stated()))
            return ask_without_tiles(self.state, [*reported, last])
        except CompanionError:
            return None

    def list_facts(self, draft: WinDraft) -> tuple[Sentence, ...]:
        """What the game knows, in words."""
        names = name_seats(self.state)
        facts = [Sentence("Dealer: {name}", {"name": names[self.state.deal.dealer]})]
        chance = None if self.only_shown or not self.is_ready_to_show(draft) else self.find_chance(draft)
        if chance is not None and chance.discarder is None:
            facts.append(Sentence("{name} drew the winning tile.", {"name": names[draft.winner]}))
        elif chance is not None:
            tile = Sentence("a tile") if chance.tile is None else name_tile(chance.tile.code)
            discarder = names[chance.discarder or 0]
            template = (
                msgid("Discarded by {name}: {tile}.")
                if chance.source is Source.DISCARD
                else msgid("Robbed from the kong of {name}: {tile}.")
            )
            facts.append(Sentence(template, {"name": discarder, "tile": tile}))
        return tuple(facts)

    @property
    def situations(self) -> tuple[Situation, ...]:
        """The situations of the win."""
        held = self.entered[-1].request.situation if self.is_complete and self.entered else frozenset()
        return tuple(each for each in self.state.house.rules.situations if each.id in held)

    @property
    def events(self) -> tuple[Event, ...]:
        """The events that would be entered."""
        if self.shown is not None:
            return (self.shown,)
        return tuple(event for win in self.entered for event in win.events)

    @property
    def scores(self) -> tuple[Score, ...]:
        """The score of each winner, in the order of `entered`."""
        after = self.after
        if after is None or after.hand is None:
            return ()
        return tuple(result.score for result in after.hand.results[-len(self.entered) :])

    @property
    def winners(self) -> tuple[int, ...]:
        """The winning seats, in the order of `entered`."""
        after = self.after
        if after is None or after.hand is None:
            return ()
        return tuple(result.winner for result in after.hand.results[-len(self.entered) :])

    @property
    def payments(self) -> tuple[int, ...]:
        """The points each seat gains by all wins."""
        after = self.after
        if after is None:
            return (0, 0, 0, 0)
        return tuple(after.points[person] - self.state.points[person] for person in self.state.seated)

    def list_entered(self) -> tuple[Sentence, ...]:
        """What was entered, in words: who won how many points and what they are worth, or whose hand was
        shown."""
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
        """The seats that cannot win next on the tile: its earlier winners and its discarder."""
        winners = {each.reported.seat for each in self.earlier}
        discarders = {each.reported.discarder for each in self.earlier if each.reported.discarder is not None}
        return frozenset(winners | discarders)

    def list_more(self) -> tuple[int, ...]:
        """The seats that may also win on the tile."""
        return list_more_winners(self.after) if self.after is not None else ()


def ask(question: str) -> Sentence:
    """The words of that question."""
    return Sentence(QUESTIONS[question])


def is_chosen(draft: WinDraft) -> bool:
    """Whether the winning tile is known: it is apart from the others, or a person chose it."""
    return any(tile.id == draft.hand.chosen_win for tile in draft.hand.concealed)


def is_complete(draft: WinDraft, kongs: int = 0) -> bool:
    """Whether the hand has the number of tiles of a winning hand; kongs: how many are not separated as
    melds."""
    hand = draft.hand
    melded = 3 * (len(hand.melds) + len(hand.unnamed))
    return len(hand.concealed) + melded == draft.rule_set.hand_size + 1 + kongs


def list_more_winners(state: State) -> tuple[int, ...]:
    """The seats that may still win on the tile that ended the hand."""
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
    """On what the winner wins: the tile just played or the next tile drawn; where both are possible, the one
    whose source the draft has. None if the game does not know."""
    chances = [each.chance for each in list_known_chances(state, draft.winner)]
    said = (chance for chance in chances if chance.source is draft.source)
    return next(said, chances[0] if chances else None)


def find_proposed(progress: Progress, seat: int | None) -> Won | None:
    """The newest proposed win that waits for a person, of that seat or of any."""
    events = (each.proposal.event for each in reversed(progress.pending))
    return next((each for each in events if isinstance(each, Won) and seat in (None, each.seat)), None)


def draft_of_game(state: State) -> WinDraft:
    """The draft of a hand of that game: its rules, stakes and deal."""
    house = state.house
    own = house.rules.defaults
    return WinDraft(
        rules=house.rules.name,
        options=tuple(sorted((key, value) for key, value in house.scoring.items() if own[key] != value)),
        winner=state.deal.dealer,
        dealer=state.deal.dealer,
        discarder=next(each for each in house.seats if each != state.deal.dealer),
        streak=state.deal.streak,
        round_wind=state.deal.wind % 4,
        stakes=None if house.stakes == house.rules.own_stakes else house.stakes,
        base=house.base,
        cap=house.cap,
        currency=state.currency,
    )


def begin_draft(state: State, seat: int | None, proposed: Won | None = None) -> WinDraft:
    """The draft of a win in the game now, filled with what the game knows. Without a seat, the player whose
    turn it is wins with the next tile drawn. proposed: a win that waits for a person, whose tiles are
    used."""
    if proposed is not None:
        seat = proposed.seat
    draws = seat is None and state.hand is not None and state.playing
    if seat is None and state.hand is not None and state.playing:
        seat = state.hand.turn
    house = state.house
    draft = draft_of_game(state).record(winner=state.deal.dealer if seat is None else seat)
    known = list_known_chances(state, draft.winner)
    source = known[-1 if draws else 0].chance.source if known else draft.source
    discarder = next(each for each in house.seats if each != draft.winner)
    draft = draft.record(discarder=discarder, source=source)
    if state.hand is not None and state.playing and state.hand.fortune is not None:
        draft = draft.record(fortune=state.hand.fortune.code)
    if proposed is not None and proposed.hand:
        hand = PhotoHand()
        for tile in parse_tiles(proposed.hand):
            hand = hand.add(tile.code)
        draft = draft.record(hand=hand)
    return draft


def with_reported(draft: WinDraft, won: ReportedWin) -> WinDraft:
    """The draft with how a hand was won, and with its value if that was entered in place of its tiles; which
    tiles it had is left to be entered."""
    return draft.record(
        source=won.source or draft.source,
        discarder=draft.discarder if won.discarder is None else won.discarder,
        situation=tuple(sorted(won.situation)),
        discards=won.discards,
        gambits=won.gambits,
        consecutive_kongs=won.kongs_in_row,
        stated=won.stated,
    )


def make_reported(win: GameWin, draft: WinDraft) -> ReportedWin:
    """The win as the draft reports it; in a recorded hand only its tiles."""
    chance = win.find_chance(draft)
    hand = draft.hand
    tiles = [Tile.parse(tile.code) for tile in hand.free if tile.is_kind]
    melds = tuple(parse_meld(melded.notation) for melded in hand.melds)
    flowers = tuple(tile for tile in tiles if tile.suit is Suit.FLOWERS)
    winning = draft.winning
    tile = Tile.parse(winning.code) if winning and winning.is_kind else None
    reported = ReportedWin(
        draft.winner, draft.source, draft.discarder, tile,
        (*tiles, *(tile for meld in melds for tile in meld.tiles)), melds, flowers,
    )  # fmt: skip
    if chance is not None:
        reported = replace(
            reported, source=chance.source, discarder=chance.discarder, tile=chance.tile or tile
        )
    if draft.stated is not None:
        reported = replace(reported, tiles=(), melds=(), flowers=(), stated=draft.stated)
    if not win.has_no_record(draft):
        return reported
    return replace(
        reported,
        situation=frozenset(draft.situation),
        discards=draft.discards if "discards" in draft.rule_set.uses else None,
        fortune=Tile.parse(draft.fortune) if draft.fortune else None,
        gambits=draft.gambits if reported.source is Source.SELF_DRAW else 0,
        kongs_in_row=draft.consecutive_kongs if reported.source is Source.SELF_DRAW else 0,
        claimed_from=win.claimed_from if win.claimed_from != draft.winner else None,
    )


def judge(win: GameWin, draft: WinDraft) -> tuple[Outcome, GameWin]:
    """The wins as the game would book them, or a sentence about an error or a missing entry."""
    bare = replace(win, entered=(), shown=None, waits=())
    missing = _find_missing(win, draft)
    reported = [winner.reported for winner in win.earlier]
    try:
        if missing is None and win.only_shown:
            return _judge_shown(bare, draft)
        if missing is None:
            entered = enter_wins(win.state, [*reported, make_reported(win, draft)])
            whole = replace(bare, entered=entered)
            open_yet = _ask_first(whole, draft)
            return Outcome(problem=open_yet) if open_yet else Outcome(score=entered[-1].compare()), whole
    except CompanionError as error:
        missing = reword_refusal(error)
    before = replace(bare, entered=enter_wins(win.state, reported)) if reported else bare
    return _explain(missing, win, draft), before


def find_asked_claims(win: GameWin | None, draft: WinDraft) -> Claims | None:
    """What is asked about the claims of the hand. win: the win being entered into a game, where nothing is
    asked before it is known who won on which tile; None for a hand alone."""
    if win is None:
        return find_claims(draft)
    if draft.stated or win.only_shown or not win.has_no_record(draft):
        return None
    if not win.is_ready_to_show(draft):
        return None
    return find_claims(_with_source(win, draft))


def find_assumed_tile(win: GameWin | None, draft: WinDraft) -> AssumedTile | None:
    """The winning tile that is assumed until a person touches it; None where it is known, and before it is
    known who won on whose tile."""
    if win is None or not win.is_ready_to_show(draft) or not win.lacks_tile(draft):
        return None
    return assume_tile(_with_source(win, draft))


def confirm_assumed_tile(win: GameWin, draft: WinDraft, assumed: AssumedTile | None) -> AssumedTile | None:
    """The tile that is assumed, now that the win is judged: none of a win as dealt. Of a hand whose kongs are
    not separated as melds, which cannot be compared, it is asked first."""
    last = draft.winning
    if last is None or not win.is_ready_to_show(draft) or not win.lacks_tile(draft):
        return None
    if assumed is None and not is_complete(draft):
        return AssumedTile(last.id, matters=True, decides=True)
    return assumed


def _with_source(win: GameWin, draft: WinDraft) -> WinDraft:
    """The draft with the source of the winning tile that the game knows."""
    chance = win.find_chance(draft)
    return draft if chance is None else draft.record(source=chance.source)


def report_claims(claims: Claims | None, outcome: Outcome) -> Outcome:
    """The outcome; a question instead of a refused win where claims decide, and nobody has entered them."""
    refused = outcome.score is None or not outcome.score.legal
    return Outcome(problem=Sentence(CLAIMS_DECIDE)) if claims and claims.decides and refused else outcome


def _ask_first(win: GameWin, draft: WinDraft) -> Sentence | None:
    """The question to answer before a winning hand can be scored; None if all are answered."""
    if win.is_ready_to_show(draft):
        return None
    return Sentence(OPEN_YET, {"question": ask(win.list_open_questions(draft)[0])})


def _find_missing(win: GameWin, draft: WinDraft) -> Sentence | None:
    """What has to be done before anything can be judged."""
    entered = draft.hand.tiles or draft.by_flowers or draft.stated
    if not entered and not _knows_hand(win.state, draft.winner):
        return (
            Sentence("Take a picture of the hand, or touch its tiles.")
            if win.only_shown
            else Sentence("Take a picture of the winner's hand, touch its tiles, or enter what it is worth.")
        )
    unread = sum(tile.code == UNKNOWN for tile in draft.hand.free)
    if unread:
        return Sentence("Unread tiles: {count}. Touch each one and choose what it is.", {"count": unread})
    if "fortune" in win.list_open_questions(draft):
        return ask("fortune")
    return None


def _explain(problem: Sentence | None, win: GameWin, draft: WinDraft) -> Outcome:
    """Why it is not a win, with the score of the tiles if the rules can determine what is missing."""
    if draft.hand.tiles and not win.only_shown:
        score = evaluate(_with_source(win, draft)).score
        if score is not None and not score.legal:
            return Outcome(score=changed(score, payments=(0, 0, 0, 0), house_rules=()))
    return Outcome(problem=problem)


def _judge_shown(win: GameWin, draft: WinDraft) -> tuple[Outcome, GameWin]:
    """The hand that is shown, and what it waited for. Raises EventError if it cannot be that player's
    hand."""
    reported = make_reported(win, draft)
    flowers = Suit.FLOWERS if win.state.house.flowers else None
    concealed = [Tile.parse(tile.code) for tile in draft.hand.concealed if tile.is_kind]
    hand = format_tiles(tile for tile in concealed if tile.suit is not flowers)
    kongs = tuple(str(meld) for meld in reported.melds if meld.kind is MeldKind.KONG_CONCEALED)
    event = HandShown(seat=draft.winner, hand=hand, kongs=kongs)
    after = apply(win.state, event)
    assert after.hand is not None
    found = _list_waits(after, after.hand, after.hand.players[draft.winner])
    said = Sentence("Ready, waiting for these tiles.") if found else Sentence("Not ready.")
    return Outcome(problem=said), replace(win, shown=event, waits=found)


def _list_waits(state: State, hand: HandState, player: Player) -> tuple[Tile, ...]:
    """The kinds that a hand waited for; with the last drawn tile still in it, after any discard."""
    if player.count % 3 == 1:
        return find_waits(state.house, hand, player)
    found: set[Tile] = set()
    for tile in set(player.concealed):
        rest = list(player.concealed)
        rest.remove(tile)
        found.update(find_waits(state.house, hand, changed(player, concealed=tuple(rest))))
    return tuple(sorted(found))


def _knows_hand(state: State, seat: int) -> bool:
    """Whether the game knows all tiles of that seat."""
    hand = state.hand
    if hand is None or not state.playing:
        return False
    player = hand.players[seat]
    return bool(player.concealed) and not player.hidden


def judge_live(win: GameWin, draft: WinDraft, tiles: Iterable[SteadyTile]) -> Outcome:
    """What the hand that the camera sees now would score."""
    readings = [
        TileReading(tile.code, tile.quad, LIVE_P[tile.unsure], ((tile.code, LIVE_P[tile.unsure]),))
        for tile in tiles
    ]
    hand = PhotoHand().read_again(readings, draft.rule_set, draft.meld_kinds)
    return judge(win, draft.record(hand=hand.limit_to_tile_set(draft.rule_set.tile_set)))[0]


def list_winning(draft: WinDraft, win: GameWin | None, kinds: Iterable[Tile]) -> tuple[Tile, ...]:
    """Those of the kinds that win: added to a hand that is one tile short, or in place of the winning tile.
    win: the win being entered into a game, None for a hand alone."""
    asked = _with_source(win, draft) if win else draft
    return tuple(kind for kind in kinds if _wins(asked.record(hand=draft.hand_won_with(kind.code))))


def _wins(draft: WinDraft) -> bool:
    try:
        request = decode_request(draft.request())
    except CompanionError:
        return False
    return trace_score(request, house_rules=False).score.legal


def list_missing(draft: WinDraft) -> tuple[Tile, ...]:
    """The kinds that complete a hand that is one tile short; empty for any other hand."""
    hand, rules = draft.hand, draft.rule_set
    melded = 3 * (len(hand.melds) + len(hand.unnamed))
    concealed = [tile for tile in hand.concealed if tile.is_kind and not draft.lacks(tile)]
    if len(concealed) + melded != rules.hand_size or len(concealed) != len(hand.concealed) or hand.unnamed:
        return ()
    melds = [parse_meld(melded.notation) for melded in hand.melds]
    fortune = Tile.parse(draft.fortune) if draft.fortune else None
    tiles = [Tile.parse(tile.code) for tile in concealed]
    return waits(rules, tiles, melds, dict(draft.options), fortune)
