"""The games that tables play now, from their entries in the database: each is played on by what has come."""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy.orm import Session

from companion.club.keeping import list_entries
from companion.club.replay import ReplayedGame
from companion.club.schema import Game
from companion.errors import EventError, InputError
from companion.game.watching import PlayedSoFar
from companion.serve.shown import show_game
from companion.sheets.hands import Sheet, make_sheet
from companion.words import Language, Words

Json = dict[str, Any]
GAMES_MAX = 500
"""Games that are kept in memory."""
log = logging.getLogger(__name__)


@dataclass(slots=True)
class _Live:
    """A game after its entry `through`, and what is shown of it then."""

    game: ReplayedGame
    through: int
    sheet: Sheet | None = None
    documents: dict[Language, Json] = field(default_factory=dict)


class LiveGames:
    """Shows the games of the database as they are now. Any thread may ask."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._games: OrderedDict[str, _Live] = OrderedDict()  # the one shown last at the end

    def show(self, session: Session, game: Game, words: Words) -> Json | None:
        """What everybody at its table may see, as `GET /state` of the served page; None before its first
        event, and where this program's rules refuse what the game began with."""
        with self._lock:
            try:
                live = self._play_on(session, game)
            except EventError:
                log.warning("the game %s cannot be shown", game.id, exc_info=True)
                return None
            state = live.game.log.state
            if state is None:
                return None
            if words.language not in live.documents:
                played = PlayedSoFar(game.name, tuple(live.game.log.standing), state)
                live.sheet = make_sheet(played.events, live.sheet)
                live.documents[words.language] = show_game(played, live.sheet, live.through, words)
            return live.documents[words.language]

    def _play_on(self, session: Session, game: Game) -> _Live:
        live = self._games.pop(game.id, None)  # a fault below forgets it
        if live is None:
            live = _Live(ReplayedGame.resume(list_entries(session, game)), game.through)
        elif live.through < game.through:
            for entry, _ in list_entries(session, game, after=live.through):
                with suppress(InputError):  # as when it came
                    live.game.take(entry)
            live.through = game.through
            live.documents.clear()
        self._games[game.id] = live
        while len(self._games) > GAMES_MAX:
            self._games.popitem(last=False)
        return live
