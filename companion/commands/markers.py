"""`companion markers`: a sheet with the four markers that show a camera where the table is."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from companion.commands.output import print_json, print_line
from companion.errors import InputError
from companion.files import write_whole
from companion.named_files import writing

if TYPE_CHECKING:
    from PIL.Image import Image

A4_MM = (210.0, 297.0)
DOTS_A_MM = 300 / 25.4
LEFT_MM, TOP_MM = 15.0, 42.0
"""Of the first card on the sheet."""
HEADING = "Markers for the table's corners · 桌角標記"
INSTRUCTION = (
    "Print this sheet at 100%, cut the cards out along the lines, and lay them into the table's corners:",
    "card 0 at the left of the player at the lower edge of the picture, the others counterclockwise, each",
    "so that the player at whose left it lies can read its number.",
)
"""One sentence, in lines."""
SIZES = (
    "Each card is {card:g} × {card:g} mm, each black square {marker:g} × {marker:g} mm: its middle lies"
    " {middle:g} mm from two edges of the table."
)
NO_SUFFIX = "--out '{file}': the markers are written as a PDF, so the name must end in .pdf."
FILE_THERE = "'{file}' exists already: choose another name."


def markers(
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="The PDF to write.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Make a sheet of four markers to print, cut out and place in the table's corners."""
    if out.suffix.lower() != ".pdf":
        raise InputError(NO_SUFFIX, file=out)
    if out.exists():
        raise InputError(FILE_THERE, file=out)
    content = BytesIO()
    draw_sheet().save(content, "PDF", resolution=300.0, quality=95)
    with writing(out):
        write_whole(out, content.getvalue())
    if as_json:
        print_json({"file": str(out)})
    else:
        print_line(f"{out}: print it on A4, at 100%.")


def draw_sheet() -> Image:
    """The sheet, A4 at 300 dots an inch."""
    from PIL import Image, ImageDraw, ImageFont

    from companion.art import font_path
    from companion.seeing.markers import CARD_MM, MARKER_MM, MIDDLE_MM, draw_marker

    def px(mm: float) -> int:
        return round(mm * DOTS_A_MM)

    def letters(mm: float) -> ImageFont.FreeTypeFont:
        return ImageFont.truetype(str(font_path()), px(mm))

    sheet = Image.new("L", (px(A4_MM[0]), px(A4_MM[1])), 255)
    draw = ImageDraw.Draw(sheet)
    draw.text((px(LEFT_MM), px(10)), HEADING, fill=0, font=letters(6.0))
    for line, text in enumerate(INSTRUCTION):
        draw.text((px(LEFT_MM), px(20 + 5 * line)), text, fill=0, font=letters(3.8))
    sizes = SIZES.format(card=CARD_MM, marker=MARKER_MM, middle=MIDDLE_MM)
    draw.text((px(LEFT_MM), px(36)), sizes, fill=0, font=letters(3.0))
    for number in range(4):
        left, top = LEFT_MM + CARD_MM * (number % 2), TOP_MM + CARD_MM * (number // 2)
        draw.rectangle((px(left), px(top), px(left + CARD_MM), px(top + CARD_MM)), outline=160, width=2)
        side, border = px(MARKER_MM), (CARD_MM - MARKER_MM) / 2
        sheet.paste(Image.fromarray(draw_marker(number, side)), (px(left + border), px(top + border)))
        name = f"{number} · {MARKER_MM:g} mm"
        draw.text((px(left + border), px(top + CARD_MM - 8)), name, fill=0, font=letters(4.0))
    return sheet
