"""Long sentences of a review: rows are as high as their words; what beside a replay has no room scrolls."""

from __future__ import annotations

import dataclasses

import pytest
from app_driver import Driver
from msgspec.structs import replace
from test_coach import coach_a_kept_hand, coach_of, find

from companion.app.coach.state import CoachState
from companion.coach import messages
from companion.coach.results import Mistake
from companion.sentences import Sentence

pytestmark = pytest.mark.long
PAYS = Sentence(messages.BOTH_WAYS, {"drawn": "384", "taken": "256"})
WHY = Sentence(
    messages.ALSO,
    {
        "why": Sentence(messages.BAD_CLAIM, {"tile": "7m", "cost": "12.3"}),
        "reason": Sentence(messages.FOR_ROW, {"row": "One Suit and Honours", "pays": PAYS}),
    },
)


def explain_all(state: CoachState) -> CoachState:
    """With a long sentence for every decision."""
    assert state.replayed is not None
    own = tuple(
        replace(each, why=WHY, cost=9.0, mistake=Mistake.BAD_CLAIM) for each in state.replayed.decisions
    )
    return dataclasses.replace(state, replayed=state.replayed.add(state.replayed.key, own, done=True))


@pytest.mark.sampled
@pytest.mark.parametrize("size", [(1280, 800), (1024, 600), (800, 1280)])
def test_long_sentences_have_room(companion: Driver, size: tuple[int, int]) -> None:
    coach_a_kept_hand(companion, size)
    companion.controller.do("coach", explain_all)
    companion.frames(6)
    panel = find(companion, "StepPanel")
    companion.shot(f"coach-long-step-{size[0]}")
    assert panel.people.top <= panel.top, "the people stay within the panel"
    companion.touch(panel.more)
    companion.frames(6)
    companion.shot(f"coach-long-review-{size[0]}")
    assert coach_of(companion).replayed is not None
    rows = [row for row in companion.root.walk(restrict=True) if type(row).__name__ == "DecisionRow"]
    assert rows
    for row in rows:
        why = next(part for part in row.walk(restrict=True) if type(part).__name__ == "Text")
        assert row.y <= why.y
        assert why.top <= row.top


def test_the_worst_decisions_are_marked(companion: Driver) -> None:
    """As the sentence above the rows says, on tiles without a note, too."""
    from companion.app.coach.noted_tiles import Noted, NotedTiles

    tiles = NotedTiles(tile_width=44, notes=False)
    tiles.size = (44, 60)
    tiles.show([Noted("9p")])
    plain = len(tiles.canvas.children)
    tiles.show([Noted("9p", badge="1")])
    assert len(tiles.canvas.children) > plain
    assert min(min(part.size) for part in tiles.canvas.children if hasattr(part, "size")) > 5


def test_the_words_of_a_step_have_room_in_a_low_window(companion: Driver) -> None:
    coach_a_kept_hand(companion, (800, 480))
    companion.controller.do("sheet", lambda state: state.in_hand(lambda look: look.go(0)))
    companion.frames(6)
    companion.shot("coach-low-step")
    replay = companion.pages.sheet.hand.replay
    assert "the wall begins on" in replay.said.text
    assert replay.said.top <= replay.top
