"""The served page as a value that a command or the window starts and stops."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from companion.game.owner import GameOwner
from companion.serve.application import EncryptedPage, make_application
from companion.serve.phone_camera import PhoneCameraDoor
from companion.serve.remote import Remote, RemoteView
from companion.serve.site import Served, Site
from companion.serve.sources import Source
from companion.serve.viewers import NO_GAME_YET, Documents, Publisher, Viewers

if TYPE_CHECKING:  # which brings OpenCV, and few pages have a camera
    from companion.cameras.phone import PhonePictures


class Server:
    """A page that is being served.

    pictures: where those of a phone that is the camera go; None where no phone may be one. game: into which
    phones that hold a seat may enter wins; None where the page only watches. on_remote: gets each newer state
    of these seats, on the game's thread. on_death: called where the server ends by itself.
    """

    def __init__(
        self,
        source: Source,
        served: Served,
        pictures: PhonePictures | None = None,
        *,
        game: GameOwner | None = None,
        on_remote: Callable[[RemoteView], None] = lambda view: None,
        on_death: Callable[[], None] = lambda: None,
    ) -> None:
        """Begin. MissingError where a port is taken."""
        self.site = Site(served, on_death)
        self._publisher = Publisher(self._publish)
        self._viewers = Viewers(self._publisher.make_documents(NO_GAME_YET))
        self._camera = PhoneCameraDoor(pictures)
        if pictures is not None:
            pictures.call_when_wanted(lambda: self.site.call(self._camera.wake))

        def show(view: RemoteView) -> None:
            self._publisher.hand_over_remote(view)
            on_remote(view)

        self.remote = Remote(game, show) if game else None
        self._publisher.start()
        self.site.start(
            make_application(
                self._viewers, self.site.access, self._camera, lambda: self.encrypted, self.remote
            )
        )
        self._end_source = source(self._publisher.hand_over)

    @property
    def token(self) -> str | None:
        return self.site.token

    @property
    def address(self) -> str:
        return self.site.address

    @property
    def encrypted(self) -> EncryptedPage | None:
        return self.site.encrypted

    @property
    def in_network(self) -> bool:
        return self.site.in_network

    @property
    def is_running(self) -> bool:
        return self.site.is_running

    @property
    def viewers(self) -> int:
        """How many pages are open."""
        return self._viewers.count

    def close(self) -> None:
        """Stop serving. Viewers see that the connection is gone."""
        self._end_source()
        if self.remote is not None:
            self.remote.close()
        self._publisher.close()
        self.site.call(self._viewers.close)
        self.site.call(self._camera.close)
        self.site.close()

    def _publish(self, documents: Documents) -> None:
        self.site.call(lambda: self._viewers.publish(documents))
