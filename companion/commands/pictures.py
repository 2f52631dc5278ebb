"""`companion read` and `score-photo`: the commands that read pictures."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from companion.commands import described
from companion.commands.inputs import AsJson
from companion.commands.output import (
    console,
    print_json,
    print_message,
    show_score,
    show_suggested_stakes,
)
from companion.commands.scoring import NoAlternatives, takes_win
from companion.commands.tile_sets import load_named_set
from companion.errors import InputError, PictureError, RequestError
from companion.files import write_whole
from companion.foreign_text import escape, show
from companion.named_files import writing

if TYPE_CHECKING:
    from companion.images import Image
    from companion.photo_hand.which_hand import FoundHand
    from companion.rules import ScoreQuestion
    from companion.tiles import Tile
    from companion.vision import Reading

TileSetName = Annotated[
    str | None, typer.Option("--set", metavar="NAME", help="A tile set that was learned: see learn-set.")
]

WORTH_NAMING = 0.01  # probability of what a doubtful tile may be instead
OF_TILES = ("hand", "melds", "flowers", "winning_tile")
"""Fields of a request that are read from a picture."""
NO_TILES = (
    "No tiles were found in '{image}': take it again, in focus, with the whole hand large in it and some of"
    " the table around it."
)


def read(
    images: Annotated[list[Path], typer.Argument(metavar="IMAGE...", help="Pictures of tiles.")],
    rules: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Read only the tiles and copies that this rule set has."),
    ] = None,
    tile_set: TileSetName = None,
    annotate: Annotated[
        Path | None,
        typer.Option(
            metavar="OUT.png",
            help="Draw what was read, with numbers; several pictures become OUT-1.png, OUT-2.png …",
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Read the tiles of pictures."""
    from companion.photo_hand import from_reading as photo_hand

    if rules is not None:
        rules = described.find_rules_name(rules)
    drawings = _drawings(annotate, images) if annotate is not None else ()

    from companion.vision import load_recogniser, reading_json

    recogniser = load_recogniser()
    learned = load_named_set(tile_set, recogniser)
    entries: list[dict[str, Any]] = []
    are_all_read = True
    for at, image in enumerate(images):
        try:
            reading = recogniser.read_file(image, rules=rules, tile_set=learned, may_be_cut=True)
        except PictureError as error:
            are_all_read = False
            print_message(str(error))
            named = str(image) if os.path.exists(image) else show(image)  # an address is no picture
            entries.append({"image": named, "error": show(error)})
            continue
        hand = photo_hand.hand_in(reading, rules)
        entries.append(reading_json(str(image), reading) | {"hand": photo_hand.hand_json(hand)})
        if drawings:
            write_annotated(image, reading, drawings[at])
        if not as_json:
            show_reading(str(image), reading, hand, photo_hand.unsure(reading))
    if as_json:
        print_json(entries)
    if not are_all_read:
        raise typer.Exit(PictureError.exit_status)


def show_reading(
    image: str,
    reading: Reading,
    hand: FoundHand,
    unsure: Sequence[dict[str, Any]],
    fixes: Mapping[int, Tile | None] | None = None,
) -> None:
    """What was read in one picture, for people: the rows, which tiles are the hand where not all are it, then
    the tiles to check. fixes: what tiles of the hand really are, by number; None removes one."""
    from companion.photo_hand.from_reading import ADVICE, WARNINGS
    from companion.tiles import UNKNOWN
    from companion.vision import row_notation

    out = console()
    if not reading.tiles:
        out.print(NO_TILES.format(image=escape(image)))
        return
    out.print(f"{escape(image)}: {_count(reading.tiles)} in {reading.ms['total']:.0f} ms", style="bold")
    for warning in reading.warnings:
        out.print(f"  {WARNINGS[warning]}", style="yellow")
    for row in row_notation(reading):
        out.print(f"  {row}")
    show_hand(reading, hand, fixes or {})
    places = [(row, at + 1) for row, tiles in enumerate(reading.rows, 1) for at in range(len(tiles))]
    for each in unsure:
        row, place = places[each["tile"] - 1]
        where = f" (row {row}, tile {place})" if len(reading.rows) > 1 else ""
        first, *others = each["alternatives"]
        guesses = ", ".join(
            f"{code} {p:.0%}" for code, p in (first, *(other for other in others if other[1] >= WORTH_NAMING))
        )
        if each["code"] == UNKNOWN:
            out.print(f"  tile {each['tile']}{where} was not read: perhaps {guesses}")
        else:
            out.print(f"  not sure of tile {each['tile']}{where}: {guesses}")
    for advice in reading.advice:
        out.print(f"  {ADVICE[advice]}")


