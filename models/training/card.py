"""The tables of figures in MODEL_CARD.md, written from what `companion bench vision --json` printed.

python -m models.training.card dev-seen.json dev-unseen-set.json … > figures.md
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from models.training.arguments import require_files

ROWS = {
    "found": "found",
    "named_right_of_found": "named right, of found",
    "end_to_end": "found and named right",
    "right_in_place": "the same, labels' boxes taken loosely",
    "precision": "precision (where every tile is known)",
    "exact_photos": "exact photos (complete ones)",
    "silent_errors": "silent errors",
    "handed_to_person": "handed to the person as `?`",
    "nothing_found": "pictures without tiles in which nothing is found",
}
ROWS_OF_BACKS = {"end_to_end": "backs found and named", "precision": "precision of backs"}
CONFUSIONS = 8

Json = dict[str, Any]


def format_interval(share: Json) -> str:
    """A share with its 95% interval, in per cent."""
    if not share["of"]:
        return "–"
    value, low, high = (100 * share[key] for key in ("value", "low", "high"))
    return f"{value:.1f}% ({low:.1f}–{high:.1f})"


def format_share(share: Json) -> str:
    """A share in per cent."""
    return f"{100 * share['value']:.1f}%" if share["of"] else "–"


def format_counts(share: Json) -> str:
    """A share in per cent, with its counts."""
    return f"{format_share(share)} ({share['right']}/{share['of']})" if share["of"] else "–"


def format_table(heads: list[str], rows: list[list[str]]) -> str:
    """A table in Markdown."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def summarise(benches: list[Json]) -> str:
    """A table with a column for each result of the benchmark."""
    named = [
        bench["split"] + (f", learned from {len(bench['taught']['photos'])}" if bench["taught"] else "")
        for bench in benches
    ]
    rows = [["photos, labelled tiles", *(f"{b['photos']}, {b['found']['of']}" for b in benches)]]
    rows += [[text, *(format_interval(b[key]) for b in benches)] for key, text in ROWS.items()]
    rows += [
        [text, *(format_interval(b["backs"][key]) for b in benches)] for key, text in ROWS_OF_BACKS.items()
    ]
    errors = [b["calibration_error"] for b in benches]
    rows.append(["calibration error", *("–" if error is None else f"{error:.3f}" for error in errors)])
    outlines = [b["outlines"] for b in benches]
    rows.append(
        [
            "outlines, overlap with labelled ones: median, lowest 5%",
            *(
                f"{o['iou_median']:.2f}, {o['iou_5_percent']:.2f} ({o['tiles']} tiles)" if o["tiles"] else "–"
                for o in outlines
            ),
        ]
    )
    return format_table(["", *named], rows)


def tabulate_groups(bench: Json) -> str:
    """A table with a row for each group of photos."""
    columns: dict[str, Callable[[Json], Json]] = {
        "faces found and named right": lambda shares: shares["faces"]["end_to_end"],
        "backs found and named": lambda shares: shares["backs"]["end_to_end"],
        "precision": lambda shares: shares["precision"],
        "silent errors": lambda shares: shares["silent_errors"],
        "exact photos": lambda shares: shares["exact_photos"],
        "without tiles, nothing found": lambda shares: shares["nothing_found"],
    }
    rows = [
        [group, str(shares["photos"]), *(format_counts(pick(shares)) for pick in columns.values())]
        for group, shares in bench["groups"].items()
    ]
    return format_table(["group", "photos", *columns], rows)


def read_bench(path: Path) -> Json:
    """A result of the benchmark. Raises ValueError for a file that holds another thing."""
    bench = json.loads(path.read_text())
    if not isinstance(bench, dict) or not {"split", "groups", "backs", *ROWS} <= bench.keys():
        raise ValueError
    return bench


def main() -> None:
    """Prints the tables of the given files."""
    parser = argparse.ArgumentParser(prog="python -m models.training.card", description=__doc__)
    parser.add_argument("files", type=Path, nargs="+")
    files = parser.parse_args().files
    require_files(parser, *files)
    benches = []
    for path in files:
        try:
            benches.append(read_bench(path))
        except ValueError:
            parser.error(f"'{path}' is not what `companion bench vision --json` prints")
    print(summarise(benches))
    for bench in benches:
        if len(bench["groups"]) > 1 and not bench["taught"]:
            print(f"\nBy group of `{bench['split']}`:\n\n{tabulate_groups(bench)}")
    worst = [
        f"{bench['split']} " + ", ".join(f"{a} → {b} {n}" for a, b, n in bench["confusions"][:CONFUSIONS])
        for bench in benches
        if bench["confusions"]
    ]
    print(f"\nMost frequent confusions (wanted → read, times): {'; '.join(worst)}.")


if __name__ == "__main__":
    main()
