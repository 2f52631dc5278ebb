"""`companion advise`: what can still come, and what to do, for a described position or a game's log."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from typing import Any

from companion.commands.inputs import AsJson, BatchFile, RequestFile, answer_lines, open_input
from companion.commands.output import console, print_json
from companion.errors import CompanionError, InputError, RequestError, quote
from companion.tiles import format_tiles, parse_tiles

ENOUGH_TIME = 0.4
"""Seconds after which no better answer is begun, and the exact reckoning gives up."""
NO_PLACE = "Give a request with --request FILE, or many with --batch FILE."


def advise(
    request: RequestFile = None,
    batch: BatchFile = None,
    as_json: AsJson = False,
) -> None:
    """Advise a player: what can still come, how far each choice is from ready, what it is worth and risks.

    A request describes a position, or names a game's log: {"log": "game.jsonl", "seat": 1}. Only what that
    seat can see is looked at.
    """
    if (request is None) == (batch is None):
        raise InputError(NO_PLACE)
    if request is not None:
        with open_input(request) as file:
            answer = answer_request(file.read())
        if as_json:
            print_json(answer)
        else:
            _show(answer)
        return
    assert batch is not None
    answer_lines(batch, answer_request)


def answer_request(text: bytes | str) -> dict[str, Any]:
    """The advice as a JSON object; RequestError says what is wrong with the request."""
    from companion.coach import messages
    from companion.coach.asking import make_coach, read_level

    try:
        request = json.loads(text)
    except (ValueError, RecursionError) as problem:
        raise RequestError(messages.NOT_JSON, problem=problem) from None
    if not isinstance(request, Mapping):
        raise RequestError(messages.NOT_AN_OBJECT, value=quote(request))
    level = read_level(request)
    seen = _look(request)
    began = time.monotonic()
    *_, advice = make_coach(seen.state.house).advise(
        seen, level, lambda: time.monotonic() - began > ENOUGH_TIME
    )
    return _to_json(advice)


def _look(request: Mapping[str, Any]) -> Any:
    from companion.coach import messages
    from companion.coach.described import describe_position, read_seat
    from companion.coach.seen import look
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
    try:
        with open_input(request["log"]) as file:
            state = fold([event for _, event in decode_log(file)])
    except CompanionError as problem:
        raise RequestError(messages.UNREADABLE, field="log", problem=problem) from None
    if state is None or state.hand is None or not state.playing:
        raise RequestError(messages.NO_HAND, field="log")
    read_seat(seat, "seat", state.house.seats)
    return look(state, seat)


def _to_json(advice: Any) -> dict[str, Any]:
    import msgspec

    choices = []
    for each in advice.choices:
        entry: dict[str, Any] = {
            "do": None if each.do is None else msgspec.to_builtins(each.do),
            "shanten": each.shanten,
            "useful": [[kind.tile.code, kind.unseen] for kind in each.useful],
        }
        if each.then is not None:
            entry["then"] = each.then.code
        if each.value is not None:
            entry |= {
                "value": round(each.value, 3),
                "value_error": round(each.value_error, 3),
                "win_rate": round(each.win_rate, 4),
                "deal_in": round(each.deal_in, 4),
            }
        choices.append(entry | {"why": str(each.why)})
    return {"choices": choices, "left": advice.left, "at_least": advice.at_least}


def _show(answer: Mapping[str, Any]) -> None:
    from rich.table import Table

    out = console()
    if answer["choices"]:
        table = Table(title="Choices, the best first", title_justify="left")
        for name in ("do", "from ready", "useful", "worth", "wins", "deals in"):
            table.add_column(name, overflow="fold")
        for each in answer["choices"]:
            useful = format_tiles(parse_tiles("".join(code for code, _ in each["useful"])))
            table.add_row(
                _name(each),
                "wins" if each["shanten"] < 0 else str(each["shanten"]),
                f"{sum(count for _, count in each['useful'])}: {useful}" if useful else "",
                f"{each['value']:+.2f} ±{each['value_error']:.2f}" if "value" in each else "",
                f"{each['win_rate']:.0%}" if "win_rate" in each else "",
                f"{each['deal_in']:.1%}" if "deal_in" in each else "",
            )
        out.print(table)
        out.print(f"{_name(answer['choices'][0])}: {answer['choices'][0]['why']}")
    least = "at most, since tiles lie there that nobody named" if answer["at_least"] else "exactly"
    out.print(f"Still to come ({least}):")
    for suit in "mpszf":
        kinds = [f"{code}×{count}" for code, count in answer["left"].items() if code[-1] == suit]
        if kinds:
            out.print("  " + "  ".join(kinds))


def _name(choice: Mapping[str, Any]) -> str:
    do = choice["do"]
    if do is None:
        return "leave it"
    words = {"won": "win", "discarded": "discard", "claimed": "claim"}
    name = words.get(do["event"], do["event"].replace("_", " "))
    tiles = do.get("tile") or do.get("meld") or ""
    then = f", then discard {choice['then']}" if "then" in choice else ""
    return f"{name} {tiles}{then}".strip()
