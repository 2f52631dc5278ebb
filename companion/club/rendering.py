"""The club's pages as HTML, made here: nothing but a short script, which keeps them as they are now, runs in
the browser, and nothing comes from elsewhere."""

from __future__ import annotations

import gzip
import time
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import blake2b, sha256
from pathlib import Path
from urllib.parse import urlencode

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response

from companion.club.messages import CLOCK_OVER, LOST_PAGE
from companion.sentences import Sentence, write_number
from companion.serve.answers import HEADERS
from companion.serve.application import find_language
from companion.serve.page import LABELS, LANGUAGE_NAMES, STYLE, TAGS, TILES
from companion.sheets.wording import write_points
from companion.tiles import BACK, UNKNOWN
from companion.words import Words
from companion.words.tile_names import name_tile

TEMPLATES = Path(__file__).parent / "templates"
OWN_STYLE, SCRIPT = ((TEMPLATES / name).read_text(encoding="utf-8") for name in ("club.css", "club.js"))
THEMES = ("dark", "light")
KEPT_QUERIES = ("token", "language", "theme")
"""What every link of a page takes along."""
SEEN_HEADER = "Companion-Seen"
"""With a request of the script: which content it shows. The answer is the newer content alone, or 204."""
HTML = "text/html"


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


ALL_STYLE = STYLE + OWN_STYLE
POLICY = (
    f"default-src 'none'; script-src {_hash(SCRIPT)}; style-src {_hash(ALL_STYLE)}; connect-src 'self'; "
    "img-src data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'"
)
PAGE_HEADERS = HEADERS | {
    "Content-Security-Policy": POLICY,
    "Referrer-Policy": "same-origin",  # with no-referrer a browser hides where a form comes from
    "Vary": "Accept-Encoding",
}


@dataclass(frozen=True, slots=True)
class Page:
    """One page for one reader. templates: `NAME.html` is its content. title: of the browser's tab."""

    name: str
    title: str
    values: Mapping[str, object]
    status: int = 200


def _make_environment() -> Environment:
    made = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {"number": write_number, "points": write_points, "seconds": write_seconds}
    return made


def write_seconds(seconds: float) -> str:
    """A clock, as 1:05 or 1:00:05; never below 0:00."""
    whole = max(0, int(seconds))
    hours, minutes = divmod(whole // 60, 60)
    return f"{hours}:{minutes:02}:{whole % 60:02}" if hours else f"{minutes}:{whole % 60:02}"


ENVIRONMENT = _make_environment()
VERSION = sha256("\0".join((ALL_STYLE, SCRIPT)).encode()).hexdigest()[:12]
"""Of style and script: a page with others loads itself again."""


def find_words(request: Request) -> Words:
    return Words(find_language(request))


def make_link(request: Request, path: str, **query: object) -> str:
    """The address of a page, with what every link takes along; a value of None is left out."""
    kept = {name: request.query_params[name] for name in KEPT_QUERIES if name in request.query_params}
    asked = {name: value for name, value in (kept | query).items() if value is not None}
    return path + (f"?{urlencode(asked)}" if asked else "")


def render(request: Request, page: Page) -> Response:
    """The whole page; to the script's request the content alone, 204 where that is what it shows."""
    words = find_words(request)
    given = request.query_params.get("theme")
    common: dict[str, object] = {
        "words": words,
        "to": lambda path, **query: make_link(request, path, **query),
        "tile_name": lambda code: words.say(name_tile(code or UNKNOWN)),
        "BACK": BACK,
        "labels": LABELS,
        "over": CLOCK_OVER,
        "at": page.name,
    }
    content = ENVIRONMENT.get_template(f"{page.name}.html").render(common | dict(page.values))
    seen = blake2b(content.encode(), digest_size=8).hexdigest()
    headers = PAGE_HEADERS | {"Companion-Page": VERSION, "Companion-Now": f"{time.time():.2f}"}
    asked = request.headers.get(SEEN_HEADER)
    if asked == seen:
        return Response(status_code=204, headers=headers)
    body = ENVIRONMENT.get_template("content.html" if asked is not None else "base.html").render(
        common
        | {
            "content": Markup(content),  # rendered above, with everything in it escaped
            "seen": seen,
            "title": page.title,
            "tag": TAGS[words.language],
            "theme": given if given in THEMES else "",
            "version": VERSION,
            "now": headers["Companion-Now"],
            "style": Markup(ALL_STYLE),  # files of the program
            "script": Markup(SCRIPT),
            "sprite": Markup(TILES) if page.name == "table" else "",
            "languages": {each.value: name for each, name in LANGUAGE_NAMES.items()},
            "lost": LOST_PAGE,
            "query": request.url.path,
        }
    )
    encoded = body.encode()
    if "gzip" in request.headers.get("accept-encoding", ""):
        headers |= {"Content-Encoding": "gzip"}
        encoded = gzip.compress(encoded, 6, mtime=0)
    return Response(encoded, page.status, headers, HTML)


def render_message(request: Request, status: int, why: Sentence) -> Response:
    """A page that says why there is nothing else."""
    said = find_words(request).say(why)
    return render(request, Page("message", "Mahjong", {"said": said}, status))