def show_hand(reading: Reading, hand: FoundHand, fixes: Mapping[int, Tile | None]) -> None:
    """Which tiles are the hand, its melds and the winning tile, where that is not all of them in one row."""
    from companion.photo_hand.which_hand import ASK_BELOW_P, WINNING_P
    from companion.vision.reading import write_codes

    out = console()
    fixed = {number - 1: kind.code if kind else "" for number, kind in fixes.items()}
    codes = [fixed.get(at, tile.code) for at, tile in enumerate(reading.tiles)]
    apart = hand.winning is not None and hand.winning_p >= WINNING_P
    if hand.concealed and (hand.melds or hand.others or hand.flowers or apart):
        melds = "".join(f", {meld.kind.value}:{write_codes(meld.codes)}" for meld in hand.melds)
        won = codes[hand.winning] if apart and hand.winning is not None else ""
        wins = f", winning tile {won}" if won else ""
        rest = f", {_count(hand.others)} not counted" if hand.others else ""
        concealed = write_codes([codes[tile] for tile in hand.concealed if codes[tile]])
        set_out = [codes[tile] for tile in hand.flowers if codes[tile]]
        flowers = f", {write_codes(set_out)}" if set_out else ""
        sure = "not sure" if hand.concealed_p < ASK_BELOW_P else f"{hand.concealed_p:.0%}"
        out.print(f"  the hand ({sure}): {concealed}{melds}{wins}{flowers}{rest}")
    if hand.others and hand.concealed_p < ASK_BELOW_P:
        out.print("  not sure which tiles are the hand: say it with score-photo --only")
    elif hand.concealed and hand.flowers_p < ASK_BELOW_P:
        out.print("  not sure which flowers are of the hand: say it with score-photo --only")


def _count(tiles: Sequence[object]) -> str:
    return "1 tile" if len(tiles) == 1 else f"{len(tiles)} tiles"


def write_annotated(image: Path, reading: Reading, out: Path) -> None:
    """Write the picture with what was read drawn over it. Raises InputError, MissingError if the file
    cannot be written."""
    from companion.vision import annotate
    from companion.vision.pictures import load_photo

    write_picture(out, annotate(load_photo(image, may_be_cut=True).pixels, reading))


def write_picture(out: Path, image: Image) -> None:
    """Write the picture in the format that the name ends in. Raises as `write_annotated` does."""
    import cv2

    with writing(out):
        done, content = cv2.imencode(out.suffix, image)
        if not done:
            raise OSError
        write_whole(out, content.tobytes())


def _drawings(out: Path, images: Sequence[Path]) -> tuple[Path, ...]:
    """The files that are drawn for pictures, numbered if there are several. Raises InputError."""
    import cv2

    if not cv2.haveImageWriter(str(out)):
        raise InputError("'{file}' cannot be written as a picture: use a name that ends in .png.", file=out)
    if not out.absolute().parent.is_dir():
        raise InputError("No folder '{folder}'. Make it first.", folder=out.parent)
    files = [out.with_stem(f"{out.stem}-{at + 1}") for at in range(len(images))] if len(images) > 1 else [out]
    own = {os.path.realpath(image) for image in images}
    if lost := next((file for file in files if os.path.realpath(file) in own), None):
        raise InputError("'{file}' is a picture to be read: draw into another file.", file=lost)
    return tuple(files)


