"""The sentences about missed claims and kongs, and the order of a player's mistakes."""

import pytest

from companion.coach import messages
from companion.coach.described import describe_position
from companion.coach.results import Advised, Grade, Mistake, RatedDecision
from companion.coach.review import ReviewedHand, sum_up
from companion.coach.value.judge import Useful
from companion.coach.words.mistakes import explain
from companion.coach.words.wording import phrase
from companion.sentences import Sentence
from companion.table.events import Claimed, ConcealedKong, Discarded, Event
from companion.tiles import KINDS
from companion.words import Language, Words

SEEN = describe_position({"rules": "hebei", "seat": 1, "hand": "2345m88m345p678s1z5z", "left": 60})
PUNG, KONG = Claimed(seat=1, meld="p111m"), Claimed(seat=1, meld="k1111m")


def make_choice(do: Event | None, *, shanten: int = 1, tiles: int = 2, kong: int = 0) -> Advised:
    why = Sentence(messages.NOTHING_LEFT)
    if kong:
        paid = Sentence(messages.KONG_PAID, {"count": kong})
        why = Sentence(messages.ALSO, {"why": why, "reason": paid})
    useful = tuple(Useful(kind, 4) for kind in KINDS[:tiles])
    return Advised(do, None, shanten, useful, why, 1.0, 0.0, 0.1, 0.0)


def say_mistake(chosen: Advised, best: Advised) -> str:
    _, why = explain(SEEN, KINDS[0], chosen, best, 1.0, 3.0, dealt_in=False)
    assert why is not None
    return phrase(why, Words(Language.ENGLISH))


@pytest.mark.parametrize(
    ("best", "said"),
    [
        (
            make_choice(PUNG, shanten=0),
            "Claiming the 1 character was worth 1.0 points more: the hand is ready to win then, with 8 useful"
            " tiles; without it 1 from ready, with 8.",
        ),
        (
            make_choice(PUNG, tiles=5),
            "Claiming the 1 character was worth 1.0 points more: 20 tiles help then, and without it only 8.",
        ),
        (
            make_choice(PUNG, tiles=1),
            "Claiming the 1 character was worth 1.0 points more. It does not win more often (10% and 10%),"
            " but pays more.",
        ),
        (
            make_choice(KONG, kong=2),
            "Claiming the 1 character was worth 1.0 points more. The kong is paid 2 points at once.",
        ),
    ],
)
def test_a_missed_claim_is_explained_by_its_gain(best: Advised, said: str) -> None:
    assert say_mistake(make_choice(None), best) == said


def test_a_missed_kong_is_explained_by_its_payment() -> None:
    said = say_mistake(
        make_choice(Discarded(seat=1, tile="9m")), make_choice(ConcealedKong(seat=1, tile="1m"), kong=6)
    )
    assert said == "A kong of 1 character was worth 1.0 points more. The kong is paid 6 points at once."


def make_decision(mistake: Mistake, cost: float) -> RatedDecision:
    chosen = make_choice(Discarded(seat=0, tile="1m"))
    return RatedDecision(
        number=5, seat=0, person=0, tile=KINDS[0], did=chosen.do, chosen=chosen, best=chosen, cost=cost,
        share=0.0, grade=Grade.POOR, deal_in=0.0, dealt_in=False, mistake=mistake, why=None, held=(),
        melds=(),
    )  # fmt: skip


def test_the_costliest_mistakes_come_first() -> None:
    """Of what happened often and what cost much a learner needs to know the second."""
    decisions = [make_decision(Mistake.FEWER, 0.5) for _ in range(3)] + [make_decision(Mistake.KONG, 4.0)]
    [person] = sum_up([ReviewedHand(1, tuple(decisions))])
    assert list(person.mistakes.items()) == [(Mistake.KONG, 1), (Mistake.FEWER, 3)]
    assert person.mistake_costs == {Mistake.KONG: 4.0, Mistake.FEWER: 1.5}
