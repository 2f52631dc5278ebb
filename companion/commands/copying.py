"""`companion games copies|restore`: the second copies of kept games, and a game restored from one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from companion.commands.games import Name, show
from companion.commands.inputs import AsJson
from companion.commands.output import console, print_json, tell
from companion.errors import InputError

if TYPE_CHECKING:
    from companion.game.game import Game
    from companion.game.shelf import GameGlance

BOTH = "Give --also-in FOLDER or --only-here, not both."


@contextmanager
def copied(game: Game) -> Iterator[Game]:
    """As `companion.game.copies.copied`; why a copy cannot be kept is one line on stderr."""
    from companion.game import copies

    with copies.copied(game, lambda trouble: tell(str(trouble))):
        yield game


def list_copies(
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", help="Only of this game; by default of all.")
    ] = None,
    also_in: Annotated[
        Path | None,
        typer.Option(
            "--also-in",
            metavar="FOLDER",
            help="Keep copies in this folder too, such as one on another disk.",
        ),
    ] = None,
    only_here: Annotated[
        bool, typer.Option("--only-here", help="Keep copies in the data folder only.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """List the second copies of kept games: the last ten of each, one for each day on which it was changed.

    The program makes them when a game is left.
    """
    from companion.game import copies

    if also_in is not None and only_here:
        raise InputError(BOTH)
    if also_in is not None or only_here:
        copies.name_folder(also_in)
        for missing in copies.catch_up():
            tell(str(missing))
    found, (folders, trouble) = copies.list_copies(name), copies.find_folders()
    if trouble and not (also_in or only_here):
        tell(str(trouble))
    described = [(each, copies.glance_copy(each)) for each in found]
    if as_json:
        shown = [
            {
                "name": each.name,
                "copy": each.label,
                "file": str(each.path),
                "hands": None if game.trouble else game.hands,
                "names": None if game.trouble else list(game.names),
            }
            for each, game in described
        ]
        print_json({"folders": [str(folder) for folder in folders], "copies": shown})
        return
    out = console()
    for each, game in described:
        out.print(f"{each.name}  {each.label}  {_describe(game)}  {each.path}")
    out.print("Copies are kept in " + " and ".join(map(str, folders)) + ".")


def _describe(game: GameGlance) -> str:
    """How far the copied game is, and who plays."""
    if game.trouble is not None:
        return "cannot be read"
    hands = f"{game.hands} hand" + ("" if game.hands == 1 else "s")
    return f"{hands}, " + ", ".join(name or f"seat {seat}" for seat, name in enumerate(game.names))


def restore_game(
    name: Name,
    copy: Annotated[
        str | None,
        typer.Option(
            "--copy",
            metavar="DAY",
            help="As companion games copies lists it; by default the newest in which something was played.",
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Bring a game back from its newest intact copy, or from the one named.

    A file that has its name, usable or not, is moved to the folder of removed games first.
    """
    from companion.game import copies

    restored = copies.restore(name, copy)
    aside = restored.aside and str(restored.aside)
    for problem in restored.unusable:
        tell(problem)
    show(name, as_json, copy=restored.copy.label, copy_file=str(restored.copy.path), aside=aside)
    if not as_json:
        console().print(f"Restored from the copy of {restored.copy.label}.")
        if aside:
            console().print(f"The file that was in its place is now {aside}.")
        if restored.others and copy is None:
            labels = dict.fromkeys(each.label for each in restored.others)
            console().print(f"Other copies: {', '.join(labels)}; --copy DAY restores one of them.")
