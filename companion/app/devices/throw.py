"""What a roll or a wall means for the next hand: the dice, and the wall from above with its break."""

from __future__ import annotations

from collections.abc import Sequence

from kivy.graphics import Color, SmoothEllipse, SmoothRoundedRectangle
from kivy.metrics import dp
from kivy.uix.anchorlayout import AnchorLayout
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.widgets import theme
from companion.app.widgets.basics import Card, Tag, Text
from companion.live.device_words import describe_first_tile, join_dice
from companion.table.state import State
from companion.table.wall import Layer, WallPlace, locate
from companion.words import Words
from companion.words.filling import SEAT_NAMES

DIE = dp(40)
PIPS = {
    1: ((0, 0),),
    2: ((-1, 1), (1, -1)),
    3: ((-1, 1), (0, 0), (1, -1)),
    4: ((-1, 1), (1, 1), (-1, -1), (1, -1)),
    5: ((-1, 1), (1, 1), (0, 0), (-1, -1), (1, -1)),
    6: ((-1, 1), (1, 1), (-1, 0), (1, 0), (-1, -1), (1, -1)),
}
"""Where the pips of each face are: steps from its middle."""
PIP_STEP = 0.26
PIP_SIZE = 0.19
WALL_SIDE = dp(208)
BESIDE_FROM = dp(600)
ASIDE = 1.12
"""How far a side of the wall stands from the middle, that sides do not touch at the corners."""
STACK_PART = 0.86
DEPTH = 1.5
"""Depth of a stack from above, to its width: a tile lies with its long side across the wall."""
NAME_SIZE = (dp(80), dp(24))


class ThrowPanel(Card):
    """The game, the dice, where the first tile stands, and the wall: beside them where there is room."""

    def __init__(self) -> None:
        super().__init__(colour=theme.FELT, size_hint_y=None)
        self.bind(minimum_height=self.setter("height"), width=self._arrange)
        self.game = Text(size=theme.TEXT_SMALL, colour=theme.IVORY_DIM)
        self.dice = DiceFaces()
        self.first = Text()
        self.wall = WallPicture()
        self._texts = BoxLayout(
            orientation="vertical", size_hint_y=None, spacing=theme.GAP, pos_hint={"center_y": 0.5}
        )
        self._texts.bind(minimum_height=self._texts.setter("height"))
        for child in (self.game, self.dice, self.first):
            self._texts.add_widget(child)
        self._holder = AnchorLayout(size_hint=(None, None), size=(WALL_SIDE, WALL_SIDE))
        self._holder.add_widget(self.wall)
        self.add_widget(self._texts)
        self.add_widget(self._holder)

    def _arrange(self, *_: object) -> None:
        beside = self.width >= BESIDE_FROM
        self.orientation = "horizontal" if beside else "vertical"
        self._holder.size_hint_x = None if beside else 1
        self._holder.width = WALL_SIDE

    def show(self, start: State, words: Words) -> None:
        hand = start.hand
        assert hand is not None
        rules = start.house.rules
        dealer = words("dealer: {who}", who=SEAT_NAMES[hand.deal.dealer])
        thrown = join_dice(hand.dice) if hand.dice else ""
        parts = [words.both(rules.title, rules.title_zh)[0], dealer, thrown]
        self.game.text = " · ".join(filter(None, parts))
        self.dice.show(hand.dice or ())
        self.first.text = words.say(describe_first_tile(hand, SEAT_NAMES))
        self.wall.show(hand.wall.stacks, hand.wall.next_place, [words(name) for name in SEAT_NAMES])


class DiceFaces(Widget):
    """Dice side by side; no dice, no height."""

    def __init__(self) -> None:
        super().__init__(size_hint_y=None, height=0)
        self._faces: tuple[int, ...] = ()
        self.bind(pos=self._draw, size=self._draw)

    def show(self, faces: Sequence[int]) -> None:
        if tuple(faces) != self._faces:
            self._faces = tuple(faces)
            self.height = DIE if faces else 0
            self._draw()

    def _draw(self, *_: object) -> None:
        self.canvas.clear()
        with self.canvas:
            for number, face in enumerate(self._faces):
                left = self.x + number * (DIE + theme.GAP)
                Color(*theme.IVORY)
                SmoothRoundedRectangle(pos=(left, self.y), size=(DIE, DIE), radius=[DIE * 0.18])
                Color(*(theme.TROUBLE if face in (1, 4) else theme.INK))  # Chinese dice: one and four are red
                for right, up in PIPS[face]:
                    middle = left + DIE * (0.5 + PIP_STEP * right), self.y + DIE * (0.5 + PIP_STEP * up)
                    half = DIE * PIP_SIZE / 2
                    SmoothEllipse(pos=(middle[0] - half, middle[1] - half), size=(2 * half, 2 * half))


class WallPicture(Widget):
    """The wall from above, the viewer below; the stack of the first tile in gold."""

    def __init__(self) -> None:
        super().__init__(size_hint=(None, None), size=(WALL_SIDE, WALL_SIDE))
        self.head: WallPlace | None = None
        self._stacks: tuple[int, int, int, int] = (1, 1, 1, 1)
        self._names = [Tag(size=theme.TEXT_TINY, colour=theme.IVORY_DIM, align="center",
                           size_hint=(None, None)) for _ in SEAT_NAMES]  # fmt: skip
        for name in self._names:
            name.size = NAME_SIZE
            self.add_widget(name)
        self.bind(pos=self._draw, size=self._draw)

    def show(self, stacks: tuple[int, int, int, int], head: WallPlace | None, names: Sequence[str]) -> None:
        for tag, name in zip(self._names, names, strict=True):
            tag.text = name
        if (stacks, head) != (self._stacks, self.head):
            self._stacks, self.head = stacks, head
            self._draw()

    def _draw(self, *_: object) -> None:
        self.canvas.before.clear()
        longest = max(self._stacks)
        width = self.width / (longest * ASIDE + DEPTH)
        with self.canvas.before:
            for side, count in enumerate(self._stacks):
                for stack in range(1, count + 1):
                    self._stack(WallPlace(side, stack, Layer.UPPER), width, longest)
        for number, (x, y) in enumerate(((0, -0.72), (0.6, 0), (0, 0.72), (-0.6, 0))):
            self._names[number].center = (
                self.center_x + x * self.width / 2,
                self.center_y + y * self.height / 2,
            )

    def _stack(self, place: WallPlace, width: float, longest: int) -> None:
        seen = locate(place, self._stacks)
        reach = width * self._stacks[place.side] / 2
        out = width * longest / 2 * ASIDE
        upright = seen.direction % 2
        x = self.center_x + seen.x * (out if upright else reach)
        y = self.center_y + seen.y * (reach if upright else out)
        size = (width * DEPTH, width * STACK_PART) if upright else (width * STACK_PART, width * DEPTH)
        is_head = self.head is not None and (place.side, place.stack) == (self.head.side, self.head.stack)
        Color(*(theme.GOLD if is_head else theme.IVORY_DIM))
        SmoothRoundedRectangle(pos=(x - size[0] / 2, y - size[1] / 2), size=size, radius=[width * 0.15])
