"""An evening as a picture to share: a PNG as wide as a phone's screen and at least as high. Totals, who pays
whom, the best hand with its tiles, every hand in a line.

The picture is a column of blocks; the height of each is known before anything is drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from io import BytesIO
from pathlib import Path
from unicodedata import normalize

from PIL import Image, ImageDraw, ImageFont

from companion.art import tile_png
from companion.art.font_choice import split_runs
from companion.money import describe_currency, format_money
from companion.rules import Source
from companion.sentences import msgid, write_number
from companion.sheets.figures import find_best_win
from companion.sheets.hands import Sheet, SheetHand, SheetWin
from companion.sheets.wording import (
    describe_hand,
    describe_penalties,
    describe_rules,
    describe_win,
    join_rows,
    list_transfers,
    name_evening,
    name_seated,
    write_points,
    write_worth,
)
from companion.table.settling import POINTS, Settlement, settle_up
from companion.tiles import BACK
from companion.words import Words

SIZE_PX = (1080, 1920)
"""Width, and the least height: the screen of a usual phone."""
MARGIN_PX, GAP_PX = 56, 28
ROOM_PX = SIZE_PX[0] - 2 * MARGIN_PX
TITLE_PX, LARGE_PX, TEXT_PX, SMALL_PX, LEAST_PX = 64, 48, 36, 28, 24
"""Sizes of letters. A phone shows LEAST_PX as 9 points."""
LINE_HEIGHT = 1.45
TILE_ASPECT = 0.75
TILE_PX_MAX, TILE_PX_LEAST = 74, 55
GROUP_GAP = 0.35
"""Between groups of tiles, in widths of a tile."""
COLUMNS_PX = (70, 280, 270)
"""Of a hand: its number, who won, on whose tile; the rest is for the value."""
HANDS_MAX = 120
"""The most hands that are listed: viewers refuse pictures that are much higher than 10,000 px."""
ELLIPSIS = "…"

Colour = tuple[int, int, int]
PAPER, BAND, LINE = (250, 247, 239), (20, 70, 54), (222, 216, 202)
INK, DIM, ON_BAND, DIM_ON_BAND, GAIN, LOSS = (
    (26, 32, 29), (104, 108, 100), (255, 252, 240), (206, 222, 212), (17, 106, 66), (170, 44, 34),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Block:
    """A part of the picture: its height in px, and what draws it below that y."""

    height: int
    draw: Callable[[Canvas, int], None]


class Canvas:
    """The picture while it is drawn."""

    def __init__(self, height: int) -> None:
        self.image = Image.new("RGB", (SIZE_PX[0], height), PAPER)
        self.pen = ImageDraw.Draw(self.image)

    def write(
        self,
        x: float,
        y: float,
        text: str,
        size: int,
        colour: Colour = INK,
        *,
        room: float,
        right: bool = False,
    ) -> None:
        """One line from x, or up to x, its letters centred in a line of that size below y: smaller where it
        has less room than it needs, and cut where the least size is too large."""
        middle = y + size * LINE_HEIGHT / 2
        text, size = fit(text, size, room)
        if right:
            x -= measure(text, size)
        for part, font in split_runs(text):
            letters = load_font(font, size)
            self.pen.text((x, middle), part, fill=colour, font=letters, anchor="lm")
            x += letters.getlength(part)

    def band(self, y: int, height: int, colour: Colour) -> None:
        self.pen.rectangle((0, y, SIZE_PX[0], y + height - 1), fill=colour)

    def line(self, y: int) -> None:
        self.pen.line((MARGIN_PX, y, SIZE_PX[0] - MARGIN_PX, y), fill=LINE, width=2)

    def tile(self, code: str, x: float, y: float, width: int) -> None:
        picture = load_tile(code, width)
        self.image.paste(picture, (round(x), round(y)), picture)


@cache
def load_font(path: Path, size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(str(path), size, layout_engine=ImageFont.Layout.BASIC)


@cache
def load_tile(code: str, width: int) -> Image.Image:
    with Image.open(tile_png(code)) as opened:
        return opened.convert("RGBA").resize((width, round(width / TILE_ASPECT)), Image.Resampling.LANCZOS)


def measure(text: str, size: int) -> float:
    """The width of a line of letters of that size, px."""
    return sum(load_font(font, size).getlength(part) for part, font in split_runs(text))


def fit(text: str, size: int, room: float) -> tuple[str, int]:
    """The text as one line of at most `room` px, and the size of its letters: at least LEAST_PX."""
    text = normalize("NFC", text)
    wide = measure(text, size)
    if wide <= room:
        return text, size
    size = max(LEAST_PX, int(size * room / wide))
    kept = text
    while kept and measure(text, size) > room:
        kept = kept[:-1]
        text = kept.rstrip() + ELLIPSIS
    return text, size


def encode_picture(sheet: Sheet, name: str, words: Words, day: date | None = None) -> bytes:
    """The evening as a PNG in that language, SIZE_PX or higher, headed by the day and the game's name."""
    names, settlement = name_seated(sheet, words), settle_up(sheet.state)
    blocks = [
        _make_head(sheet, name_evening(name, day), words),
        *_list_standings(sheet, settlement, names, words),
        *_list_settlement(_find_transfers(sheet), names, words),
        *_list_best(sheet, names, words),
        *_list_hands(sheet, names, words),
    ]
    height = sum(block.height for block in blocks) + MARGIN_PX
    canvas, y = Canvas(max(height, SIZE_PX[1])), 0
    for block in blocks:
        block.draw(canvas, y)
        y += block.height
    content = BytesIO()
    canvas.image.save(content, "PNG", optimize=True)
    return content.getvalue()


