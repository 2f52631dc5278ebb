"""What the window knows of a game that is followed, and the steps of its page. No window."""

from __future__ import annotations

from companion.app.feature import Effect, GameAtTable, Leave, take_step
from companion.app.game.followed import Beginning, Followed, describe_turn, describe_wall
from companion.app.game.state import Correct, FollowGame, Pause, PlaceTable, Plan
from companion.running.deciding import begin_progress
from companion.running.live_following import LiveFollowing
from companion.running.noticed import QuestionAsked
from companion.table.apply import apply
from companion.table.events import (
    Claimed,
    Corrected,
    Dealt,
    Discarded,
    Drawn,
    Event,
    GameStarted,
    HandStarted,
)
from companion.table.state import State

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


def take(state: FollowGame, step: object) -> tuple[FollowGame, tuple[Effect, ...]]:
    return take_step(state, step)  # type: ignore[arg-type]


def follow() -> FollowGame:
    state = FollowGame(Plan("hefei")).begin(object.__new__(LiveFollowing), play(begin(), *PLAYED))
    return take(state, FollowGame.run)[0]


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


def test_only_questions_that_a_touch_can_answer_are_asked() -> None:
    followed = play(begin(), *PLAYED)
    assert followed.ask(QuestionAsked(1.0, 7, "claimed", ("p777p", "k7777p"))).questions == ()
    assert followed.ask(QuestionAsked(1.0, None, "discarded", ("5m", "6m"))).questions == ()
    assert followed.ask(QuestionAsked(1.0, 6, "discarded", ("p777p", "6m"))).questions == ()


def test_turn_and_wall_are_told_with_the_sea_where_the_game_has_one() -> None:
    followed = play(begin(), *PLAYED[:4])
    assert str(describe_turn(followed.state)) == "Turn: Right"
    left, sea = (str(each) for each in describe_wall(followed.state))
    assert int(left.removesuffix(" left")) - int(sea.split()[0]) == 4
    assert describe_wall(begin().state) == ()
    other = play(Followed(begin_progress([GameStarted(rules="hebei")]).state), *PLAYED[:2])
    assert len(describe_wall(other.state)) == 1


def test_the_answer_that_stands_already_corrects_nothing() -> None:
    state, effects = take(follow(), lambda state: state.name_tile(4, "5m"))
    assert effects == ()
    assert state.followed is not None
    entry = state.followed.find(4)
    assert entry is not None
    assert entry.certain
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
    state, _ = take(follow(), FollowGame.touch_corners)
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
    state, effects = take(state, FollowGame.step_back)
    assert (state.selected, state.runs, effects) == (None, True, ())
    state, effects = take(state, FollowGame.step_back)
    assert (state.runs, effects) == (False, (Pause(), Leave()))
    assert state.followed is not None


def test_the_game_of_the_other_page_is_offered_until_one_is_followed() -> None:
    news = GameAtTable("taiwanese", (("flowers", True),), 2)
    state, _ = take(FollowGame(Plan("hefei")), lambda state: state.hear(news))
    assert (state.plan.rules, state.plan.options, state.plan.dealer) == ("taiwanese", (("flowers", True),), 2)
    assert take(state, lambda state: state.with_rules("hefei"))[0].plan.options == ()
    running = follow()
    assert take(running, lambda state: state.hear(news))[0] == running


def test_a_hand_has_begun_once_tiles_lie_there_that_no_event_accounts_for() -> None:
    beginning, before = Beginning(), begin().state
    assert [beginning.look(before, faces) for faces in (0, 1, 5)] == [False, False, True]
    assert describe_turn(before, has_begun=True).template == "The hand has begun"
    assert not beginning.look(play(begin(), *PLAYED).state, 5)
    assert not beginning.look(before, 20), "the last hand lies there still"
    assert [beginning.look(before, faces) for faces in (0, 2)] == [False, True]


def test_one_touch_takes_the_last_corner_back() -> None:
    state = FollowGame(Plan("hefei")).touch_corners().touch_corner((1, 2)).touch_corner((3, 4))
    assert state.take_back_corner().corners == ((1, 2),)
    assert state.take_back_corner().take_back_corner().take_back_corner().corners == ()


def test_what_a_recording_showed_stays_until_one_leaves_it() -> None:
    following = object.__new__(LiveFollowing)
    state = FollowGame(Plan("hefei")).begin(following, begin()).run()
    ended = state.end()
    assert (ended.runs, ended.shows_table, ended.followed) == (False, True, state.followed)
    left, effects = take_step(ended, FollowGame.step_back)
    assert (left.shows_table, left.following) == (False, None), "it is not gone on with from its beginning"
    assert Leave() in effects
