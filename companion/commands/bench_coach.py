"""`companion bench coach`: how strong the coach's advice is; runs of several days as one."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from companion.commands.inputs import AsJson, read_input
from companion.commands.keeping import Options, make_start
from companion.commands.output import console, print_json
from companion.decoding import Undecodable, load_json
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
    option: Options = None,
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
    for given, allowed, flag in asked:
        if given not in allowed:
            raise InputError(
                "{option} cannot be {given}: choose from {allowed}.",
                option=flag, given=quote(given), allowed=list_names(given, allowed),
            )  # fmt: skip
    options = make_start(rules, None, option).options
    _print_figures(coach.bench(rules, walls, budget, seed, player, opponents, options), as_json)


def merge_coach(
    runs: Annotated[list[str], typer.Argument(metavar="RUN...", help="Files of bench coach --json.")],
    as_json: AsJson = False,
) -> None:
    """Put runs of bench coach together, of one game and player and of other walls, as if they were one."""
    from companion.bench import coach

    found = []
    for name in runs:
        try:
            found.append((name, load_json(read_input(name))))
        except Undecodable as error:
            raise InputError(coach.NO_RUN, name=quote(name)) from error
    _print_figures(coach.merge(found), as_json)


def _print_figures(figures: dict[str, Any], as_json: bool) -> None:
    if as_json:
        print_json(figures)
    else:
        console().print_json(data=figures)
