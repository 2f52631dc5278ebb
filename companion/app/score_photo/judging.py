"""From a draft to a win in the game that is played: what it begins with, and what the game makes of it. No
Kivy, no rule."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from companion.app.score_photo.game_win import GameWin, ask
from companion.errors import CompanionError
from companion.game.deciding import Progress
from companion.photo_hand.draft import Outcome, WinDraft, evaluate
from companion.photo_hand.hand import PhotoHand
from companion.rules import Source, decode_request, waits
from companion.rules.scoring import trace_score
from companion.seeing.preview import SteadyTile
from companion.sentences import Sentence, msgid
from companion.table import messages
from companion.table.apply import apply
from companion.table.events import HandShown, Won
from companion.table.moves import find_waits
from companion.table.state import HandState, Player, State, changed
from companion.table.unrecorded import ReportedWin, enter_wins, list_known_chances
from companion.tiles import UNKNOWN, MeldKind, Suit, Tile, format_tiles, parse_meld, parse_tiles
from companion.vision.reading import TileReading

OPEN_YET = msgid("These tiles are a win. {question}")
LIVE_P = {False: 0.99, True: 0.5}
"""How sure a live tile counts, by whether it is unsure: only what is sure or not matters here."""


def find_proposed(progress: Progress, seat: int | None) -> Won | None:
    """A win that was proposed, and waits for a person."""
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
    """The draft of a win in the game as it stands: what the game says is in it. Without a seat whose turn it
    is wins, with the tile that is drawn next. proposed: a win that waits for a person, which brings its tiles
    along."""
    if proposed is not None:
        seat = proposed.seat
    draws = seat is None and state.hand is not None and state.playing
    if seat is None and state.hand is not None and state.playing:
        seat = state.hand.turn
    house = state.house
    draft = draft_of_game(state).record(winner=state.deal.dealer if seat is None else seat)
    known = list_known_chances(state, draft.winner)
    source = known[-1 if draws else 0].chance.source if known else draft.source
    giver = next(each for each in house.seats if each != draft.winner)
    draft = draft.record(discarder=giver, source=source)
    if state.hand is not None and state.playing and state.hand.fortune is not None:
        draft = draft.record(fortune=state.hand.fortune.code)
    if proposed is not None and proposed.hand:
        hand = PhotoHand()
        for tile in parse_tiles(proposed.hand):
            hand = hand.add(tile.code)
        draft = draft.record(hand=hand)
    return draft


def make_told(win: GameWin, draft: WinDraft) -> ReportedWin:
    """What the draft says of the win; of a hand that was followed only the tiles."""
    chance = win.find_chance(draft)
    hand = draft.hand
    tiles = [Tile.parse(tile.code) for tile in hand.free if tile.is_kind]
    melds = tuple(parse_meld(laid.notation) for laid in hand.melds)
    flowers = tuple(tile for tile in tiles if tile.suit is Suit.FLOWERS)
    winning = draft.winning
    tile = Tile.parse(winning.code) if winning and winning.is_kind else None
    told = ReportedWin(
        draft.winner, draft.source, draft.discarder, tile,
        (*tiles, *(tile for meld in melds for tile in meld.tiles)), melds, flowers,
    )  # fmt: skip
    if chance is not None:
        told = replace(told, source=chance.source, discarder=chance.discarder, tile=chance.tile or tile)
    if not win.has_no_record:
        return told
    return replace(
        told,
        situation=frozenset(draft.situation),
        discards=draft.discards if "discards" in draft.rule_set.uses else None,
        fortune=Tile.parse(draft.fortune) if draft.fortune else None,
        gambits=draft.gambits if told.source is Source.SELF_DRAW else 0,
        kongs_in_row=draft.consecutive_kongs if told.source is Source.SELF_DRAW else 0,
        claimed_from=win.claimed_from if win.claimed_from != draft.winner else None,
    )


def judge(win: GameWin, draft: WinDraft) -> tuple[Outcome, GameWin]:
    """The wins as the game would book them, or the sentence that says what is wrong or missing."""
    bare = replace(win, entered=(), shown=None, waits=())
    missing = _find_missing(win, draft)
    told = [winner.told for winner in win.earlier]
    try:
        if missing is None and win.shows:
            return _judge_shown(bare, draft)
        if missing is None:
            entered = enter_wins(win.state, [*told, make_told(win, draft)])
            whole = replace(bare, entered=entered)
            open_yet = _ask_first(whole, draft)
            return Outcome(problem=open_yet) if open_yet else Outcome(score=entered[-1].compare()), whole
    except CompanionError as error:
        missing = _reword(error)
    before = replace(bare, entered=enter_wins(win.state, told)) if told else bare
    return _explain(missing, win, draft), before


def _ask_first(win: GameWin, draft: WinDraft) -> Sentence | None:
    """Of a hand that wins what has to be said before it is worth anything; None where all of that is said."""
    if win.is_settled(draft):
        return None
    return Sentence(OPEN_YET, {"question": ask(win.list_open(draft)[0])})


def _find_missing(win: GameWin, draft: WinDraft) -> Sentence | None:
    """What there is to be done before anything can be judged."""
    if not draft.hand.tiles and not draft.by_flowers and not _knows_hand(win.state, draft.winner):
        return (
            Sentence("Take a picture of the hand, or touch its tiles.")
            if win.shows
            else Sentence("Take a picture of the winner's hand, or touch its tiles.")
        )
    unread = sum(tile.code == UNKNOWN for tile in draft.hand.free)
    if unread:
        return Sentence(
            "Tiles that could not be read: {count}. Tap each one and say what it is.", {"count": unread}
        )
    if "fortune" in win.list_open(draft):
        return ask("fortune")
    return None


def _reword(error: CompanionError) -> Sentence:
    """What is wrong, without the frame that a reader of logs wants."""
    said = error.sentence
    inner = said.params.get("reason") or said.params.get("problem")
    if isinstance(inner, CompanionError):
        inner = inner.sentence
    if isinstance(inner, Sentence):
        return inner
    if said.template == messages.OTHER_COUNT:
        return Sentence("{given} tiles are here beside the melds: it takes {right}.", said.params)
    if said.template == messages.SHOW_THE_KONG:
        return Sentence(
            "{given} tiles are here: with the four tiles of the concealed kong that nobody saw it takes"
            " {right}.",
            said.params,
        )
    if said.template == messages.WHICH_HIDDEN_KONG:
        return Sentence("Which tile is the concealed kong? Four equal tiles have to be among these.")
    return said


def _explain(problem: Sentence | None, win: GameWin, draft: WinDraft) -> Outcome:
    """Why it is no win; where the rules know tiles that would make it one, with these."""
    if draft.hand.tiles and not win.shows:
        chance = win.find_chance(draft)
        asked = draft if chance is None else draft.record(source=chance.source)
        score = evaluate(asked).score
        if score is not None and not score.legal:
            return Outcome(score=changed(score, payments=(0, 0, 0, 0), house_rules=()))
    return Outcome(problem=problem)


def _judge_shown(win: GameWin, draft: WinDraft) -> tuple[Outcome, GameWin]:
    """The hand that is shown, and what it waited for. EventError where it cannot be that player's."""
    told = make_told(win, draft)
    flowers = Suit.FLOWERS if win.state.house.flowers else None
    concealed = [Tile.parse(tile.code) for tile in draft.hand.concealed if tile.is_kind]
    hand = format_tiles(tile for tile in concealed if tile.suit is not flowers)
    kongs = tuple(str(meld) for meld in told.melds if meld.kind is MeldKind.KONG_CONCEALED)
    event = HandShown(seat=draft.winner, hand=hand, kongs=kongs)
    after = apply(win.state, event)
    assert after.hand is not None
    found = _list_waits(after, after.hand, after.hand.players[draft.winner])
    said = Sentence("Ready: it waits for these.") if found else Sentence("Not ready.")
    return Outcome(problem=said), replace(win, shown=event, waits=found)


