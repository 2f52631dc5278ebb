"""Text from elsewhere (names, files, devices, addresses, system errors) made safe to print, show and keep.

`show` is the one door for it: sentences, quotations, the log and the terminal all go through here. Addresses
lose their passwords and private parts: scheme://host:port/path remains, and of the path only known words.
"""

from __future__ import annotations

import re
from hashlib import scrypt

HIDDEN = "…"
_WORDS = (
    "amp asp audio av avc axis bin c cam camera cameras cams cgi ch chan channel channels clip codec default"
    " device entrance feed first flv game garden h hd hevc high hls home html image img index input jpeg jpg"
    " kitchen live livestream low m mahjong main media mjpeg mjpg monitor mp mpeg ms nphmotionjpeg one onvif"
    " php play playlist preview primary profile real realmonitor room rtsp s sd sdp second secondary server"
    " snap snapshot stream streaming streams sub table test track trackid tracks ts tv two u v video"
    " videomain videos videosub view web webcam"
)
WORDS = frozenset(_WORDS.split())
"""Lower-case words that occur in the paths of cameras."""
NUMBER_DIGITS_MAX, PART_DIGITS_MAX = 3, 6
TAG_DIGITS = 3
"""Hexadecimal: 12 bits cannot confirm a guess, and two cameras of a house rarely share them."""

_SCHEME = re.compile(r"\s*(?!file:)([a-z][a-z0-9+.-]{1,30}):[/\\]+", re.IGNORECASE)
"""Matches a scheme, also with one slash, as in a path that was made of an address."""
_HOST = re.compile(r"(?:[\w-]+(?:\.[\w-]+)*\.?|(\[[0-9a-f:.]+\]))(:[0-9]{1,5})?", re.IGNORECASE)
_TAIL = re.compile(r"[/\\?#]")
_QUERY = re.compile(r"[?#;&]")
_PARTS = re.compile(r"[/\\?#;&_]")
_OF_ADDRESSES = re.compile(r"[?#;&@]")
_STARTS = re.compile(r"(?<![^\s'\"<>()\[\]{},|=])(?!file:)[a-z][a-z0-9+.-]{1,30}:[/\\]", re.I)
_ENDS = re.compile(r"[\s'\"<>]")
_LOGIN = re.compile(r"[^\s'\"<>@:]{1,64}:(?=\S)[^\n]{0,256}@(?=[\w\[])")
_SECRET = (
    "passw|passphrase|pwd|psw|user|login|token|secret|credential|api_?key|session|signature"
    "|(?<![a-z])(?:pass|pw|usr|auth|key|sig|cred|pin|sid)(?![a-z])"
)
"""Names of fields with secrets: words, and short ones only as a word of their own."""
_SECRET_NAME = re.compile(_SECRET, re.IGNORECASE)
_NAMED = re.compile(rf"([\w.-]{{0,40}}(?:{_SECRET})[\w.-]{{0,40}})=[^\s'\"]+", re.IGNORECASE)
_ENCODED = re.compile(r"[^\s'\"]{0,256}%3a(?:%2f|[^\s'\"]{0,256}%40)[^\s'\"]*", re.IGNORECASE)
PUNCTUATION = ".,:;!?)]}"
"""Signs after an address that belong to the sentence."""
_WORD = re.compile(r"[a-z]+|[0-9]+|.", re.IGNORECASE | re.DOTALL)


def hide_password(address: str) -> str:
    """The address as it may be shown and kept: scheme, host, port and the plain parts of its path.

    A device or a file is no address: it stays as it is.
    """
    found = _SCHEME.match(address)
    if not found and (address.startswith(("/", ".", "~")) or not _OF_ADDRESSES.search(address)):
        return _hide_logins(address)
    scheme = f"{found[1].lower()}://" if found else ""
    authority, tail = _split(address[found.end() :] if found else address.strip())
    if "@" in tail and _is_doubtful(authority, tail):
        if "@" in authority or tail.count("@") > 1 or _HOST.fullmatch(authority):
            return scheme + HIDDEN  # the part after any of these signs may be of a password
        authority, tail = _split(tail.rpartition("@")[2])
    host = _HOST.fullmatch(authority.rpartition("@")[2])
    if host is None:
        return scheme + HIDDEN
    return scheme + host[0] + _hide_in_path(tail)


def redact(text: str) -> str:
    """The text with its addresses as `hide_password` writes them, and without logins and named secrets."""
    if not any(sign in text for sign in (":/", ":\\", "@", "=", "%")):
        return text
    return "".join(map(_redact_line, text.splitlines(keepends=True)))


def make_tag(address: str, salt: bytes) -> str:
    """A few digits that distinguish addresses which are written alike; "" where only a login is hidden.

    Logins and secrets that are named as such do not affect them. Making them takes about 50 ms, on purpose.
    """
    found = _SCHEME.match(address)
    if not found:
        return ""
    tail = _split(address[found.end() :].rpartition("@")[2])[1]
    is_hidden = any(_QUERY.split(tail)[1:]) or HIDDEN in _hide_in_path(tail)
    parts = [part for part in _PARTS.split(tail) if part and not _SECRET_NAME.search(part)]
    if not is_hidden or not parts:
        return ""
    return scrypt("\n".join(parts).encode(errors="replace"), salt=salt, n=2**14, r=8, p=1).hex()[:TAG_DIGITS]


