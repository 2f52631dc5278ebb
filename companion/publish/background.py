"""Publishing as a value that the window starts and stops: the game that this process plays, on a thread of
its own."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from pathlib import Path

from companion.errors import CompanionError
from companion.files import name_reason
from companion.game.owner import GameOwner
from companion.publish.broker import Broker
from companion.publish.connection import Address, Ended
from companion.publish.publisher import publish
from companion.publish.sources import PlayedSource
from companion.publish.topics import TableTopics
from companion.sentences import Sentence, msgid

CLOSE_S = 1.5
"""The longest wait for the broker at the end: a connection that is just being tried is given up."""
NOT_KEPT = msgid("It cannot be saved how far the game was sent ({why}). Switch it on again: nothing is lost.")
DIED = msgid("Publishing has ended by itself. Switch it on again: nothing is lost.")

log = logging.getLogger(__name__)


class Publishing:
    """The game that this process plays is sent to a broker, until `close`: when another one is opened, that
    one. The game never waits for it.

    caught_up: called with the game's name and the number of its last entry whenever all are sent; report:
    called with each new trouble, and with None when nothing is in the way any more; ended: called with the
    reason where it ends by itself. All on other threads.
    """

    def __init__(
        self,
        game: GameOwner,
        address: Address,
        topics: TableTopics,
        authority: Path | None,
        *,
        caught_up: Callable[[str, int], None],
        report: Callable[[Sentence | None], None],
        ended: Callable[[Sentence], None],
    ) -> None:
        """Begin. Raises InputError as `Broker` does."""
        self._broker = Broker(address, topics, report, authority)
        self._source = PlayedSource(game)
        self._caught_up, self._report, self._ended = caught_up, report, ended
        self._thread = threading.Thread(target=self._run, name="publishing", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End it, in `CLOSE_S` at most. What was not sent follows the next time."""
        self._broker.end()
        self._thread.join(CLOSE_S)

    def _run(self) -> None:
        why = self._publish()
        self._source.close()
        if why is not None:
            self._ended(why)
        self._broker.close()

    def _publish(self) -> Sentence | None:
        """Publish until it ends. Returns why it has ended by itself."""
        try:
            publish(self._source, self._broker, self._caught_up, self._report)
        except Ended:
            return None
        except CompanionError as problem:
            return problem.sentence
        except OSError as problem:
            return Sentence(NOT_KEPT, {"why": name_reason(problem)})
        except Exception:
            log.exception("publishing has ended")
        return Sentence(DIED)
