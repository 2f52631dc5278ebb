"""Recording by touch: the tiles as keys, claims, kongs, dice and endings; and the large table for games that
record only wins."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from kivy.graphics import Translate
from kivy.metrics import dp, sp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.feature import Controller, View
from companion.app.game.state import GameTable, find_actor
from companion.app.text import list_names
from companion.app.widgets import layout, theme
from companion.app.widgets.basics import Press, Tag, Text, TouchCard
from companion.app.widgets.board import draw_payment, list_payments
from companion.app.widgets.game_words import Plate, describe_deal, describe_plates
from companion.app.widgets.last_hand import LastHand
from companion.app.widgets.motion import Motion
from companion.app.widgets.name_tag import FinalStanding
from companion.app.widgets.tile_keys import DiceRow, KeyGrid, MeldKey
from companion.money import format_money
from companion.sentences import msgid
from companion.table.claims import CALLS
from companion.table.events import AddedKong, Call, Claimed, ConcealedKong, Event
from companion.table.knowledge import count_unseen, list_likely
from companion.table.possible import Moves, find_sea_draw, list_moves
from companion.table.settling import settle_up
from companion.table.state import HandState, OfferKind, Phase, State
from companion.tiles import BACK, KINDS, Tile, parse_meld
from companion.words import Words

CALL_WORDS = {Call.CHOW: msgid("Chow"), Call.PUNG: msgid("Pung"), Call.KONG: msgid("Kong")}
LOW_UNDER = dp(560)
"""Window height below which claims are as high as other buttons, as in an upright window, so that the keys
keep their height."""
HIGH_FROM = dp(700)
"""Window height from which the last hand also shows each player's result."""
MELD_HEIGHT, MELD_HEIGHT_ALONE = theme.TOUCH * 1.75, theme.TOUCH * 2.6


