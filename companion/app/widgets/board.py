"""The table of a game from above: the wall, the discards, melds, who sits where.

Lengths are in widths of a tile, from the middle of the table, as the player at the lower edge sees them;
other players' parts are drawn the same way and turned.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from kivy.graphics import Color, Line, PopMatrix, PushMatrix, Rectangle, Rotate, SmoothLine, Translate
from kivy.graphics import SmoothRoundedRectangle as Rounded
from kivy.input.motionevent import MotionEvent
from kivy.metrics import dp
from kivy.uix.widget import Widget

from companion.app.widgets import theme
from companion.app.widgets.game_words import (
    Plate,
    find_turn,
    is_unrecorded,
    list_flowers,
    list_held,
    list_melds,
)
from companion.app.widgets.motion import Motion
from companion.app.widgets.tiles import draw_words, fit_words, measure_words, tile_texture
from companion.sentences import write_number
from companion.table.state import HandState, OfferKind, Player, State
from companion.table.wall import Wall, WallPlace
from companion.tiles import UNKNOWN

A_ROW, ROWS = 6, 3
"""Discards: as many in a row as the tables of the field have, and three rows. They begin next to the middle,
and run on into the corner of the table that is free."""
COLUMN, COLUMN_CLOSE, ROW = 0.98, 0.9, 1.22
"""From tile to tile. Each row covers the lower edge of the one nearer to the middle; where some player has
more than 18 discards, each tile covers the edge of the one before it. No edge bears a sign."""
TILE_HEIGHT = 4 / 3
RIVER = ROW * (ROWS - 1) + TILE_HEIGHT
RIVER_GAP = 0.04
MIDDLE_MAX = 2.2
"""Half of the box in the middle, at the most."""
WALL_DEPTH, WALL_STACK = 0.18, 0.14
"""Of the band of the wall, and of a stack in it."""
STRIP_SHARE = 0.88
"""Of the strip with melds and name plates in a large window."""
SIGN_SHARE = 0.34
"""Height of the smallest sign that has to be read, the number of a character tile: as a share of the tile."""


@dataclass(frozen=True, slots=True)
class Measure:
    """tile: its width, px. strip: px, for melds and name plates. across, up: half of the box in the middle,
    in tiles. a_row: discards in a row, from left to left `column` tiles."""

    tile: float
    strip: float
    across: float
    up: float
    a_row: int = A_ROW
    column: float = COLUMN

    @property
    def half(self) -> tuple[float, float]:
        """Half of the table's width and height, px."""
        return self.find_laid(self.across) + self.strip, self.find_laid(self.up) + self.strip

    def turn(self, direction: int) -> tuple[float, float]:
        """Half of the box in the middle, along the side of that player and towards the player, in tiles."""
        return (self.up, self.across) if direction % 2 else (self.across, self.up)

    def find_laid(self, towards: float) -> float:
        """How far from the middle the strip begins, px."""
        return (towards + RIVER_GAP + RIVER + WALL_DEPTH) * self.tile


