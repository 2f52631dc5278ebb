"""`companion bench coach`: how strong the coach's advice is."""

from __future__ import annotations

from typing import Annotated

import typer

from companion.commands.inputs import AsJson
from companion.commands.output import console, print_json
from companion.errors import InputError, list_names, quote


def bench_coach(
    rules: Annotated[str, typer.Option("--rules", metavar="NAME", help="The game: see companion rules.")],
    walls: Annotated[int, typer.Option(metavar="N", min=1, max=10**6, help="Walls, each in all seats.")] = 20,
    budget: Annotated[
        float, typer.Option(metavar="SECONDS", min=0.0, max=10.0, help="Time for a decision, about.")
    ] = 0.05,
    seed: Annotated[
        int, typer.Option(metavar="N", min=0, help="Seed of the first wall; the others follow.")
    ] = 1,
    player: Annotated[
        str, typer.Option(metavar="NAME", help="coach, fearless, constant or built-in.")
    ] = "coach",
    opponents: Annotated[
        str, typer.Option(metavar="NAME", help="What the other seats follow, of the same names.")
    ] = "built-in",
    as_json: AsJson = False,
) -> None:
    """How strong the advice is: a seat that follows it against three built-in players, in duplicate."""
    from companion.bench import coach
    from companion.rules import RULE_SETS

    asked = (
        (rules, RULE_SETS, "--rules"),
        (player, coach.PLAYERS, "--player"),
        (opponents, coach.PLAYERS, "--opponents"),
    )
    for given, allowed, option in asked:
        if given not in allowed:
            raise InputError(
                "{option} cannot be {given}: choose from {allowed}.",
                option=option, given=quote(given), allowed=list_names(given, allowed),
            )  # fmt: skip
    figures = coach.bench(rules, walls, budget, seed, player, opponents)
    if as_json:
        print_json(figures)
    else:
        console().print_json(data=figures)
