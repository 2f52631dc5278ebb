"""The first sentence about a position and about a reviewed hand. No Kivy."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.app.coach.state import Replayed
from companion.app.coach.thinking import Answer
from companion.coach import messages
from companion.coach.results import RatedDecision
from companion.coach.value.judge import HandStatus
from companion.coach.words.reasons import explain_ready
from companion.coach.words.wording import format_payment, name_people, phrase
from companion.sentences import Sentence, msgid
from companion.words import Words

READY = msgid("Ready: {count} tiles win.")
AWAY = msgid("{away} from ready: {count} tiles bring it nearer.")


def shorten(sentence: Sentence) -> Iterator[Sentence]:
    """The sentence of a choice, and shorter and shorter ones: a danger goes last, but for the distance."""
    yield sentence
    why = sentence.params.get("why")
    if not isinstance(why, Sentence):
        return
    if sentence.template == messages.REFUSED:
        yield Sentence(messages.REFUSED_ALONE, sentence.params)
    elif sentence.template == messages.BUT:
        _, *shorter = shorten(why)
        for each in shorter:
            yield Sentence(messages.BUT, {**sentence.params, "why": each})
    *_, shortest = shorten(why)
    yield shortest


def describe_first(answer: Answer, words: Words, names: Sequence[str]) -> str:
    """The one sentence about the position."""
    if answer.trouble is not None:
        return phrase(answer.trouble, words, names)
    if answer.advice is not None and answer.advice.choices:
        return phrase(answer.advice.choices[0].why, words, names)
    if answer.standing is not None:
        said = _describe(answer.standing)
        if answer.refused is not None:
            said = Sentence(messages.ALSO, {"why": said, "reason": answer.refused})
        return phrase(said, words, names)
    return ""


def _describe(standing: HandStatus) -> Sentence:
    """How a hand between turns stands; its tiles are shown next to that."""
    if standing.shanten > 0:
        return Sentence(AWAY, {"away": standing.shanten, "count": standing.live})
    return explain_ready(standing) if standing.self_drawn else Sentence(READY, {"count": standing.live})


def sum_up_hand(replayed: Replayed, words: Words) -> str:
    """What the hand cost the player, or how far the review is."""
    name = name_people(replayed.sheet.names, words)[replayed.person]
    decisions = replayed.decisions
    if not replayed.is_done:
        return words("Reviewing {who}: {count} decisions so far …", who=name, count=len(decisions))
    rated = [each for each in decisions if each.is_rated]
    if not decisions:
        return words(messages.NOTHING_IN_HAND)
    if not rated:
        return words(messages.NOT_KNOWN, who=name)
    said, unrated = _say_cost(replayed, rated, name, words), len(decisions) - len(rated)
    if not unrated:
        return said
    return words(
        "{said} {count} discards are not rated: the tiles held then were not recorded.",
        said=said, count=unrated,
    )  # fmt: skip


def _say_cost(replayed: Replayed, rated: Sequence[RatedDecision], name: str, words: Words) -> str:
    """What the decisions that are rated cost that player."""
    cost = sum(each.cost for each in rated)
    spent = format_payment(cost)
    if not replayed.worst:
        drew = replayed.hand.find_drawer(replayed.person)
        if len(rated) < len(replayed.decisions):
            said = words("{who} made no mistake in what could be rated.", who=name)
        elif drew is None:
            said = words("{who} made no mistake in this hand.", who=name)
        else:
            winner = name_people(replayed.sheet.names, words)[drew]
            said = words(messages.NO_MISTAKE, winner=winner)
        return words("{said} Small mistakes cost {cost} points.", said=said, cost=spent) if cost else said
    if len(replayed.worst) == 1:
        return words(
            "Decisions in this hand cost {who} {cost}. The worst is marked 1: touch it.",
            who=name,
            cost=spent,
        )
    return words(
        "Decisions in this hand cost {who} {cost}. The worst are marked 1 and 2: touch them.",
        who=name, cost=spent,
    )  # fmt: skip