class KeysPane(BoxLayout):
    """What is touched next, for the player whose turn it is, or whose side was touched."""

    def __init__(self, controller: Controller[GameTable]) -> None:
        super().__init__(orientation="vertical", spacing=theme.GAP / 2)
        self._controller = controller
        do = controller.do
        self.words = Text(size=theme.TEXT_LARGE, colour=theme.GOLD)
        self.dice = DiceRow(lambda face: do(lambda state: state.touch_die(face)))
        self.last = LastHand()
        self.standing = FinalStanding()
        self.next_game = _button(lambda: do(GameTable.begin_next), main=True)
        self.settle = _button(lambda: do(GameTable.settle_up))
        self.sheet = _button(lambda: do(GameTable.show_sheet))
        self.no_dice = _button(lambda: do(GameTable.begin_hand))
        self.grid = KeyGrid(self._press)
        self.melds: dict[str, MeldKey] = {}
        self._meld_row = layout.row(height=MELD_HEIGHT, spacing=theme.GAP / 2)
        self._actions = layout.row(height=theme.TOUCH, spacing=theme.GAP / 2)
        self.draw = _button(self._draw_from_sea, main=True)
        self.kong = _button(lambda: do(GameTable.choose_kong))
        self.ready = _button(lambda: self._record(self._moves.ready))
        self.unseen = _button(lambda: self._record(self._moves.unseen))
        self.mahjong = _button(self._call_win, main=True)
        self.over = _button(lambda: do(GameTable.end_otherwise))
        self.back = _button(lambda: do(GameTable.leave_seat))
        self._moves = Moves({})
        self._state: State | None = None
        self._actor: int | None = None
        self._offered: dict[str, Event] = {}
        self._placed: object = None
        self._is_high = False

    def show(self, view: View[GameTable]) -> None:
        state, words, game = view.state, view.words, view.state.game
        if game is None:
            return
        self._state, self._actor = game, find_actor(state)
        self._moves = (
            Moves({}) if self._actor is None else list_moves(game, self._actor, self._find_dice(state))
        )
        self._offered = dict(self._moves.tiles)
        if state.kong:
            self._offered = {each.tile: each for each in self._moves.concealed if each.tile}
        self._is_high = view.size[1] >= HIGH_FROM
        self._say(state, game, words)
        self._show_melds(state, words)
        parts: list[Widget] = [self.words]
        phase = game.hand.phase if game.hand is not None else Phase.OVER
        if phase in (Phase.OVER, Phase.INDICATOR) and not game.over:
            self.dice.show(state.dice)
            parts += [self.dice, self.last] if phase is Phase.OVER else [self.dice]
        if game.over and not game.playing:
            self.standing.show(game, words)
            parts.append(self.standing)
        if self.melds:
            parts.append(self._meld_row)
        is_asked = self.is_claimer(state)
        has_keys = self._offered or is_asked
        is_close = view.size[1] < LOW_UNDER or view.size[1] > view.size[0]
        self._meld_row.height = (theme.TOUCH if is_close else MELD_HEIGHT) if has_keys else MELD_HEIGHT_ALONE
        if self._offered or is_asked:
            unseen, copies = count_unseen(game, None), game.house.copies
            lefts = None if state.fair else {kind.code: unseen[kind.index] for kind in KINDS}
            seen = {kind.code: copies[kind.index] - unseen[kind.index] for kind in KINDS}
            kinds = _list_kinds(game)
            lit = self._list_lit(state, game, kinds)
            legend = _explain_keys(state, words, has_lit=bool(lit))
            self.grid.show(kinds, self._offered, lefts, lit, seen if state.has_counts else None, legend)
            parts.append(self.grid)
        else:
            parts.append(Widget())
        self._name_buttons(state, words)
        self._place(parts, self._choose_actions(state, game, phase))

    @property
    def has_tiles(self) -> bool:
        """Whether there are tiles to be touched."""
        return bool(self._offered)

    def is_claimer(self, state: GameTable) -> bool:
        """Whether a player is asked for a claim: the keys stay where they are, and cannot be touched."""
        game = state.game
        return state.acting is not None and not state.kong and game is not None and game.playing

    def _list_lit(self, state: GameTable, game: State, kinds: list[Tile]) -> set[str]:
        """The keys that are likely to be touched next, where a discard is."""
        if state.kong or self._actor is None or game.hand is None or game.hand.phase is Phase.INDICATOR:
            return set()
        offered = [kind for kind in kinds if kind.code in self._offered]
        return {kind.code for kind in list_likely(game, self._actor, offered)}

    def _name_buttons(self, state: GameTable, words: Words) -> None:
        self.draw.text, self.kong.text = words("Nobody wins: next tile"), words("Kong …")
        self.ready.text, self.unseen.text = words("Ready"), words("Unseen tile")
        self.mahjong.text, self.over.text = words("Mahjong!"), words("Hand over …")
        self.back.text = words("Back")
        self.no_dice.text = words("Dice unknown")
        self.next_game.text, self.sheet.text = words("Next game"), words("Score sheet")
        self.settle.text = words("Settle up")
        self.kong.chosen = state.kong

    def _find_dice(self, state: GameTable) -> tuple[int, ...] | None:
        """The throw for the indicator, once it is whole."""
        game = state.game
        wanted = 0 if game is None else game.house.wall.indicator_dice
        return state.dice if wanted and len(state.dice) == wanted else None

    def _say(self, state: GameTable, game: State, words: Words) -> None:
        names = list_names(game)
        hand, actor = game.hand, self._actor
        self.words.keep_to_one_line(False)
        if game.over and not game.playing:
            self.words.text = words("The game is over.")
        elif hand is None or not game.playing or actor is None:
            dice = " ".join(map(str, state.dice))
            said = words("Dealer: {who}. Touch the dice.", who=names[game.deal.dealer])
            self.words.text = f"{said} {dice}"
            self.last.show(game, words, has_room=self._is_high)
        elif hand.phase is Phase.INDICATOR:
            self.words.text = words("Which tile was turned over? Touch its dice first, if you saw them.")
        elif hand.phase is Phase.EXHAUSTED:
            self.words.text = words("No tile is left to replace it: the hand is over.")
        elif hand.phase is Phase.SEA:
            self.words.text = words("Sea Floor: {who} has drawn. A win, or continue?", who=names[hand.turn])
        elif state.kong:
            self.words.text = words("{who}: which kong?", who=names[actor])
        elif state.acting is not None and actor != hand.turn:
            self.words.text = self._ask_claimer(hand, names, words)
        elif hand.phase is Phase.FLOWERS and actor == hand.deal.dealer:
            self.words.text = words("{who} sets out flowers, or discards.", who=names[actor])
        elif hand.phase is Phase.FLOWERS:
            self.words.text = words("{who} sets out flowers, or the dealer discards.", who=names[actor])
        elif not self._moves.tiles:
            self.words.text = words("The last tile is discarded: a win, or the hand is over.")
        else:
            claims = state.acting is None and _has_discard(hand)
            said = msgid("Discard · {who} (or touch the claimer)") if claims else msgid("Discard · {who}")
            self.words.text = words(said, who=names[actor])
            self.words.keep_to_one_line(True)  # the keys below it stay where they are from turn to turn

    def _ask_claimer(self, hand: HandState, names: Sequence[str], words: Words) -> str:
        """What the player who was touched does with a tile that is there."""
        actor = self._actor
        assert actor is not None
        if not _has_discard(hand):
            return words("{who}: a win?", who=names[actor])
        if hand.offer is not None and hand.offer.seat == actor:
            return words("{who} discarded this tile: touch the player who claims it.", who=names[actor])
        return words("What does {who} claim?", who=names[actor])

    def _show_melds(self, state: GameTable, words: Words) -> None:
        """What may be claimed, or which kong it may be."""
        offers: list[tuple[str, str, list[str], Event]] = []
        moves = self._moves
        if state.kong:
            offers += [_offer_added(event, words) for event in moves.added]
            offers += [_offer_concealed(event, words) for event in moves.concealed if event.tile is None]
        elif state.acting is not None:
            offers += [_offer_claim(event, words) for event in moves.claims]
        if [key for key, *_ in offers] == list(self.melds) and not state.kong:
            return
        self._meld_row.clear_widgets()
        self.melds = {}
        for key, said, codes, event in offers:
            act = self._make_act(event)
            self.melds[key] = MeldKey(said, codes, act)
            self._meld_row.add_widget(self.melds[key])

    def _make_act(self, event: Event) -> Callable[[], None]:
        return lambda: self._record(event)

    def _choose_actions(self, state: GameTable, game: State, phase: Phase) -> list[Press]:
        if not game.playing:
            ended = [self.next_game, self.settle, self.sheet]
            return ended if game.over else [self.no_dice, self.over]
        if phase is Phase.INDICATOR:
            return [self.over]
        actions: list[Press] = []
        if state.acting is None and find_sea_draw(game):
            actions.append(self.draw)
        if self._moves.added or self._moves.concealed:
            actions.append(self.kong)
        if self._moves.ready:
            actions.append(self.ready)
        if self._moves.unseen:
            actions.append(self.unseen)
        if state.acting is not None:
            actions.append(self.back)
        return [*actions, self.mahjong, self.over]

    def _place(self, parts: list[Widget], actions: list[Press]) -> None:
        placed = [part for part in parts if type(part) is not Widget], len(parts), actions
        if placed == self._placed:
            return
        self._placed = placed
        self.clear_widgets()
        self._actions.clear_widgets()
        for button in actions:
            self._actions.add_widget(button)
        for part in (*parts, self._actions):
            self.add_widget(part)

    def _press(self, code: str) -> None:
        self._record(self._offered.get(code))

    def _record(self, event: Event | None) -> None:
        if event is not None:
            self._controller.do(lambda state: state.record(event))

    def _draw_from_sea(self) -> None:
        if self._state is not None:
            self._record(find_sea_draw(self._state))

    def _call_win(self) -> None:
        """Of whose side was touched, else of any player."""
        self._controller.do(lambda state: state.call_win(state.acting))


