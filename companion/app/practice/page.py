"""The practice table's page: the table from above, your own tiles, the questions and buttons next to it, and
the choice of a game to practise."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import Any

from kivy.core.window import Window
from kivy.graphics import Color, Rectangle, SmoothLine
from kivy.input.motionevent import MotionEvent
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.feature import Controller, View
from companion.app.practice.given_away import WORST_SHOWN, GivenAway, HandCost
from companion.app.practice.state import Practice
from companion.app.text import list_names
from companion.app.widgets import layout, theme
from companion.app.widgets.basics import Card, Choices, Column, Press, Tag, Text, TouchCard, adopt
from companion.app.widgets.board import Board, BoardView
from companion.app.widgets.cards import PressCard
from companion.app.widgets.game_words import (
    describe_coming,
    describe_left,
    describe_middle,
    describe_plates,
    describe_rules,
    describe_sea,
    list_sample,
    name_rules,
)
from companion.app.widgets.last_hand import LastHand
from companion.app.widgets.tile_keys import MeldKey
from companion.app.widgets.tiles import TileStrip, draw_words, tile_texture
from companion.coach.opponents.strengths import Strength
from companion.coach.results import RatedDecision
from companion.coach.words.wording import (
    describe_choice,
    describe_decision,
    format_cost,
    format_payment,
    list_action_tiles,
)
from companion.live.practice_hand import PersonMoves, Stage
from companion.rules import RULE_SETS
from companion.sentences import msgid
from companion.table.claims import CALLS
from companion.table.events import AddedKong, Call, Claimed, ConcealedKong, Event
from companion.table.state import Phase, State
from companion.tiles import Tile, parse_meld
from companion.words import Words

CALL_WORDS = {Call.CHOW: msgid("Chow"), Call.PUNG: msgid("Pung"), Call.KONG: msgid("Kong")}


def describe_stage(state: Practice, words: Words) -> str:
    """What the table waits for, or who plays; empty where how the hand ended is shown."""
    table = state.table
    if table is None:
        return words("Opening the game …")
    game = table.progress.state
    if table.stage is Stage.HALTED:
        return words("Another player's move was undone: touch to have it played again.")
    if table.stage is Stage.OVER:
        return words("The game is over.")
    if table.stage is Stage.BETWEEN:
        return "" if game.hands else words("The walls are built. Roll the dice!")
    if table.asked is not None:
        return _describe_asked(table.asked, game, words)
    if state.paused:
        return words("The table is waiting: touch Continue.")
    assert game.hand is not None
    if game.hand.phase in (Phase.DEAL, Phase.INDICATOR):
        return words("Dealing the tiles …")
    return words("Turn: {who} …", who=words(list_names(game)[game.hand.turn]))


def _describe_asked(asked: PersonMoves, game: State, words: Words) -> str:
    hand = game.hand
    assert hand is not None
    offer = hand.offer if hand.offer is not None and hand.offer.seat != asked.seat else None
    if asked.wins:
        return words("With this tile your hand wins!")
    if asked.discards:
        is_ready = bool(hand.players[asked.seat].ready)
        if len(asked.discards) == 1 and is_ready:
            return words("You declared ready: every tile you draw is discarded.")
        return words("Your turn: touch the tile to discard.")
    if asked.leave is not None:
        return words("One tile is left in the wall: draw it or decline?")
    giver = "" if offer is None else words(list_names(game)[offer.seat])
    return words("{who} discarded a tile you can claim.", who=giver)


def name_claim(event: Claimed, words: Words) -> tuple[str, list[str]]:
    """What it is called, and its tiles."""
    meld = parse_meld(event.meld)
    return words(CALL_WORDS[CALLS[meld.kind]]), [tile.code for tile in meld.tiles]


def name_kong(event: ConcealedKong | AddedKong, words: Words) -> tuple[str, list[str]]:
    """What it is called, and its tiles."""
    said = words("Kong") if isinstance(event, ConcealedKong) else words("Add to the pung")
    code = event.tile or ""
    return said, [code] * (4 if isinstance(event, ConcealedKong) else 1)


def sort_hand(game: State, seat: int) -> tuple[list[str], str | None]:
    """The codes of the person's tiles in order, the Fortune first, but the one drawn last; and that one."""
    hand = game.hand
    if hand is None:
        return [], None
    tiles = list(hand.players[seat].concealed)
    drawn = hand.drawn if hand.drew and hand.turn == seat and hand.drawn in tiles else None
    if drawn is not None:
        tiles.remove(drawn)
    return [tile.code for tile in _sort(tiles, hand.fortune)], drawn.code if drawn else None


