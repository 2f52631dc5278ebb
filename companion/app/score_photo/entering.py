"""Steps that enter wins into the game in play: begin, answer who won and on which tile, add winners, confirm,
take back. A hand shown after a draw and the win of a past hand are entered the same way. The game judges the
win. No Kivy.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from companion.app.effects import AskQuestion, ComeToFront, GoBack, SendNews, ShowMessage
from companion.app.news import HandEndWanted, HandPicture, PastWinEntered, PastWinWanted, TableWanted
from companion.app.score_photo import editing, how_won, photo
from companion.app.score_photo.editing import Page, Pane
from companion.app.score_photo.game_win import (
    EnterWins,
    GameWin,
    LastHandWon,
    UndoEvents,
    UndoWin,
    Winner,
    begin_draft,
    find_proposed,
    list_more_winners,
    make_reported,
    with_reported,
)
from companion.game.deciding import Progress
from companion.game.updates import PlayedGame
from companion.live.event_words import say_entered
from companion.photo_hand.draft import WinDraft
from companion.rules import Source
from companion.sentences import Sentence
from companion.table.state import State
from companion.table.unrecorded import ReportedWin, has_no_record

if TYPE_CHECKING:
    from companion.app.score_photo.state import ScorePhoto


SAME_TILE = Sentence("All win on the same tile: touch the winning tile first.")


@dataclass(frozen=True, slots=True)
class Booked:
    """The wins entered last. win: the last of them as entered. winners: all of them. after: the game
    after them. steps: the number of their events. assumed: whether their tile was only assumed."""

    win: GameWin
    winners: tuple[Winner, ...]
    after: State
    steps: int
    assumed: bool = False


def update_game(state: ScorePhoto, played: PlayedGame) -> ScorePhoto:
    """The game has changed: judge the win that is being entered by its new state, or leave it."""
    after, win = replace(state, played=played), state.game_win
    if win is None or win.submitting or win.past:
        return after
    if played.progress is None:
        return leave_win(after)
    expected = state.booked.after if (win.replaces or win.booked) and state.booked else win.state
    if played.progress.state == expected:
        return after
    if win.booked:
        return leave_win(after)
    if win.earlier:
        changed = Sentence("The game has moved on meanwhile: enter the wins again.")
        return leave_win(after).also(ShowMessage(changed))
    return editing.set_draft(
        replace(after, game_win=replace(win, state=played.progress.state)), state.draft, state.past
    )


def begin_win(state: ScorePhoto, seat: int | None, *, at_once: bool = False) -> ScorePhoto:
    """Start entering a win into the game in play; without a game, that seat won the hand scored here.
    at_once: the win is known not to be on the next tile."""
    progress = state.played.progress
    if progress is None or state.played.path is None:
        return state if seat is None else set_winner(state, seat)
    more = _list_more(state, progress)
    if more and (seat is None or seat in more):
        if not has_no_record(progress.state):
            return add_winner(state, seat)
        which = Sentence("Or does this win belong to the last hand?")
        asked = AskQuestion(which, Sentence("Another winner"), LastHandWon(seat), passes=True)
        return _begin_alone(state, progress, seat, at_once=at_once).also(asked)
    return _begin_alone(state, progress, seat, at_once=at_once)


def add_winner(state: ScorePhoto, seat: int | None) -> ScorePhoto:
    """Start entering one more win of the last hand, on its tile; nothing where the game has continued."""
    progress = state.played.progress
    if state.booked is None or progress is None or not _list_more(state, progress):
        return state
    return _add_winner(state, state.booked, progress, seat)


def _list_more(state: ScorePhoto, progress: Progress) -> tuple[int, ...]:
    """The seats that may still win on the tile of the wins entered last."""
    booked = state.booked
    return list_more_winners(progress.state) if booked and progress.state == booked.after else ()


def _begin_alone(state: ScorePhoto, progress: Progress, seat: int | None, *, at_once: bool) -> ScorePhoto:
    win = GameWin(progress.state, state.loose_draft)
    proposed = find_proposed(progress, seat)
    if proposed is not None or at_once:
        win = replace(win, answered=frozenset({"winner", "from"}))
    elif seat is not None or len(win.list_chances()) == 1:
        win = replace(win, answered=frozenset({"winner"}))
    return _begin(state, win, begin_draft(progress.state, seat, proposed))


def begin_past_win(state: ScorePhoto, asked: PastWinWanted) -> ScorePhoto:
    """Start entering a win of a past hand, by that seat or by one that is asked for."""
    answered = frozenset[str]() if asked.seat is None else frozenset({"winner"})
    draft = begin_draft(asked.state, asked.seat)
    if asked.won is not None:
        answered |= {"from"}
        draft = with_reported(draft, asked.won)
    if asked.fortune is not None:
        draft = draft.record(fortune=asked.fortune)
    return _begin(state, GameWin(asked.state, state.loose_draft, past=True, answered=answered), draft)


def begin_showing(state: ScorePhoto, seat: int | None) -> ScorePhoto:
    """Start entering the hand that a player shows after a draw."""
    progress = state.played.progress
    if progress is None or progress.state.hand is None or state.played.path is None:
        return state
    answered = frozenset() if seat is None else frozenset({"winner"})
    win = GameWin(progress.state, state.loose_draft, only_shown=True, answered=answered)
    return _begin(state, win, begin_draft(progress.state, seat))


def _begin(state: ScorePhoto, win: GameWin, draft: WinDraft) -> ScorePhoto:
    begun = photo.drop_picture(
        replace(editing.stop_typing(state), game_win=win, pane=Pane.TILES, page=Page.ENTRY)
    )
    begun = editing.set_draft(begun, draft, ()).also(ComeToFront(), ShowMessage(None))
    known = win.past or (begun.game_win is not None and begun.game_win.is_complete)
    if begun.game_win is not None and begun.game_win.is_all_known(draft) and not begun.open_questions:
        return replace(begun, page=Page.RESULT)
    return begun if known or begun.hand.tiles else begun.also(photo.WatchHand(state.camera, quietly=True))


def then_show(step: Callable[[ScorePhoto], ScorePhoto]) -> Callable[[ScorePhoto], ScorePhoto]:
    """That step, and then the page that shows everyone the win, if the step answered the last question."""

    def stepped(state: ScorePhoto) -> ScorePhoto:
        after = step(state)
        shows = after.page is Page.ENTRY and after.is_settled and not state.is_settled
        return editing.show(after, Page.RESULT) if shows else after

    return stepped


def touch_tile(state: ScorePhoto, tile_id: int) -> ScorePhoto:
    """Touch a tile of the hand; the winning one may answer the last question."""
    step = partial(editing.touch, tile_id=tile_id)
    return then_show(step)(state) if state.asks_tile else step(state)


def set_winner(state: ScorePhoto, seat: int) -> ScorePhoto:
    """That seat won; in a game, who discarded may have to be asked again."""
    answered = editing.change(_answer(state, "winner"), how_won.choose_winner(state.draft, seat))
    if state.game_win is None:
        return answered
    if answered.draft.discarder != state.draft.discarder or state.game_win.list_chances():
        return _reopen(answered, "from")
    return _judge_answers(answered, state)


def set_chance(state: ScorePhoto, seat: int, source: Source) -> ScorePhoto:
    """That seat won from that source, which the game knows to be possible."""
    draft = how_won.choose_winner(state.draft, seat).record(source=source)
    answered = editing.change(_answer(_answer(state, "winner"), "from"), draft)
    return _judge_answers(answered, state)


def set_discarder(state: ScorePhoto, seat: int | None, source: Source = Source.DISCARD) -> ScorePhoto:
    """The winning tile came from that seat; None: the winner drew it."""
    answered = _answer(state, "from")
    if seat is None:
        after = editing.record(answered, source=Source.SELF_DRAW)
    else:
        after = editing.change(answered, how_won.choose_discarder(answered.draft, seat, source))
    answered = _judge_answers(after, state)
    asks_fortune = answered.open_questions[:1] == ("fortune",) and bool(answered.hand.tiles)
    return editing.name_fortune(answered) if asks_fortune else answered


def set_claimed_from(state: ScorePhoto, seat: int) -> ScorePhoto:
    """The melds were claimed from that seat."""
    if state.game_win is None:
        return state
    win = replace(state.game_win, claimed_from=seat)
    return editing.set_draft(replace(state, game_win=win), state.draft, state.past)


def _answer(state: ScorePhoto, question: str) -> ScorePhoto:
    if state.game_win is None:
        return state
    win = replace(state.game_win, answered=state.game_win.answered | {question})
    return replace(state, game_win=win)


def _reopen(state: ScorePhoto, question: str) -> ScorePhoto:
    if state.game_win is None:
        return state
    win = replace(state.game_win, answered=state.game_win.answered - {question})
    return editing.set_draft(replace(state, game_win=win), state.draft, state.past)


def _judge_answers(state: ScorePhoto, before: ScorePhoto) -> ScorePhoto:
    """With the win judged by its new answers; a changed draft has been judged already."""
    return state if state.draft != before.draft else editing.set_draft(state, state.draft, state.past)


def enter_another(state: ScorePhoto) -> ScorePhoto:
    """Start entering another winner on the same tile; the winners so far are kept."""
    win, progress = state.game_win, state.played.progress
    if win is None or not win.is_complete or win.submitting or not win.list_more():
        return state
    if win.booked and state.booked and progress:
        return _add_winner(state, state.booked, progress, None)
    if state.assumed_tile is not None:
        return _ask_tile(state)
    winners = (*win.earlier, Winner(state.draft, make_reported(win, state.scored_draft)))
    answered = frozenset({"winner"}) if len(win.list_more()) == 1 else frozenset[str]()
    first = winners[0].draft
    after = replace(win, earlier=winners, answered=answered, claimed_from=None)
    return _begin(state, after, _follow(first, win.list_more()[0]))


def drop_winner(state: ScorePhoto) -> ScorePhoto:
    """Drop the winner that is being entered; the one before is shown as it was entered."""
    win = state.game_win
    if win is None or not win.earlier or win.replaces or win.booked:
        return leave_win(state)
    *before, last = win.earlier
    answered = frozenset({"winner", "from", "tile"})
    after = replace(win, earlier=tuple(before), answered=answered, claimed_from=last.reported.claimed_from)
    back = replace(editing.stop_typing(state), game_win=after, page=Page.RESULT)
    return photo.show_picture(editing.set_draft(photo.drop_picture(back), last.draft, ())).also(
        editing.StopWatching()
    )


def _add_winner(state: ScorePhoto, booked: Booked, progress: Progress, seat: int | None) -> ScorePhoto:
    """Another player won on the tile of wins already booked: all of them are booked again, together."""
    win = replace(booked.win, loose=state.loose_draft, replaces=booked.steps, submitting=False, booked=0)
    if booked.assumed:
        return _ask_tile(photo.show_picture(_begin(state, win, booked.winners[-1].draft)))
    win = replace(
        win, earlier=booked.winners, claimed_from=None,
        answered=frozenset() if seat is None else frozenset({"winner"}),
    )  # fmt: skip
    first = booked.winners[0].draft
    return _begin(state, win, _follow(first, win.list_more()[0] if seat is None else seat))


def _ask_tile(state: ScorePhoto) -> ScorePhoto:
    """Ask for the winning tile, on which others won as well."""
    asked = replace(editing.show(state, Page.ENTRY), naming_win=True)
    return asked.also(ShowMessage(SAME_TILE, trouble=False))


def _follow(first: WinDraft, seat: int) -> WinDraft:
    """The draft of another winner on the same tile."""
    return first.next_hand().record(
        winner=seat, source=first.source, discarder=first.discarder, fortune=first.fortune,
        situation=first.situation,
    )  # fmt: skip


def confirm(state: ScorePhoto) -> ScorePhoto:
    """Book the win, which all four have seen."""
    win = state.game_win
    if win is None or not win.is_complete or win.submitting or win.booked or state.open_questions:
        return state
    winners = (*(winner.draft for winner in win.earlier), state.draft)
    pictures = () if win.only_shown else tuple(_find_picture(draft) for draft in winners)
    if win.past:
        reported = (*(winner.reported for winner in win.earlier), make_reported(win, state.scored_draft))
        return _go_back(state, reported, pictures)
    submitted = replace(state, game_win=replace(win, submitting=True))
    return submitted.also(EnterWins(win.events, win.replaces, state.played.path, pictures))


def finish_entering(
    state: ScorePhoto, steps: int, progress: Progress, trouble: Sentence | None
) -> ScorePhoto:
    """The wins are in the game. trouble: why their picture could not be kept."""
    win = state.game_win
    if win is None or not win.submitting:
        return state
    booked = None
    if not win.only_shown:
        winners = (*win.earlier, Winner(state.draft, make_reported(win, state.scored_draft)))
        booked = Booked(win, winners, progress.state, steps, state.assumed_tile is not None)
    unwanted = UndoWin(steps, len(progress.events))
    message = trouble or say_entered(win.list_entered())
    asked = AskQuestion(message, Sentence("Undo it"), unwanted, passes=trouble is None)
    after = replace(state, booked=booked)
    if booked and list_more_winners(progress.state):
        reported = replace(win, submitting=False, booked=steps)
        return replace(after, game_win=reported, page=Page.RESULT).also(asked)
    return leave_win(after).also(asked)


def show_refusal(state: ScorePhoto, why: Sentence) -> ScorePhoto:
    """The win could not be entered, and why."""
    win = state.game_win
    return (replace(state, game_win=replace(win, submitting=False)) if win else state).also(
        ShowMessage(why, passes=True)
    )


def take_back(state: ScorePhoto, unwanted: UndoWin) -> ScorePhoto:
    """Undo the events that were entered last, unless the game has continued since."""
    progress = state.played.progress
    if progress and len(progress.events) == unwanted.at:
        return state.also(UndoEvents(unwanted.steps))
    return state


def declare_false(state: ScorePhoto) -> ScorePhoto:
    """The win is false: the page of other ends of a hand enters who pays for it."""
    if state.game_win is None or state.game_win.submitting:
        return state
    return state.also(SendNews(HandEndWanted("false_win", state.draft.winner)))


def declare_kong(state: ScorePhoto) -> ScorePhoto:
    """Open the page of other ends of a hand for a kong; the win continues after it."""
    if state.game_win is None or state.game_win.submitting:
        return state
    return state.also(SendNews(HandEndWanted("kong")))


def leave_win(state: ScorePhoto) -> ScorePhoto:
    """Leave the win unentered; the hand scored without a game is back."""
    return _go_back(state, ())


def lay_aside(state: ScorePhoto) -> ScorePhoto:
    """Without the win that is being entered, and with the hand scored without a game."""
    if state.game_win is None:
        return state
    left = photo.drop_picture(
        replace(editing.stop_typing(state), game_win=None, page=Page.TABLE, preview=None)
    )
    return editing.set_draft(left, state.game_win.loose, ()).also(editing.StopWatching())


def _go_back(
    state: ScorePhoto, reported: tuple[ReportedWin, ...], pictures: tuple[HandPicture | None, ...] = ()
) -> ScorePhoto:
    """To the table; or, with a win of a past hand, to the sheet, which gets these wins."""
    if state.game_win is None:
        return state
    wanted = PastWinEntered(reported, pictures) if state.game_win.past else TableWanted()
    return lay_aside(state).also(GoBack(), SendNews(wanted))


def _find_picture(draft: WinDraft) -> HandPicture | None:
    """The picture of the hand, and the outlines of its tiles there."""
    counted = [tile for tile in draft.hand.tiles if draft.hand.counts(tile.id)]
    quads = tuple(tile.quad for tile in counted if tile.quad is not None)
    return HandPicture(Path(draft.picture), quads) if draft.picture and quads else None
