"""Rows of drawn tiles with a few words under each one: a hand with its dangers, useful tiles with their
numbers, decisions with their grades."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from kivy.graphics import Color, Rectangle, SmoothLine, SmoothRoundedRectangle
from kivy.input.motionevent import MotionEvent
from kivy.uix.widget import Widget

from companion.app.coach.state import Replayed
from companion.app.coach.thinking import Answer
from companion.app.widgets import theme
from companion.app.widgets.tiles import RING, draw_words, tile_texture
from companion.coach.results import Grade, RatedDecision
from companion.coach.value.judge import Useful
from companion.coach.words.wording import MARKS, round_percent
from companion.table.events import Claimed
from companion.tiles import BACK, Suit

NOTE_LINES = 1.45
"""Height of a note, in heights of its text."""
RAISED = 0.12
"""Distance by which an advised tile is raised out of the hand, in heights of a tile."""
INSET = 0.94


@dataclass(frozen=True, slots=True)
class Noted:
    """A tile by its code. note: the text below it, on `colour` if there is one. raised: whether it is raised
    and ringed; faded: whether none of it is left; badge: in its upper corner."""

    code: str
    note: str = ""
    colour: theme.Colour | None = None
    raised: bool = False
    faded: bool = False
    badge: str = ""


class NotedTiles(Widget):
    """Tiles side by side, as large as there is room for and at most `tile_width` px wide; in several rows
    where they would be narrower than `least`. act: called with the place of a touched tile. cuts: where not
    all have room in that size, the first of them are shown, and how many more there are."""

    def __init__(
        self,
        *,
        tile_width: float,
        least: float = 0.0,
        act: Callable[[int], None] | None = None,
        notes: bool = True,
        cuts: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self._tile_width, self.least, self._act, self._cuts = tile_width, least, act, cuts
        self._badge_most = theme.TEXT_SMALL * NOTE_LINES
        self._note_height = self._badge_most if notes else 0.0
        self.tiles: tuple[Noted, ...] = ()
        self.bind(pos=self._draw, size=self._draw)

    def show(self, tiles: Sequence[Noted]) -> None:
        if tuple(tiles) != self.tiles:
            self.tiles = tuple(tiles)
            self._draw()

    def place_of(self, at: int) -> tuple[float, float]:
        """The middle of a tile, in px of the window."""
        x, y, width, height = self._cells()[at]
        middle: tuple[float, float] = self.to_window(x + width / 2, y + height / 2)
        return middle

    def measure(self, width: float, count: int) -> float:
        """The height that `count` tiles take in that width."""
        _, rows, wide = self._lay_out(width, count)
        return rows * (wide / theme.TILE_ASPECT * (1 + RAISED) + self._note_height)

    def _lay_out(self, width: float, count: int) -> tuple[int, int, float]:
        """How many stand side by side, in how many rows, and how wide each is."""
        if not count or width <= 0:
            return 1, 1, self._tile_width
        across = count if not self.least else max(1, min(count, int(width // self.least)))
        rows = -(-count // across)
        across = -(-count // rows)
        return across, rows, min(self._tile_width, width / across)

    @property
    def shown_count(self) -> int:
        """How many of the tiles are shown."""
        count = len(self.tiles)
        if not self._cuts or not self.least or self.width <= 0:
            return count
        high = self.least / theme.TILE_ASPECT * (1 + RAISED) + self._note_height
        most = max(1, int(self.width // self.least)) * max(1, int(self.height // high))
        return count if count <= most else most - 1

    def _cells(self) -> list[tuple[float, float, float, float]]:
        """Left, bottom, width and height of each tile with its note, and of what says that there are more."""
        count = self.shown_count
        count += count < len(self.tiles)
        across, rows, wide = self._lay_out(self.width, count)
        room = self.height / rows
        top = self.y + self.height  # `self.top` may still be that of before
        wide = min(wide, max(1.0, (room - self._note_height) / (1 + RAISED)) * theme.TILE_ASPECT)
        high = wide / theme.TILE_ASPECT * (1 + RAISED) + self._note_height
        top -= (self.height - rows * high) / 2
        return [
            (self.x + (at % across) * wide, top - (at // across + 1) * high, wide, high)
            for at in range(count)
        ]

    def _draw(self, *_: object) -> None:
        self.canvas.clear()
        if not self.tiles:
            return
        with self.canvas:
            cells, count = self._cells(), self.shown_count
            for tile, (x, y, wide, high) in zip(self.tiles[:count], cells, strict=False):
                self._draw_one(tile, x, y, wide, high)
            if count < len(cells):
                x, y, wide, high = cells[-1]
                more = f"+{len(self.tiles) - count}"
                room = wide * INSET, self._note_height
                draw_words(more, (x + wide / 2, y + high / 2), room, theme.IVORY, bold=True)

    def _draw_one(self, tile: Noted, x: float, y: float, wide: float, high: float) -> None:
        tall = (high - self._note_height) / (1 + RAISED)
        base = y + self._note_height + (tall * RAISED if tile.raised else 0)
        size = wide * INSET, tall * INSET
        Color(1, 1, 1, 0.3 if tile.faded else 1)
        Rectangle(texture=tile_texture(tile.code), pos=(x, base), size=size)
        if tile.raised:
            Color(*theme.GOLD)
            SmoothLine(width=RING / 2, rounded_rectangle=(x, base, *size, theme.RADIUS / 4))
        if tile.note and self._note_height:
            if tile.colour is not None:
                Color(*tile.colour)
                SmoothRoundedRectangle(
                    pos=(x, y + theme.HAIRLINE), size=(size[0], self._note_height * 0.9),
                    radius=[theme.RADIUS / 3],
                )  # fmt: skip
            ink = theme.IVORY if tile.colour is None else theme.INK
            middle = x + size[0] / 2, y + self._note_height * 0.47
            draw_words(tile.note, middle, (size[0], self._note_height * 0.92), ink, bold=True)
        if tile.badge:
            side = min(wide * 0.5, self._badge_most)
            Color(*theme.GOLD)
            SmoothRoundedRectangle(pos=(x, base + size[1] - side), size=(side, side), radius=[side / 2])
            draw_words(
                tile.badge, (x + side / 2, base + size[1] - side / 2), (side, side), theme.INK, bold=True
            )

    def on_touch_up(self, touch: MotionEvent) -> bool:
        if self._act is None or not self.collide_point(*touch.pos):
            return bool(super().on_touch_up(touch))
        for at, (x, y, wide, high) in enumerate(self._cells()[: self.shown_count]):
            if x <= touch.x < x + wide and y <= touch.y < y + high:
                self._act(at)
                return True
        return False


def colour_danger(chance: float) -> theme.Colour:
    """From safe to dangerous: the more a discard deals in."""
    if chance < 0.02:
        return theme.SURE
    if chance < 0.05:
        return theme.GOLD
    return theme.UNSURE if chance < 0.12 else theme.LOSS


def format_percent(chance: float) -> str:
    """A chance in percent; below one, that it is."""
    return f"{round_percent(chance)}%"


NO_NUMBER = ""


def note_hand(answer: Answer, *, counts: bool = False) -> list[Noted]:
    """The hand that is advised: dangers below its tiles, the advised discard raised.

    counts: all kinds instead of it, with how many are left.
    """
    if counts:
        return note_left(answer)
    dangers = {each.code: each.chance for each in answer.dangers}
    advised = answer.discard
    found: list[Noted] = []
    raised = False
    for code in answer.tiles:
        lift = code == advised and not raised
        raised = raised or lift
        chance = dangers.get(code)
        note = NO_NUMBER if chance is None else format_percent(chance)
        found.append(Noted(code, note, None if chance is None else colour_danger(chance), lift))
    return found


def note_left(answer: Answer) -> list[Noted]:
    """Every kind but flowers, with how many of it can still come."""
    kinds = [(code, left) for code, left in (answer.left or {}).items() if code[-1] != Suit.FLOWERS]
    return [Noted(code, str(left), faded=not left) for code, left in kinds]


def list_useful(answer: Answer) -> tuple[Useful, ...]:
    """What helps the hand after the best choice, or as it is."""
    if answer.advice is not None and answer.advice.choices:
        return answer.advice.choices[0].useful
    return () if answer.standing is None else answer.standing.useful


def note_useful(useful: Sequence[Useful]) -> list[Noted]:
    """Useful tiles, each with how many are left."""
    return [Noted(each.tile.code, f"×{each.unseen}", faded=not each.unseen) for each in useful]


def colour_grade(grade: Grade) -> theme.Colour:
    """Of a decision of that grade."""
    return {
        Grade.BEST: theme.SURE, Grade.FINE: theme.MELD, Grade.INEXACT: theme.GOLD, Grade.POOR: theme.UNSURE,
        Grade.BLUNDER: theme.LOSS,
    }[grade]  # fmt: skip


def _mark(decision: RatedDecision) -> str:
    """The mark of a grade; with a plus where a tile was claimed."""
    if not decision.is_rated:
        return format_percent(decision.deal_in)
    mark = MARKS[decision.grade]
    return f"+ {mark}" if isinstance(decision.did, Claimed) else mark


def note_worst(replayed: Replayed) -> list[Noted]:
    """The worst two decisions alone."""
    worst = {each.number for each in replayed.worst}
    noted = zip(replayed.decisions, note_decisions(replayed), strict=True)
    return sorted((tile for each, tile in noted if each.number in worst), key=lambda tile: tile.badge)


def note_decisions(replayed: Replayed) -> list[Noted]:
    """The decisions of the person whose are shown: marked by their grade, the worst two numbered; tiles that
    were not taken are faded."""
    worst = replayed.worst
    return [
        Noted(
            code=BACK if each.tile is None else each.tile.code,
            note=_mark(each),
            colour=colour_grade(each.grade),
            raised=each.number == replayed.number,
            faded=each.did is None,
            badge=str(worst.index(each) + 1) if each in worst else "!" if each.dealt_in else "",
        )
        for each in replayed.decisions
    ]
