"""The coach in a real window: beside the table, for a hand that is told by touches, for a hand alone, beside
a hand that is replayed; and silent in a fair game."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from app_driver import Driver, draw_picture

from companion.app.coach.state import CoachState
from companion.app.news import FairGameSet, KeptGameWanted, SheetWanted
from companion.app.score_photo import photo
from companion.coach.play.simulation import PlayedHand, play
from companion.game import shelf
from companion.game.game import Game
from companion.game.proposals import Proposal, Reporter, SourceKind
from companion.sheets.declared_hands import read_declared
from companion.table.events import Discarded, Drawn, Event, GameStarted, ReadyDeclared
from companion.table.knowledge import event_as_seen
from companion.table.state import Phase

pytestmark = pytest.mark.slow
NAMES = ("Annabelle", "Bao", "陈小明", "Dai")
SEED_OF_CALL = 2
SIZES = [(1280, 800), (800, 1280)]


def keep(rules: str, events: list[Event]) -> None:
    with Game.begin(shelf.path_of("friday"), GameStarted(rules=rules, names=NAMES)) as game:
        for event in events:
            game.append(event)


def keep_half(rules: str = "hong_kong", seed: int = 5, *, hidden: bool = False, turn: int = 30) -> PlayedHand:
    """A game in the middle of a hand, at somebody's turn; hidden: as somebody beside the table knows it."""
    played = next(play(GameStarted(rules=rules, names=NAMES), 1, random.Random(seed)))
    end = next(
        at
        for at, step in enumerate(played.steps)
        if at > turn and step.state.hand is not None and step.state.hand.phase is Phase.TURN
        and step.state.hand.turn == 0
    )  # fmt: skip
    state, events = played.before, []
    for step in played.steps[: end + 1]:
        events.append(event_as_seen(state, step.event, None) if hidden else step.event)
        state = step.state
    keep(rules, events)
    return played


def keep_hands(rules: str = "hong_kong", hands: int = 1) -> None:
    events: list[Event] = []
    for hand in play(GameStarted(rules=rules, names=NAMES), hands, random.Random(5)):
        events += [step.event for step in hand.steps]
    keep(rules, events)


def coach_of(companion: Driver) -> CoachState:
    state = companion.controller.view.states["coach"]
    assert isinstance(state, CoachState)
    return state


def find(companion: Driver, name: str) -> Any:
    """The widget of that class on the screen."""
    return next(w for w in companion.root.walk(restrict=True) if type(w).__name__ == name)


def wait_for_answer(companion: Driver) -> CoachState:
    companion.wait(lambda: coach_of(companion).is_ready_to_show, "the coach")
    companion.frames(4)
    return coach_of(companion)


def coach_a_kept_hand(driver: Driver, size: tuple[int, int], rules: str = "hong_kong") -> CoachState:
    """The coach beside a kept hand, step by step, in a window of that size, once it has answered."""
    keep_hands(rules)
    driver.resize(size)
    driver.controller.announce(SheetWanted("friday"))
    driver.settle()
    driver.controller.do("sheet", lambda state: state.open_hand(0))
    driver.frames(4)
    driver.press("Step by step")
    driver.touch(driver.root.bar.buttons["coach"])
    return wait_for_answer(driver)


def open_table(companion: Driver) -> None:
    companion.controller.announce(KeptGameWanted("friday"))
    companion.settle()
    companion.wait(lambda: coach_of(companion).game is not None)
    companion.frames(4)


@pytest.mark.sampled
@pytest.mark.parametrize("size", [(1280, 800), (1024, 600)])
def test_beside_the_table_it_says_what_to_discard(companion: Driver, size: tuple[int, int]) -> None:
    keep_half()
    companion.resize(size)
    open_table(companion)
    companion.touch(companion.root.bar.buttons["coach"])
    state = wait_for_answer(companion)
    assert state.on
    assert state.answer is not None
    assert state.answer.advice is not None
    best = state.answer.advice.choices[0]
    assert best.value is not None
    panel = find(companion, "TablePanel")
    raised = [tile.code for tile in panel.hand.tiles if tile.raised]
    assert isinstance(best.do, Discarded)
    assert raised == [best.do.tile]
    assert panel.said.text
    companion.shot(f"coach-table-{size[0]}x{size[1]}")
    companion.touch(panel.more)
    wait_for_answer(companion)
    assert companion.page == "coach"
    rows = [row for row in companion.root.walk(restrict=True) if type(row).__name__ == "ChoiceRow"]
    assert rows
    for row in rows:
        texts = [tag.text for tag in row.walk(restrict=True) if type(tag).__name__ == "Tag"]
        assert any("±" in text for text in texts) is bool(row.choice.value_error), texts
    companion.shot(f"coach-page-{size[0]}x{size[1]}")
    companion.press("Only tiles left")
    state = wait_for_answer(companion)
    assert state.answer is not None
    assert state.answer.advice is None
    assert state.answer.left
    companion.press("Back")
    assert companion.page == "game"


