"""Steps of the window's state, its score, and what is kept on disk. No window."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace as changed

from companion.app.score_photo import editing, entering, how_won, photo
from companion.app.score_photo.editing import Pane
from companion.app.score_photo.state import Page, ScorePhoto
from companion.app.shell import session
from companion.app.shell.session import Session
from companion.photo_hand.draft import WinDraft, evaluate
from companion.rules import RULE_SETS, Source
from companion.rules.win import Stakes
from companion.table.apply import apply
from companion.table.events import GameStarted
from companion.tiles import MeldKind
from companion.vision import TileReading
from companion.words import Language, Words

WIN = "2m 3m 4m 5m 6m 7m 8m 8m 3p 4p 5p 6s 7s 8s"
RULES = RULE_SETS["hefei"]


def typed(codes: str) -> ScorePhoto:
    state = editing.start_adding(ScorePhoto())
    for code in codes.split():
        state = editing.press_key(state, code)
    return editing.stop_typing(state)


def readings(codes: str) -> list[TileReading]:
    return [
        TileReading(code, ((x, 0.0), (x + 40, 0.0), (x + 40, 60.0), (x, 60.0)), 0.99, ((code, 0.99),))
        for x, code in zip(range(0, 5000, 50), codes.split(), strict=False)
    ]


def test_every_tile_that_was_typed_can_be_taken_back_one_by_one() -> None:
    state = typed(WIN)
    for count in range(13, -1, -1):
        state = state.undo()
        assert len(state.hand.tiles) == count
    assert state.undo() == state


def test_undoing_a_step_taken_while_a_picture_was_read_keeps_what_was_read() -> None:
    empty = photo.set_picture(ScorePhoto(), "hand.jpg")
    read = photo.apply_reading(
        editing.press_key(editing.start_adding(editing.record(empty, dealer=2)), "8s"),
        "hand.jpg",
        readings(WIN),
    )
    assert [tile.code for tile in read.hand.tiles] == [*WIN.split(), "8s"]
    before = read.undo()
    assert [tile.code for tile in before.hand.tiles] == WIN.split()
    assert before.draft.dealer == 2
    assert {tile.id for tile in before.hand.tiles} < {tile.id for tile in read.hand.tiles}
    assert before.undo().draft.dealer == 0
    assert len(before.undo().hand.tiles) == 14
    assert before.undo().undo().hand.tiles == ()


def test_a_reading_leaves_the_hands_of_other_pictures_alone() -> None:
    first = photo.apply_reading(photo.set_picture(ScorePhoto(), "first.jpg"), "first.jpg", readings("2m 3m"))
    second = photo.apply_reading(photo.set_picture(first, "second.jpg"), "second.jpg", readings(WIN))
    assert second.undo().draft == first.draft


def test_a_step_that_changes_nothing_is_no_step_to_undo() -> None:
    state = typed("2m")
    assert editing.record(state, dealer=state.draft.dealer).past == state.past


def test_the_way_back_closes_the_keyboard_and_then_the_page() -> None:
    assert not editing.select(typed("2m"), 0).step_back().typing
    assert editing.show(ScorePhoto(), Page.OPTIONS).step_back().page is Page.TABLE


def test_the_request_says_what_the_rules_want_to_know() -> None:
    state = how_won.set_number(
        editing.record(
            editing.record(
                entering.set_winner(how_won.set_source(typed(WIN), Source.DISCARD), 2), discarder=3
            ),
            dealer=3,
        ),
        "streak",
        2,
    )
    request = state.draft.request()
    assert request["hand"] == "23456788m345p678s"
    assert (request["winning_tile"], request["source"], request["from"]) == ("8s", "discard", 3)
    assert (request["winner"], request["dealer"], request["streak"]) == (2, 3, 2)
    score = evaluate(state.draft).score
    assert score is not None
    assert score.payments == (0, 0, 460, -460)


def test_a_dealt_win_has_no_winning_tile() -> None:
    draft = how_won.toggle_situation(typed(WIN), "heavenly").draft
    assert draft.request()["winning_tile"] is None
    score = evaluate(draft).score
    assert score is not None
    assert score.value == 215


def test_a_hand_without_a_game_has_the_rules_of_the_last_game_and_none_of_its_deals() -> None:
    stakes = Stakes(base=100, unit=20)
    begun = apply(None, GameStarted(rules="taiwanese", stakes=stakes, base=5))
    again = changed(begun, deal=changed(begun.deal, streak=2))
    draft = photo.play_as(ScorePhoto(), again).draft
    assert (draft.rules, draft.stakes, draft.base, draft.streak) == ("taiwanese", stakes, 5, None)
    assert photo.play_as(ScorePhoto(), apply(None, GameStarted(rules="hefei"))).draft.stakes is None


def test_the_winner_cannot_stay_the_discarder() -> None:
    state = entering.set_winner(editing.record(ScorePhoto(), discarder=2), 2)
    assert state.draft.discarder != state.draft.winner


def test_an_option_back_at_its_default_is_forgotten() -> None:
    state = how_won.set_option(ScorePhoto(), "win_row", 0)
    assert state.draft.options == (("win_row", 0),)
    assert how_won.set_option(state, "win_row", 15).draft.options == ()


def test_chows_can_be_claimed_only_where_the_house_has_them() -> None:
    assert MeldKind.CHOW not in ScorePhoto().draft.meld_kinds
    assert MeldKind.CHOW in how_won.set_option(ScorePhoto(), "allow_chow", True).draft.meld_kinds


@pytest.mark.parametrize(
    ("codes", "sentence"),
    [
        ("", "Choose a picture of the winning hand"),
        (WIN + " ?", "Unread tiles: 1"),
        (WIN.removesuffix(" 8s"), "There are 13 tiles in the hand"),
        (WIN + " 8s", "There are 15 tiles in the hand"),
        (WIN.replace("3p 4p 5p", "8m 8m 8m"), "There are 13 tiles in the hand"),
        (WIN.replace("8s", "1s"), "'1s' is not among the 84 tiles"),
    ],
)
def test_an_unfinished_hand_has_one_clear_sentence(codes: str, sentence: str) -> None:
    problem = evaluate(typed(codes).draft).problem
    assert problem is not None
    assert sentence in Words(Language.ENGLISH).say(problem)


def test_saved_state_loads_unchanged(tmp_path: Path) -> None:
    state = how_won.set_option(
        editing.meld_selected(editing.select(typed("5p 5p 5p 2m"), 0), MeldKind.PUNG), "ten_strict", 11
    )
    draft = how_won.toggle_situation(state, "sea_floor").draft
    saved = Session(Language.TRADITIONAL, {"score_photo": draft})
    session.save(tmp_path / "session.json", saved)
    assert session.load(tmp_path / "session.json") == (saved, None)


def test_a_hand_that_an_older_version_saved_still_opens(tmp_path: Path) -> None:
    path = tmp_path / "session.json"
    path.write_text(
        """{"facts": {"hand": {"tiles": [{"id": 0, "code": "5p", "quad": null, "p": 1.0, "alternatives": [],
        "unsure": false, "settled": true}], "groups": [], "chosen_win": null, "removed": [], "next_id": 1},
        "picture": null, "rules": "hefei", "options": [["ten_strict", 11]], "source": "discard", "winner": 1,
        "dealer": 0, "discarder": 2, "streak": 3, "situation": ["sea_floor"]},
        "language": "zh_Hant", "format": 1}"""
    )
    saved, complaint = session.load(path)
    assert complaint is None
    assert saved is not None
    draft = saved.parts["score_photo"]
    assert (draft.streak, draft.hand.tiles[0].code, draft.base) == (3, "5p", 1)


@pytest.mark.parametrize("format", [1, 2, 3])
def test_all_that_an_older_version_kept_is_read(format: int) -> None:
    path = Path(__file__).parent / "kept" / f"session-format-{format}.json"
    kept = session.read(path)
    draft, sets, devices = (kept.parts[name] for name in ("score_photo", "tile_sets", "devices"))
    assert kept.language is Language.TRADITIONAL
    (meld,) = draft.hand.melds
    assert (meld.notation, draft.hand.winning.code) == ("p222m", "7p")
    assert (draft.picture, draft.winner, draft.dealer, draft.discarder) == ("/pictures/hand.jpg", 2, 3, 1)
    assert (draft.options, draft.streak, draft.base, draft.cap) == ((("ten_strict", 11),), 4, 5, 64)
    assert (draft.situation, draft.balances) == (("sea_floor",), (1, None, 3, None))
    assert [(kong.kind, kong.seat, kong.discarder) for kong in draft.kongs_declared] == [("k", 1, 2)]
    assert (sets.used, sets.lesson.name, sets.lesson.selected) == ("home", "grandma", 1)
    assert [tile.code for tile in sets.lesson.tiles] == ["1m", "2m"]
    assert (devices.devices[0].target, devices.devices[0].first_seat, devices.looking) == (
        "/dev/ttyUSB0", 2, True
    )  # fmt: skip


def test_fields_of_single_games_are_saved_and_undone(tmp_path: Path) -> None:
    state = photo.set_rules(ScorePhoto(), "hangzhou")
    steps = (
        lambda state: editing.press_key(editing.name_fortune(state), "9s"),
        lambda state: how_won.set_number(state, "gambits", 2),
        lambda state: how_won.set_number(state, "consecutive_kongs", 1),
        lambda state: how_won.toggle_three_melds(state, (1, 2)),
        lambda state: how_won.change_kong(how_won.add_kong(state), 0, kind=MeldKind.KONG_DISCARD),
        lambda state: editing.record(state, round_wind=2, discards=7),
        lambda state: editing.record(state, base=5, cap=64),
        lambda state: how_won.set_balance(state, 3, 100),
    )
    states = [state]
    for step in steps:
        states.append(step(states[-1]))
    full = states[-1].draft
    saved = Session(parts={"score_photo": full})
    session.save(tmp_path / "session.json", saved)
    assert session.load(tmp_path / "session.json") == (saved, None)
    back = states[-1]
    while back.past:
        back = back.undo()
    assert back.draft == WinDraft()
    next_hand = photo.clear_tiles(states[-1]).draft
    assert (next_hand.fortune, next_hand.gambits, next_hand.three_melds) == (None, 0, ())
    assert (next_hand.base, next_hand.cap, next_hand.balances[3]) == (5, 64, 100)


def test_a_player_has_melded_three_times_from_one_other_at_most() -> None:
    state = how_won.toggle_three_melds(
        how_won.toggle_three_melds(how_won.toggle_three_melds(ScorePhoto(), (1, 2)), (0, 2)), (1, 3)
    )
    assert state.draft.three_melds == ((0, 2), (1, 3))
    assert how_won.toggle_three_melds(state, (1, 3)).draft.three_melds == ((0, 2),)


def test_a_claimed_kong_is_thrown_by_another() -> None:
    state = how_won.change_kong(how_won.add_kong(ScorePhoto()), 0, kind=MeldKind.KONG_DISCARD, seat=2)
    assert how_won.change_kong(state, 0, discarder=2).draft.kongs_declared[0].discarder == 3
    assert how_won.change_kong(state, 0, kind=MeldKind.KONG_ADDED).draft.kongs_declared[0].discarder is None
    assert how_won.remove_kong(state, 0).draft.kongs_declared == ()


def test_naming_the_fortune_tile_goes_back_to_where_it_was_asked_for() -> None:
    state = editing.name_fortune(ScorePhoto(pane=Pane.WIN))
    assert (state.pane, state.typing) == (Pane.TILES, True)
    assert (editing.press_key(state, "9s").pane, state.step_back().pane) == (Pane.WIN, Pane.WIN)


def test_a_win_by_flowers_needs_no_tiles() -> None:
    draft = how_won.toggle_situation(photo.set_rules(ScorePhoto(), "taiwanese"), "all_flowers").draft
    assert evaluate(draft).score is not None
    assert evaluate(
        how_won.toggle_situation(photo.set_rules(typed("2m 3m ?"), "taiwanese"), "all_flowers").draft
    ).score


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff\xfe\x00",
        b'{"format": 1, "facts": {"rules": "\xff"}}',
        b"[]",
        b'{"facts": {}, "format": 99}',
        b'{"facts": {}, "format": 2}',
        b'{"format": 1, "facts": {}, "lesson": {"photos": [{"path": "/x", "tiles": [], "rows": []}]}}',
        b'{"facts": {}}',
        b'{"format": 1, "facts": {"winner": 7}}',
        b'{"format": 1, "facts": {"rules": "chess"}}',
        b'{"format": 1, "facts": {"hand": {"groups": [{"kind": "p", "members": [1], "codes": ["5p"]}]}}}',
        b'{"format": 1, "facts": {"hand": {"tiles": [{"id": 0, "code": "0x"}], "next_id": 1}}}',
        b'{"format": 1, "facts": {"options": [["no_such_option", true]]}}',
        b'{"format": 1, "facts": {"fortune": "?"}}',
        b'{"format": 1, "facts": {"balances": [1, 2]}}',
        b'{"format": 1, "facts": {"kongs_declared": [{"kind": "p", "seat": 0, "discarder": null}]}}',
    ],
)
def test_a_damaged_file_is_set_aside_and_never_overwritten(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "session.json"
    for number in (1, 2):
        path.write_bytes(content)
        loaded, complaint = session.load(path)
        assert loaded is None
        assert complaint is not None
        assert not path.exists()
        assert (tmp_path / f"session.damaged-{number}.json").read_bytes() == content


def test_a_byte_that_still_makes_a_hand_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "session.json"
    session.save(path, Session(parts={"score_photo": WinDraft(winner=2)}))
    content = path.read_bytes()
    for right, wrong in (
        (b'"winner": 2', b'"winner": 3'),
        (b'"winner"', b'"vinner"'),
        (b"checksum", b"checksun"),
        (b'"format": 4', b'"format": 3'),
    ):
        assert right in content
        path.write_bytes(content.replace(right, wrong))
        assert session.load(path)[0] is None


def test_renamed_damaged_file_is_never_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "session.json"
    (tmp_path / "session.damaged-1.json").symlink_to(tmp_path / "nowhere")
    (tmp_path / "session.damaged-2.json").mkdir()
    path.write_bytes(b"{")
    session.load(path)
    assert (tmp_path / "session.damaged-1.json").is_symlink()
    assert (tmp_path / "session.damaged-3.json").read_bytes() == b"{"


def test_nothing_saved_yet_is_no_complaint(tmp_path: Path) -> None:
    assert session.load(tmp_path / "session.json") == (None, None)


def test_the_default_facts_can_be_scored_in_every_game() -> None:
    for rules in RULE_SETS:
        assert evaluate(WinDraft(rules=rules)).problem is not None