def _explain_keys(state: GameTable, words: Words, *, has_lit: bool) -> str:
    """What the colours and numbers of the keys mean."""
    lines = [words("Green: likely")] if has_lit else []
    if not state.fair:
        lines.append(words("Number: left"))
    if state.has_counts:
        lines.append(words("Small: seen"))
    return "\n".join(lines)


def _has_discard(hand: HandState) -> bool:
    """Whether a discard is there that a player may claim."""
    return hand.offer is not None and hand.offer.kind is OfferKind.DISCARD


def _offer_claim(event: Claimed, words: Words) -> tuple[str, str, list[str], Event]:
    meld = parse_meld(event.meld)
    return event.meld, words(CALL_WORDS[CALLS[meld.kind]]), [tile.code for tile in meld.tiles], event


def _offer_added(event: AddedKong, words: Words) -> tuple[str, str, list[str], Event]:
    return f"a{event.tile}", words("Added"), [event.tile], event


def _offer_concealed(event: ConcealedKong, words: Words) -> tuple[str, str, list[str], Event]:
    """A kong whose tiles nobody sees."""
    return "concealed", words("Concealed"), [BACK] * 4, event


def _list_kinds(game: State) -> list[Tile]:
    return [kind for kind in KINDS if game.house.copies[kind.index]]


