"""Who may organise: names with passwords, and the sessions of those who have signed in."""

from __future__ import annotations

import secrets
import threading
import time
from dataclasses import dataclass, field

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from sqlalchemy.orm import Session

from companion.club import messages
from companion.club.schema import Organiser
from companion.errors import InputError
from companion.foreign_text import clean

SESSION_S = 12 * 3600
"""An evening with what is before and after it."""
SESSIONS_MAX = 100
PASSWORD_MIN, PASSWORD_MAX = 8, 1000
TOKEN_BYTES = 32
HASHER = PasswordHasher()
NOBODY = HASHER.hash(secrets.token_urlsafe())
"""What the password of a name that nobody has is compared to, so that it takes as long."""


def hash_password(password: str) -> str:
    """What is kept of a password: argon2id with the library's own costs. InputError for a short one."""
    if not PASSWORD_MIN <= len(password) <= PASSWORD_MAX:
        raise InputError(messages.SHORT_PASSWORD, least=PASSWORD_MIN, most=PASSWORD_MAX)
    return HASHER.hash(password)


def is_password(password: str, kept: str | None) -> bool:
    """Whether it is the password of which that is kept; None for a name that nobody has."""
    try:
        HASHER.verify(kept or NOBODY, password[:PASSWORD_MAX])
    except (VerificationError, InvalidHashError):
        return False
    return kept is not None


def keep_organiser(session: Session, name: str, hashed: str) -> None:
    """Let that name organise with the password of which `hashed` is kept; an earlier one counts no more."""
    session.merge(Organiser(name=_read_name(name), password=hashed))


def find_password(session: Session, name: str) -> str | None:
    """What is kept of the password of that name."""
    found = session.get(Organiser, _read_name(name))
    return None if found is None else found.password


def _read_name(name: str) -> str:
    return clean(name.strip())


@dataclass(slots=True)
class Sessions:
    """Who is signed in until when, by the value of a cookie. In memory: a restart signs all out."""

    _open: dict[str, tuple[str, float]] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def begin(self, name: str) -> str:
        """The value of the cookie; the oldest session ends where there are too many."""
        token = secrets.token_urlsafe(TOKEN_BYTES)
        with self._lock:
            while len(self._open) >= SESSIONS_MAX:
                del self._open[next(iter(self._open))]
            self._open[token] = name, time.monotonic() + SESSION_S
        return token

    def find(self, token: str | None) -> str | None:
        """Who has that cookie; None where the session has ended."""
        name, until_s = self._open.get(token or "", (None, 0.0))
        return name if time.monotonic() < until_s else None

    def end(self, token: str | None) -> None:
        with self._lock:
            self._open.pop(token or "", None)
