"""What the panel says of a position first."""

from __future__ import annotations

from collections.abc import Sequence

from companion.app.coach.thinking import Answer
from companion.coach.wording import say
from companion.words import Words


def say_first(answer: Answer, words: Words, names: Sequence[str]) -> str:
    """The one sentence about the position."""
    if answer.trouble is not None:
        return say(answer.trouble, words, names)
    if answer.advice is not None and answer.advice.choices:
        return say(answer.advice.choices[0].why, words, names)
    if answer.standing is not None:
        count = answer.standing.live
        if answer.standing.shanten <= 0:
            return words("Ready: {count} tiles win.", count=count)
        return words(
            "{away} from ready: {count} tiles bring it nearer.", away=answer.standing.shanten, count=count
        )
    return ""
