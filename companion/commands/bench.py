"""`companion bench rules`: how fast hands are scored."""

from __future__ import annotations

from typing import Annotated

import typer

from companion.commands.output import console, print_json
from companion.commands.scoring import AsJson


def bench_rules(
    runs: Annotated[int, typer.Option(metavar="N", min=1, max=1000, help="Runs of each figure.")] = 9,
    as_json: AsJson = False,
) -> None:
    """How many hands are scored, waited for and measured to ready in a second, beside other programs."""
    from companion.bench.rules import bench

    figures = bench(runs)
    if as_json:
        print_json(figures)
        return
    from rich.table import Table

    beside = [f"{name} {version}" for name, version in figures["beside"].items()]
    shown = Table(title=f"Python {figures['python']}, beside {' and '.join(beside) or 'no other program'}")
    for heading in ("what", "of", "unit"):
        shown.add_column(heading)
    for heading in ("runs", "median", "best"):
        shown.add_column(heading, justify="right")
    for figure in figures["figures"]:
        shown.add_row(*(str(figure[key]) for key in ("what", "of", "unit", "runs", "median", "best")))
    console().print(shown)
