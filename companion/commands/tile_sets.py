"""`companion learn-set`: teach the program a set of tiles; list and delete learned sets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from companion.commands.inputs import AsJson
from companion.commands.output import console, print_json
from companion.config import models_dir
from companion.errors import InputError
from companion.foreign_text import escape
from companion.tiles import BACK, KINDS, UNKNOWN, Tile, format_tiles, parse_tiles

if TYPE_CHECKING:
    from companion.vision import Reading, Recogniser, TileReading
    from companion.vision.learned import Example, LearnedSet


def show_set(name: str, as_json: bool) -> None:
    """Print what the set has learned. Raises InputError."""
    from companion.vision.learned import name_photo

    learned = _load(name)
    kinds = {code: [each for each in learned.examples if each.code == code] for code in learned.kinds}
    missing = [kind for kind in KINDS if kind.code not in kinds]
    if as_json:
        print_json(
            {
                "name": name,
                "lessons": learned.lessons,
                "kinds": [_kind_json(code, examples) for code, examples in kinds.items()],
                "two_designs": list(learned.with_two_designs),
                "missing": [kind.code for kind in missing],
            }
        )
        return
    out = console()
    lessons = "1 lesson" if learned.lessons == 1 else f"{learned.lessons} lessons"
    out.print(f"{name}: {len(kinds)} kinds from {len(learned.examples)} tiles, in {lessons}")
    for code, examples in kinds.items():
        photos = Counter(str(name_photo(each.source)) for each in examples)
        seen = ", ".join(f"{photo} ({count})" if count > 1 else photo for photo, count in photos.items())
        designs = learned.designs[code]
        out.print(f"  {code}: {seen}" + (f"; {designs} designs" if designs > 1 else ""), highlight=False)
    if missing:
        out.print(f"  not taught: {format_tiles(missing)}", highlight=False)


def undo_lesson(name: str, as_json: bool) -> None:
    """Take the set's last lesson back. Where it had no other one, the set that it replaced is there again, or
    it is forgotten. Raises InputError."""
    from companion.vision import set_files
    from companion.vision.teaching import take_lesson_back

    learned = _load(name)
    earlier = take_lesson_back(learned)
    if earlier:
        set_files.save(earlier)
    else:
        set_files.delete(name)
    restored = earlier is not None and earlier is learned.replaced
    kinds = earlier.kinds if earlier else ()
    if as_json:
        print_json({"name": name, "deleted": earlier is None, "restored": restored, "kinds": list(kinds)})
    elif earlier:
        taught = format_tiles([Tile.parse(code) for code in kinds])
        said = (
            f"The set that {name} replaced is back"
            if restored
            else f"The last lesson of {name} is taken back"
        )
        console().print(f"{said}: it knows {taught}.", highlight=False)
    else:
        console().print(f"The only lesson of {name} is taken back: {name} is forgotten.", highlight=False)


def _load(name: str) -> LearnedSet:
    from companion.vision import set_files
    from companion.vision.networks import load_manifest

    return set_files.load(name, load_manifest(models_dir()).reader.sha256)


def _kind_json(code: str, examples: list[Example]) -> dict[str, Any]:
    return {
        "kind": code,
        "designs": 1 + max(each.design for each in examples),
        "examples": [
            {
                "photo": each.source.photo_number if each.source else None,
                "lesson": each.source.lesson + 1 if each.source else None,
                "design": each.design + 1,
            }
            for each in examples
        ],
    }


STANDARD, ANY = "standard", "any"

NOT_IN_ORDER = (
    "{tiles} tiles were read, and the order has {wanted}: lay out {order}, or give --order any and correct"
    " what is read with --fix N=TILE."
)
OTHER_ORDER = (
    "The tiles are not in the given order: tile {tile} was read as {read} instead of {given}. Rows are read"
    " from top to bottom, each from left to right; --order any takes the tiles as they are read."
)
EXCHANGED = (
    "Tiles {tiles} seem to have changed places: they were read as {read}, and the order has {given} there."
    " Rearrange them, or name them: {fixes} if they swapped places, {kept} if not."
)
UNREAD = (
    "Not read with certainty: {tiles}; say what they are with --fix N=TILE, or leave them out with --fix N=."
)


def learn_set(
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="Name of the set.")] = None,
    photos: Annotated[
        list[Path] | None, typer.Argument(metavar="PHOTO...", help="Photos of its tiles.")
    ] = None,
    order: Annotated[
        str | None,
        typer.Option(
            metavar="ORDER",
            help="standard: 1m to 9m, 1p to 9p, 1s to 9s, 1z to 7z, then 1f to 8f if there are; or tiles as"
            " 19m19p; or any: as they are read, which is usual with --add.",
        ),
    ] = None,
    fix: Annotated[
        list[str] | None,
        typer.Option(
            metavar="N=TILE",
            help="Tile number N is TILE (5=3m), or is left out (5=); may be repeated. The numbers are those"
            " that are printed here: with --add the set itself is read with, and may find other tiles.",
        ),
    ] = None,
    add: Annotated[
        bool, typer.Option("--add", help="Add to what the set NAME has learned, instead of learning it anew.")
    ] = False,
    show: Annotated[
        bool, typer.Option("--show", help="Show what the set NAME has learned, kind by kind.")
    ] = False,
    undo: Annotated[
        bool,
        typer.Option("--undo", help="Undo the last lesson of the set NAME, or its replacement."),
    ] = False,
    list_sets: Annotated[bool, typer.Option("--list", help="List the learned sets.")] = False,
    delete: Annotated[bool, typer.Option("--delete", help="Forget the set NAME.")] = False,
    as_json: AsJson = False,
) -> None:
    """Learn a set of tiles from photos, for --set NAME of read and score-photo.

    Lay out one of each kind, rows from top to bottom, each from left to right; each photo shows all of them,
    or the photos together do. Tiles are numbered from 1 through all photos. For example:
    companion learn-set home table.jpg, and then companion read --set home hand.jpg

    Four kinds are enough to begin with: companion learn-set home hand.jpg --order any --fix 5=1s learns a
    hand as it is read, but for tile 5. With --add the next hands add to that.
    """
    asked = [flag for flag, given in (("--delete", delete), ("--show", show), ("--undo", undo)) if given]
    if list_sets:
        if name or photos or delete:
            raise InputError("--list lists all sets: give nothing else with it but --json.")
        _list_sets(as_json)
    elif name is None:
        raise InputError("The name of the set is missing: companion learn-set NAME PHOTO…, or --list.")
    elif len(asked) > 1 or (asked and add):
        raise InputError("{flags}: give one of them.", flags=" ".join([*asked, *["--add"] * add]))
    elif asked:
        if photos:
            raise InputError("{flag} looks at a set: give no photos with it.", flag=asked[0])
        {"--delete": _delete_set, "--show": show_set, "--undo": undo_lesson}[asked[0]](name, as_json)
    elif not photos:
        raise InputError("The photos are missing: companion learn-set NAME PHOTO….")
    else:
        _learn(name, photos, order or (ANY if add else STANDARD), fix or [], add=add, as_json=as_json)


def load_named_set(name: str | None, recogniser: Recogniser) -> LearnedSet | None:
    """The learned set that --set names. Raises InputError."""
    from companion.vision import set_files

    return None if name is None else set_files.load(name, recogniser.reader.id)


def _learn(
    name: str, photos: Sequence[Path], order: str, fix: Sequence[str], *, add: bool, as_json: bool
) -> None:
    from companion.photo_hand.from_reading import parse_fixes
    from companion.vision import load_picture, load_recogniser, set_files
    from companion.vision.teaching import Lesson, learn, put_in_place_of

    set_files.FILES.check_write(name)
    wanted = None if order in (STANDARD, ANY) else parse_tiles(order)
    recogniser = load_recogniser()
    before = set_files.load(name, recogniser.reader.id) if add else None
    pictures = [load_picture(photo) for photo in photos]
    readings = [recogniser.read(picture, tile_set=before) for picture in pictures]
    for photo, reading in zip(photos, readings, strict=True):
        if not reading.tiles:
            raise InputError("No tiles were found in '{image}': take it from closer, in focus.", image=photo)
    if not as_json:
        _show(photos, readings)
    fixes = parse_fixes(fix, sum(len(reading.tiles) for reading in readings))
    given = _take_as_read(readings, fixes) if order == ANY else _put_in_order(readings, fixes, wanted)
    kinds = iter(given)
    lessons = [
        Lesson(picture, reading, tuple(next(kinds) for _ in reading.tiles))
        for picture, reading in zip(pictures, readings, strict=True)
    ]
    learned = learn(recogniser.reader, name, lessons, before)
    replaced = not add and set_files.path_of(name).exists()
    if replaced:
        learned = put_in_place_of(set_files.load_usable(name, recogniser.reader.id), learned)
    path = set_files.save(learned)
    taught = [Tile.parse(code) for code in learned.kinds]
    missing = [kind for kind in KINDS if kind not in taught]
    if as_json:
        print_json(
            {
                "name": name,
                "file": str(path),
                "kinds": list(learned.kinds),
                "replaced": replaced,
                "added": add,
                "two_designs": list(learned.with_two_designs),
                "missing": [kind.code for kind in missing],
                "tiles": _readings_json(readings, given),
            }
        )
        return
    out = console()
    out.print(f"{name}: {len(taught)} kinds learned from {len(learned.examples)} tiles, for --set {name}.")
    if replaced:
        back = f"; learn-set {name} --undo brings it back" if learned.replaced else ""
        out.print(f"  the set that had this name is replaced{back}", highlight=False)
    if missing:
        out.print(f"  not among them: {format_tiles(missing)}")
    if learned.with_two_designs:
        out.print(f"  in two designs: {' '.join(learned.with_two_designs)}")
    otherwise = [
        f"  tile {each['tile']} was read as {each['read']} and taught as {each['kind']}"
        for each in _readings_json(readings, given)
        if each["kind"] is not None and each["read"] not in (each["kind"], UNKNOWN)
    ]
    if otherwise:
        out.print("\n".join(otherwise))
        out.print(f"  Is that a slip? learn-set {name} --undo takes the lesson back.")


def _show(photos: Sequence[Path], readings: Sequence[Reading]) -> None:
    """What was read, each row with the number of its first tile."""
    out = console()
    number = 1
    for photo, reading in zip(photos, readings, strict=True):
        out.print(f"{escape(str(photo))}: {len(reading.tiles)} tiles", style="bold")
        for row in reading.rows:
            codes = " ".join(reading.tiles[index].code for index in row)
            out.print(f"  {number}: {codes}")
            number += len(row)


def _readings_json(readings: Sequence[Reading], given: Sequence[Tile | None]) -> list[dict[str, Any]]:
    tiles = [tile for reading in readings for tile in reading.tiles]
    return [
        {"tile": number, "read": tile.code, "kind": kind.code if kind else None}
        for number, (tile, kind) in enumerate(zip(tiles, given, strict=True), start=1)
    ]


def _take_as_read(readings: Sequence[Reading], fixes: Mapping[int, Tile | None]) -> list[Tile | None]:
    """Every tile as it was read or corrected; backs are left out. Raises InputError for a doubtful one."""
    given: list[Tile | None] = []
    doubtful: list[tuple[int, str]] = []
    for number, tile in enumerate((tile for reading in readings for tile in reading.tiles), start=1):
        if number in fixes or tile.code == BACK:
            given.append(fixes.get(number))
            continue
        if tile.is_unsure:
            doubtful.append((number, tile.code))
        given.append(None if tile.code == UNKNOWN else Tile.parse(tile.code))
    if doubtful:
        raise InputError(UNREAD, tiles=", ".join(f"tile {number} ({code})" for number, code in doubtful))
    return given


def _put_in_order(
    readings: Sequence[Reading], fixes: Mapping[int, Tile | None], wanted: Sequence[Tile] | None
) -> list[Tile | None]:
    """The tiles of each photo, or of all together, by the given order; corrections come before the order."""
    from companion.vision.teaching import ORDERS, place_kinds

    tiles = [tile for reading in readings for tile in reading.tiles]
    numbered = iter(range(1, 1 + len(tiles)))
    photos = [_drop_left_out([next(numbered) for _ in reading.tiles], fixes) for reading in readings]
    kept = [number for photo in photos for number in photo]
    sure = {number for number, tile in enumerate(tiles, start=1) if _is_sure(tile) and number not in fixes}
    read = [[tiles[number - 1].code if number in sure else None for number in photo] for photo in photos]
    kinds = place_kinds(read, ORDERS if wanted is None else (wanted,))
    if kinds is None:
        order = "1m to 9m, 1p to 9p, 1s to 9s, 1z to 7z and the flowers" if wanted is None else "all of them"
        sizes = "34 or 42" if wanted is None else len(wanted)
        raise InputError(NOT_IN_ORDER, tiles=len(kept), wanted=sizes, order=order)
    given: dict[int, Tile | None] = {**dict(zip(kept, kinds, strict=True)), **fixes}
    result = [given[number] for number in range(1, 1 + len(tiles))]
    _check_order(tiles, result, fixes)
    return result


def _is_sure(tile: TileReading) -> bool:
    """Whether its face was read with certainty."""
    return not tile.is_unsure and tile.code != BACK


def _drop_left_out(numbers: Sequence[int], fixes: Mapping[int, Tile | None]) -> list[int]:
    return [number for number in numbers if number not in fixes or fixes[number] is not None]


def _check_order(
    tiles: Sequence[TileReading], given: Sequence[Tile | None], fixes: Mapping[int, Tile | None]
) -> None:
    from companion.vision.teaching import find_exchanged, is_contradicted

    sure = [
        (number, tile.code, kind.code)
        for number, (tile, kind) in enumerate(zip(tiles, given, strict=True), start=1)
        if kind is not None and number not in fixes and _is_sure(tile)
    ]
    if is_contradicted([(read, kind) for _, read, kind in sure]):
        number, read, kind = next(each for each in sure if each[1] != each[2])
        raise InputError(OTHER_ORDER, tile=number, read=read, given=kind)
    if exchanged := [sure[at] for at in find_exchanged([(read, kind) for _, read, kind in sure])]:
        numbers, reads, kinds = ([str(each) for each in column] for column in zip(*exchanged, strict=True))
        raise InputError(
            EXCHANGED,
            tiles=", ".join(numbers),
            read=", ".join(reads),
            given=", ".join(kinds),
            fixes=" ".join(f"--fix {number}={read}" for number, read in zip(numbers, reads, strict=True)),
            kept=" ".join(f"--fix {number}={kind}" for number, kind in zip(numbers, kinds, strict=True)),
        )


def _list_sets(as_json: bool) -> None:
    from companion.vision import set_files
    from companion.vision.networks import load_manifest

    reader = load_manifest(models_dir()).reader.sha256
    entries: list[dict[str, Any]] = []
    for name in set_files.names():
        try:
            learned = set_files.load(name, reader)
            entries.append({"name": name, "kinds": list(learned.kinds), "tiles": len(learned.examples)})
        except InputError as problem:
            entries.append({"name": name, "error": str(problem)})
    if as_json:
        print_json(entries)
        return
    out = console()
    for entry in entries:
        given = entry.get("error") or f"{len(entry['kinds'])} kinds from {entry['tiles']} tiles"
        out.print(f"{entry['name']}: {given}")
    if not entries:
        out.print("No tile set has been learned yet: companion learn-set NAME PHOTO… learns one.")


def _delete_set(name: str, as_json: bool) -> None:
    from companion.vision import set_files

    set_files.delete(name)
    if as_json:
        print_json({"name": name, "deleted": True})
    else:
        console().print(f"{name} is forgotten.")
