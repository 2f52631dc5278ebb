"""Games that are shown while they are played: after every entry as the game from its beginning."""

from __future__ import annotations

from sqlalchemy import select

from companion.club.live import LiveGames
from companion.club.reading import FRESH_S, Recent
from companion.club.rendering import Page
from companion.club.schema import Entry, Game
from companion.publish.topics import TableTopics
from companion.table.events import Corrected, Discarded, Event, Won
from companion.words import Language, Words
from tests.club.served_club import CLUB, ServedClub
from tests.club.tables import SentGame, play_hands


def test_a_game_is_shown_as_if_it_had_been_played_from_the_beginning(club: ServedClub) -> None:
    events = list(play_hands("hong-kong", 2))
    won = next(at for at, event in enumerate(events, start=1) if isinstance(event, Won))
    correction = Corrected(number=won, right=None, why="it was no win", more=(events[won - 1],))
    refused = Discarded(seat=0, tile="1m")
    steps: list[Event | int] = [*events, correction, -1, 1, -1, -3, refused, 1]
    game = SentGame(TableTopics(CLUB, "7"), steps)
    live, words = LiveGames(), Words(Language.SIMPLIFIED)
    shown = []
    batches = [game.messages()[at : at + 40] for at in range(0, len(events), 40)]
    batches += [[message] for message in game.messages()[len(events) :]]
    for batch in batches:
        with club.database.begin() as session:
            club.keeper.keep(session, batch)
        with club.database.begin() as session:
            row = session.get_one(Game, game.id)
            shown.append(live.show(session, row, words))
            assert shown[-1] == LiveGames().show(session, row, words)
    assert len({str(each["said"]) + str(each["state"]) for each in shown if each is not None}) > 3
    with club.database.begin() as session:
        assert session.scalars(select(Entry.number).where(Entry.refused.is_not(None))).all() != []


def test_a_game_without_an_entry_is_not_shown(club: ServedClub) -> None:
    game = club.say("7", play_hands("hefei", 1)[:1])
    with club.database.begin() as session:
        row = session.get_one(Game, game.id)
        row.through = 0
        assert LiveGames().show(session, row, Words(Language.ENGLISH)) is None


def test_readers_share_a_page_while_it_is_fresh() -> None:
    recent, made = Recent(), []

    def make() -> Page:
        made.append(Page("room", str(len(made)), {}))
        return made[-1]

    assert recent.find("a", make) is recent.find("a", make)
    assert recent.find("b", make) is not recent.find("a", make)
    recent._made["a"] = (recent._made["a"][0] - FRESH_S - 1, recent._made["a"][1])
    assert recent.find("a", make) is made[-1]
    assert len(made) == 3