def _sort(tiles: list[Tile], fortune: Tile | None) -> list[Tile]:
    return sorted(tiles, key=lambda tile: (tile is not fortune, tile.index))


APART = 0.35
"""Between the hand and the tile drawn last, in widths of a tile."""
RAISED = 0.12
"""How far a tile that was touched stands out, in heights of a tile."""
FACE, FADED, RING = 0.96, 0.35, dp(2)
SPARE_ROW = 1 + RAISED
NOTE_LINES = 1.3
"""Height of what the coach writes below a tile, in sizes of its letters."""
WILD_EDGE = 0.09
"""How high the gold edge of a wild tile is, in heights of a tile."""
LARGE = 1.25
"""How many times as wide as usual a tile is where all have room in one row."""


class OwnTiles(Widget):
    """`touch` is called with the code of a tile that was touched, where it may be. one_row: whether all tiles
    stand in one row, however small they are. note_height: of what the
    coach writes below each tile, px; the room for it is always there, so that nothing moves."""

    def __init__(self, touch: Callable[[str], None], **kwargs: Any) -> None:
        super().__init__(size_hint_y=None, **kwargs)
        self._touch = touch
        self._codes: tuple[str, ...] = ()
        self._drawn: str | None = None
        self._open: frozenset[str] | None = None
        self._raised: str | None = None
        self._notes: Mapping[str, str] = {}
        self._best: str | None = None
        self.wild: str | None = None
        self.one_row = False
        self.note_height = 0.0
        self.bind(center=self._draw, size=self._draw)

    def show(
        self,
        codes: Sequence[str],
        drawn: str | None,
        may: Collection[str] | None,
        raised: str | None,
        wild: str | None,
    ) -> None:
        """may: the codes that can be touched, None where nothing can and all look alike; raised: the tile
        that was touched; wild: the kind that is wild, which has a gold edge."""
        shown = tuple(codes), drawn, None if may is None else frozenset(may), raised, wild
        if shown != (self._codes, self._drawn, self._open, self._raised, self.wild):
            self._codes, self._drawn, self._open, self._raised, self.wild = shown
            self._draw()

    def note(self, notes: Mapping[str, str], best: str | None) -> None:
        """Write these words below the tiles, by code, and ring the best discard."""
        if (notes, best) != (self._notes, self._best):
            self._notes, self._best = notes, best
            self._draw()

    def measure(self, width: float) -> float:
        """The height that it needs in that width: two rows where a tile would be too narrow to touch."""
        count = len(self._codes) + (self._drawn is not None)
        rows, tile = self._lay(width, max(count, 1))
        return float(rows * (tile / theme.TILE_ASPECT * SPARE_ROW + self.note_height))

    def find(self, code: str) -> tuple[float, float]:
        """The middle of a tile of that kind, px of the window: the one drawn last where it is that."""
        places = self._place()
        at = len(places) - 1 if code == self._drawn else self._codes.index(code)
        x, y, wide, high = places[at]
        return x + wide / 2, y + high / 2

    @property
    def codes(self) -> tuple[str, ...]:
        """All tiles, the one drawn last at the end."""
        return (*self._codes, *([self._drawn] if self._drawn else []))

    def on_touch_up(self, touch: MotionEvent) -> bool:
        if self._open is None or not self.collide_point(*touch.pos):
            return False
        for code, (x, y, wide, high) in zip(self.codes, self._place(), strict=True):
            if x <= touch.x < x + wide and y <= touch.y < y + high * SPARE_ROW:
                if code in self._open:
                    self._touch(code)
                return True
        return False

    def _place(self) -> list[tuple[float, float, float, float]]:
        """Left, lower edge, width and height of each tile, px."""
        codes = self.codes
        if not codes:
            return []
        rows, tile = self._lay(self.width, len(codes))
        high = tile / theme.TILE_ASPECT
        a_row = -(-len(codes) // rows)
        a_high = high * SPARE_ROW + self.note_height
        top = self.center_y + rows * a_high / 2
        places = []
        for row in range(rows):
            here = range(row * a_row, min((row + 1) * a_row, len(codes)))
            apart = APART * tile if self._drawn and here[-1] == len(codes) - 1 else 0.0
            x = self.center_x - (len(here) * tile + apart) / 2
            y = top - (row + 1) * a_high + self.note_height
            for at in here:
                x += apart if at == len(codes) - 1 else 0.0
                places.append((x, y, tile, high))
                x += tile
        return places

    def _draw(self, *_: object) -> None:
        self.canvas.clear()
        raised, best = self._raised, self._best
        with self.canvas:
            for at, (code, (x, y, wide, high)) in enumerate(zip(self.codes, self._place(), strict=True)):
                if self.note_height and code in self._notes:
                    ink = theme.GOLD if code == self._best else theme.IVORY
                    draw_words(
                        self._notes[code],
                        (x + wide / 2, y - self.note_height / 2),
                        (wide, self.note_height),
                        ink,
                        bold=True,
                    )
                lifted = code == raised and (raised != self._drawn or at == len(self._codes))
                raised = None if lifted else raised
                y += high * RAISED if lifted else 0.0
                opacity = 1 if self._open is None or code in self._open else FADED
                Color(1, 1, 1, opacity)
                Rectangle(texture=tile_texture(code), pos=(x, y), size=(wide * FACE, high * FACE))
                if code == self.wild:
                    Color(*theme.GOLD[:3], opacity)
                    Rectangle(pos=(x, y), size=(wide * FACE, high * WILD_EDGE))
                is_best, best = code == best, None if code == best else best
                if is_best:
                    Color(*theme.SURE)
                    SmoothLine(
                        width=RING, rounded_rectangle=(x, y, wide * FACE, high * FACE, theme.RADIUS / 4)
                    )
                if at == len(self._codes):
                    Color(*theme.GOLD)
                    SmoothLine(
                        width=RING / 2, rounded_rectangle=(x, y, wide * FACE, high * FACE, theme.RADIUS / 4)
                    )

    def _lay(self, width: float, count: int) -> tuple[int, float]:
        """How many rows there are, and how wide a tile is, px."""
        apart = APART if self._drawn else 0.0
        tile = width / (count + apart)
        if tile >= theme.TOUCH or self.one_row:
            return 1, min(tile, theme.TILE_WIDTH_MAX * LARGE)
        return 2, min(width / (-(-count // 2) + apart), theme.TILE_WIDTH_MAX)

    @property
    def may_be_touched(self) -> bool:
        """Whether one of the tiles is to be touched now."""
        return self._open is not None


MELD_HEIGHT, MELD_HEIGHT_LOW = 2.0, 1.3
"""Of a key with the tiles of a meld, in heights of what is touched."""
LARGE_HEIGHT, PASS_HEIGHT = 1.5, 1.2
COST_TILE, COST_HEIGHT = dp(36), 1.25
"""Width of a tile of a decision, px, and the least height of its row, in heights of what is touched."""
LEAST_LINES = 1.8
"""With room for fewer lines, no events are listed."""


class StatusCard(Card):
    """What the table waits for; gold where that is the person."""

    def __init__(self) -> None:
        super().__init__(size_hint_y=None, padding=(theme.PAD, theme.GAP))
        self.words = Text(size=theme.TEXT_LARGE)
        self.add_widget(self.words)
        self.bind(minimum_height=self.setter("height"))

    def measure(self, width: float) -> float:
        """The height that its words need in that width, px."""
        self.words.width = width - 2 * theme.PAD
        self.words.texture_update()
        return float(self.words.texture_size[1] + 2 * theme.GAP)

    def show(self, said: str, *, calls: bool) -> None:
        """calls: whether the person is asked."""
        self.words.text = said
        self.paint(theme.GOLD if calls else theme.PANEL)
        self.words.color = theme.INK if calls else theme.IVORY


class ActionsPane(BoxLayout):
    """What the person may do but discard: a key or button each."""

    def __init__(self, controller: Controller[Practice]) -> None:
        super().__init__(orientation="vertical", size_hint_y=None, spacing=theme.GAP)
        do = self._do = controller.do
        self.mahjong = _large(lambda: do(Practice.call_win))
        self.pass_up = Press(" ", act=lambda: do(Practice.pass_up), size=theme.TEXT_LARGE)
        self.next = _large(lambda: do(Practice.begin_hand))
        self.another = _large(lambda: do(Practice.choose))
        self.ready = Press(" ", act=lambda: self._play(self._asked.ready if self._asked else None))
        self.leave = Press(" ", act=lambda: self._play(self._asked.leave if self._asked else None))
        self.keys: dict[Event, MeldKey] = {}
        self._heights = {self.mahjong: LARGE_HEIGHT, self.next: LARGE_HEIGHT, self.another: LARGE_HEIGHT}
        self._heights[self.pass_up] = PASS_HEIGHT
        self._row = layout.row(height=theme.TOUCH)
        self._meld_row = layout.row(size_hint_y=None)
        self._buttons: list[Press] = []
        self._asked: PersonMoves | None = None
        self._shown: object = None
        self._placed: bool | None = None

    def show(self, state: Practice, words: Words) -> None:
        table = state.table
        stage = None if table is None or state.waits else table.stage
        is_first = table is not None and not table.progress.state.hands
        shown = state.asked, stage, is_first, words
        if shown == self._shown:
            return
        self._shown = shown
        self._asked = asked = state.asked
        self._name_buttons(stage, asked, words, is_first=is_first)
        self._buttons = []
        if stage in (Stage.BETWEEN, Stage.HALTED):
            self._buttons.append(self.next)
        if stage is Stage.OVER:
            self._buttons.append(self.another)
        if asked is not None:
            offers = ((self.mahjong, asked.wins), (self.ready, asked.ready), (self.leave, asked.leave))
            self._buttons += [button for button, is_offered in offers if is_offered]
            self._buttons += [self.pass_up] if asked.passes else []
        self._make_keys(asked, words)
        self._placed = None

    def arrange(self, *, low: bool) -> float:
        """Lay the buttons out, in a low window side by side; the height that they take, px."""
        if low != self._placed:
            self._placed = low
            self.clear_widgets()
            self._row.clear_widgets()
            keys = [self._meld_row] if self.keys else []
            self._meld_row.height = theme.TOUCH * (MELD_HEIGHT_LOW if low else MELD_HEIGHT)
            if low and self._buttons:
                for button in self._buttons:
                    adopt(self._row, button)
                    button.height = self._row.height
                parts = [*keys, self._row]
            else:
                for button in self._buttons:
                    button.height = theme.TOUCH * self._heights.get(button, 1.0)
                last = [self.pass_up] if self.pass_up in self._buttons else []
                first = [button for button in self._buttons if button is not self.pass_up]
                parts = [*first, *keys, *last]
            for part in parts:
                adopt(self, part)
            self.height = sum(part.height for part in parts) + theme.GAP * max(0, len(parts) - 1)
        return float(self.height)

    def _name_buttons(
        self, stage: Stage | None, asked: PersonMoves | None, words: Words, *, is_first: bool
    ) -> None:
        self.mahjong.text = words("Mahjong!")
        self.ready.text, self.leave.text = words("Call ready"), words("Decline the last tile")
        self.another.text = words("Another practice game")
        begins = words("Roll the dice") if is_first else words("Next hand")
        self.next.text = words("Continue") if stage is Stage.HALTED else begins
        takes_last = asked is not None and asked.leave is not None and not asked.claims and not asked.wins
        self.pass_up.text = words("Draw it") if takes_last else words("No, continue")

    def _make_keys(self, asked: PersonMoves | None, words: Words) -> None:
        """Of the melds that can be laid."""
        self.keys = {}
        self._meld_row.clear_widgets()
        offers: list[tuple[Event, tuple[str, list[str]]]] = []
        if asked is not None:
            offers += [(event, name_claim(event, words)) for event in asked.claims]
            offers += [(event, name_kong(event, words)) for event in asked.kongs]
        for event, (said, codes) in offers:
            self.keys[event] = MeldKey(said, codes, partial(self._play, event))
            self._meld_row.add_widget(self.keys[event])

    def _play(self, event: Event | None) -> None:
        if event is not None:
            self._do(lambda state: state.play(event))


class CostRow(TouchCard):
    """A decision that cost something: what was done, what was better, and by how much. Touched, it is shown
    on the replayed table."""

    def __init__(self, decision: RatedDecision, words: Words, act: Callable[[], None]) -> None:
        super().__init__(
            orientation="horizontal", size_hint_y=None, height=theme.TOUCH * COST_HEIGHT,
            padding=theme.GAP / 2, colour=theme.PANEL_RAISED,
        )  # fmt: skip
        self.decision = decision
        self._act = act
        best = decision.best
        done = [] if decision.tile is None else [decision.tile.code]
        better = () if best is None else list_action_tiles(best)
        said = words(
            "{did}. Better by {cost}: {best}",
            did=describe_decision(decision, words),
            cost=format_cost(decision.cost),
            best="" if best is None else describe_choice(best, words),
        )
        for codes in (done, better):
            width = COST_TILE * max(1, len(codes))
            strip = TileStrip([[(code, False) for code in codes]], tile_width=COST_TILE, width=width)
            strip.size_hint_x, strip.pos_hint = None, {"center_y": 0.5}
            self.add_widget(strip)
        self.words = Text(said, size=theme.TEXT_SMALL)
        self.words.pos_hint = {"center_y": 0.5}
        self.words.bind(height=self._grow)
        self.add_widget(self.words)

    def on_release(self) -> None:
        self._act()

    def _grow(self, *_: object) -> None:
        """As high as its words need."""
        self.height = max(theme.TOUCH * COST_HEIGHT, self.words.height + theme.GAP)


def describe_given_away(hand: HandCost, words: Words) -> str:
    """What the person gave away in that hand."""
    count = len(hand.costly)
    if not hand.decisions:
        return words("You had nothing to decide in this hand.")
    if not count:
        return words(
            "You gave nothing away: each of your {count} decisions was good.", count=len(hand.decisions)
        )
    cost = format_payment(hand.cost)
    if count == 1:
        return words("You gave away {cost} points in one decision: look at it.", cost=cost)
    return words("You gave away {cost} points in {count} decisions: look at them.", cost=cost, count=count)


def describe_game(found: GivenAway, words: Words) -> str:
    """What the person gave away in all hands so far."""
    best, worst = found.best_hand, found.worst_hand
    assert best is not None
    assert worst is not None
    return words(
        "{hands} hands: you gave away {mean} points a hand. Best: hand {best} ({least}), worst: hand {worst}"
        " ({most}). You made a best choice {percent}% of the time.",
        hands=len(found.hands),
        mean=format_payment(found.cost / len(found.hands)),
        best=best.number,
        least=format_payment(best.cost),
        worst=worst.number,
        most=format_payment(worst.cost),
        percent=round(100 * found.best_share),
    )


class LatestEvents(Column):
    """What happened, the latest last; after a hand what the person gave away, how it ended and what it
    paid."""

    def __init__(self, replay: Callable[[int], None]) -> None:
        super().__init__(spacing=theme.GAP / 2)
        self._replay = replay
        self.last = LastHand()
        self.costs: list[CostRow] = []
        self._shown: object = None
        self.bind(height=self._hide_where_low)

    def show(self, state: Practice, words: Words) -> None:
        table = state.table
        hands = table and table.progress.state.hands
        shown = (
            state.latest,
            table and table.stage,
            hands,
            words,
            self.height,
            None if state.game is None or state.game.playing else state.given_away,
            state.played_by,
        )
        if shown == self._shown:
            return
        self._shown = shown
        inside = self.inside
        inside.clear_widgets()
        game = state.game
        if game is not None and not game.playing and game.hand is not None:
            self._show_costs(state, words)
            self.last.show(game, words, has_room=True, explains=True)
            inside.add_widget(self.last)
            return
        if not state.latest and state.played_by is not None:
            inside.add_widget(Text(words("Rules: {table}", table=state.played_by)))
        for at, said in enumerate(reversed(state.latest)):
            latest = at == 0
            inside.add_widget(
                Text(
                    words.say(said),
                    size=theme.TEXT_LARGE if latest else theme.TEXT,
                    colour=theme.IVORY if latest else theme.IVORY_DIM,
                )
            )

    def _show_costs(self, state: Practice, words: Words) -> None:
        found, self.costs = state.given_away, []
        if found is None or not found.due:
            return
        if found.last is None:
            said = words("Looking at your decisions: {count} so far …", count=found.rated)
            self.inside.add_widget(Text(said, colour=theme.IVORY_DIM))
            return
        self.inside.add_widget(Text(describe_given_away(found.last, words), size=theme.TEXT_LARGE))
        for decision in found.last.costly[:WORST_SHOWN]:
            row = CostRow(decision, words, partial(self._replay, decision.number))
            self.costs.append(row)
            self.inside.add_widget(row)
        if len(found.hands) > 1:
            self.inside.add_widget(Text(describe_game(found, words), colour=theme.IVORY_DIM))
        if not found.is_done:
            left = len(found.due) - len(found.hands)
            said = words("Looking at earlier hands: {count} left …", count=left)
            self.inside.add_widget(Text(said, colour=theme.IVORY_DIM))

    def _hide_where_low(self, *_: object) -> None:
        self.opacity = 1 if self.height >= theme.TEXT * LEAST_LINES else 0


class PaceRow(BoxLayout):
    """How fast the others play, and the score sheet."""

    def __init__(self, controller: Controller[Practice]) -> None:
        super().__init__(size_hint_y=None, height=theme.TOUCH, spacing=theme.GAP / 2)
        do = controller.do
        self.pause = _small(lambda: do(Practice.toggle_pause))
        self.quick = _small(lambda: do(Practice.toggle_quick))
        self.skip = _small(lambda: do(Practice.skip))
        self.sheet = _small(lambda: do(Practice.show_sheet))
        for button in (self.pause, self.quick, self.skip, self.sheet):
            self.add_widget(button)

    def show(self, view: View[Practice]) -> None:
        state, words = view.state, view.words
        table = state.table
        self.sheet.text = words("Score sheet")
        self.pause.text = words("Continue") if state.paused else words("Pause")
        self.quick.text, self.skip.text = words("Faster"), words("Skip to my turn")
        self.pause.chosen, self.quick.chosen = state.paused, state.quick
        self.skip.disabled = table is None or table.stage is not Stage.PLAYING


def _large(act: Callable[[], None]) -> Press:
    return Press(" ", act=act, main=True, size=theme.TEXT_HUGE)


def _small(act: Callable[[], None]) -> Press:
    press = Press(" ", act=act, size=theme.TEXT_SMALL)
    press.padding = (theme.GAP / 4, 0)
    return press


BELOW_FROM = dp(700)
"""From this window height the player's tiles are in one row below the table."""
BOARD_PART = 0.53
"""Of an upright window's height above the coach's panel, for the table."""
SIDE_LEAST, SIDE_MOST = dp(480), 0.56
"""The width of what stands next to the table: px, and a part of the window's."""


class PracticePage(BoxLayout):
    """In an upright window the table is above everything else."""

    def __init__(self, controller: Controller[Practice]) -> None:
        super().__init__(orientation="vertical", padding=theme.GAP, spacing=theme.GAP)
        self.board = Board(lambda seat: None, lambda number: None)
        self.status = StatusCard()
        self.actions = ActionsPane(controller)
        self.latest = LatestEvents(lambda number: controller.do(lambda state: state.replay(number)))
        self.pace = PaceRow(controller)
        self.hand = OwnTiles(lambda code: controller.do(lambda state: state.discard(code)))
        self._side = layout.column()
        self._main = layout.row()
        self._placed: object = None

    def show(self, view: View[Practice]) -> None:
        state, words = view.state, view.words
        table, game = state.table, state.game
        if table is None or game is None:
            return
        sea = describe_sea(game, words)
        self.board.show(
            BoardView(
                game,
                describe_plates(game, words),
                describe_middle(game, words),
                describe_left(game),
                describe_coming(game, words),
                sea is not None,
                bottom=table.seat,
            )
        )
        self.status.show(describe_stage(state, words), calls=state.asked is not None)
        self.actions.show(state, words)
        self._show_hand(state)
        self.pace.show(view)
        self._arrange()
        self.latest.show(state, words)

    def _show_hand(self, state: Practice) -> None:
        table, game, asked = state.table, state.game, state.asked
        if table is None or game is None or not game.playing:
            self.hand.show([], None, None, None, None)
            return
        codes, drawn = sort_hand(game, table.seat)
        may = None
        if asked is not None and asked.discards:
            may = [event.tile for event in asked.discards if event.tile]
        wild = game.house.wild(game.hand.fortune) if game.hand else None
        self.hand.show(codes, drawn, may, state.touched, wild.tile.code if wild else None)
        self.hand.note(state.notes, state.best)

    def _arrange(self) -> None:
        """What stands next to the table takes less room step by step, where it would not have enough. The
        coach's panel, which stands above the page, has its room, open or not, and what is touched stands at
        the lower edge: it stays where it is."""
        size = Window.size
        wide = size[0] > size[1]
        below = wide and size[1] >= BELOW_FROM
        inside = size[1] - theme.BAR_HEIGHT - 2 * theme.GAP - layout.measure_panel_above(size)
        if wide:
            side = min(max(size[0] - size[1], SIDE_LEAST), size[0] * SIDE_MOST)
            room, board = inside, 0.0
        else:
            side, board = size[0] - 2 * theme.GAP, min(size[0] - 2 * theme.GAP, inside * BOARD_PART)
            room = inside - board - theme.GAP
        parts = self._fit(side, room, size[0] - 2 * theme.GAP if below else None)
        placed = wide, below, bool(self.hand.codes), parts
        if placed != self._placed:
            self._placed = placed
            self._place(parts, wide=wide, below=below)
        self._side.size_hint = (None, 1) if wide else (1, 1)
        self._side.width = side
        self.board.size_hint_y = 1 if wide else None
        self.board.height = board

    def _fit(self, side: float, room: float, width_below: float | None) -> list[Widget]:
        """What stands next to the table, from above, in that width and height. width_below: of the window's
        lower edge, where the own tiles stand there."""
        hand, status, actions = self.hand, self.status, self.actions
        has_hand = bool(hand.codes)
        hand.one_row = False
        hand.note_height = theme.TEXT_TINY * NOTE_LINES if Window.height >= BELOW_FROM else 0.0
        hand.height = hand.measure(width_below or side) if has_hand else 0.0
        high = status.measure(side) if status.words.text else 0.0
        if width_below is not None:
            room, used = room - hand.height - theme.GAP, 0.0
        else:
            used = hand.height
        rest = room - self.pace.height - 4 * theme.GAP
        if used + high + actions.arrange(low=False) > rest and used + high + actions.arrange(low=True) > rest:
            if width_below is None and not hand.may_be_touched:
                hand.one_row = True
                used = hand.height = hand.measure(side) if has_hand else 0.0
            if used + high + actions.height > rest:
                high = 0.0
        parts: list[Widget] = [self.latest, *([status] if high else []), actions]
        parts += [hand] if has_hand and width_below is None else []
        return [*parts, self.pace]

    def _place(self, parts: list[Widget], *, wide: bool, below: bool) -> None:
        for each in (self, self._main, self._side):
            each.clear_widgets()
        for part in parts:
            adopt(self._side, part)
        self._main.orientation = "horizontal" if wide else "vertical"
        self._main.add_widget(self.board)
        self._main.add_widget(self._side)
        self.add_widget(self._main)
        if below and self.hand.codes:
            adopt(self, self.hand)


STRENGTHS = {
    Strength.BEGINNER: msgid("Beginners"),
    Strength.USUAL: msgid("Usual"),
    Strength.STRONG: msgid("Strong"),
}
LESSON_PART = 0.45
"""Width of the button of a lesson, of its game's card."""
CARD_TILES = ("5z", "6z", "7z")


class PracticeGamesPage(BoxLayout):
    """How strong the opponents are, the five games, each with its lesson, and the one that is open to go on
    with."""

    def __init__(self, controller: Controller[Practice]) -> None:
        super().__init__(orientation="vertical", padding=theme.PAD, spacing=theme.GAP)
        do = controller.do
        self.title = Tag(size=theme.TEXT_HUGE, colour=theme.GOLD, size_hint_y=None)
        self.title.height = theme.TEXT_HUGE * 1.4
        self.about = Text(colour=theme.IVORY)
        self.games = {
            rules: PressCard(
                partial(_pick, controller, rules),
                codes=list_sample(rules),
                tile_width=theme.TILE_WIDTH_MIN,
            )
            for rules in RULE_SETS
        }
        self.resume = PressCard(
            lambda: do(Practice.go_on), main=True, codes=CARD_TILES, tile_width=theme.TILE_WIDTH_MIN
        )
        self.strengths = Choices(lambda key: do(lambda state: state.set_strength(Strength(key))))
        self.lessons = {
            rules: Press(" ", act=partial(_teach, controller, rules), size_hint=(LESSON_PART, 1))
            for rules in RULE_SETS
        }
        self._cells = {
            rules: layout.row(card, self.lessons[rules], spacing=theme.GAP / 2)
            for rules, card in self.games.items()
        }
        self._grid = layout.grid(3)
        self.tables = Press(" ", act=lambda: do(Practice.pick_table))
        self.back = Press(" ", act=lambda: do(Practice.step_back))
        last = layout.row(self.back, self.tables, height=theme.TOUCH)
        for child in (self.title, self.about, self.strengths, self._grid, last):
            self.add_widget(child)

    def show(self, view: View[Practice]) -> None:
        state, words = view.state, view.words
        self.title.text = words("Which game do you want to try?")
        self.about.text = words("The program deals, draws and scores. How strong are your three opponents?")
        offers = [(strength.value, words(name)) for strength, name in STRENGTHS.items()]
        self.strengths.offer(offers, state.kept.strength.value)
        self.tables.text = words("Ready-made and own house rules")
        for press in self.lessons.values():
            press.text = words("Lesson")
        for rules, card in self.games.items():
            card.say(name_rules(rules, words), describe_rules(rules, words))
        self.resume.say(words("Continue"), words("The practice game that is open"))
        self.back.text = words("Back")
        wide = view.size[0] > view.size[1]
        cells = [*([self.resume] if state.can_go_on else []), *self._cells.values()]
        self._grid.cols = 3 if wide else 2
        if self._grid.children[::-1] != cells:
            self._grid.clear_widgets()
            for cell in cells:
                self._grid.add_widget(cell)


def _pick(controller: Controller[Practice], rules: str) -> None:
    controller.do(lambda state: state.pick_game(rules))


def _teach(controller: Controller[Practice], rules: str) -> None:
    controller.do(lambda state: state.begin_lesson(rules))
