"""What people and devices say of a game that is followed, taken into the hypotheses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from companion.errors import EventError
from companion.following.beam import Judged
from companion.following.hypotheses import NAMED_BY, Hypothesis, Step
from companion.following.stating import Statements, is_alike, list_steps
from companion.table.apply import fold
from companion.table.events import Corrected, Event, number_corrected


def keep_agreeing(judged: Judged, statements: Statements, event: Event) -> Judged:
    """The hypotheses of which the event is the next that was not stated yet; it is stated then."""
    depth = statements.said[-1][0].depth + 1
    kept: Judged = []
    step_said: Step | None = None
    for cost, hypothesis in judged:
        step = next((each for each in hypothesis.step.back() if each.depth == depth), None)
        if step is not None and step.event == event and (step_said is None or step is step_said):
            step_said = step
            kept.append((cost, hypothesis))
    if step_said is not None:
        statements.said.append((step_said, len(statements.log) + 1))
    return kept


def name_tile(judged: Judged, statements: Statements, heard: Event) -> Judged:
    """The hypotheses in which an event was about the tile that somebody said: all else stays as open as it
    was, as far as it is legal with that tile. None where more than a tile is said, or where none agrees.

    Raises EventError where it cannot have been that tile.
    """
    if not isinstance(heard, Corrected) or not isinstance(heard.right, NAMED_BY) or heard.more:
        return []
    said, right, number = statements.said, heard.right, heard.number
    root, begun = said[0]
    places = [at for at, each in enumerate(said) if at and each[1] == number]
    if not is_alike(dict(number_corrected(statements.log)).get(number), right):
        return []
    if len(places) != (number > begun):
        return []
    corrected = number_corrected([*statements.log, heard])
    state = fold([event for at, event in corrected if at <= begun])
    assert state is not None
    carried: dict[Step, Step] = {root: Step(None, None, state, depth=root.depth)}
    track = statements.list_tiles().get(number)
    named = said[places[0]][0] if places else root
    kept: Judged = []
    for cost, hypothesis in judged:
        steps = list_steps(hypothesis.step, root.depth)
        same = next((step for step in steps if _is_about(step, named)), None)
        if same is not None:
            try:
                last = _carry(steps, same, right, carried)
            except EventError:
                continue
            roles = dict(hypothesis.roles)
            if track in roles:
                roles[track] = replace(roles[track], code=right.tile)
            kept.append((cost, replace(hypothesis, step=last, roles=roles, tried=0)))
    if kept:
        _carry([step for step, _ in said], named, right, carried)
        statements.said = [(carried[step], each) for step, each in said]
        if places and track is not None:
            statements.told[track] = right
    return kept


def keep_declared(judged: Judged, statements: Statements) -> Judged:
    """The hypotheses in which all tiles are what somebody said."""
    if not statements.told:
        return judged
    return [each for each in judged if _holds_told(each[1], statements)]


def _holds_told(hypothesis: Hypothesis, statements: Statements) -> bool:
    """Whether every event of which somebody said what it was is part of the hypothesis."""
    return sum(map(statements.is_told, hypothesis.step.back())) == len(statements.told)


def _is_about(step: Step, named: Step) -> bool:
    """Whether a step is the one that was named, or in another chain the same but for the tile's name."""
    same_place = step.tracks[:1] == named.tracks[:1] if named.tracks else step.depth == named.depth
    return same_place and is_alike(step.event, named.event)


def _carry(steps: Sequence[Step], named: Step, right: Event, carried: dict[Step, Step]) -> Step:
    """The end of the same chain in which the step that was named is another event; carried: what was made of
    each step so far, of the first already. Raises EventError where it cannot have been so."""
    last = carried[steps[0]]
    for step in steps[1:]:
        if step not in carried:
            event = right if step is named else step.event
            assert event is not None
            carried[step] = last.then(event, step.tracks, step.at_s)
        last = carried[step]
    return last