def test_beside_the_table_it_says_to_call_ready(companion: Driver) -> None:
    """A hand of Taiwanese, stopped where seat 0 is about to call."""
    played = next(play(GameStarted(rules="taiwanese", names=NAMES), 1, random.Random(SEED_OF_CALL)))
    events = [step.event for step in played.steps]
    keep("taiwanese", events[: next(at for at, each in enumerate(events) if each == ReadyDeclared(seat=0))])
    open_table(companion)
    companion.touch(companion.root.bar.buttons["coach"])
    answer = wait_for_answer(companion).answer
    assert answer is not None
    assert answer.advice is not None
    best = answer.advice.choices[0]
    assert best.do == ReadyDeclared(seat=0)
    assert best.then is not None
    panel = find(companion, "TablePanel")
    assert [tile.code for tile in panel.hand.tiles if tile.raised] == [best.then.code]
    assert "Call ready, then discard: " in panel.said.text
    companion.touch(panel.more)
    wait_for_answer(companion)
    row = find(companion, "ChoiceRow")
    assert row.choice == best
    assert "Call ready →" in [tag.text for tag in row.walk(restrict=True) if type(tag).__name__ == "Tag"]


def test_a_fair_game_shows_nothing(companion: Driver) -> None:
    keep_half()
    open_table(companion)
    companion.touch(companion.root.bar.buttons["coach"])
    wait_for_answer(companion)
    panel = find(companion, "TablePanel")
    companion.controller.announce(FairGameSet(True))
    companion.frames(4)
    assert panel.parent is None
    assert coach_of(companion).answer is None
    assert "coach" not in companion.root.bar.buttons
    companion.controller.announce(FairGameSet(False))
    companion.frames(4)
    assert wait_for_answer(companion).answer is not None


def test_a_hand_is_told_by_touches_and_followed(companion: Driver) -> None:
    from companion.app.widgets import layout

    played = keep_half(hidden=True)
    open_table(companion)
    companion.touch(companion.root.bar.buttons["coach"])
    companion.frames(4)
    assert coach_of(companion).position.wants_hand
    companion.shot("coach-untold")
    panel = find(companion, "TablePanel")
    assert panel.height == layout.PANEL_LINE, "without a hand the keys get its room"
    assert panel.said.texture_size[1] <= panel._scroll.height
    companion.press("Enter hand")
    assert companion.says("Whose hand is it?")
    companion.press(NAMES[0])
    state = coach_of(companion)
    assert state.entering == ()
    assert state.game is not None
    assert state.game.hand is not None
    count = len(state.played.progress.events) - 1 if state.played.progress else 0
    truth = played.steps[count - 1].state.hand
    assert truth is not None
    tiles = truth.players[0].concealed
    for tile in tiles[:-1]:
        companion.touch(find(companion, "Keyboard").keys[tile.code])
    part = find(companion, "EntryPart")
    assert part.done.disabled
    companion.touch(find(companion, "Keyboard").keys[tiles[-1].code])
    companion.shot("coach-told")
    companion.touch(find(companion, "EntryPart").done)
    state = wait_for_answer(companion)
    assert state.answer is not None
    assert state.answer.tiles == tuple(tile.code for tile in sorted(tiles))
    assert state.answer.advice is not None
    assert companion.page == "game"
    assert find(companion, "TablePanel").height > layout.PANEL_LINE
    go_on(companion, played, count)
    companion.wait(lambda: coach_of(companion).position.unnamed is not None, "the draw")
    companion.frames(4)
    companion.shot("coach-drawn")
    companion.press("Name the tile")
    last = played.steps[len(progress_of(companion).events) - 2]
    assert isinstance(last.event, Drawn)
    companion.touch(find(companion, "Keyboard").keys[last.event.tile])
    state = wait_for_answer(companion)
    assert state.answer is not None
    assert last.state.hand is not None
    assert state.answer.tiles == tuple(t.code for t in sorted(last.state.hand.players[0].concealed))
    assert companion.page == "game"
    assert companion.kept("coach").declared[0].named
    name = state.played.name
    assert name is not None
    companion.wait(
        lambda: read_declared(shelf.path_of(name)) == coach_of(companion).declared, "the file beside the game"
    )


