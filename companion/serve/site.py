"""An application that browsers may open: its sockets, its thread, its links and its certificate."""

from __future__ import annotations

import asyncio
import logging
import secrets
import socket
import ssl
import struct
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass

import uvicorn
from starlette.types import ASGIApp

from companion.errors import MissingError
from companion.files import name_reason
from companion.sentences import msgid
from companion.serve.application import Access, EncryptedPage
from companion.serve.certificate import Certificate, load_certificate
from companion.serve.connections import SETTINGS, Encryption

if sys.platform == "linux":
    import fcntl

PORT = 8360
TOKEN_BYTES = 16
BACKLOG = 64
"""Connections that are accepted at once, so that a flood of them cannot use up the process's files."""
SEND_BUFFER_BYTES = 128 * 1024
"""What is on its way to a viewer that reads slowly is old by the time it arrives."""
SILENT_MS = 30_000
"""After this time a viewer that acknowledges nothing is disconnected."""
CLOSE_S = 5.0
NO_PORT = msgid("The page cannot be opened ({why}). Close other programs, then try again.")
PORT_TAKEN = msgid("Nothing can be served on port {port} ({why}). Choose another one with --port.")
OWN_ADDRESS = "127.0.0.1"
SOMEWHERE = ("192.0.2.1", 9)
"""An address that no machine has (RFC 5737): a way to it shows the own address, and nothing is sent."""
SIOCGIFFLAGS, SIOCGIFADDR, IFREQ_VALUE = 0x8913, 0x8915, 16
IFF_LOOPBACK, IFF_RUNNING = 0x8, 0x40
"""Questions about a network interface, where answers begin, and flags: linux/sockios.h and linux/if.h."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Served:
    """How a page is served. port: 0 for any free ones. lan: to other devices of the network too, by a link
    with a token, and on a second port encrypted."""

    port: int = PORT
    lan: bool = False


class Site:
    """What is served at these addresses, from `start` to `close`; all of it on one event loop.

    on_death: called where it ends by itself. token: of the link, where there is one; a new one by default.
    """

    def __init__(
        self, served: Served, on_death: Callable[[], None] = lambda: None, token: str | None = None
    ) -> None:
        """Take the ports. MissingError where one is taken."""
        self._sockets = [listen(served.port, served.lan)]
        if served.lan:
            try:
                self._sockets.append(listen(served.port and served.port + 1, served.lan))
            except MissingError:
                self._sockets[0].close()
                raise
        self._ports = [each.getsockname()[1] for each in self._sockets]
        self.token = (token or make_token()) if served.lan else None
        self.access = Access(self.token, _list_names(served.lan))
        self.servers: list[uvicorn.Server] = []
        self._certificate: Certificate | None = None
        self._is_closed = False
        self._on_death = on_death
        self.loop = asyncio.new_event_loop()
        self.loop.set_exception_handler(_log_fault)
        self._thread = threading.Thread(target=self._run, name="server", daemon=True)

    def start(self, application: ASGIApp) -> None:
        """Serve this."""
        self.servers = [make_server(application)]
        if self.token is not None:
            self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            self._renew_certificate()
            self.servers.append(make_server(application, Encryption(self._context).begin))
            self.servers[1].server_state = self.servers[0].server_state  # limits count both
        self._thread.start()

    @property
    def address(self) -> str:
        """The link, with its token where the network may see the page; this machine's own address where it
        is in no network."""
        return self._make_link("http", self._ports[0])

    @property
    def encrypted(self) -> EncryptedPage | None:
        """The encrypted page, with a certificate for this machine's addresses as they are now; None where
        only this machine is served, whose browsers need none."""
        if self._certificate is None:
            return None
        certificate = self._renew_certificate()
        return EncryptedPage(self._make_link("https", self._ports[1]), certificate.fingerprint)

    @property
    def in_network(self) -> bool:
        """Whether other devices can reach the page now."""
        return self.token is not None and find_address() is not None

    @property
    def is_running(self) -> bool:
        """Whether it still serves; False where it has ended by itself."""
        return self._thread.is_alive()

    def call(self, what: Callable[[], object]) -> None:
        """Have it done on the loop."""
        with suppress(RuntimeError):  # the loop has ended
            self.loop.call_soon_threadsafe(what)

    def close(self) -> None:
        """Stop serving, in `CLOSE_S` at most."""
        self._is_closed = True
        for server in self.servers:
            server.should_exit = True
        self._thread.join(CLOSE_S)

    def _make_link(self, scheme: str, port: int) -> str:
        host = (find_address() if self.token else None) or OWN_ADDRESS
        return f"{scheme}://{host}:{port}/" + (f"?token={self.token}" if self.token else "")

    def _renew_certificate(self) -> Certificate:
        """The certificate for the addresses that this machine has now."""
        hosts = (*dict.fromkeys((*_list_addresses(), find_address() or OWN_ADDRESS, OWN_ADDRESS)),)
        hosts += tuple(sorted(name for name in _list_names(lan=True) if name.isascii()))
        if self._certificate is None or not set(hosts) <= set(self._certificate.hosts):
            self._certificate = load_certificate(hosts)
            self._certificate.load_into(self._context)
        return self._certificate

    def _run(self) -> None:
        asyncio.set_event_loop(self.loop)
        try:
            self.loop.run_until_complete(self._serve())
        except BaseException:
            log.exception("the served page has ended")
        finally:
            for each in self._sockets:
                each.close()
            self.loop.close()
            if not self._is_closed:
                self._on_death()

    async def _serve(self) -> None:
        pairs = zip(self.servers, self._sockets, strict=True)
        await asyncio.gather(*(server.serve(sockets=[listening]) for server, listening in pairs))


def make_token() -> str:
    return secrets.token_urlsafe(TOKEN_BYTES)


def make_server(
    application: ASGIApp, protocol: Callable[..., asyncio.BaseProtocol] | None = None
) -> uvicorn.Server:
    """uvicorn within the limits of `connections`. protocol: what makes the protocol of a connection, where
    that is not the usual one."""
    settings = SETTINGS if protocol is None else {**SETTINGS, "http": protocol}
    config = uvicorn.Config(
        application, lifespan="off", backlog=BACKLOG, timeout_graceful_shutdown=1, **settings
    )
    return uvicorn.Server(config)


def _list_names(lan: bool) -> frozenset[str]:
    """The names by which devices may ask for this machine."""
    own = socket.gethostname().lower()
    return frozenset({"localhost", own, f"{own}.local"} if lan else {"localhost"})


def listen(port: int, lan: bool) -> socket.socket:
    """A socket at which the page is asked for; port 0 takes any free one. MissingError where it is taken."""
    listening = socket.socket()
    try:
        if sys.platform != "win32":  # where two programs could then have the same port
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER_BYTES)
        if sys.platform == "linux":
            listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, SILENT_MS)
        listening.bind(("0.0.0.0" if lan else OWN_ADDRESS, port))
        listening.listen(BACKLOG)
    except OSError as error:
        listening.close()
        why = name_reason(error)
        if port:
            raise MissingError(PORT_TAKEN, port=str(port), why=why) from error
        raise MissingError(NO_PORT, why=why) from error
    return listening


def find_address() -> str | None:
    """This machine's address in its network, also in one that leads nowhere else, such as its own hotspot;
    None without one."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, suppress(OSError):
        probe.connect(SOMEWHERE)
        address: str = probe.getsockname()[0]
        return address
    return next(_list_addresses(), None)


def _list_addresses() -> Iterator[str]:
    """Of every network interface that is connected, as netdevice(7) lists them; elsewhere than on Linux, of
    this machine's name."""
    if sys.platform == "linux":
        for _, name in socket.if_nameindex():
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked, suppress(OSError):
                question = struct.pack("256s", name.encode())
                (flags,) = struct.unpack_from("H", fcntl.ioctl(asked, SIOCGIFFLAGS, question), IFREQ_VALUE)
                address = fcntl.ioctl(asked, SIOCGIFADDR, question)[IFREQ_VALUE + 4 : IFREQ_VALUE + 8]
                if flags & IFF_RUNNING and not flags & IFF_LOOPBACK:
                    yield socket.inet_ntoa(address)
    else:
        with suppress(OSError):
            _, _, addresses = socket.gethostbyname_ex(socket.gethostname())
            yield from (each for each in addresses if not each.startswith("127."))


def _log_fault(loop: asyncio.AbstractEventLoop, context: dict[str, object]) -> None:
    error = context.get("exception")
    log.warning("%s", context.get("message"), exc_info=error if isinstance(error, BaseException) else None)
