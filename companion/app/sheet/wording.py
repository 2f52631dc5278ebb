"""What the score sheet says of hands, wins and games, in words. No Kivy."""

from __future__ import annotations

from collections.abc import Sequence

from companion.game.shelf import GameGlance
from companion.live.event_words import describe_event
from companion.rules import RULE_SETS
from companion.sentences import Sentence, msgid
from companion.sheets.hands import Step
from companion.sheets.wording import write_total
from companion.table.events import Event, HandDrawn, Won
from companion.table.state import State
from companion.words import Words
from companion.words.filling import SEAT_NAMES

NOT_SURE = msgid("Not sure: check that these are the winner's tiles.")


def name_at(state: State, names: Sequence[str]) -> tuple[str, ...]:
    """What the people are called, by where they sit in that state."""
    seated = state.hand.seated if state.hand else state.seated
    return tuple(names[person] for person in seated)


def describe_step(step: Step, names: Sequence[str]) -> Sentence:
    """The event in words; its tiles are drawn."""
    return describe_event(step.event, step.state, name_at(step.state, names))


def describe_old(was: Sequence[Event], before: State | None, names: Sequence[str]) -> Sentence:
    """What was believed; of several events the one that ended the hand."""
    from companion.errors import EventError
    from companion.table.apply import apply

    state, event = before, was[0]
    try:
        for each in was:
            event = each
            state = apply(state, each)
            if isinstance(each, Won | HandDrawn):
                break
        assert state is not None
        return describe_step(Step(0, event, state), names)
    except EventError as problem:
        return problem.sentence


def describe_game(game: GameGlance, words: Words) -> str:
    """What was played, how much of it, when, and whether it has ended."""
    if game.trouble is not None:
        return words.say(game.trouble)
    rules = RULE_SETS.get(game.rules)
    title = words.both(rules.title, rules.title_zh)[0] if rules else ""
    day = f"{game.at.astimezone():%Y-%m-%d %H:%M}"
    kind = (words("Practice game"),) if game.practice else ()
    over = (words("ended"),) if game.over else ()
    return " · ".join((*kind, title, words("{count} hands", count=game.hands), day, *over))


def describe_players(game: GameGlance, words: Words) -> str:
    """Who has how many points, the most first."""
    return "  ·  ".join(f"{name} {points}" for name, points in list_scores(game, words))


def list_scores(game: GameGlance, words: Words) -> list[tuple[str, str]]:
    """The people, each with the points, the most first."""
    people = sorted(zip(game.points, game.names, range(4), strict=False), key=lambda each: -each[0])
    return [
        (name or words(SEAT_NAMES[person]), write_total(points))
        for points, name, person in people
        if name or not any(game.names)
    ]