def progress_of(companion: Driver) -> Any:
    return coach_of(companion).played.progress


def go_on(companion: Driver, played: PlayedHand, done: int) -> None:
    """Enter what follows in the hand until the first seat draws, as somebody beside the table knows it."""
    for at in range(done, len(played.steps)):
        before, event = played.steps[at - 1].state, played.steps[at].event
        seen = event_as_seen(before, event, None)
        companion.game.propose(Proposal(seen, companion.game.now_ns, Reporter(SourceKind.TOUCH)))
        companion.wait(lambda at=at: len(progress_of(companion).events) == at + 2, "the event")
        if isinstance(event, Drawn) and event.seat == 0:
            return


def test_an_impossible_hand_is_one_sentence(companion: Driver) -> None:
    keep_half(hidden=True)
    open_table(companion)
    companion.touch(companion.root.bar.buttons["coach"])
    companion.press("Enter hand")
    companion.press(NAMES[0])
    coach = coach_of(companion)
    codes = tuple(["1m"] * 5 + ["2m"] * (coach.held_count - 5))
    companion.controller.do("coach", lambda state: _with_entering(state, codes))
    companion.frames(3)
    companion.touch(find(companion, "EntryPart").done)
    assert companion.banner is not None
    assert companion.says("there are only 4")
    assert coach_of(companion).entering == codes


def _with_entering(state: CoachState, codes: tuple[str, ...]) -> CoachState:
    from dataclasses import replace

    return replace(state, entering=codes)


@pytest.mark.sampled
@pytest.mark.parametrize("size", SIZES)
def test_a_replayed_hand_says_what_cost_most(companion: Driver, size: tuple[int, int]) -> None:
    state = coach_a_kept_hand(companion, size)
    assert state.replayed is not None
    assert state.replayed.is_done
    panel = find(companion, "StepPanel")
    assert len(panel.chips.tiles) == len(state.replayed.decisions) > 3
    companion.shot(f"coach-replay-{size[0]}x{size[1]}")
    for person in state.replayed.people:
        companion.touch(panel.people.button(str(person)))
        state = wait_for_answer(companion)
        if state.replayed is not None and state.replayed.worst:
            break
    assert state.replayed is not None
    costs = sorted(state.replayed.decisions, key=lambda each: -each.cost)
    companion.shot(f"coach-result-{size[0]}x{size[1]}")
    assert panel.worst
    assert all(row.why.text for row in panel.worst)
    companion.touch(panel.worst[0])
    assert step_of(companion).number == costs[0].number
    now = coach_of(companion).replayed
    assert now is not None
    assert now.current == costs[0]
    assert panel.grade.text
    companion.shot(f"coach-replay-worst-{size[0]}x{size[1]}")
    companion.touch(panel.more)
    assert companion.page == "coach"
    companion.shot(f"coach-review-{size[0]}x{size[1]}")
    row = find(companion, "DecisionRow")
    companion.touch(row)
    assert companion.page == "sheet"
    assert step_of(companion).number == row.decision.number
    at = next(i for i, each in enumerate(state.replayed.decisions) if each is not costs[0])
    companion.touch(find(companion, "StepPanel").chips.place_of(at))
    assert step_of(companion).number == state.replayed.decisions[at].number


def step_of(companion: Driver) -> Any:
    """The event of the replay that is shown."""
    look = companion.controller.view.states["sheet"].look  # type: ignore[attr-defined]
    assert look.replays
    return look.step


