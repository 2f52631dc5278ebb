"""The pages that everyone in the club may read: the room, a table, the standings, a player."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import quote as quote_url

from sqlalchemy.orm import Session
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from companion.club import exports, messages
from companion.club.live import Json, LiveGames
from companion.club.player import show_player
from companion.club.ranking import show_ranking
from companion.club.rendering import Page, find_words, render
from companion.club.room import (
    find_fit,
    find_round,
    find_table,
    list_clubs,
    list_linked,
    list_newest_games,
    say_away,
    show_room,
    show_round,
    write_title,
    write_wind,
)
from companion.club.standings import list_standings
from companion.errors import quote
from companion.sentences import Sentence
from companion.serve.answers import HEADERS, JSON, HttpError
from companion.tiles import BACK
from companion.words import Words

FRESH_S = 1.0
"""For this time all readers are shown the same, so that many of them cost as much as one."""
PAGES_MAX = 300

MEDIA_TYPES = {"csv": "text/csv", "json": JSON, "pdf": "application/pdf"}

Begin = Callable[[], AbstractContextManager[Session]]


class Recent:
    """Pages that were made within `FRESH_S`, by what they show."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._made: OrderedDict[Hashable, tuple[float, Page]] = OrderedDict()

    def find(self, key: Hashable, make: Callable[[], Page]) -> Page:
        """The page with this key, a new one where the last is too old."""
        with self._lock:
            at_s, page = self._made.get(key, (0.0, None))
            if page is None or time.monotonic() - at_s > FRESH_S:
                page = make()
                self._made[key] = time.monotonic(), page
                self._made.move_to_end(key)
                while len(self._made) > PAGES_MAX:
                    self._made.popitem(last=False)
            return page


@dataclass(frozen=True, slots=True)
class Asked:
    """What a page is asked for. name: of a table or a player."""

    session: Session
    live: LiveGames
    words: Words
    clubs: list[str]
    club: str
    name: str


def make_reading_routes(begin: Begin) -> list[Route]:
    """The addresses of these pages."""
    live, recent = LiveGames(), Recent()

    def route(path: str, make: Callable[[Asked], Page]) -> Route:
        def answer(request: Request) -> Response:
            words = find_words(request)
            given, name = (request.query_params.get(each, "").replace("\0", "") for each in ("club", "name"))

            def make_page() -> Page:
                with begin() as session:
                    clubs = list_clubs(session)
                    club = given if given in clubs else next(iter(clubs), "")
                    return make(Asked(session, live, words, clubs, club, name))

            return render(request, recent.find((path, given, name, words.language), make_page))

        return Route(path, answer)

    def export(request: Request) -> Response:
        """The standings of a club, or of all, as a file."""
        club, words = request.query_params.get("club"), find_words(request)
        with begin() as session:
            clubs = [each for each in list_standings(session) if club in (None, each["club"])]
        name, kind = words(messages.STANDINGS), request.path_params["kind"]
        match kind:
            case "csv":
                content = exports.encode_csv(clubs)
            case "json":
                content = exports.encode_json(clubs)
            case "pdf":
                content = exports.encode_pdf(clubs, name, words, datetime.now().astimezone().date())
            case _:
                raise HttpError(404, Sentence(messages.NOTHING_HERE))
        named = f"attachment; filename=standings.{kind}; filename*=UTF-8''{quote_url(name)}.{kind}"
        return Response(content, 200, HEADERS | {"Content-Disposition": named}, MEDIA_TYPES[kind])

    return [
        Route("/export/standings.{kind}", export),
        route("/", _make_room),
        route("/table", _make_table),
        route("/ranking", _make_ranking),
        route("/player", _make_player),
        route("/seating", _make_seating),
    ]


def _make_room(asked: Asked) -> Page:
    words = asked.words
    room = show_room(asked.session, asked.live, asked.club, words)
    values = {
        "clubs": asked.clubs,
        "club": asked.club,
        "room": room,
        "fit": find_fit(len(room.tables)),
    }
    return Page("room", asked.club or words(messages.ROOM), values)


def _make_table(asked: Asked) -> Page:
    words = asked.words
    table = find_table(asked.session, asked.club, asked.name)
    if table is None:
        raise HttpError(404, Sentence(messages.NO_TABLE, {"name": quote(asked.name)}))
    game = list_newest_games(asked.session, asked.club).get(table.id)
    shown = asked.live.show(asked.session, game, words) if game is not None else None
    values: dict[str, object] = {
        "club": asked.club,
        "title": write_title(table.name, words),
        "game": shown,
        "away": say_away(table, words),
        "linked": [] if game is None or shown is None else list_linked(asked.session, game, shown["names"]),
        "melds": [] if shown is None else [list(map(list_tiles, melds)) for melds in shown["state"]["melds"]],
        "offered": None if shown is None else _find_offered(shown["state"]),
    }
    return Page("table", f"{asked.club} · {values['title']}", values)


def list_tiles(meld: str) -> list[str]:
    """The tiles of a meld as they are on the table: of a concealed kong two are face down."""
    codes = [rank + meld[-1] for rank in meld[1:-1]]
    if meld[0] != "K":
        return codes
    return [BACK] * 4 if "?" in meld else [BACK, codes[1], codes[2], BACK]


def _find_offered(state: Json) -> int | None:
    """The seat whose newest discard may be claimed."""
    offer = state.get("offer") if state["playing"] else None
    return offer["seat"] if offer is not None and offer["kind"] == "discard" else None


def _make_ranking(asked: Asked) -> Page:
    ranking = show_ranking(asked.session, asked.club, asked.words)
    values = {"clubs": asked.clubs, "club": asked.club, "ranking": ranking}
    return Page("ranking", f"{asked.club} · {asked.words(messages.STANDINGS)}", values)


def _make_player(asked: Asked) -> Page:
    values = show_player(asked.session, asked.club, asked.name, asked.words)
    if values is None:
        raise HttpError(404, Sentence(messages.NO_PLAYER, {"name": quote(asked.name)}))
    return Page("player", f"{asked.name} · {asked.club}", values)


def _make_seating(asked: Asked) -> Page:
    """Who sits where in the newest round, to be printed."""
    words, of = asked.words, find_round(asked.session, asked.club)
    tables = [] if of is None else [(write_title(each.table, words), each.players) for each in of.tables]
    people = [
        (player.name, title, write_wind(wind, words))
        for title, players in tables
        for wind, player in enumerate(players)
    ]
    values = {
        "club": asked.club,
        "round": None if of is None else show_round(of, words),
        "tables": [
            {"title": title, "seats": [(wind, name) for name, at, wind in people if at == title]}
            for title, _ in tables
        ],
        "people": sorted(people),
        "byes": [] if of is None else [player.name for player in of.byes],
    }
    return Page("seating", f"{asked.club} · {words(messages.SEATING)}", values)