def _button(act: Callable[[], None], *, main: bool = False) -> Press:
    return Press(" ", act=act, size=theme.TEXT_SMALL, main=main)


NAME_SIZE, POINTS_SIZE = sp(26), sp(46)
NAME_PART, POINTS_PART, ABOUT_PART = 1.0, 1.5, 0.8
"""Shares of a card's height for the name, the points and the line below them."""
BUTTON_HEIGHT, ROUND_HEIGHT = dp(96), dp(44)
HIGH = dp(700)
"""Window height below which buttons and the round are smaller."""


class PlayerCard(TouchCard):
    """A name, the points and what they are worth, to be read from afar; touched, that player has won."""

    def __init__(self, act: Callable[[], None]) -> None:
        super().__init__(padding=(theme.PAD, theme.GAP / 2), spacing=0)
        self._act = act
        self.name = Tag(
            size=NAME_SIZE, least=theme.TEXT_SMALL, align="center", bold=True, size_hint_y=NAME_PART
        )
        self.points = Tag(size=POINTS_SIZE, least=theme.TEXT, align="center", colour=theme.GOLD, bold=True)
        self.money = Tag(size=POINTS_SIZE, least=theme.TEXT, align="center", colour=theme.GOLD)
        self._amounts = layout.row(size_hint_y=POINTS_PART, spacing=0)
        self.about = Tag(
            size=theme.TEXT_LARGE, least=theme.TEXT_TINY, align="center", colour=theme.IVORY_DIM,
            size_hint_y=ABOUT_PART,
        )  # fmt: skip
        for child in (self.name, self._amounts, self.about):
            self.add_widget(child)

    def show(self, plate: Plate, money: str, *, marked: bool, narrow: bool) -> None:
        """money: what the points are worth; empty if the game has no currency. narrow: whether it is
        below the points."""
        self.name.text, self.about.text = plate.name, plate.about
        self.points.text, self.money.text = plate.points, money
        self._amounts.orientation = "vertical" if narrow else "horizontal"
        self._amounts.clear_widgets()
        for child in (self.points, self.money) if money else (self.points,):
            self._amounts.add_widget(child)
        self.paint(theme.PANEL_PRESSED if marked else theme.PANEL_RAISED)

    def on_release(self) -> None:
        self._act()