def _make_line(
    text: str, size: int, colour: Colour = INK, *, right: tuple[str, Colour] | None = None, x: int = MARGIN_PX
) -> Block:
    """A line of text; right: at the end of the line, which it leaves to the text as far as it can."""
    end = SIZE_PX[0] - MARGIN_PX

    def draw(canvas: Canvas, y: int) -> None:
        taken = 0.0
        if right is not None:
            taken = min(measure(right[0], size), ROOM_PX / 2) + GAP_PX
            canvas.write(end, y, right[0], size, right[1], room=ROOM_PX / 2, right=True)
        canvas.write(x, y, text, size, colour, room=end - x - taken)

    return Block(round(size * LINE_HEIGHT), draw)


def _make_gap(height: int = GAP_PX) -> Block:
    return Block(height, lambda canvas, y: None)


def _make_heading(text: str) -> list[Block]:
    """A rule, and below it what follows."""
    rule = Block(GAP_PX, lambda canvas, y: canvas.line(y))
    return [_make_gap(), rule, _make_line(text, SMALL_PX, DIM)]


def _make_head(sheet: Sheet, dated: Sequence[str], words: Words) -> Block:
    """The evening and its table, on a band of colour."""
    lines = [_make_line(" · ".join(dated), TITLE_PX, ON_BAND)]
    lines.append(_make_line(describe_rules(sheet, words), TEXT_PX, DIM_ON_BAND))
    currency = sheet.state.currency
    if currency is not None:
        lines.append(_make_line(words.say(describe_currency(currency)), TEXT_PX, DIM_ON_BAND))
    if not sheet.state.over:
        going_on = words(msgid("The game is not over: this is the current standing."))
        lines.append(_make_line(going_on, TEXT_PX, DIM_ON_BAND))
    height = sum(line.height for line in lines) + 2 * GAP_PX

    def draw(canvas: Canvas, y: int) -> None:
        canvas.band(y, height, BAND)
        y += GAP_PX
        for line in lines:
            line.draw(canvas, y)
            y += line.height

    return Block(height, draw)


def _list_standings(
    sheet: Sheet, settlement: Settlement | None, names: Sequence[str], words: Words
) -> list[Block]:
    """Everybody, the most points first: with money, that is what stands in large letters."""
    blocks = [_make_gap()]
    points = sheet.state.points
    for place, person in enumerate(sorted(sheet.people, key=lambda person: -points[person]), start=1):
        said, won = write_number(points[person]), points[person] - sheet.start[person]
        if settlement is not None:
            said, won = (
                format_money(settlement.amounts[person], settlement.currency),
                settlement.points[person],
            )
        colour = GAIN if won > 0 else LOSS if won < 0 else INK
        blocks.append(_make_line(f"{place}.  {names[person]}", LARGE_PX, right=(said, colour)))
        if settlement is not None:
            in_points = words(msgid("{count} points"), count=write_points(won))
            blocks.append(_make_line("", SMALL_PX, right=(in_points, DIM)))
    return blocks


def _find_transfers(sheet: Sheet) -> Settlement | None:
    """The settled game, in points if no currency is agreed; None for a practice game, which nobody pays."""
    state = sheet.state
    return settle_up(state, state.currency or POINTS) if state.house.practice is None else None


