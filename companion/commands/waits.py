"""`companion waits`: what a hand waits for, and what each of these tiles would be worth."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.commands import described, flags
from companion.commands.inputs import AsJson
from companion.commands.output import UNITS, console, format_assumed, format_worth, print_json
from companion.rules.worth_of_waits import GIVEN_BY_WIN, Outcome, Waits, value_waits, waits_json

if TYPE_CHECKING:
    from rich.console import Console

HELPS = {
    "hand": "The concealed tiles, without the one that is waited for.",
    "winner": "The seat whose hand it is, 0 to 3; 0 if left out.",
    "from": "The seat that discards the tile; the next player counterclockwise if left out.",
}


@flags.takes_win(without=GIVEN_BY_WIN, helps=HELPS)
def waits(*, win: dict[str, Any], as_json: AsJson = False) -> None:
    """List what a hand waits for, how many of each are left, and what each would be worth.

    A hand that lacks one tile is given by the flags of companion score. Each tile is scored twice: drawn by
    the winner, and discarded by one other player.
    """
    given = described.fields_from_flags(win)
    with described.name_flags_in_errors(given):
        found = value_waits(given)
    if as_json:
        print_json(waits_json(found))
    else:
        _show(console(), found)


def _show(out: Console, found: Waits) -> None:
    from rich.table import Table

    if not found.waits:
        out.print("The hand waits for no tile.", style="bold")
        return
    table = Table()
    table.add_column("tile", no_wrap=True)
    table.add_column("left", justify="right", no_wrap=True)
    ways = ("self-drawn", f"discarded by seat {found.discarder}")
    for way in ways:
        table.add_column(way, overflow="fold")
    for wait in found.waits:
        outcomes = [_format(outcome, found) for outcome in (wait.self_draw, wait.discard)]
        table.add_row(wait.tile.code, str(wait.left), *outcomes)
    out.print(
        f"{found.rules.title}: the hand of seat {found.winner}, with the payments by seat", style="bold"
    )
    out.print(table)
    if found.assumed:
        out.print(format_assumed(found.assumed), soft_wrap=False)


def _format(outcome: Outcome, found: Waits) -> str:
    if not outcome.legal:
        return f"no win: {outcome.reason}"
    unit = found.rules.unit
    if outcome.value_in_unit is not None:
        worth = f"{outcome.value_in_unit} {unit} = {outcome.value} {UNITS}"
    else:
        worth = format_worth(outcome.value, unit)
        worth += "" if worth.startswith("×") else f" {unit}"
    return f"{worth}: {', '.join(map(str, outcome.payments))}"
