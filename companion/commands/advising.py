"""`companion advise`: what can still come, and what to do, for a described position or a game's log."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, Any

from companion.commands import coach_words
from companion.commands.inputs import (
    LOG_MAX_BYTES,
    AsJson,
    BatchFile,
    InLanguage,
    RequestFile,
    answer_lines,
    open_lines,
    read_input,
    refuse_in,
    refuse_input,
)
from companion.commands.output import console, print_json
from companion.commands.pictures import TileSetName
from companion.decoding import Undecodable, load_json
from companion.errors import CompanionError, InputError, RequestError, quote
from companion.foreign import reading
from companion.tiles import UNKNOWN, format_tiles, parse_tiles
from companion.words import Language, Words

if TYPE_CHECKING:
    from companion.coach.results import Advice, Advised
    from companion.coach.seen import SeatView
    from companion.commands.advised_photos import PhotoReader, ReadRequest

MOST_LOOKS = 3000
"""Looks at hands after which the exact reckoning gives up: some ten times as many as simulated hands needed.
A limit of time would give the same request different answers, as other programs run or do not."""
NO_PLACE = "Give a request with --request FILE, or many with --batch FILE."


def advise(
    request: RequestFile = None,
    batch: BatchFile = None,
    tile_set: TileSetName = None,
    language: InLanguage = Language.ENGLISH,
    as_json: AsJson = False,
) -> None:
    """Advise a player: what can still come, how far each choice is from ready, what it is worth and risks.

    A request describes a position; or it names pictures of the hand and of the table: {"rules": "hefei",
    "hand_photo": "hand.jpg", "table_photo": "table.jpg"}; or a game's log: {"log": "game.jsonl", "seat": 1}.
    Only what that seat can see is looked at.
    """
    if (request is None) == (batch is None):
        raise InputError(NO_PLACE)
    from companion.commands.advised_photos import PhotoReader

    words = Words(language)
    photos = PhotoReader(tile_set)
    if batch is not None:
        answer_lines(batch, partial(answer_request, words=words, photos=photos))
        return
    assert request is not None
    with refuse_in(words):
        text = read_input(request)
        with reading(refuse_input(request)):
            seen, advice, read = _advise(text, photos)
    if as_json:
        print_json(_to_json(seen, advice, read, words))
        return
    if read.unsure is not None:
        _show_read(read, words)
    _show(seen, advice, words)


def answer_request(text: bytes | str, line: int, words: Words, photos: PhotoReader) -> dict[str, Any]:
    """The advice as a JSON object; RequestError says what is wrong with the request, from that line of a
    file."""
    return _to_json(*_advise(text, photos, line), words)


def _advise(text: bytes | str, photos: PhotoReader, line: int = 1) -> tuple[SeatView, Advice, ReadRequest]:
    """What the seat sees, the advice, and the request with what was read in its pictures."""
    from companion.coach import messages
    from companion.coach.advice import make_coach, read_level
    from companion.commands.advised_photos import ReadRequest

    try:
        request = load_json(text, line)
    except Undecodable as problem:
        raise RequestError(messages.NOT_JSON, problem=problem.why) from None
    if not isinstance(request, Mapping):
        raise RequestError(messages.NOT_AN_OBJECT, value=quote(request))
    level = read_level(request)
    read = ReadRequest(dict(request)) if "log" in request else photos.read(request)
    try:
        seen = _look(read.request)
    except RequestError as problem:
        raise read.explain(problem) from None
    looks = count()
    *_, advice = make_coach(seen.state.house).advise(seen, level, lambda: next(looks) >= MOST_LOOKS)
    return seen, advice, read


def _look(request: Mapping[str, Any]) -> Any:
    from companion.coach import messages
    from companion.coach.described import describe_position, read_seat
    from companion.coach.seen import observe
    from companion.errors import list_names
    from companion.table.log import decode_log

    if "log" not in request:
        return describe_position(request)
    for name in request:
        if name not in ("log", "seat", "level"):
            raise RequestError(
                messages.UNKNOWN_FIELD, field=str(name), given=quote(name),
                allowed=list_names(name, ("log", "seat", "level")),
            )  # fmt: skip
    if not isinstance(request["log"], str):
        raise RequestError(
            messages.WRONG_TYPE, field="log", allowed="the name of a file", value=quote(request["log"])
        )
    from companion.table.apply import fold

    seat = read_seat(request.get("seat", 0), "seat")
    name = request["log"]
    try:
        with open_lines(name, LOG_MAX_BYTES) as lines, reading(refuse_input(name)):
            state = fold([event for _, event in decode_log(lines)])
    except CompanionError as problem:
        raise RequestError(messages.UNREADABLE, field="log", problem=problem) from None
    if state is None or state.hand is None or not state.playing:
        raise RequestError(messages.NO_HAND, field="log")
    read_seat(seat, "seat", state.house.seats)
    return observe(state, seat)


def _to_json(seen: SeatView, advice: Advice, read: ReadRequest, words: Words) -> dict[str, Any]:
    import msgspec

    choices = []
    for each in advice.choices:
        entry: dict[str, Any] = {
            "do": None if each.do is None else msgspec.to_builtins(each.do),
            "shanten": each.shanten,
            "useful": [[kind.tile.code, kind.unseen] for kind in each.useful],
        }
        if each.self_drawn:
            entry["self_drawn"] = [tile.code for tile in each.self_drawn]
        if each.then is not None:
            entry["then"] = each.then.code
        if each.value is not None:
            entry |= {
                "value": round(each.value, 3),
                "value_error": round(each.value_error or 0.0, 3),
                "win_rate": round(each.win_rate or 0.0, 4),
                "deal_in": round(each.deal_in or 0.0, 4),
            }
        choices.append(entry | {"why": _say_why(seen, each, words)})
    answer = {"choices": choices, "left": advice.left, "at_least": advice.at_least}
    return answer if read.unsure is None else answer | {"request": read.request, "unsure": read.unsure}


def _say_why(seen: SeatView, choice: Advised, words: Words) -> str:
    """The sentence of a choice; players without a name are called by where they sit, seen from who asks."""
    from companion.coach.words.wording import name_around, phrase

    return phrase(choice.why, words, name_around(seen.state, seen.seat, words))


def _show_read(read: ReadRequest, words: Words) -> None:
    """What was read in the pictures, and of which tiles that is not sure."""
    out, request, doubts = console(), read.request, read.unsure or {}
    own = read.list_melds()
    if "hand_photo" in doubts:
        said = coach_words.READ_HAND_AND_MELDS if own else coach_words.READ_HAND
        out.print(words(said, tiles=request["hand"], melds=" ".join(own)))
    lying = request["seen"]
    count = len(parse_tiles(lying.replace(UNKNOWN, ""))) + lying.count(UNKNOWN)
    out.print(words(coach_words.READ_OPEN, tiles=lying, count=count))
    for name, tiles in doubts.items():
        if tiles:
            listed = ", ".join(f"{each['tile']}: {each['code']}" for each in tiles)
            out.print(words(coach_words.READ_UNSURE, file=name, tiles=listed))


def _show(seen: SeatView, advice: Advice, words: Words) -> None:
    from rich.table import Table

    from companion.coach.words.wording import describe_choice

    out = console()
    if advice.choices:
        table = Table(title=words(coach_words.CHOICES), title_justify="left")
        for name in coach_words.CHOICE_HEADS:
            table.add_column(words(name), overflow="fold")
        for each in advice.choices:
            useful = format_tiles([kind.tile for kind in each.useful])
            table.add_row(
                describe_choice(each, words),
                "" if each.shanten < 0 else str(each.shanten),
                f"{each.live}: {useful}" if useful else "",
                "" if each.value is None else f"{each.value:+.2f} ±{each.value_error:.2f}",
                "" if each.win_rate is None else f"{each.win_rate:.0%}",
                "" if each.deal_in is None else f"{each.deal_in:.1%}",
            )
        out.print(table)
        best = advice.choices[0]
        out.print(f"{describe_choice(best, words)}: {_say_why(seen, best, words)}")
    out.print(words(coach_words.STILL_AT_MOST if advice.at_least else coach_words.STILL_TO_COME))
    for suit in "mpszf":
        kinds = [f"{code}×{count}" for code, count in advice.left.items() if code[-1] == suit]
        if kinds:
            out.print("  " + "  ".join(kinds))
