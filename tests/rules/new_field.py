"""What becomes of one more field of a request, `tokens` of the game "plain": run by test_recipe.py.

Its argument is an empty folder. It prints a word for each part that went well.
"""

from __future__ import annotations

import sys
from pathlib import Path

import msgspec
import pytest
from new_game import REQUEST, open_window, run

from companion.errors import RequestError
from companion.photo_hand.draft import WinDraft
from companion.rules import decode_request, score

FLAGS = ("score", "--rules", "plain", "--hand", REQUEST["hand"], "--meld", "p777z", "--winning-tile", "8s")
FLAGS += ("--winner", "1", "--from", "2")


def is_parsed() -> None:
    assert decode_request(REQUEST).extra == {"tokens": 0}
    assert decode_request(REQUEST | {"tokens": 9}).extra == {"tokens": 9}
    assert score(decode_request(REQUEST | {"tokens": 2})).payments == (0, 7, -7, 0)
    for wrong in (-1, 10, 1.0, True, "1", None):
        with pytest.raises(RequestError, match=r"^tokens must be a whole number from 0 to 9, not "):
            decode_request(REQUEST | {"tokens": wrong})
    elsewhere = {**REQUEST, "rules": "hebei"}
    decode_request(elsewhere | {"tokens": 0})
    with pytest.raises(RequestError, match=r"^tokens means nothing in Hebei: leave it out"):
        decode_request(elsewhere | {"tokens": 1})


def is_a_flag() -> None:
    assert '"payments": [0, 7, -7, 0]' in " ".join(run(*FLAGS, "--tokens", "2", "--json").split())
    assert "--tokens N The tokens of the winner (Plain); 0 if left out." in " ".join(
        run("score", "--help").split()
    )
    complaint = run(*FLAGS, "--tokens", "10", status=2)
    assert complaint == "companion: --tokens must be a whole number from 0 to 9, not 10.\n"


def is_saved() -> None:
    draft = WinDraft(rules="plain").record(tokens=4)
    assert draft.request()["tokens"] == 4
    assert "tokens" not in draft.record(rules="hefei").request()
    assert msgspec.json.decode(msgspec.json.encode(draft), type=WinDraft) == draft
    assert draft.is_valid
    assert not draft.record(tokens=10).is_valid
    assert draft.next_hand().request()["tokens"] == 0


def is_asked_for(folder: Path) -> None:
    window = open_window(folder)
    window.press("More")
    assert not window.says("Tokens")
    window.press("Done")
    window.touch(window.pages.table.win.rules)
    offered = {button.text: button for button in window.pages.table.win.rules.list.container.children}
    window.touch(offered["Plain"])
    window.press("More")
    assert window.says("Tokens")
    number = window.pages.more.cards["tokens"].number
    assert number.text == "0"
    for digit, shown in (("7", "7"), ("12", "9")):
        window.touch(number)
        for key in (*digit, "Done"):
            window.touch(number.keypad.keys[key])
        window.wait(lambda: number.keypad.parent is None, "the keypad to go")
        assert number.text == shown
    window.press("Done")
    assert window.says("More: 1")
    window.close()
    again = open_window(folder)
    assert again.says("More: 1")
    again.press("More: 1")
    assert again.pages.more.cards["tokens"].number.text == "9"
    again.close()


if __name__ == "__main__":
    is_parsed()
    print("parsed")
    is_a_flag()
    print("flagged")
    is_saved()
    print("saved")
    is_asked_for(Path(sys.argv[1]))
    print("asked")
