"""`companion doctor --speed`: how the networks run quickest on this machine, used from then on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.commands.demo import PICTURE, RECORDED
from companion.commands.output import console, print_json
from companion.config import models_dir
from companion.errors import MissingError
from companion.named_files import NO_DATA_FOLDER

if TYPE_CHECKING:
    from companion.vision.quickest import Way

SECONDS = 25.0
"""How long ways are compared, after the first round; loading takes some more."""
TITLE = "Reading 14 tiles on {processor}"
CHOSEN = "From now on tiles are read in {numbers}, with threads: {threads}."


def measure_speed(as_json: bool) -> None:
    """Time the ways to run the networks, show them, and keep the quickest. Raises ModelError, and, once all
    is shown, MissingError where it cannot be kept."""
    from companion.vision import load_picture, quickest

    ways = quickest.list_ways(quickest.count_cores())
    took = quickest.measure(models_dir(), load_picture(RECORDED / PICTURE), ways, SECONDS)
    chosen = quickest.choose(took)
    processor = quickest.name_processor()
    if as_json:
        entries = [_entry(way) | {"ms": round(seconds * 1000, 1)} for way, seconds in took.items()]
        print_json({"processor": processor, "ways": entries, "chosen": _entry(chosen)})
    else:
        _show(processor, took, chosen)
    try:
        quickest.keep(chosen)
    except OSError as error:
        raise MissingError(NO_DATA_FOLDER, folder=error.filename, why=error.strerror) from error


def _entry(way: Way) -> dict[str, Any]:
    return {"threads": way.threads, "numbers": _name_numbers(way)}


def _name_numbers(way: Way) -> str:
    return "floats" if way.floats else "8 bits"


def _show(processor: str, took: dict[Way, float], chosen: Way) -> None:
    from rich.table import Table

    table = Table(title=TITLE.format(processor=processor))
    for heading in ("calculated in", "threads", "ms"):
        table.add_column(heading)
    for way, seconds in took.items():
        table.add_row(_name_numbers(way), str(way.threads), f"{seconds * 1000:.0f}")
    console().print(table)
    console().print(CHOSEN.format(numbers=_name_numbers(chosen), threads=chosen.threads))