def _list_settlement(settlement: Settlement | None, names: Sequence[str], words: Words) -> list[Block]:
    """Who pays whom."""
    if settlement is None:
        return []
    transfers = list_transfers(settlement, names, words)
    heading = _make_heading(words(msgid("Settle up")))
    return [*heading, *(_make_line(said, LARGE_PX - 4) for said in transfers)]


def _list_best(sheet: Sheet, names: Sequence[str], words: Words) -> list[Block]:
    """The win that is worth most, with its tiles where they are known."""
    found = find_best_win(sheet)
    if found is None:
        return []
    _, win = found
    blocks = [
        *_make_heading(words(msgid("Best hand"))),
        _make_line(describe_win(win, names, words), TEXT_PX + 4),
    ]
    if any(code != BACK for group in (win.concealed, *win.melds) for code in group):
        blocks.append(_make_tiles(win))
    return [*blocks, _make_line(join_rows(win.score.lines, win.score.rules, words), SMALL_PX, DIM)]


def _make_tiles(win: SheetWin) -> Block:
    """The tiles in one row; in several where they would be small."""
    concealed = [win.concealed] if win.tile is None else [win.concealed[:-1], win.concealed[-1:]]
    groups = [group for group in (*concealed, *win.melds, win.flowers) if group]
    width = min(TILE_PX_MAX, int(ROOM_PX / _count_widths(groups)))
    rows = [groups]
    if width < TILE_PX_LEAST:
        width, rows = TILE_PX_LEAST, []
        for group in groups:
            if rows and _count_widths([*rows[-1], group]) * width <= ROOM_PX:
                rows[-1].append(group)
            else:
                rows.append([group])
    height = round(width / TILE_ASPECT) + GAP_PX // 4

    def draw(canvas: Canvas, y: int) -> None:
        for row in rows:
            x = float(MARGIN_PX)
            for group in row:
                for code in group:
                    canvas.tile(code, x, y + GAP_PX / 4, width - 2)
                    x += width
                x += GROUP_GAP * width
            y += height

    return Block(len(rows) * height + GAP_PX // 4, draw)


def _count_widths(groups: Sequence[Sequence[str]]) -> float:
    """How many tiles wide the groups are side by side."""
    return sum(map(len, groups)) + GROUP_GAP * (len(groups) - 1)


def _list_hands(sheet: Sheet, names: Sequence[str], words: Words) -> list[Block]:
    """A line for each win: who, on whose tile, the value; and one for each hand without."""
    hands = sheet.hands[-HANDS_MAX:]
    if not hands:
        return []
    is_all = len(hands) == len(sheet.hands)
    heading = words(msgid("Hands")) if is_all else words(msgid("The last {count} hands"), count=len(hands))
    heads = (words(msgid("Winner")), words(msgid("Discarder")), words(msgid("Value")))
    blocks = [*_make_heading(heading), _make_row(("", *heads), SMALL_PX, DIM)]
    for hand in hands:
        blocks += _list_hand(hand, names, words)
    return blocks


def _list_hand(hand: SheetHand, names: Sequence[str], words: Words) -> list[Block]:
    number, x = str(hand.number or ""), MARGIN_PX + COLUMNS_PX[0]
    if not hand.wins:
        return [_make_row((number, describe_hand(hand, names, words)), TEXT_PX, DIM)]
    rows = []
    for win in hand.wins:
        giver = "" if win.giver is None else names[win.giver]
        if win.source is Source.SELF_DRAW:
            giver = words(msgid("Self-draw"))
        worth = write_worth(win.score, words)
        rows.append(_make_row((number, names[win.winner], giver, worth), TEXT_PX))
        number = ""
    more = [_make_line(said, SMALL_PX, DIM, x=x) for said in describe_penalties(hand, names, words)]
    return [*rows, *more]


def _make_row(cells: Sequence[str], size: int, colour: Colour = INK) -> Block:
    """Cells below each other's heads; the last one has the rest of the line, the fourth ends with it."""
    end = SIZE_PX[0] - MARGIN_PX

    def draw(canvas: Canvas, y: int) -> None:
        x = MARGIN_PX
        for at, cell in enumerate(cells):
            is_last = at == len(cells) - 1
            room = end - x if is_last else COLUMNS_PX[at] - GAP_PX / 2
            is_value = at == len(COLUMNS_PX)
            canvas.write(end if is_value else x, y, cell, size, colour, room=room, right=is_value)
            x += 0 if is_last else COLUMNS_PX[at]

    return Block(round(size * LINE_HEIGHT), draw)