class WinsPane(BoxLayout):
    """All that the smallest evening needs."""

    def __init__(self, controller: Controller[GameTable]) -> None:
        super().__init__(orientation="vertical", spacing=theme.GAP)
        self._controller = controller
        self.round = Tag(size=NAME_SIZE, colour=theme.GOLD, align="center", size_hint_y=None)
        self.players = layout.grid(2)
        self.cards: dict[int, PlayerCard] = {}
        self.is_over = False
        self._shown: State | None = None
        self.motion = Motion()
        self.flights: list[tuple[Translate, float, float]] = []
        """What shifts the points that are on their way, and how far they have come."""
        self.mahjong = _large_button(self._take_main, main=True)
        self.over = _large_button(lambda: controller.do(GameTable.end_otherwise))
        self.settle = _large_button(lambda: controller.do(GameTable.settle_up))
        self.next_game = _large_button(lambda: controller.do(GameTable.begin_next))
        self._buttons = layout.row(size_hint_y=None)
        for child in (self.round, self.players, self._buttons):
            self.add_widget(child)

    def show(self, view: View[GameTable]) -> None:
        game, words = view.state.game, view.words
        if game is None:
            return
        self._fit(view.size[1])
        plates, settlement = describe_plates(game, words), settle_up(game)
        seats = [seat for seat in _list_corners(view.state.plan.bottom) if seat in plates]
        if list(self.cards) != seats:
            self.players.clear_widgets()
            self.cards = {seat: PlayerCard(partial(self._call_win, seat)) for seat in seats}
            for card in self.cards.values():
                self.players.add_widget(card)
        self.is_over = game.over and not game.playing
        best = {seat for seat in plates if game.points[game.seated[seat]] == max(game.points)}
        marked = best if self.is_over else {game.deal.dealer}
        for seat, plate in plates.items():
            if self.is_over:
                plate = replace(plate, about=words("the most points") if seat in best else "")
            money = ""
            if settlement is not None:
                money = format_money(settlement.amounts[game.seated[seat]], settlement.currency)
            self.cards[seat].show(plate, money, marked=seat in marked, narrow=view.size[0] < view.size[1])
        if game.over:
            self.round.text = words("The game is over.")
        else:
            self.round.text = words("{deal} · touch the winner", deal=describe_deal(game, words))
        before, self._shown = self._shown, game
        if before is not None and theme.MOTION:
            self._draw_payments(before, game)
        self.mahjong.text = words("Score sheet") if self.is_over else words("Mahjong!")
        self.over.text, self.next_game.text = words("Hand over …"), words("Next game")
        self.settle.text = words("Settle up")
        ended = [self.mahjong, self.settle, self.next_game]
        buttons = ended if self.is_over else [self.mahjong, self.over]
        if self._buttons.children[::-1] != buttons:
            self._buttons.clear_widgets()
            for button in buttons:
                self._buttons.add_widget(button)

    def _draw_payments(self, before: State, game: State) -> None:
        """What each player paid, on its way to the winner."""
        payments = list_payments(before, game)
        if not payments:
            return
        self.motion.end()
        for payer, winner, points in payments:
            (x, y), (from_x, from_y) = self.cards[winner].center, self.cards[payer].center
            with self.canvas.after:
                shift = draw_payment(points, (x, y), POINTS_SIZE)
            self.flights.append((shift, from_x - x, from_y - y))
        self.motion.start(self._fly)

    def _fly(self, share: float) -> None:
        for shift, x, y in self.flights:
            shift.xy = x * (1 - share), y * (1 - share)
        if share == 1:
            self.flights = []
            self.canvas.after.clear()

    def _fit(self, height: float) -> None:
        """height: of the window, px."""
        share = min(1.0, height / HIGH)
        self.round.height = ROUND_HEIGHT * share
        self._buttons.height = max(theme.TOUCH, BUTTON_HEIGHT * share)
        for button in (self.mahjong, self.settle, self.next_game, self.over):
            button.height = self._buttons.height

    def _take_main(self) -> None:
        """The sheet of a game that is over; before, a player wins."""
        if self.is_over:
            self._controller.do(GameTable.show_sheet)
        else:
            self._controller.do(lambda state: state.call_win())

    def _call_win(self, seat: int) -> None:
        if not self.is_over:
            self._controller.do(lambda state: state.call_win(seat))


def _list_corners(bottom: int) -> tuple[int, int, int, int]:
    """The seats in the order of the cards, from the upper left: as they stand at the table's corners next to
    the wall. bottom: who sits at the lower edge."""
    left, across, right = ((bottom + turn) % 4 for turn in (3, 2, 1))
    return left, across, bottom, right


def _large_button(act: Callable[[], None], *, main: bool = False) -> Press:
    return Press(" ", act=act, main=main, size=NAME_SIZE, height=BUTTON_HEIGHT)