def _list_waits(state: State, hand: HandState, player: Player) -> tuple[Tile, ...]:
    """The kinds that a hand waited for; one with the tile drawn last, whichever other tile is discarded."""
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
    """What the hand that the camera sees now would be."""
    readings = [
        TileReading(tile.code, tile.quad, LIVE_P[tile.unsure], ((tile.code, LIVE_P[tile.unsure]),))
        for tile in tiles
    ]
    hand = PhotoHand().read_again(readings, draft.rule_set, draft.meld_kinds)
    return judge(win, draft.record(hand=hand.as_the_game_has(draft.rule_set.tile_set)))[0]


def list_winning(draft: WinDraft, win: GameWin | None, kinds: Iterable[Tile]) -> tuple[Tile, ...]:
    """Those of the kinds that win: added to a hand that is one tile short, or in place of the winning tile.
    win: the win in a game that the draft is of."""
    chance = win.find_chance(draft) if win else None
    asked = draft if chance is None else draft.record(source=chance.source)
    return tuple(kind for kind in kinds if _wins(asked.record(hand=draft.hand_won_with(kind.code))))


def _wins(draft: WinDraft) -> bool:
    try:
        request = decode_request(draft.request())
    except CompanionError:
        return False
    return trace_score(request, house_rules=False).score.legal


def list_missing(draft: WinDraft) -> tuple[Tile, ...]:
    """The kinds of which one more would make a hand a win that is one tile short; empty for any other."""
    hand, rules = draft.hand, draft.rule_set
    laid = 3 * (len(hand.melds) + len(hand.unnamed))
    concealed = [tile for tile in hand.concealed if tile.is_kind and not draft.lacks(tile)]
    if len(concealed) + laid != rules.hand_size or len(concealed) != len(hand.concealed) or hand.unnamed:
        return ()
    melds = [parse_meld(laid.notation) for laid in hand.melds]
    fortune = Tile.parse(draft.fortune) if draft.fortune else None
    tiles = [Tile.parse(tile.code) for tile in concealed]
    return waits(rules, tiles, melds, dict(draft.options), fortune)