def _split(rest: str) -> tuple[str, str]:
    """The authority, and the path, query or fragment after it."""
    found = _TAIL.search(rest)
    return (rest[: found.start()], rest[found.start() :]) if found else (rest, "")


def _is_doubtful(authority: str, tail: str) -> bool:
    """Whether the last @, which is behind what seems to be the host, may be the one before the host."""
    is_in_query = "@" not in _QUERY.split(tail, maxsplit=1)[0]
    host = _HOST.fullmatch(authority)
    return not (is_in_query and host and (not host[2] or host[1] or "." in authority))


def _hide_in_path(tail: str) -> str:
    parts: list[str] = []
    for part in re.split(r"[/\\]", _QUERY.split(tail, maxsplit=1)[0])[1:]:
        shown = part if _is_plain(part) else HIDDEN
        if shown != HIDDEN or parts[-1:] != [HIDDEN]:
            parts.append(shown)
    return "".join(f"/{part}" for part in parts)


def _is_plain(part: str) -> bool:
    """Whether a part of a path only describes what a camera shows."""
    pieces = _WORD.findall(part)
    numbers = [piece for piece in pieces if piece.isdecimal()]
    return (
        sum(map(len, numbers)) <= PART_DIGITS_MAX
        and max(map(len, numbers), default=0) <= NUMBER_DIGITS_MAX
        and (
            len(part) <= 1
            or all(piece.lower() in WORDS or piece in numbers or piece in "._-" for piece in pieces)
        )
    )


def _redact_line(line: str) -> str:
    written, at = "", 0
    while found := _STARTS.search(line, at):
        written += _hide_logins(line[at : found.start()])
        at = _find_end(line, found.start(), found.end())
        written += hide_password(line[found.start() : at])
    return written + _hide_logins(line[at:])


def _find_end(line: str, start: int, after: int) -> int:
    """Where the address that starts there ends: at its closing quote, a space or a quote; but not before the
    last @ of the line, as a password may hold all of these."""
    opening = line[start - 1 : start]
    ends = re.compile(re.escape(opening)) if opening in ("'", '"') else _ENDS
    further = _STARTS.search(line, after)
    last = further.start() if further else len(line.rstrip("\r\n"))
    first = ends.search(line, after, last)
    at = line.rfind("@", first.start(), last) if first else -1
    if at >= 0:
        first = _ENDS.search(line, at, last)
    end = first.start() if first else last
    return after + len(line[after:end].rstrip(PUNCTUATION))


def _hide_logins(text: str) -> str:
    return _NAMED.sub(rf"\1={HIDDEN}", _LOGIN.sub(f"{HIDDEN}@", _ENCODED.sub(HIDDEN, text)))


INVISIBLE = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Printable according to Unicode, but invisible: joiners, fillers, the empty braille pattern."""
IDEOGRAPHIC_SPACE = "\u3000"
IDEOGRAPHS = ("\U00020000", "\U0003fffd")
"""Planes of ideographs alone; some are not yet in Python's tables of characters."""
_NOT_ASCII_TEXT = re.compile(r"[^ -~]")


def show(value: object) -> str:
    """`value` as text without credentials, on one line, printable anywhere: see `redact` and `escape`."""
    return redact(escape(str(value)))  # a line break inside an address hides no part of it


def escape(text: str, keep: str = "") -> str:
    """`text` with an escape such as \\x1b or \\u202e for each character that is not seen as one.

    Those are control characters, changes of direction, characters of no width, halves of a surrogate pair and
    all line breaks; characters in `keep` stay.
    """
    return _NOT_ASCII_TEXT.sub(lambda found: _escape_one(found[0], keep), text)


def escape_json(document: str) -> str:
    """A JSON document, or lines of them, with \\u escapes in place of these characters; it means the same."""
    return _NOT_ASCII_TEXT.sub(lambda found: _escape_in_json(found[0]), document)


def clean(name: str) -> str:
    """A name without these characters; line breaks and tabs become spaces. Halves of surrogate pairs stay: no
    text with one can be stored, and the code that stores it refuses it."""
    if all(map(_may_stay, name)):
        return name
    spaced = "".join(each if _may_stay(each) else " " if each.isspace() else "" for each in name)
    return " ".join(spaced.split())


def _is_seen(character: str) -> bool:
    if character in INVISIBLE:
        return False
    is_ideograph = IDEOGRAPHS[0] <= character <= IDEOGRAPHS[1]
    return character.isprintable() or character == IDEOGRAPHIC_SPACE or is_ideograph


def _may_stay(character: str) -> bool:
    return _is_seen(character) or "\ud800" <= character <= "\udfff"


def _escape_one(character: str, keep: str) -> str:
    if _is_seen(character) or character in keep:
        return character
    return character.encode("unicode_escape").decode()


def _escape_in_json(character: str) -> str:
    if _is_seen(character) or character == "\n":
        return character
    units = character.encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))