def test_unfinished_hand_gets_a_discard(companion: Driver, tmp_path: Path) -> None:
    companion.reader.codes = "2m 3m 4m 8m 8m 3p 4p 5p 6s 7s 8s 1s 5s 9p"
    companion.do(lambda state: photo.set_rules(state, "hebei"))
    companion.open(draw_picture(tmp_path / "hand.png", companion.reader.codes))
    companion.press("What should I discard?")
    state = wait_for_answer(companion)
    assert companion.page == "coach"
    assert state.answer is not None
    assert state.answer.advice is not None
    best = state.answer.advice.choices[0]
    assert isinstance(best.do, Discarded)
    assert best.do.tile in ("1s", "9p", "5s")
    companion.shot("coach-hand")
    companion.press("Back")
    companion.controller.announce(FairGameSet(True))
    companion.frames(3)
    assert not companion.says("What should I discard?")


def test_a_hand_before_the_draw_says_what_helps(companion: Driver, tmp_path: Path) -> None:
    companion.reader.codes = "2m 3m 4m 8m 8m 3p 4p 5p 6s 7s 8s 4s 5s"
    companion.do(lambda state: photo.set_rules(state, "hebei"))
    companion.open(draw_picture(tmp_path / "hand.png", companion.reader.codes))
    companion.press("What should I discard?")
    state = wait_for_answer(companion)
    assert state.answer is not None
    assert state.answer.standing is not None
    assert state.answer.standing.shanten == 0
    assert companion.says("Ready: 11 tiles win.")


def test_a_hand_is_told_by_a_photo(companion: Driver, tmp_path: Path) -> None:
    played = keep_half(hidden=True)
    open_table(companion)
    companion.touch(companion.root.bar.buttons["coach"])
    companion.press("Enter hand")
    companion.press(NAMES[0])
    hand = played.steps[len(progress_of(companion).events) - 2].state.hand
    assert hand is not None
    codes = [tile.code for tile in hand.players[0].concealed]
    companion.reader.codes = " ".join(codes)
    companion.open(draw_picture(tmp_path / "hand.png", companion.reader.codes))
    companion.wait(lambda: len(coach_of(companion).entering or ()) == len(codes), "the picture")
    companion.frames(4)
    companion.touch(find(companion, "EntryPart").done)
    state = wait_for_answer(companion)
    assert state.answer is not None
    assert sorted(state.answer.tiles) == sorted(codes)


def test_the_evening_is_reviewed_in_the_background_and_can_be_stopped(companion: Driver) -> None:
    coach_a_kept_hand(companion, (1280, 800), "hefei")
    companion.touch(find(companion, "StepPanel").more)
    part = find(companion, "ReviewPart")
    companion.touch(part.evening)
    companion.touch(part.evening)
    replayed = coach_of(companion).replayed
    assert replayed is not None
    assert not replayed.evening
    assert part.evening.text == "Review the evening"
    companion.touch(part.evening)
    companion.wait(lambda: part.evening.text == "Review complete", "the evening")
    replayed = coach_of(companion).replayed
    assert replayed is not None
    assert {each.person for each in replayed.sum_up()} == set(replayed.people)


@pytest.mark.sampled
@pytest.mark.parametrize("size", [(1280, 800), (800, 1280)])
def test_the_keyboard_of_a_hand_stays_and_leads_back_to_the_table(
    companion: Driver, size: tuple[int, int]
) -> None:
    keep_half(hidden=True)
    companion.resize(size)
    open_table(companion)
    companion.touch(companion.root.bar.buttons["coach"])
    wait_for_answer(companion)
    companion.touch(find(companion, "TablePanel").tell)
    assert companion.page == "coach"
    entry = companion.pages.coach.entry
    before = {code: (*key.to_window(*key.pos), *key.size) for code, key in entry.keyboard.keys.items()}
    companion.shot(f"coach-tell-{size[0]}")
    companion.touch(entry.keyboard.keys["5m"])
    assert companion.says("Choose whose hand it is first, then touch its tiles.")
    assert coach_of(companion).entering == ()
    companion.touch(companion.pages.coach.seats.button("0"))
    assert not companion.says("Choose whose hand it is first")
    after = {code: (*key.to_window(*key.pos), *key.size) for code, key in entry.keyboard.keys.items()}
    assert after == before
    companion.shot(f"coach-tell-chosen-{size[0]}")
    companion.touch(entry.keyboard.keys["5m"])
    assert coach_of(companion).entering == ("5m",)
    companion.press("Cancel")
    assert companion.page == "game"
    companion.touch(find(companion, "TablePanel").more)
    companion.press("Enter hand")
    companion.press("Cancel")
    assert companion.page == "coach", "where it was begun"
