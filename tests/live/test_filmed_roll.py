"""A filmed throw is read as the film is followed, and is one roll with a cup's report, in either order."""

from __future__ import annotations

import numpy as np
import pytest
from followed import WAIT_S

from companion.config import models_dir
from companion.game.deciding import Verdict
from companion.game.proposals import Proposal, Reporter, SourceKind
from companion.live.follower import FOLLOWING, Follower
from companion.live.noticed import EventNoticed, Noticed, QuestionAsked
from companion.live.running import RunningGame
from companion.seeing.observer import Observer
from companion.seeing.sights import Sight
from companion.seeing.table_camera import TableCamera
from companion.table.events import HandStarted
from companion.vision.recogniser import Recogniser
from lab.film.customs import Pose
from lab.film.writing import Film, Shooting, prepare_film
from tests.lab.scenes.film_hands import play_hand

pytestmark = pytest.mark.slow

RULES, SEED = "hefei", 71
CAMERA = Reporter(SourceKind.CAMERA, "film")
CUP = Reporter(SourceKind.DEVICE, "cup")


@pytest.fixture(scope="module")
def film() -> Film:
    played = play_hand(RULES, SEED)
    return prepare_film(played.start, played.steps, Shooting(Pose.ABOVE, pace=2.0, calm=True, seed=SEED))


@pytest.fixture(scope="module")
def sights(film: Film) -> list[Sight]:
    """Those of the film's first two and a half seconds."""
    header = film.truth[0]
    camera = TableCamera.from_corners(
        np.array(header["camera"]["corners"]), header["width"], header["height"]
    )
    observer = Observer(Recogniser(models_dir(), threads=1), camera, rules=RULES)
    seen = [observer.look(film.filming.draw(frame / 10), frame / 10) for frame in range(25)]
    return [sight for sight in seen if sight is not None]


def find_true(film: Film) -> HandStarted:
    events = [mark.deed.event for mark in film.timeline.marks]
    (started,) = [event for event in events if isinstance(event, HandStarted)]
    return started


def follow(film: Film, sights: list[Sight], cup_s: float, cup: HandStarted) -> list[Noticed]:
    """What is noticed where a cup reports that roll at that second."""
    game = RunningGame(policy=FOLLOWING, clock=lambda: 0)
    noticed: list[Noticed] = []
    try:
        game.play(play_hand(RULES, SEED).start).result(WAIT_S)
        follower = Follower(game, CAMERA)
        reported = False
        for sight in sights:
            if sight.t >= cup_s and not reported:
                reported = True
                proposal = Proposal(cup, round(cup_s * 1e9), CUP)
                assert game.propose(proposal).result(WAIT_S).verdict is not Verdict.REFUSED
            noticed += follower.follow(sight, round(sight.t * 1e9))
    finally:
        game.close()
    return noticed


@pytest.mark.parametrize("cup_s", [0.8, 2.2], ids=["cup first", "camera first"])
def test_a_filmed_throw_and_a_cup_are_one_roll(film: Film, sights: list[Sight], cup_s: float) -> None:
    true = find_true(film)
    assert true.dice is not None
    turned = HandStarted(dealer=true.dealer, dice=true.dice[::-1])
    noticed = follow(film, sights, cup_s, turned)
    begun = [each for each in noticed if isinstance(each, EventNoticed)]
    assert [sorted(each.event.dice or ()) for each in begun if isinstance(each.event, HandStarted)] == [
        sorted(true.dice)
    ]
    assert begun[0].source == (CUP if cup_s < 1 else CAMERA)
    assert not [each for each in noticed if isinstance(each, QuestionAsked)]


def test_a_cup_that_reports_another_roll_is_a_question_that_names_both(
    film: Film, sights: list[Sight]
) -> None:
    true = find_true(film)
    other = HandStarted(dealer=true.dealer, dice=(1, 1) if true.dice != (1, 1) else (2, 2))
    noticed = follow(film, sights, 0.8, other)
    (question,) = [each for each in noticed if isinstance(each, QuestionAsked)]
    assert set(question.sources) == {CUP, CAMERA}
