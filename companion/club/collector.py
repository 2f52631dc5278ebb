"""Brings what tables send into the database: a message is acknowledged once it is committed."""

from __future__ import annotations

import logging
import secrets
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from sqlalchemy import select
from sqlalchemy.orm import Session

from companion.club import messages
from companion.club.database import Database, is_unusable
from companion.club.keeping import Keeper, Kept, Missing, find_missing, replay_refused
from companion.club.schema import Collector
from companion.club.subscription import Arrived, Subscription
from companion.foreign_text import show
from companion.publish.connection import Address
from companion.publish.topics import TableTopics, encode_again
from companion.sentences import Sentence
from companion.stopping import check, wait_readable

BATCH_MAX = 300
"""Messages that are committed in one transaction."""
POLL_S = 0.2
GATHER_S = 0.2
"""The time for which messages gather into one transaction: each costs as much as some twenty messages."""
RETRY_S = 1.0
"""The pause after which a database that failed is tried again."""
AGAIN_S = 10.0
"""The time after which a table is asked again for entries none of which has come meanwhile."""
SESSION_BYTES = 8
ABOUT = "{table}: {trouble}"

T = TypeVar("T")
log = logging.getLogger(__name__)


class Collecting:
    """One run. report: called with each new trouble, on any thread; back: where database or broker is there
    again, with its name."""

    def __init__(
        self, database: Database, report: Callable[[Sentence], None], back: Callable[[str], None]
    ) -> None:
        self._database = database
        self._report, self._back = report, back
        self._keeper = Keeper()
        self._trouble: Sentence | None = None

    def run(self, address: Address, authority: Path | None) -> None:
        """Collect until a signal ends it. Raises MissingError where the broker never lets it, or the database
        is a newer program's."""
        session = self.prepare()

        def report_broker(trouble: Sentence | None) -> None:
            if trouble is None:
                self._back(str(address))
            else:
                self._report(trouble)

        with Subscription(address, session, report_broker, authority) as subscription:
            missing: dict[str, int] = {}
            asked_s = time.monotonic()
            while True:
                batch = subscription.take(BATCH_MAX, POLL_S, GATHER_S)
                if batch:
                    kept = self.keep(batch)
                    subscription.acknowledge(batch)
                    _ask(subscription, kept.missing)
                if time.monotonic() - asked_s > AGAIN_S:
                    asked_s = time.monotonic()
                    still = self._write(find_missing)
                    _ask(subscription, [each for each in still if missing.get(each.game) == each.first])
                    missing = {each.game: each.first for each in still}

    def prepare(self) -> str:
        """Bring the tables and what older programs refused up to date; the name of the broker's session for
        this database. Waits for the database; MissingError where a newer program wrote it."""
        self._try(self._database.migrate)
        self._write(replay_refused)
        return self._write(_find_session)

    def keep(self, batch: Sequence[Arrived]) -> Kept:
        """Commit these messages and report what is wrong with them. One that cannot be kept, for a reason
        that nobody thought of, costs none of the others."""
        pairs = [(each.topic, each.payload) for each in batch]
        try:
            kept = self._write(lambda session: self._keeper.keep(session, pairs))
        except Exception as error:
            if len(batch) > 1:
                parts = [self.keep([each]) for each in batch]
                return Kept([each for part in parts for each in part.missing])
            (arrived,) = batch
            log.error("a message on %s could not be kept", show(arrived.topic), exc_info=error)
            trouble = Sentence(messages.NOT_KEPT, {"topic": arrived.topic})
            kept = self._write(lambda session: self._keeper.mark(session, arrived.topic, trouble))
        for topics, said in kept.troubles:
            about = Sentence(ABOUT, {"table": _name(topics), "trouble": said})
            log.warning("%s", about)
            self._report(about)
        return kept

    def _write(self, work: Callable[[Session], T]) -> T:
        """What `work` returns, once its transaction is committed, as `_try`."""

        def commit() -> T:
            with self._database.begin() as session:
                return work(session)

        return self._try(commit)

    def _try(self, work: Callable[[], T]) -> T:
        """What `work` returns; where the database fails, wait and try again, however long that takes."""
        while True:
            try:
                done = work()
            except Exception as error:
                self._keeper.forget()
                if not is_unusable(error):
                    raise
                trouble = self._database.explain(error)
                if trouble != self._trouble:
                    self._trouble = trouble
                    log.warning("%s", trouble)
                    self._report(trouble)
                check()
                wait_readable(None, RETRY_S)
                continue
            if self._trouble is not None:
                self._trouble = None
                self._back(str(self._database))
            return done


def _ask(subscription: Subscription, missing: Sequence[Missing]) -> None:
    for each in missing:
        subscription.send(each.topics.again, encode_again(each.game, each.first))


def _name(topics: TableTopics) -> str:
    return f"{topics.club}/{topics.table}"


def _find_session(session: Session) -> str:
    known = session.scalars(select(Collector.session)).one_or_none()
    if known is None:
        known = f"companion-club-{secrets.token_hex(SESSION_BYTES)}"
        session.add(Collector(session=known))
    return known
