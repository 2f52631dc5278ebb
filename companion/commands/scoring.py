"""`companion score`: a pure question, answered without a picture library or a window."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from companion.commands import described, flags
from companion.commands.inputs import AsJson, BatchFile, RequestFile, answer_lines, read_input, refuse_input
from companion.commands.output import print_json, show_score
from companion.errors import InputError
from companion.foreign import reading
from companion.rules import ScoreRequest, decode_request, score_json, score_line
from companion.rules import score as score_win
from companion.rules.profile import Profile


@flags.takes_win()
def score(
    *,
    win: dict[str, Any],
    request: RequestFile = None,
    batch: BatchFile = None,
    as_json: AsJson = False,
) -> None:
    """Score a win: every row, and what each player pays.

    A win is given by flags, or by --request, or many by --batch. A --profile goes with each of them: what a
    request says itself comes before it. Seats are 0 to 3, counterclockwise.
    """
    by_flags = any(
        value is not None and value is not False and value != []
        for flag, value in win.items()
        if flag != "profile"
    )
    by_profile_alone = win["profile"] is not None and request is None and batch is None
    if (request is not None) + (batch is not None) + (by_flags or by_profile_alone) != 1:
        raise InputError(
            "Give a win in one way: its flags (--rules, --hand …), or --request FILE, or --batch FILE."
        )
    if batch is not None:
        profile = described.load_profile(win["profile"])
        answer_lines(batch, lambda line: _answer_in_batch(line, profile))
    elif request is not None:
        profile = described.load_profile(win["profile"])
        text = read_input(request)
        with reading(refuse_input(request)):
            decoded, result = _score(described.request_from_file(text, profile))
        _show(decoded, result, as_json)
    else:
        from_flags = described.request_from_flags(win)
        with described.name_flags_in_errors(from_flags):
            _show(*_score(from_flags), as_json)


def _score(request: bytes | Mapping[str, Any]) -> tuple[ScoreRequest, dict[str, Any]]:
    """The request as it is read, and its result as JSON."""
    decoded = decode_request(request)
    return decoded, score_json(score_win(decoded))


def _show(decoded: ScoreRequest, result: dict[str, Any], as_json: bool) -> None:
    if as_json:
        print_json(result)
    else:
        show_score(result, decoded)


def _answer_in_batch(line: bytes, profile: Profile | None) -> dict[str, Any]:
    request = described.request_from_file(line, profile)
    return score_line(request if isinstance(request, bytes) else json.dumps(request))
