"""The coach's longest sentences beside the table: as much of them as there is room for, and none cut off."""

from __future__ import annotations

import dataclasses

import pytest
from app_driver import Driver
from msgspec.structs import replace
from test_coach import find, keep_half, open_table, wait_for_answer

from companion.app.coach.state import CoachState
from companion.app.coach.wording import shorten
from companion.coach.words.wording import phrase
from companion.sentences import Sentence
from companion.words import Language, Words
from tests.coach.asking import advise_in_steps

REFUSED: dict[str, object] = {
    "rules": "hebei", "seat": 3, "hand": "234m567m22p34s", "left": 12,
    "melds": [["p555z", "p999s"], [], ["c123p"], ["p666p"]], "offer": {"tile": "5s", "from": 2},
    "rivers": [["1m", "9p"], ["2z"], ["5s"], ["4z"]],
}  # fmt: skip
FASTER: dict[str, object] = {"rules": "hebei", "seat": 1, "hand": "7m55p11223578899s", "left": 40}


def explain(request: dict[str, object]) -> Sentence:
    *_, advice = advise_in_steps(request)
    return advice.choices[0].why


def test_a_shorter_sentence_says_the_distance_and_the_danger_last_of_all() -> None:
    words = Words(Language.ENGLISH)
    full, shorter, shortest = (phrase(each, words) for each in shorten(explain(FASTER)))
    assert "is faster" in full
    distance = "2 from ready: 30 tiles bring it nearer (7 characters, 5 dots, 1–9 bamboo)."
    assert shorter == f"{distance} Risk: It deals in about 7% of the time, with 2 more of it unseen."
    assert shortest == distance


def test_a_shorter_sentence_of_a_refused_win_says_why_it_is_none() -> None:
    full, shorter, shortest = (phrase(each, Words(Language.ENGLISH)) for each in shorten(explain(REFUSED)))
    assert full.startswith(shorter)
    assert shorter.endswith("it wins on a self-drawn tile only.")
    assert shortest.startswith("Passing: ready, ")


@pytest.mark.sampled(2)
@pytest.mark.slow
@pytest.mark.parametrize("language", [Language.ENGLISH, Language.SIMPLIFIED])
@pytest.mark.parametrize("size", [(1280, 800), (1024, 600), (800, 1280)])
def test_the_longest_sentences_fit_beside_the_table(
    companion: Driver, size: tuple[int, int], language: Language
) -> None:
    keep_half()
    companion.resize(size)
    companion.controller.set_language(language)
    open_table(companion)
    companion.touch(companion.root.bar.buttons["coach"])
    wait_for_answer(companion)
    panel = find(companion, "TablePanel")
    for name, request in (("faster", FASTER), ("refused", REFUSED)):
        why = explain(request)

        def put(state: CoachState, why: Sentence = why) -> CoachState:
            assert state.answer is not None
            assert state.answer.advice is not None
            best, *others = state.answer.advice.choices
            advice = replace(state.answer.advice, choices=(replace(best, why=why), *others))
            return dataclasses.replace(state, answer=dataclasses.replace(state.answer, advice=advice))

        companion.controller.do("coach", put)
        companion.frames(4)
        companion.shot(f"coach-{name}-{size[0]}-{language.value}")
        assert panel.said.texture_size[1] <= panel.said.height + 1
        assert panel.said.top <= panel.top
        if panel.useful.parent is not None and panel.hand.parent is not None:
            for tiles in (panel.hand, panel.useful):
                assert min(width for _, _, width, _ in tiles._cells()) >= 30, "a tile that can be read"
