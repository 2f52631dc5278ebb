"""Hands that players entered for the coach during a game, kept next to its file for later reviews."""

from __future__ import annotations

from pathlib import Path

from msgspec import json

from companion.coach.told_hand import KeptTold, ToldHand
from companion.files import read_whole, write_whole
from companion.foreign import Undecodable, decode_as
from companion.game import told
from companion.game.troubles import translate_errors


def keep_declared(game_path: Path, hands: tuple[ToldHand, ...]) -> None:
    """Keep these as all hands entered in that game. GameFileError if they cannot be written."""
    path = told.path_of(game_path)
    with translate_errors(path):
        write_whole(path, json.encode([KeptTold.of(each) for each in hands]))


def read_declared(game_path: Path) -> tuple[ToldHand, ...]:
    """The hands entered in that game; none if the file is missing or damaged: it is an extra."""
    try:
        kept = decode_as(read_whole(told.path_of(game_path)), list[KeptTold])
    except (OSError, Undecodable):
        return ()
    return tuple(each.restore() for each in kept if each.is_sound)