@takes_win(without=("hand",))
def score_photo(
    *,
    image: Annotated[Path, typer.Argument(metavar="IMAGE", help="A picture of the winning hand.")],
    fix: Annotated[
        list[str] | None,
        typer.Option(
            metavar="N=TILE", help="Tile number N is TILE (5=3m), or is none (5=); may be repeated."
        ),
    ] = None,
    add: Annotated[
        str, typer.Option(metavar="TILES", help="Concealed tiles that the picture does not show.")
    ] = "",
    only: Annotated[
        str | None,
        typer.Option(metavar="NUMBERS", help="Only these tiles of the picture count: 7-20,24."),
    ] = None,
    no_melds: Annotated[
        bool,
        typer.Option(
            "--no-melds", help=("Count tiles that look like melds as concealed; --meld names the real melds.")
        ),
    ] = False,
    tile_set: TileSetName = None,
    win: dict[str, Any],
    no_alternatives: NoAlternatives = False,
    as_json: AsJson = False,
) -> None:
    """Read a picture of a winning hand and score it.

    The hand is the separate row with the melds next to it; discards and other hands do not count. --only
    chooses other tiles. The tiles of a --meld are removed from it. Tiles are numbered from 1 as they are
    read, rows top to bottom, left to right.
    """
    from companion.photo_hand import from_reading as photo_hand
    from companion.photo_hand.which_hand import ASK_BELOW_P

    request = described.request_from_flags(win)

    from companion.rules import answer_json, rule_set
    from companion.tiles import BACK
    from companion.vision import load_recogniser, reading_json

    recogniser = load_recogniser()
    learned = load_named_set(tile_set, recogniser)
    reading = recogniser.read_file(image, rules=request["rules"], tile_set=learned, may_be_cut=True)
    if not reading.tiles:
        raise InputError(NO_TILES, image=image)
    fixes = photo_hand.parse_fixes(fix or [], len(reading.tiles))
    doubtful = [each for each in photo_hand.unsure(reading) if each["tile"] not in fixes]
    counted = None if only is None else photo_hand.parse_only(only, reading)
    hand = photo_hand.hand_in(reading, request["rules"], request.get("options"), counted, open_melds=no_melds)
    asked = [each for each in doubtful if each["tile"] - 1 not in hand.others]
    if not as_json:
        show_reading(str(image), reading, hand, asked, fixes)
    by_flags = dict(request)
    copies = rule_set(request["rules"]).tile_set
    request |= photo_hand.hand_fields(reading, fixes, add, request, copies, counted, open_melds=no_melds)
    left_out = [tile for tile in hand.others if reading.tiles[tile].code != BACK]
    which = ""
    if counted is None and hand.concealed_p < ASK_BELOW_P:
        which = "The hand was not found with certainty: say with --only which tiles count."
    elif counted is None and left_out:
        which = "Other tiles of the picture did not count: name the tiles that do with --only."
    question = _decode_or_name_doubtful(request, by_flags, asked, which, alternatives=not no_alternatives)
    result = answer_json(question)
    if as_json:
        print_json(
            {
                "reading": reading_json(str(image), reading) | {"hand": photo_hand.hand_json(hand)},
                "unsure": doubtful,
                "request": request,
                "score": result,
            }
        )
    else:
        show_score(result, question.request)
        show_suggested_stakes(question.request, win["profile"])


def _decode_or_name_doubtful(
    request: dict[str, Any],
    by_flags: dict[str, Any],
    doubtful: Sequence[dict[str, Any]],
    which: str,
    *,
    alternatives: bool,
) -> ScoreQuestion:
    """The request, decoded; a refusal also names the tiles to check, in case nothing else is shown.

    by_flags: what of it was given by flags; doubtful: tiles that count and were not read surely; which: what
    to say of tiles that may be the hand as well, where tiles are refused; "" for nothing.
    """
    from companion.rules import decode_question

    try:
        with described.name_flags_in_errors(by_flags):
            return decode_question(request, alternatives=alternatives)
    except InputError as problem:
        refusal = problem if isinstance(problem, RequestError) else problem.__cause__
        if not isinstance(refusal, RequestError) or refusal.field not in OF_TILES:
            which = ""
        if not doubtful and not which:
            raise
        tiles = ", ".join(f"tile {each['tile']} ({each['code']})" for each in doubtful)
        what = "Not read with certainty: {tiles}; say what they are with --fix N=TILE."
        said = ["{problem}", which, what if doubtful else ""]
        raise InputError(" ".join(filter(None, said)), problem=problem, tiles=tiles) from problem
