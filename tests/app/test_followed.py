"""What the window knows of a game that is followed, and the steps of its page. No window."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from companion.app.effects import Effect, GoBack
from companion.app.feature import take_step
from companion.app.game.effects import (
    ContinueFollowing,
    Correct,
    FollowWith,
    KeptFollowing,
    OpenGame,
    PauseFollowing,
    PlaceTable,
    Plan,
    Steps,
    TrustTiles,
    count_last,
    count_undone,
)
from companion.app.game.followed import Beginning, Entry, Followed
from companion.app.game.state import GameTable, make_start
from companion.app.news import Covered, FollowingPaused, GameAtTable, TableRulesChosen
from companion.game.deciding import begin_progress
from companion.live.event_words import ENDED_BY_NEW_HAND
from companion.live.live_following import LiveFollowing
from companion.live.noticed import QuestionAsked
from companion.rules import Source
from companion.rules.win import Stakes
from companion.sentences import Sentence
from companion.table.apply import apply, fold
from companion.table.events import (
    Claimed,
    Corrected,
    DealSet,
    Dealt,
    Discarded,
    Drawn,
    Event,
    GameStarted,
    HandAbandoned,
    HandStarted,
    Won,
)
from companion.table.state import State
from companion.table.unrecorded import ReportedWin, enter_drawn, enter_win
from companion.tiles import parse_tiles
from companion.words import Language, Words

PLAYED: tuple[Event, ...] = (
    HandStarted(dealer=0), Dealt(), Discarded(seat=0, tile="5m"), Drawn(seat=1), Discarded(seat=1, tile="7p"),
    Claimed(seat=3, meld="p777p"),
)  # fmt: skip


def begin() -> Followed:
    return Followed(begin_progress([GameStarted(rules="hefei")]).state)


def play(followed: Followed, *events: Event) -> Followed:
    state: State = followed.state
    for number, event in enumerate(events, 2):
        state = apply(state, event)
        followed = followed.enter(event, number, number != 4, state)
    return followed


def test_a_win_that_is_brought_back_with_the_hand_after_it_is_said_as_it_was() -> None:
    start = GameStarted(rules="hong_kong")
    won = Won(seat=1, hand="123456789m55p234s", tile="5p")
    before = [start, HandStarted(dealer=0), Dealt(), Discarded(seat=0, tile="5p")]
    brought_back = [*before, won, HandStarted(dealer=1), Dealt()]
    moved = Followed.of(begin_progress(before)).move(begin_progress(brought_back))
    assert moved == Followed.of(begin_progress(brought_back))
    assert any("on the discard of" in str(entry.said) for entry in moved.entries)


def test_events_know_the_number_of_their_hand() -> None:
    won = Won(seat=1, hand="123456789m55p234s", tile="5p")
    first = (HandStarted(dealer=0), Dealt(), Discarded(seat=0, tile="5p"), won)
    events = [GameStarted(rules="hong_kong"), *first, HandStarted(dealer=1), Dealt()]
    followed = Followed.of(begin_progress([*events, Discarded(seat=1, tile="5p")]))
    assert [entry.hand for entry in followed.entries] == [1, 1, 1, 2, 2]
    right = Corrected(number=len(events) + 1, right=Discarded(seat=1, tile="6p"))
    corrected = followed.enter(right, len(events) + 2, True, followed.state)
    assert [entry.hand for entry in corrected.entries] == [1, 1, 1, 2, 2]


def take(state: GameTable, step: object) -> tuple[GameTable, tuple[Effect, ...]]:
    return take_step(state, step)  # type: ignore[arg-type]


def follow() -> GameTable:
    return take(show(play(begin(), *PLAYED)), GameTable.run)[0]


def show(followed: Followed) -> GameTable:
    """An open game, of which that is known."""
    state = (
        GameTable(Plan("hefei"))
        .know(followed, "friday")
        .begin_following(object.__new__(LiveFollowing), "desk")
    )
    return take(state, lambda state: state)[0]


def test_events_are_listed_but_those_that_nobody_needs_to_read() -> None:
    followed = play(begin(), *PLAYED)
    assert [(each.number, str(each.said), each.certain) for each in followed.entries] == [
        (2, "You deals", True),
        (4, "You discards 5m", False),
        (6, "Right discards 7p", True),
        (7, "Left pungs 7p from Right", True),
    ]


def test_a_correction_renames_the_event_or_takes_it_out() -> None:
    followed = play(begin(), *PLAYED).ask(QuestionAsked(1.0, 4, "discarded", ("5m", "6m")))
    assert [each.number for each in followed.questions] == [4]
    right = Discarded(seat=0, tile="6m")
    renamed = followed.enter(Corrected(number=4, right=right), 8, True, followed.state)
    entry = renamed.find(4)
    assert entry is not None
    assert (str(entry.said), entry.certain) == ("You discards 6m", True)
    assert renamed.questions == ()
    without = renamed.enter(Corrected(number=7, right=None), 9, True, followed.state)
    assert [each.number for each in without.entries] == [2, 4, 6]


def test_a_draw_that_was_a_claim_is_listed_in_its_place_and_the_other_way_round() -> None:
    followed = play(begin(), *PLAYED)
    claim = Claimed(seat=1, meld="p555m")
    claimed = followed.enter(Corrected(number=5, right=claim), 8, True, followed.state)
    assert [each.number for each in claimed.entries] == [2, 4, 5, 6, 7]
    drawn = claimed.enter(Corrected(number=5, right=Drawn(seat=1)), 9, True, followed.state)
    assert [each.number for each in drawn.entries] == [2, 4, 6, 7]


def test_a_win_whose_tiles_are_doubtful_is_asked_about_with_each_hand_that_it_may_be() -> None:
    won = Won(seat=2, hand="123m456p789s11z")
    known = follow().followed
    assert known is not None
    listed = replace(known, entries=(Entry(9, won, Sentence("Across wins"), False),))
    asked = listed.ask(QuestionAsked(1.0, 9, "won", ("123m456p789s11z", "123m456p11z K7777s")))
    (question,) = asked.questions
    assert question.choices == (won, Won(seat=2, hand="123m456p11z", kongs=("K7777s",)))
    _, effects = take(
        follow().see(lambda _: asked), lambda state: state.confirm_event(9, question.choices[1])
    )
    assert effects == (Correct(9, question.choices[1]),)
    assert asked.enter(HandStarted(dealer=1), 10, True, asked.state).questions == (), "people played on"


def test_a_dealer_whom_nobody_named_is_asked_about_with_both_seats() -> None:
    followed = play(begin(), DealSet(dealer=2), HandStarted(dealer=2), Dealt(), Discarded(seat=2, tile="5m"))
    asked = followed.ask(QuestionAsked(1.0, 2, "deal_set", ("2", "0")))
    (question,) = asked.questions
    assert question.choices == (DealSet(dealer=2), DealSet(dealer=0))
    _, effects = take(
        follow().see(lambda _: asked), lambda state: state.confirm_event(2, question.choices[1])
    )
    assert effects == (Correct(2, DealSet(dealer=0)),)


def test_only_questions_that_a_touch_can_answer_are_asked() -> None:
    followed = play(begin(), *PLAYED)
    assert followed.ask(QuestionAsked(1.0, 7, "claimed", ("p777p", "k7777p"))).questions == ()
    assert followed.ask(QuestionAsked(1.0, None, "discarded", ("5m", "6m"))).questions == ()
    assert followed.ask(QuestionAsked(1.0, 6, "discarded", ("p777p", "6m"))).questions == ()


@pytest.mark.parametrize("step", [lambda state: state.name_tile(4, "5m"), lambda state: state.confirm(4)])
def test_the_answer_that_stands_already_goes_into_the_game_where_that_was_doubtful(step: Any) -> None:
    state, effects = take(follow(), step)
    assert effects == (Correct(4, Discarded(seat=0, tile="5m")),)
    assert state.followed is not None
    entry = state.followed.find(4)
    assert entry is not None
    assert entry.certain
    assert take(state, step)[1] == ()
    _, effects = take(follow(), lambda state: state.name_tile(4, "6m"))
    assert effects == (Correct(4, Discarded(seat=0, tile="6m")),)


def test_two_touches_take_an_event_out() -> None:
    state, effects = take(follow(), lambda state: state.select(7))
    assert state.entry is not None
    assert not state.entry.may_be_named
    state, effects = take(state, lambda state: state.take_out(7))
    assert effects == (Correct(7, None),)
    assert state.selected is None


def test_the_fourth_corner_places_the_table() -> None:
    state, _ = take(follow(), GameTable.touch_corners)
    places = ((1.0, 9.0), (9.0, 9.0), (9.0, 1.0), (1.0, 1.0))
    for place in places[:3]:
        state, effects = take(state, lambda state, place=place: state.touch_corner(place))
        assert effects == ()
    state, effects = take(state, lambda state: state.touch_corner(places[3]))
    assert effects == (PlaceTable(places),)
    assert state.corners is None
    assert take(state, lambda state: state.touch_corner(places[0])) == (state, ())


def test_going_back_leaves_what_is_in_front_first_and_lets_the_camera_go_last() -> None:
    state, _ = take(follow(), lambda state: state.select(4))
    state, effects = take(state, GameTable.step_back)
    assert (state.selected, state.runs, effects) == (None, True, ())
    state, effects = take(state, GameTable.step_back)
    assert (state.runs, effects) == (False, (PauseFollowing(), GoBack()))
    assert state.followed is not None


def test_the_game_of_the_other_page_is_offered() -> None:
    news = GameAtTable("taiwanese", (("flowers", True),), 2)
    state, _ = take(GameTable(Plan("hefei")), lambda state: state.on_news(news))
    assert (state.plan.rules, state.plan.options, state.plan.dealer) == ("taiwanese", (("flowers", True),), 2)
    chosen = TableRulesChosen("game", "hefei", {"win_row": 0}, Stakes(unit=5), cap=100)
    state, _ = take(state, lambda state: state.on_news(chosen))
    start = make_start(state.plan)
    assert (start.rules, start.options, start.stakes, start.cap) == (
        "hefei",
        {"win_row": 0},
        Stakes(unit=5),
        100,
    )
    state, _ = take(state, lambda state: state.on_news(news))
    assert make_start(state.plan).stakes is None, "those of another game"


def test_a_hand_has_begun_once_tiles_lie_there_that_no_event_accounts_for() -> None:
    beginning, before = Beginning(), begin().state
    assert [beginning.has_begun(before, faces) for faces in (0, 1, 5)] == [False, False, True]
    assert not beginning.has_begun(play(begin(), *PLAYED).state, 5)
    assert not beginning.has_begun(before, 20), "the last hand lies there still"
    assert [beginning.has_begun(before, faces) for faces in (0, 2)] == [False, True]


def test_one_touch_takes_the_last_corner_back() -> None:
    state = GameTable(Plan("hefei")).touch_corners().touch_corner((1, 2)).touch_corner((3, 4))
    assert state.take_back_corner().corners == ((1, 2),)
    assert state.take_back_corner().take_back_corner().take_back_corner().corners == ()


def test_recording_stays_visible_until_the_page_is_left() -> None:
    state = show(begin()).run()
    ended = state.end(Sentence("{film} has ended.", {"film": "evening.mp4"}))
    assert (ended.runs, ended.shows_table, ended.followed) == (False, True, state.followed)
    left, effects = take_step(ended, GameTable.step_back)
    assert (left.ended, left.following) == (False, None), "it is not gone on with from its beginning"
    assert left.shows_table, "the game stays open"
    assert GoBack() in effects


def test_the_game_that_was_followed_last_is_gone_on_with_after_a_restart() -> None:
    state = GameTable(KeptFollowing("friday", 2).restore(Plan("hefei")))
    assert state.plan.bottom == 2
    assert OpenGame("friday") in take(state, GameTable.go_on)[1]
    assert ContinueFollowing(follow().plan) in take(follow(), GameTable.follow)[1]
    assert take(GameTable(Plan("hefei")), GameTable.go_on)[1] == ()


def test_another_camera_is_followed_anew() -> None:
    state = follow().stop()
    assert state.follow().effects[-1] == ContinueFollowing(state.plan)
    other = state.with_camera("door")
    assert other.follow().effects[-1] == FollowWith(other.plan)
    assert other.with_camera("desk").follow().effects[-1] == ContinueFollowing(state.plan)


def test_one_touch_undoes_one_touch() -> None:
    events = [GameStarted(rules="hefei"), *PLAYED]
    assert [count_last(events[:n]) for n in range(1, 8)] == [0, 1, 2, 1, 1, 2, 1]
    undone = events[:0:-1]
    steps = []
    while undone:
        steps.append(count_undone(undone))
        undone = undone[: -steps[-1]]
    assert steps == [2, 1, 2, 1]


@pytest.mark.parametrize("rules", ["taiwanese", "hong_kong"])
def test_one_touch_takes_back_a_hand_of_which_only_the_end_was_told(rules: str) -> None:
    started: list[Event] = [GameStarted(rules=rules)]
    before = fold(started)
    assert before is not None
    tiles = tuple(parse_tiles("111m222m333p444s77z" if rules == "hong_kong" else "111m222m333p444s555s77z"))
    reported = ReportedWin(1, Source.SELF_DRAW, None, tiles[-1], tiles)
    heavenly = replace(reported, seat=0, situation=frozenset({"heavenly"}))
    for hand in (enter_drawn(before), enter_win(before, reported).events, enter_win(before, heavenly).events):
        assert count_last([*started, *hand]) == len(hand) > 2
        assert count_undone(hand[::-1]) == len(hand)
        assert count_last([*started, *hand[:-1]]) < 3


def test_one_touch_takes_back_a_self_drawn_win_and_its_draw_but_no_draw_of_another() -> None:
    discarded, drawn, won = Discarded(seat=3, tile="5p"), Drawn(seat=0), Won(seat=0, hand="11s", tile="1s")
    assert count_last([GameStarted(rules="hefei"), discarded, drawn, won]) == 2
    assert count_last([GameStarted(rules="hefei"), discarded, Drawn(seat=3), drawn, won]) == 2
    assert count_last([GameStarted(rules="hefei"), discarded, won]) == 1
    assert count_undone([won, drawn]) == 2


def test_undone_events_leave_the_list_and_return_unchanged() -> None:
    whole = begin_progress([GameStarted(rules="hefei"), *PLAYED])
    part = begin_progress(whole.events[:4], whole.events[:3:-1])
    followed = Followed.of(whole)
    state = GameTable(Plan("hefei")).know(followed, "friday").touch_seat(2).move(part)
    assert state.followed == Followed.of(part)
    assert (state.steps, state.acting) == (Steps(can_undo=True, can_redo=True), None)
    assert state.move(whole).followed == followed
    right = Corrected(number=4, right=Discarded(seat=0, tile="6m"))
    corrected = Followed.of(begin_progress([*whole.events, right]))
    assert corrected.move(whole) == followed


def test_reopened_game_has_the_same_events() -> None:
    followed = play(begin(), *PLAYED)
    progress = replace(begin_progress([GameStarted(rules="hefei"), *PLAYED]), ps=(1, 1, 1, 0.9, 1, 1, 1))
    assert Followed.of(progress) == followed
    right = Corrected(number=4, right=Discarded(seat=0, tile="6m"))
    corrected = replace(begin_progress([*progress.events, right]), ps=(*progress.ps, 1.0))
    assert [(str(each.said), each.certain) for each in Followed.of(corrected).entries][1] == (
        "You discards 6m", True,
    )  # fmt: skip


def test_one_touch_says_that_the_tiles_are_right() -> None:
    state = follow().see(lambda known: known.doubt(Sentence("It looks like another game.")))
    state, effects = take(state, GameTable.trust_tiles)
    assert effects == (TrustTiles(),)
    assert state.followed is not None
    assert state.followed.doubted is None


def test_a_camera_that_was_let_go_for_another_page_follows_on_by_itself() -> None:
    following: Any = object()
    runs = GameTable(Plan("hefei"), begin(), following=following, runs=True)
    assert take_step(runs, lambda state: state.on_news(Covered())) == (runs, ()), "others are only looked at"
    paused, effects = take_step(runs, lambda state: state.on_news(FollowingPaused(True)))
    assert effects == (PauseFollowing(),)
    _, effects = take_step(paused, lambda state: state.on_news(FollowingPaused(False)))
    assert effects == (ContinueFollowing(Plan("hefei")),)
    stopped, _ = take_step(runs, GameTable.stop)
    behind, _ = take_step(stopped, lambda state: state.on_news(FollowingPaused(True)))
    assert take_step(behind, lambda state: state.on_news(FollowingPaused(False)))[1] == ()


def test_why_the_program_ended_a_hand_is_in_every_language_and_what_people_wrote_stays() -> None:
    words = Words(Language.SIMPLIFIED)
    ended = play(begin(), *PLAYED[:2], HandAbandoned(why=ENDED_BY_NEW_HAND))
    assert words.say(ended.entries[-1].said) == "这一局不算：开始了新的一局"
    ended = play(begin(), *PLAYED[:2], HandAbandoned(why="the {cat} came"))
    assert words.say(ended.entries[-1].said) == "这一局不算：the {cat} came"
