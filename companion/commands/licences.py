"""`companion licences`: the installed packages that the program needs, their contents, and the licences.

Packages state theirs in their metadata. Libraries inside wheels do not: `SHARED` and `LINKED` name them. A
library's file that is not named is listed as unknown, and a test fails: read the new wheel's notices, add it.
"""

from __future__ import annotations

import json
import mmap
import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from companion.commands.inputs import AsJson
from companion.commands.output import console, print_json
from companion.config import models_dir
from companion.errors import MissingError

if TYPE_CHECKING:
    from importlib.metadata import Distribution

PROGRAM = "mahjong-companion"
INSTALLERS = ("hatchling", "pip")
"""Packages that install the program from a checkout; not needed to run it."""
CLUB = ("alembic", "psycopg", "psycopg-binary", "sqlalchemy")
"""Packages of the extra `club`. psycopg is under the LGPL, and stays in packages of its own."""
UNKNOWN = "unknown"
NOT_INSTALLED = "The package '{name}' is not installed: install the program again."


class Library(NamedTuple):
    """A library in a wheel. version: searched in the name of its file, then in the file; its groups make the
    version.
    """

    name: str
    licence: str
    version: bytes | None = None


class LinkedLibrary(NamedTuple):
    """A library linked into another file of a wheel. mark: is in that file; `version` matches from there."""

    name: str
    licence: str
    mark: bytes
    version: bytes = b""