def measure(width: float, height: float, strip_least: float, longest: int) -> Measure:
    """The table with the largest tiles in that room, px; the box in the middle takes what is left of it.
    longest: how many discards a player has at the most."""
    a_row = max(A_ROW, -(-longest // ROWS))
    column = COLUMN if a_row == A_ROW else COLUMN_CLOSE
    middle = (column * (a_row - 1) + 1 - RIVER) / 2  # a row is as long as the box and the river beside it
    reach = middle + RIVER_GAP + RIVER + WALL_DEPTH
    half = min(width, height) / 2
    tile = max(min((half - strip_least) / reach, half / (reach + STRIP_SHARE)), 1.0)
    strip = max(half - reach * tile, 1.0)

    def widen(room: float) -> float:
        return max(middle, min((room / 2 - strip) / tile - reach + middle, MIDDLE_MAX))

    return Measure(tile, strip, widen(width), widen(height), a_row, column)


def split_name(name: str) -> tuple[str, str]:
    """The name in two lines, parted at the space or hyphen nearest to its middle, else in it."""
    breaks = [at + 1 for at, letter in enumerate(name[:-1]) if letter in " -·"]
    half = len(name) / 2
    at = min(breaks, key=lambda place: abs(place - half), default=round(half))
    return name[:at].rstrip(), name[at:].lstrip()


STRIP_MIN = dp(54)
"""Minimum height of the strip with melds and name plates: three lines of text."""
PLATE_WIDTH, PLATE_WIDTH_MIN, PLATE_PART_MAX = 2.2, dp(128), 0.3
"""Width of a name plate in widths of a tile, its minimum in px, and the maximum share of the table's side for
a long name."""
ABOUT_SIZE = 0.75
"""Minimum size of the text below a name, as a share of the name's size."""
FRAME = dp(6)
"""Width of the table's frame on the Sea Floor."""
APART = 0.3
FLOWER_PART = 0.75
"""Width of a flower, as a share of other tiles' width."""
RING = dp(2.5)


@dataclass(frozen=True, slots=True)
class BoardView:
    """What the board shows, in words where it says any. plates: by seat. round_words, left, about: in the
    middle, from above. sea: whether the Sea Floor is reached: then the table is blue and framed, and its
    middle is gold. doubtful: the numbers of events that a person ought to look at, by seat and place in the
    river. acting: whose side was touched. hands: whether what players hold is open too, as far as it is
    known.
    """

    state: State
    plates: Mapping[int, Plate] = field(default_factory=dict)
    round_words: str = ""
    left: str = ""
    about: str = ""
    sea: bool = False
    doubtful: Mapping[tuple[int, int], int] = field(default_factory=dict)
    acting: int | None = None
    bottom: int = 0
    hands: bool = False


class Board(Widget):
    """`touch_seat` is called with the seat whose side was touched, `touch_event` the number of a doubtful
    event."""

    def __init__(self, touch_seat: Callable[[int], None], touch_event: Callable[[int], None]) -> None:
        super().__init__()
        self._touch_seat = touch_seat
        self._touch_event = touch_event
        self._view: BoardView | None = None
        self._measure = measure(1.0, 1.0, STRIP_MIN, 0)
        self._targets: list[tuple[int, tuple[float, float], int]] = []
        self.motion = Motion()
        self._landing: int | None = None
        self._flights: list[tuple[Translate, float, float]] = []
        self.plates: dict[int, tuple[float, float, float, float]] = {}
        self.bind(center=self._draw, size=self._draw)

    def show(self, view: BoardView) -> None:
        if view == self._view:
            return
        before, self._view = self._view, view
        self._landing = find_landing(before, view) if before and theme.MOTION else None
        self._draw()
        self._landing = None
        if before and theme.MOTION:
            self._draw_payments(before, view)
        if self._flights:
            self.motion.start(self._fly)

    def _fly(self, share: float) -> None:
        """Bring what moves as far; each shift is from its last place, so that it ends at none."""
        for shift, x, y in self._flights:
            shift.xy = x * (1 - share), y * (1 - share)
        if share == 1:
            self._flights = []
            self.canvas.after.clear()

    def find_side(self, seat: int) -> tuple[float, float]:
        """A place on that player's side, px of the window."""
        assert self._view is not None
        x, y = ((0, -1), (1, 0), (0, 1), (-1, 0))[(seat - self._view.bottom) % 4]
        shape = self._measure
        far_x, far_y = (shape.across + 1) * shape.tile, (shape.up + 1) * shape.tile
        return float(self.center_x + x * far_x), float(self.center_y + y * far_y)

    def find_doubtful(self, number: int) -> tuple[float, float]:
        """Where the tile of that event is, px of the window."""
        assert self._view is not None
        seat, (x, y), _ = next(target for target in self._targets if target[2] == number)
        return self._turn(x, y, (seat - self._view.bottom) % 4)

    def on_touch_up(self, touch: MotionEvent) -> bool:
        view = self._view
        if view is None or not self.collide_point(*touch.pos):
            return False
        for seat, (x, y), number in self._targets:
            at_x, at_y = self._turn(x, y, (seat - view.bottom) % 4)
            if max(abs(touch.x - at_x), abs(touch.y - at_y)) < max(self._tile * 0.7, theme.TOUCH / 2):
                self._touch_event(number)
                return True
        self._touch_seat((self._find_direction(touch.x, touch.y) + view.bottom) % 4)
        return True

    def _find_direction(self, x: float, y: float) -> int:
        """Which side of the table that is, counterclockwise from the lower one: a plate's, or the nearest."""
        for direction in range(4):
            left, low, width, height = self._place_plate(direction)
            if left <= x <= left + width and low <= y <= low + height:
                return direction
        width, height = self._measure.half
        across, up = (x - self.center_x) / width, (y - self.center_y) / height
        if abs(across) > abs(up):
            return 1 if across > 0 else 3
        return 2 if up > 0 else 0

    def _turn(self, x: float, y: float, direction: int) -> tuple[float, float]:
        """Where a place of that side is in the window, px; x, y: in px from the middle."""
        for _ in range(direction):
            x, y = -y, x
        return float(self.center_x + x), float(self.center_y + y)

    @property
    def _tile(self) -> float:
        return self._measure.tile

    def _draw(self, *_: object) -> None:
        self.motion.end()
        self.canvas.clear()
        view = self._view
        players = view.state.hand.players if view and view.state.hand else ()
        longest = max((len(each.discards) for each in players), default=0)
        self._measure = measure(self.width - 2 * FRAME, self.height - 2 * FRAME, STRIP_MIN, longest)
        self._targets = []
        with self.canvas:
            Color(*(theme.SEA if view and view.sea else theme.FELT))
            Rounded(pos=self.pos, size=self.size, radius=[theme.RADIUS])
            if view is None:
                return
            hand = view.state.hand
            if hand is not None:
                if hand.wall.placed and view.state.playing:
                    self._draw_wall(hand.wall, view.bottom)
                for seat in view.state.house.seats:
                    PushMatrix()
                    Rotate(angle=90 * ((seat - view.bottom) % 4), origin=self.center)
                    self._draw_player(view, hand, seat)
                    PopMatrix()
            self._draw_middle(view)
            for seat, plate in view.plates.items():
                self._draw_plate(view, seat, plate)
            if view.sea:
                self._draw_frame()

    def _draw_player(self, view: BoardView, hand: HandState, seat: int) -> None:
        """As if the player sat at the lower edge."""
        t, player, direction = self._tile, hand.players[seat], (seat - view.bottom) % 4
        along, towards = self._measure.turn(direction)
        offer = hand.offer if view.state.playing else None
        lies_last = offer is not None and offer.kind is OfferKind.DISCARD and offer.seat == seat
        unrecorded = is_unrecorded(view.state)
        height = t * TILE_HEIGHT
        for at, tile in enumerate(player.discards):
            if tile is None and unrecorded:
                continue
            row, column = divmod(at, self._measure.a_row)
            x = self.center_x - along * t + column * self._measure.column * t
            y = self.center_y - (towards + RIVER_GAP + row * ROW) * t - height
            ring = theme.GOLD if lies_last and at == len(player.discards) - 1 else None
            number = view.doubtful.get((seat, at))
            if number is not None:
                ring = theme.UNSURE
                middle = (x + t / 2 - self.center_x, y + height / 2 - self.center_y)
                self._targets.append((seat, middle, number))
            is_landing = seat == self._landing and at == len(player.discards) - 1
            if is_landing:
                PushMatrix()
                low = self.center_y - self._measure.find_laid(towards) - self._measure.strip
                self._flights.append((Translate(), self.center_x - t / 2 - x, low - y))
            _draw_tile(tile.code if tile else UNKNOWN, x, y, t, ring)
            if is_landing:
                PopMatrix()
        self._draw_laid(player, direction, view.hands)

    def _draw_laid(self, player: Player, direction: int, hands: bool) -> None:
        """Melds and flowers in the strip before the player, as large as they all go between the plates; with
        `hands` what the player holds too."""
        groups = list_melds(player)
        if hands and player.concealed:
            groups.append(list_held(player))
        flowers = list_flowers(player)
        units = sum(len(codes) + APART for codes in groups) + len(flowers) * FLOWER_PART
        if not units:
            return
        shape, strip = self._measure, self._measure.strip
        along, towards = shape.half[direction % 2], shape.turn(direction)[1]
        room = 2 * (along - (strip if direction % 2 else self._plate_width + strip * 0.1))
        width = min(self._tile, strip * theme.TILE_ASPECT, room / units)
        x = float(self.center_x) - room / 2  # beside the player's own plate
        top = self.center_y - shape.find_laid(towards)
        for codes in (*groups, flowers):
            wide = width * (FLOWER_PART if codes is flowers else 1)
            for code in codes:
                _draw_tile(code, x, top - wide / theme.TILE_ASPECT, wide)
                x += wide
            x += APART * width

    def _draw_payments(self, before: BoardView, view: BoardView) -> None:
        """What each player paid, on its way to the winner."""
        for payer, winner, points in list_payments(before.state, view.state):
            left, low, width, height = self._place_plate((winner - view.bottom) % 4)
            from_left, from_low, *_ = self._place_plate((payer - view.bottom) % 4)
            with self.canvas.after:
                shift = draw_payment(points, (left + width / 2, low + height / 2), height * 0.6)
            self._flights.append((shift, from_left - left, from_low - low))

    def _draw_wall(self, wall: Wall, bottom: int) -> None:
        """Every stack of the wall, half as thick where it is one tile high, and the next tile to draw."""
        live, dead = set(wall.live_places), set(wall.dead_places)
        marks = {wall.next_place: theme.GOLD, wall.replacement_place: theme.MELD}
        stacks: dict[tuple[int, int], list[WallPlace]] = {}
        for place in wall.order:
            stacks.setdefault((place.side, place.stack), []).append(place)
        for places in stacks.values():
            standing = [place for place in places if place in live or place in dead]
            if standing:
                colour = theme.LINE if standing[0] in dead else theme.IVORY_DIM
                colour = next((marks[place] for place in standing if place in marks), colour)
                self._draw_stack(wall, standing[0], bottom, colour, is_low=len(standing) == 1)
        self._draw_break(wall, bottom)

    def _draw_stack(
        self, wall: Wall, place: WallPlace, bottom: int, colour: theme.Colour, *, is_low: bool
    ) -> None:
        x, y, width, height = self._place_stack(wall, place, bottom)
        if is_low:
            width, height = (width / 2, height) if width < height else (width, height / 2)
        Color(*colour)
        Rounded(pos=(x - width / 2, y - height / 2), size=(width, height), radius=[min(width, height) * 0.3])

    def _place_stack(self, wall: Wall, place: WallPlace, bottom: int) -> tuple[float, float, float, float]:
        """Its middle and its size, px."""
        spot, t = wall.locate(place, bottom), self._tile
        along, towards = self._measure.turn(spot.direction)
        length, at = along + RIVER, towards + RIVER_GAP + RIVER + WALL_DEPTH / 2
        width, height = length * 2 / max(wall.stacks) * t * 0.88, WALL_STACK * t
        if spot.direction % 2:
            x, y = spot.x * at, spot.y * length
            return float(self.center_x + x * t), float(self.center_y + y * t), height, width
        x, y = spot.x * length, spot.y * at
        return float(self.center_x + x * t), float(self.center_y + y * t), width, height

    def _draw_break(self, wall: Wall, bottom: int) -> None:
        """A line across the wall before the stack from which the first tile was drawn."""
        x, y, width, height = self._place_stack(wall, wall.order[0], bottom)
        Color(*theme.LOSS)
        direction = wall.locate(wall.order[0], bottom).direction
        if direction % 2:
            edge = y + (height * 0.57 if direction == 1 else -height * 0.57)
            Line(points=[x - width * 0.7, edge, x + width * 0.7, edge], width=dp(1.5))
        else:
            edge = x + (width * 0.57 if direction == 0 else -width * 0.57)
            Line(points=[edge, y - height * 0.7, edge, y + height * 0.7], width=dp(1.5))

    def _draw_middle(self, view: BoardView) -> None:
        """The round, how many tiles are left, and the Fortune."""
        t, hand = self._tile, view.state.hand
        x, y = float(self.center_x), float(self.center_y)
        wide, high = (self._measure.across - 0.08) * t, (self._measure.up - 0.08) * t
        Color(*(theme.GOLD if view.sea else theme.FELT_EDGE))
        Rounded(pos=(x - wide, y - high), size=(wide * 2, high * 2), radius=[theme.RADIUS])
        inks = (theme.INK,) * 3 if view.sea else (theme.IVORY, theme.GOLD, theme.IVORY_DIM)
        fortune = hand.fortune if hand is not None and view.state.playing else None
        aside = wide * 0.4 if fortune else 0.0
        line = min(high * 0.44, 0.85 * t)
        lines = _fit_middle(view.round_words, wide * 1.9, line, bold=view.sea)
        most = _fit_all(lines, wide * 1.9, line, bold=view.sea)
        for at, each in enumerate(lines):
            low = y + high - line * (at + 0.6)
            draw_words(each, (x, low), (wide * 1.9, line), inks[0], bold=view.sea, most=most)
        middle = y - line * (len(lines) - 1) / 2  # of what the lines above and below leave
        room = min(high * 2 - line * (len(lines) + 1.2), high * 0.95)
        number = wide * 1.9 - aside * 2, min(room, wide * 1.2)
        draw_words(view.left, (x - aside, middle), number, inks[1], bold=True)
        abouts = (view.about,) if view.left else _fit_middle(view.about, wide * 1.9, line, bold=False)
        most = _fit_all(abouts, wide * 1.9, line, bold=False)
        for at, each in enumerate(reversed(abouts)):
            draw_words(each, (x, y - high + line * (at + 0.6)), (wide * 1.9, line), inks[2], most=most)
        if fortune is not None:
            Color(1, 1, 1, 1)
            tile = min(room * theme.TILE_ASPECT, wide * 0.9)
            low = middle - tile / theme.TILE_ASPECT / 2
            _draw_tile(fortune.code, x + wide * 0.1, low, tile, theme.GOLD)

    @property
    def _plate_width(self) -> float:
        """Of all plates: as wide as the longest of their lines asks for, as far as there is room."""
        plates = self._view.plates.values() if self._view else ()
        most = PLATE_PART_MAX * self._measure.half[0] * 2
        usual = min(max(PLATE_WIDTH * self._tile, PLATE_WIDTH_MIN), most)
        names = [measure_words(plate.name, self._name_size) for plate in plates]
        abouts = [measure_words(plate.below, self._name_size * ABOUT_SIZE) for plate in plates]
        widest = max((*names, *abouts), default=0.0)
        return float(max(usual, min(widest + theme.GAP * 2, most)))

    @property
    def _name_size(self) -> float:
        """Of the letters of a name in one line, px."""
        return self._measure.strip * 0.33

    def _place_plate(self, direction: int) -> tuple[float, float, float, float]:
        """Left, lower edge, width and height, px: at the left end of each side, as its player sees it."""
        across, up = self._measure.half
        width, height = self._plate_width, self._measure.strip - dp(2)
        left, right = self.center_x - across, self.center_x + across - width
        low, high = self.center_y - up, self.center_y + up - height
        x, y = ((left, low), (right, low), (right, high), (left, high))[direction]
        return float(x), float(y), width, height

    def _draw_plate(self, view: BoardView, seat: int, plate: Plate) -> None:
        """The name, in two lines if it is long, and the seat's facts below; the dealer's in two lines if they
        are long."""
        state = view.state
        x, y, width, height = self._place_plate((seat - view.bottom) % 4)
        turn = find_turn(state) == seat
        ink = theme.INK if turn else theme.IVORY
        Color(*(theme.GOLD if turn else theme.PANEL_RAISED))
        Rounded(pos=(x, y), size=(width, height), radius=[theme.RADIUS / 2])
        is_acting = seat == view.acting
        Color(*(theme.MELD if is_acting else theme.LINE))
        edge = RING if is_acting else theme.HAIRLINE
        SmoothLine(rounded_rectangle=(x, y, width, height, theme.RADIUS / 2), width=edge)
        wide = width - theme.GAP
        fits = measure_words(plate.name, self._name_size) <= wide
        lines = (plate.name,) if fits else split_name(plate.name)
        below = self._list_below(plate, wide, height) if fits else (plate.below,)
        high = height * (0.5 if fits and len(below) == 1 else 0.33)
        for at, line in enumerate(lines):
            middle = (x + width / 2, y + height * 0.98 - high * (at + 0.5))
            draw_words(line, middle, (wide, high), ink, bold=True, align="left")
        rest = (height - high * len(lines)) / len(below)
        for at, line in enumerate(reversed(below)):
            draw_words(line, (x + width / 2, y + rest * (at + 0.5)), (wide, rest * 0.95), ink, align="left")

    def _list_below(self, plate: Plate, wide: float, height: float) -> tuple[str, ...]:
        """The lines below a name of one line, as few as there can be in which nothing is cut."""
        fitting, _ = fit_words(plate.below, wide, height * 0.5 * 0.95)
        return (plate.below,) if fitting == plate.below else (plate.stands, plate.about)

    def _draw_frame(self) -> None:
        """Around the table: nobody overlooks it, and it covers nothing."""
        Color(*theme.GOLD)
        inside = self.x + FRAME / 2, self.y + FRAME / 2, self.width - FRAME, self.height - FRAME
        SmoothLine(rounded_rectangle=(*inside, theme.RADIUS), width=FRAME / 2)


def find_landing(before: BoardView, view: BoardView) -> int | None:
    """The seat whose discard is the only one that is new; None without one."""
    was, hand = before.state.hand, view.state.hand
    if was is None or hand is None or was.deal != hand.deal or before.state.names != view.state.names:
        return None
    more = [
        seat
        for seat, (old, new) in enumerate(zip(was.players, hand.players, strict=True))
        if len(new.discards) > len(old.discards)
    ]
    is_one = len(more) == 1 and len(hand.players[more[0]].discards) == len(was.players[more[0]].discards) + 1
    return more[0] if is_one else None


def list_payments(was: State, state: State) -> list[tuple[int, int, str]]:
    """What was paid for the hand that has just ended: the payer's seat, the winner's, and the points. Only
    where one player got them all."""
    if state.playing or state.hands <= was.hands or was.names != state.names:
        return []
    changes = {seat: state.balances[seat] - was.balances[seat] for seat in state.house.seats}
    winners = [seat for seat, change in changes.items() if change > 0]
    if len(winners) != 1:
        return []
    return [(seat, winners[0], write_number(-change)) for seat, change in changes.items() if change < 0]


def draw_payment(points: str, place: tuple[float, float], high: float) -> Translate:
    """Draw points as high as that around that place, px; returns what shifts them."""
    wide = max(measure_words(points, high * 0.78) + theme.GAP * 2, high * 1.5)
    PushMatrix()
    shift = Translate()
    Color(*theme.GOLD)
    Rounded(pos=(place[0] - wide / 2, place[1] - high / 2), size=(wide, high), radius=[high / 2])
    draw_words(points, place, (wide, high), theme.INK, bold=True)
    PopMatrix()
    return shift


def _fit_middle(text: str, width: float, height: float, *, bold: bool) -> tuple[str, ...]:
    """In one line, or in two where one would be cut."""
    return (text,) if fit_words(text, width, height, bold=bold)[0] == text else split_name(text)


def _fit_all(lines: Sequence[str], width: float, height: float, *, bold: bool) -> int:
    """The size of letters, px, in which the longest of the lines has room."""
    return min((fit_words(each, width, height, bold=bold)[1] for each in lines if each), default=1)


def _draw_tile(code: str, x: float, y: float, width: float, ring: Sequence[float] | None = None) -> None:
    size = (width, width / theme.TILE_ASPECT)
    Color(1, 1, 1, 1)
    Rectangle(texture=tile_texture(code), pos=(x, y), size=size)
    if ring:
        Color(*ring)
        SmoothLine(rounded_rectangle=(x, y, *size, width * 0.1), width=RING)
