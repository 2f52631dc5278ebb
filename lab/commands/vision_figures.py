"""The figures of `companion bench vision` for people: a table with a row for each group of photos."""

from __future__ import annotations

from typing import Any

from companion.commands.output import console

Json = dict[str, Any]
COLUMNS = ("faces", "backs", "precision", "of backs", "silent", "exact", "none")
WARNINGS = {
    "test": "A test split: it is read once a release (--release logs it), and nothing is chosen by it.",
    None: "In no list of splits: lab/bench/splits.py says what a split may be used for.",
}


def show_accuracy(figures: Json) -> None:
    """Prints what `reading_accuracy.bench` returned."""
    from rich import box
    from rich.table import Table

    out = console()
    title = f"{figures['split']}: {figures['role'] or 'no role'}, {figures['photos']} photos"
    if taught := figures["taught"]:
        title += f", {taught['kinds']} kinds learned from {' and '.join(taught['photos'])}"
    table = Table(title=title, box=box.SIMPLE_HEAD, collapse_padding=True)
    table.add_column("group", no_wrap=True)
    for heading in COLUMNS:
        table.add_column(heading, justify="right", no_wrap=True)
    groups = figures["groups"]
    for group, shares in groups.items() if len(groups) > 1 else ():
        table.add_row(group, *_list_cells(shares))
    table.add_section()
    table.add_row("all", *_list_cells(figures))
    out.print(table)
    out.print(
        "faces, backs: found and named right; silent: named wrong; none: nothing found where no tile is"
    )
    if figures["confusions"]:
        pairs = (f"{wanted} → {read} {count}" for wanted, read, count in figures["confusions"])
        out.print(f"Most frequent confusions (wanted → read, times): {', '.join(pairs)}")
    if figures["calibration_error"] is not None:
        out.print(f"Calibration error: {figures['calibration_error']}")
    if figures["outlines"]["tiles"]:
        out.print(f"Overlap of outlines, median: {figures['outlines']['iou_median']}")
    stages = ", ".join(f"{stage} {ms} ms" for stage, ms in figures["ms_median"].items())
    out.print(f"A photo, median: {stages}; memory at most {figures['peak_memory_mb']} MB")
    if figures["role"] in WARNINGS:
        out.print(WARNINGS[figures["role"]])


def _list_cells(shares: Json) -> list[str]:
    faces, backs = shares["faces"], shares["backs"]
    return [
        _count(faces["end_to_end"]),
        _count(backs["end_to_end"]),
        _format_share(shares["precision"]),
        _format_share(backs["precision"]),
        _format_share(shares["silent_errors"]),
        _count(shares["exact_photos"]),
        _count(shares["nothing_found"]),
    ]


def _count(share: Json) -> str:
    return f"{share['right']}/{share['of']}" if share["of"] else "–"


def _format_share(share: Json) -> str:
    return f"{100 * share['value']:.1f}%" if share["of"] else "–"
