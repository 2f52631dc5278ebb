"""Opening a kept game, undo, redo and keys: what is stored and the progress that goes with it."""

from __future__ import annotations

from companion.game import Game, messages
from companion.game.file import check_steps
from companion.game.game import encode_pinned
from companion.live.deciding import Progress, bring_back, take_back
from companion.live.proposals import Proposal
from companion.table.apply import fold
from companion.table.events import Corrected, decode_event


def open_progress(game: Game) -> Progress:
    """Where the kept game stands."""
    standing, undone = (
        tuple(decode_event(entry.event) for entry in entries)
        for entries in (game.file.standing, game.file.undone)
    )
    ps = tuple(entry.p for entry in (*game.file.standing, *reversed(game.file.undone)))
    return Progress(game.state, standing, ps, undone)


def came_before(game: Game | None, proposal: Proposal) -> bool:
    """Whether the proposal was entered under its key, if only as a correction. InputError: the key is
    another's.
    """
    entry = game.file.entry_of(proposal.key) if game and proposal.key is not None else None
    if game is None or entry is None:
        return False
    completed = bool(entry.event) and isinstance(decode_event(entry.event), Corrected)
    return completed or game.file.came_before(proposal.key, encode_pinned(proposal.event))


def undo_steps(game: Game | None, progress: Progress, steps: int, key: str | None) -> Progress | None:
    """The game after an undo, stored where the game is kept; None where it came before under its key.

    InputError where there are not as many events, GameFileError where it cannot be stored.
    """
    if game is not None:
        return take_back(progress, steps, game.state) if game.undo(steps, key) else None
    check_steps(messages.CANNOT_UNDO, steps, len(progress.events) - 1)
    state = fold(progress.events[:-steps])
    assert state is not None
    return take_back(progress, steps, state)


def redo_steps(game: Game | None, progress: Progress, steps: int, key: str | None) -> Progress | None:
    """The game after a redo. As `undo_steps`."""
    if game is not None:
        return bring_back(progress, steps, game.state) if game.redo(steps, key) else None
    check_steps(messages.CANNOT_REDO, steps, len(progress.undone))
    state = fold((*progress.events, *reversed(progress.undone[-steps:])))
    assert state is not None
    return bring_back(progress, steps, state)
