"""`companion games rescue`: a new game of what is left of a damaged one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from companion.commands.games import Name, show
from companion.commands.inputs import AsJson
from companion.commands.keeping import Options, People, Profile, Stakes, make_start
from companion.commands.output import console, tell
from companion.named_files import writing

if TYPE_CHECKING:
    from companion.game.rescue import RescuedGame

POINTS_MAY_DIFFER = (
    "The inserted events are a guess at what is lost. A hand that was ended early pays nothing, and the "
    "dealer's streak after it may be another: compare the points with your own notes."
)
LINES_MAX = 20
"""How many of the entries that were left out are printed; all are in the file."""


def rescue_game(
    name: Name,
    new: Annotated[str, typer.Argument(metavar="NEW", help="The name of the game that is made.")],
    rules: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="The rule set, where the entry that begins the game is lost."),
    ] = None,
    profile: Profile = None,
    option: Options = None,
    player: People = None,
    stakes: Stakes = None,
    as_json: AsJson = False,
) -> None:
    """Make a new game of all that is intact in a damaged one, which is left as it is.

    Entries that are lost, or that cannot have happened without the lost ones, are listed with the reason, and
    written to a text file beside the new game.
    """
    from companion import files
    from companion.game import copies, shelf
    from companion.game.rescue import REPORT_SUFFIX, rescue

    path = shelf.path_of(new)
    start = None if rules is None and profile is None else make_start(rules, profile, option, player, stakes)
    rescued = rescue(shelf.find(name), path, start)
    for trouble in copies.keep(path, path.read_bytes()):
        tell(str(trouble))
    report = None
    if rescued.left_out or rescued.put_in:
        report = path.with_suffix(REPORT_SUFFIX)
        with writing(report):
            files.write_whole(report, rescued.report())
    show(
        new,
        as_json,
        kept=rescued.kept,
        left_out=[each._asdict() for each in rescued.left_out],
        put_in=[each._asdict() for each in rescued.put_in],
        left_out_file=report and str(report),
    )
    if not as_json:
        _print_report(rescued)
        if rescued.put_in:
            console().print(POINTS_MAY_DIFFER)
        if report:
            console().print(f"All of this is in {report}.")


def _print_report(rescued: RescuedGame) -> None:
    out = console()
    out.print(f"Entries kept: {rescued.kept}; left out: {len(rescued.left_out)}.")
    lines = [(each.number, f"left out: {each.why} {each.text}".rstrip()) for each in rescued.left_out]
    lines += [(each.before, f"put in before it: {each.event}") for each in rescued.put_in]
    for number, line in sorted(lines, key=lambda each: each[0])[:LINES_MAX]:
        out.print(f"  {number}  {line}", markup=False, soft_wrap=True)
    if len(lines) > LINES_MAX:
        out.print(f"  … and {len(lines) - LINES_MAX} more")
