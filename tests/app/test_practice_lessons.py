"""Every hand in a game's lesson is what the lesson says it is, by the rules."""

from __future__ import annotations

import pytest

from companion.app.practice.lessons import LESSONS, LessonStep, Shows
from companion.coach.value.judge import HandView, Judge
from companion.rules import RULE_SETS, decode_request, score
from companion.tiles import Meld, MeldKind, Tile, parse_tiles

STEPS = [
    pytest.param(rules, step, id=f"{rules}-{at}")
    for rules, steps in LESSONS.items()
    for at, step in enumerate(steps)
]


def make_set(tiles: tuple[Tile, ...]) -> MeldKind | None:
    """What these tiles make; None for nothing."""
    if len(set(tiles)) == 1:
        return {2: None, 3: MeldKind.PUNG, 4: MeldKind.KONG_CONCEALED}[len(tiles)]
    Meld(tiles, MeldKind.CHOW)
    first, *rest = sorted(tile.index for tile in tiles)
    assert rest == [first + 1, first + 2]
    return MeldKind.CHOW


def test_every_game_has_a_lesson_of_eight_to_twelve_steps() -> None:
    assert set(LESSONS) == set(RULE_SETS)
    for steps in LESSONS.values():
        assert 8 <= len(steps) <= 12
        assert any(step.shows is Shows.WIN for step in steps)


@pytest.mark.parametrize(("rules", "step"), STEPS)
def test_the_drawn_tiles_are_what_the_step_says(rules: str, step: LessonStep) -> None:
    game = RULE_SETS[rules]
    groups = [parse_tiles(group) for group in step.groups]
    assert all(game.tile_set.copies[tile.index] for group in groups for tile in group)
    assert "{value}" not in step.text or step.value is not None
    allowed = game.allowed_melds({option.key: option.default for option in game.options})
    if step.shows is Shows.SETS:
        *sets, last = groups
        kinds = [make_set(group) for group in sets]
        assert None not in kinds
        assert make_set(last) is not None or len(sets) * 3 == game.hand_size - 1
    if step.shows is Shows.CLAIM:
        own, (offered,) = groups
        kind = make_set((*own, offered))
        assert kind in allowed
    if step.shows is Shows.READY:
        *held, waits = groups
        concealed = tuple(tile for group in held for tile in group)
        assert len(concealed) == game.hand_size
        after = Judge(game).assess(HandView(concealed, (), None, None))
        assert after.shanten == 0
        assert {each.tile for each in after.useful} == set(waits)
    if step.shows in (Shows.WIN, Shows.NO_WIN):
        result = score(decode_request({"rules": rules, "winner": 1, **step.request}))
        assert result.legal is (step.shows is Shows.WIN), result.reason
        assert not result.legal or result.value == step.value
        drawn = sorted(tile for group in groups for tile in group)
        texts = [str(step.request["hand"]), str(step.request.get("flowers", ""))]
        texts += [str(meld)[1:] for meld in step.request.get("melds", ())]  # type: ignore[attr-defined]
        assert drawn == sorted(tile for text in texts for tile in parse_tiles(text))


def test_what_the_texts_say_of_claims_holds() -> None:
    hefei = RULE_SETS["hefei"]
    allowed = hefei.allowed_melds({option.key: option.default for option in hefei.options})
    assert MeldKind.CHOW not in allowed