NAMED = {
    "3-Clause BSD License": "BSD-3-Clause",
    "Apache 2.0": "Apache-2.0",
    "Apache Software License": "Apache-2.0",
    "Apache-2.0": "Apache-2.0",
    "BSD-3-Clause": "BSD-3-Clause",
    "ISC License": "ISC",
    "MIT": "MIT",
    "MIT License": "MIT",
    "MPL-2.0": "MPL-2.0",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
}
"""SPDX identifiers of what packages write as their licence or classifier."""
READ = {
    "docutils": "LicenseRef-Public-Domain AND BSD-2-Clause AND 0BSD",  # its GPL file is not in the wheel
    "pyserial": "BSD-3-Clause",
    "reportlab": "BSD-3-Clause",
    "segno": "BSD-3-Clause",
}
"""Licences as the packages' texts state them, where the metadata are not exact."""
NOTES = {
    "LGPL": "A package, or a file of its own in a package's folder, which may be replaced by another build.",
    "MPL-2.0": "Used unchanged; its files are its source.",
    "GPL-3.0-or-later WITH GCC-exception-3.1": "The exception allows programs under any licence to use it.",
    "LicenseRef-Intel-Simplified": "May be passed on unchanged; its source is not public.",
}
"""Obligations of a licence for those who pass the program on, by the beginning of its name."""
FFMPEG = Library("FFmpeg", "LGPL-2.1-or-later", rb"FFmpeg version (\d[\w.]*)")
QT = Library("Qt", "LGPL-3.0-only", rb"\.so\.(5[\d.]+)")
OPENSSL = Library("OpenSSL", "OpenSSL", rb"OpenSSL (\d[\w.]*)")
OPENSSL_3 = Library("OpenSSL", "Apache-2.0", rb"OpenSSL (3[\d.]*)")
KERBEROS = Library("MIT Kerberos", "MIT")
OPENBLAS = Library("OpenBLAS", "BSD-3-Clause", rb"OpenBLAS (\d[\d.]*)")
LIBPNG = Library("libpng", "libpng-2.0", rb"libpng version (\d[\d.]*)")
XCB, XKBCOMMON = Library("libxcb", "X11"), Library("libxkbcommon", "MIT")
SDL_VERSION = rb"SDL(2)\S*?\.so\.0\.(\d+)00\.(\d+)"
SO_VERSION = rb"\.so\.(\d[\d.]*)"
SHARED = {
    "SDL2-2": Library("SDL", "Zlib", SDL_VERSION),
    "SDL2_image-2": Library("SDL_image", "Zlib", SDL_VERSION),
    "SDL2_mixer-2": Library("SDL_mixer", "Zlib", SDL_VERSION),
    "SDL2_ttf-2": Library("SDL_ttf", "Zlib", SDL_VERSION),
    "X11-xcb": Library("libX11-xcb", "MIT"),
    "Xau": Library("libXau", "MIT-open-group"),
    "aom": Library("libaom", "BSD-2-Clause", SO_VERSION),
    **dict.fromkeys(
        ("avcodec", "avdevice", "avfilter", "avformat", "avutil", "swresample", "swscale"), FFMPEG
    ),
    "avif": Library("libavif", "BSD-2-Clause", rb"\0(1\.\d+\.\d+)\0"),
    "brotlicommon": Library("Brotli", "MIT", SO_VERSION),
    "brotlidec": Library("Brotli", "MIT", SO_VERSION),
    "com_err": Library("libcom_err", "MIT"),
    "crypt": Library("libcrypt", "LGPL-2.1-or-later"),
    "crypto": OPENSSL,
    "crypto.3": OPENSSL_3,
    "de265": Library("libde265", "LGPL-3.0-or-later", rb"\0(1\.\d+\.\d+)\0"),
    "drm": Library("libdrm", "MIT"),
    "freetype": Library("FreeType", "FTL"),
    "gfortran": Library("libgfortran", "GPL-3.0-or-later WITH GCC-exception-3.1"),
    **dict.fromkeys(("gssapi_krb5", "k5crypto", "krb5", "krb5support"), KERBEROS),
    "harfbuzz": Library("HarfBuzz", "MIT-Modern-Variant"),
    "heif": Library("libheif", "LGPL-3.0-or-later", SO_VERSION),
    "jpeg": Library("libjpeg-turbo", "IJG AND BSD-3-Clause", rb"libjpeg-turbo version (\d[\d.]*)"),
    "keyutils": Library("keyutils", "LGPL-2.1-or-later", SO_VERSION),
    **dict.fromkeys(("lber", "ldap"), Library("OpenLDAP", "OLDAP-2.8")),
    "lcms2": Library("Little CMS 2", "MIT"),
    "lzma": Library("liblzma", "0BSD", SO_VERSION),
    "onnxruntime": Library("ONNX Runtime", "MIT", SO_VERSION),
    "onnxruntime_providers_shared": Library("ONNX Runtime", "MIT"),
    "openblasp-r0": OPENBLAS,
    "openjp2": Library("OpenJPEG", "BSD-2-Clause", SO_VERSION),
    "pcre2-16": Library("PCRE2", "BSD-3-Clause"),
    "png15": LIBPNG._replace(licence="Libpng"),
    "png16": LIBPNG,
    "pq": Library("libpq", "PostgreSQL", SO_VERSION),
    **dict.fromkeys(("Qt5Core", "Qt5Gui", "Qt5Test", "Qt5Widgets", "Qt5XcbQpa", "qxcb"), QT),
    "quadmath": Library("libquadmath", "LGPL-2.1-or-later"),
    "sasl2": Library("Cyrus SASL", "BSD-Attribution-HPND-disclaimer"),
    "scipy_openblas64_": OPENBLAS,
    "sharpyuv": Library("libwebp", "BSD-3-Clause"),
    "ssl": OPENSSL,
    "ssl.3": OPENSSL_3,
    "tiff": Library("libtiff", "libtiff", rb"LIBTIFF, Version (\d[\d.]*)"),
    "vpx": Library("libvpx", "BSD-3-Clause", rb"Decoder v(\d[\d.]*)"),
    "webp": Library("libwebp", "BSD-3-Clause"),
    "webpdemux": Library("libwebp", "BSD-3-Clause"),
    "webpmux": Library("libwebp", "BSD-3-Clause"),
    "xcb": XCB,
    **dict.fromkeys(
        (f"xcb-{part}" for part in ("randr", "render", "shape", "shm", "sync", "xfixes", "xinerama", "xkb")),
        XCB,
    ),
    **{
        f"xcb-{part}": Library(f"xcb-{part}", "X11")
        for part in ("icccm", "image", "keysyms", "render-util", "util")
    },
    "xkbcommon": XKBCOMMON,
    "xkbcommon-x11": XKBCOMMON,
    "zstd": Library("Zstandard", "BSD-3-Clause", SO_VERSION),
}
"""Libraries that wheels bring as files, by the file's name without `lib`, hash and version, or with the first
number of the version where the licence depends on it."""
LINKED = {
    "kivy": (
        LinkedLibrary("FreeType", "FTL", b"FT_Library_Version"),
        LinkedLibrary("HarfBuzz", "MIT-Modern-Variant", b"hb_version_string"),
        LinkedLibrary("libtiff", "libtiff", b"LIBTIFF_STRILE"),
        LinkedLibrary("libwebp", "BSD-3-Clause", b"WebPDecode"),
        LinkedLibrary("libxmp", "MIT", b"libxmp_"),
        LinkedLibrary("minimp3", "CC0-1.0", b"music_minimp3"),
        LinkedLibrary("dr_flac", "Unlicense OR MIT-0", b"music_drflac"),
        LinkedLibrary("TiMidity", "Artistic-1.0-Perl OR LGPL-2.1-or-later", b"/etc/timidity.cfg"),
    ),
    "onnxruntime": (
        LinkedLibrary("Abseil", "Apache-2.0", b"buildtrees/abseil/src/", rb"\D*(\d[\d.]*)"),
        LinkedLibrary(
            "Mbed TLS", "Apache-2.0 OR GPL-2.0-or-later", b"buildtrees/mbedtls/src/", rb"\D*(\d[\d.]*)"
        ),
        LinkedLibrary("ONNX", "Apache-2.0", b"buildtrees/onnx/src/", rb"\D*(\d[\d.]*)"),
        LinkedLibrary("Protocol Buffers", "BSD-3-Clause", b"buildtrees/protobuf/src/", rb"\D*(\d[\d.]*)"),
        LinkedLibrary("RE2", "BSD-3-Clause", b"buildtrees/re2/src/"),
    ),
    "opencv-python": (
        LinkedLibrary("FlatBuffers", "Apache-2.0", b"Flatbuffers: ", rb"[^(\n]*\((\d[\d.]*)"),
        LinkedLibrary("Intel IPP", "LicenseRef-Intel-Simplified", b"Intel IPP: ", rb"\D*(\d[\d.]*)"),
        LinkedLibrary("Intel ITT", "BSD-3-Clause OR GPL-2.0-only", b"Intel ITT(", rb"Intel ITT\((\d[\d.]*)"),
        LinkedLibrary("MLAS", "MIT", b"DNN MLAS: "),
        LinkedLibrary("OpenJPEG", "BSD-2-Clause", b"JPEG 2000: ", rb"[^(\n]*\(ver (\d[\d.]*)"),
        LinkedLibrary("Protocol Buffers", "BSD-3-Clause", b"Protobuf: ", rb"[^(\n]*\((\d[\d.]*)"),
        LinkedLibrary(
            "libjpeg-turbo", "IJG AND BSD-3-Clause", b"build-libjpeg-turbo", rb"[^(\n]*\(ver (\d[\d.]*)"
        ),
        LinkedLibrary("libtiff", "libtiff", b"TIFF: ", rb"[^(\n]*\(ver \d+ - (\d[\d.]*)"),
        LinkedLibrary("libwebp", "BSD-3-Clause", b"WEBP: "),
    ),
    "pillow": (
        LinkedLibrary("Raqm", "MIT", b"raqm_"),
        LinkedLibrary("bzip2", "bzip2-1.0.6", b"bzip2/libbzip2"),
        LinkedLibrary("dav1d", "BSD-2-Clause", b"dav1d_version"),
        LinkedLibrary("libaom", "BSD-2-Clause", b"AOMedia Project AV1", rb"\D*1\D*(\d[\d.]*)"),
        LinkedLibrary("zlib-ng", "Zlib", b".zlib-ng"),
    ),
}  # fmt: skip
"""Libraries that are linked into other files, as far as those show them; the packages' notices name more."""
LIBRARY_FILE = re.compile(r"(?:lib)?(?P<stem>.+?)(?:-[0-9a-f]{8})*(?:\.\d+)*\.so(?:\.(?P<major>\d+))?[.\w]*")
RPM_VERSION = re.compile(rb"-(\d[\w.~+]*-\d[\w.]*\.el\d[\w.]*)\.(?:x86_64|aarch64)\.debug")
"""Matches the release of Red Hat's builds, which includes its own fixes, such as 1.1.1k-15.el8_6."""
TEXT = re.compile(r"(licen[cs]e|copying|notice|thirdparty|ofl)[^/]*$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Component:
    """Something of a package under a licence of its own. kind: library, crate (of Rust), font or model.
    version: None if the file does not show it.
    """

    kind: str
    name: str
    version: str | None
    licence: str


@dataclass(frozen=True, slots=True)
class Package:
    """An installed package. licence: an SPDX expression, or UNKNOWN. texts: files of licences and notices."""

    name: str
    version: str
    licence: str
    bundled: tuple[Component, ...] = ()
    texts: tuple[str, ...] = ()


def licences(as_json: AsJson = False) -> None:
    """List packages, their libraries, fonts and models with their licences.

    The version of a library inside a package is the one that its file shows. --json names the files with the
    texts of the licences, and every Rust crate.
    """
    packages = list_packages()
    if as_json:
        print_json({"packages": [asdict(each) for each in packages]})
    else:
        _show(packages)


def list_packages() -> list[Package]:
    """The program, then what it needs here, by name. Raises MissingError if one of these is missing."""
    return [_read_package(each) for each in _find_needed()]


def _find_needed() -> list[Distribution]:
    from importlib.metadata import PackageNotFoundError, distribution

    from packaging.requirements import Requirement
    from packaging.utils import canonicalize_name

    found: dict[str, Distribution] = {}
    left = [(name, "") for name in (PROGRAM, *INSTALLERS, *CLUB)]
    seen = set(left)
    while left:
        name, extra = left.pop()
        try:
            found.setdefault(name, distribution(name))
        except PackageNotFoundError as error:
            if name in INSTALLERS + CLUB:
                continue
            raise MissingError(NOT_INSTALLED, name=name) from error
        for each in map(Requirement, found[name].requires or ()):
            if each.marker is None or each.marker.evaluate({"extra": extra}):
                asked = {(str(canonicalize_name(each.name)), wanted) for wanted in ("", *each.extras)}
                left += asked - seen
                seen |= asked
    return [found.pop(PROGRAM), *(found[name] for name in sorted(found))]


def _read_package(installed: Distribution) -> Package:
    from packaging.utils import canonicalize_name

    name = canonicalize_name(installed.name)
    files = [Path(str(installed.locate_file(each))) for each in installed.files or ()]
    components = [part for path in files if path.match("sboms/*.json") for part in _read_bill(path)]
    bundled = _own_parts() if name == PROGRAM else _find_bundled(name, files, components)
    texts = [str(path) for path in files if TEXT.search(path.name) and path.suffix not in (".py", ".pyc")]
    return Package(name, installed.version, _licence(name, installed), bundled, tuple(sorted(texts)))


def _licence(name: str, installed: Distribution) -> str:
    stated = installed.metadata
    if name in READ or "License-Expression" in stated:
        return READ.get(name) or str(stated["License-Expression"])
    words = [*(stated.get_all("License") or ()), *(stated.get_all("Classifier") or ())]
    return next((NAMED[last] for each in words if (last := each.split(" :: ")[-1]) in NAMED), UNKNOWN)


def _own_parts() -> tuple[Component, ...]:
    from companion.art import font_path

    fonts = font_path().parent.glob("*.[ot]tf")
    parts = [Component("font", path.name, None, "OFL-1.1") for path in fonts]
    parts += [Component("model", path.name, None, "MIT") for path in models_dir().glob("*.onnx")]
    return tuple(sorted(parts, key=_order))


def _find_bundled(name: str, files: list[Path], components: list[Component]) -> tuple[Component, ...]:
    """Contents of a package: its library files, what is linked into them, its Rust crates."""
    versions = {part.name.casefold(): part.version for part in components}
    found = {part for part in components if part.kind == "crate"}
    for path in files:
        if ".so" not in path.suffixes or not (path.is_file() and path.stat().st_size):
            continue
        with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
            found.update(_read_shared(path, content, versions))
            found.update(_read_linked(content, LINKED.get(name, ())))
    shown = {part.name for part in found if part.version}
    return tuple(sorted((part for part in found if part.version or part.name not in shown), key=_order))


def _read_shared(path: Path, content: mmap.mmap, versions: Mapping[str, str | None]) -> Iterator[Component]:
    if not (path.name.startswith("lib") or path.parent.suffix == ".libs"):
        return  # a module of the package itself
    match = LIBRARY_FILE.fullmatch(path.name)
    library = SHARED.get(f"{match['stem']}.{match['major']}") or SHARED.get(match["stem"]) if match else None
    if library is None:
        yield Component("library", path.name, None, UNKNOWN)
        return
    version = RPM_VERSION.search(content)
    if version is None and library.version:
        version = re.search(library.version, path.name.encode()) or re.search(library.version, content)
    shown = b".".join(version.groups()).decode() if version else versions.get(library.name.casefold())
    yield Component("library", library.name, shown, library.licence)


def _read_linked(content: mmap.mmap, libraries: tuple[LinkedLibrary, ...]) -> Iterator[Component]:
    for library in libraries:
        at = content.find(library.mark)
        if at >= 0:
            version = re.compile(library.version).match(content, at) if library.version else None
            shown = version[1].decode() if version else None
            yield Component("library", library.name, shown, library.licence)


def _read_bill(path: Path) -> Iterator[Component]:
    """The components that a CycloneDX bill of materials names: crates, and others, which need not be in the
    wheel and have no licence here.
    """
    for each in json.loads(path.read_text(encoding="utf-8")).get("components", ()):
        is_crate = each.get("purl", "").startswith("pkg:cargo/") and each.get("scope") != "excluded"
        stated = [licence["expression"] for licence in each.get("licenses", ()) if "expression" in licence]
        licence = " AND ".join(stated) if is_crate and stated else UNKNOWN
        yield Component("crate" if is_crate else "component", each["name"], each.get("version"), licence)


def _order(part: Component) -> tuple[str, str, str]:
    return part.kind, part.name.casefold(), part.version or ""


def _show(packages: list[Package]) -> None:
    from rich.table import Table

    table = Table()
    for heading in ("package", "version", "licence"):
        table.add_column(heading, overflow="fold")
    for package in packages:
        table.add_row(package.name, package.version, package.licence)
        for part in package.bundled:
            if part.kind != "crate":
                table.add_row(f"  {part.kind} {part.name}", part.version, part.licence)
        crates = [part.licence for part in package.bundled if part.kind == "crate"]
        if crates:
            table.add_row(f"  {len(crates)} Rust crates", "", ", ".join(sorted(set(crates))))
    out = console()
    out.print(table)
    listed = [package.licence for package in packages]
    listed += [part.licence for package in packages for part in package.bundled]
    for begins, note in NOTES.items():
        if any(licence.startswith(begins) for licence in listed):
            out.print(f"{begins}: {note}")
    out.print(
        "companion licences --json names the files with the texts of these licences, and the Rust crates."
    )
