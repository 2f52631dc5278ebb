"""Hands that players entered for the coach during a game, kept next to its file for later reviews."""

from __future__ import annotations

from pathlib import Path

from msgspec import json

from companion.coach.declared import DeclaredHand, StoredHand
from companion.files import read_whole, write_whole
from companion.foreign import Undecodable, decode_as
from companion.game.shelf import declared_hands_path
from companion.game.sqlite import translate_errors


def keep_declared(game_path: Path, hands: tuple[DeclaredHand, ...]) -> None:
    """Keep these as all hands entered in that game. GameFileError if they cannot be written."""
    path = declared_hands_path(game_path)
    with translate_errors(path):
        write_whole(path, json.encode([StoredHand.of(each) for each in hands]))


def read_declared(game_path: Path) -> tuple[DeclaredHand, ...]:
    """The hands entered in that game; none if the file is missing or damaged: it is an extra."""
    try:
        kept = decode_as(read_whole(declared_hands_path(game_path)), list[StoredHand])
    except (OSError, Undecodable):
        return ()
    return tuple(each.restore() for each in kept if each.is_valid)
