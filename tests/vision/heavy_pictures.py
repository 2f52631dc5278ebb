"""Hostile and very large pictures, and what reading them takes: run this file to see the table.

`python -m tests.vision.heavy_pictures [NAME…]` reads each file by `companion read` in a process of its own,
after an ordinary picture, so that the networks have run before.
"""

from __future__ import annotations

import json
import os
import struct
import subprocess
import sys
import tempfile
import zlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from PIL import Image, TiffImagePlugin

from lab.scenes.hand import render_hand

Image.MAX_IMAGE_PIXELS = None
SIDE = 8_900
ORIENTATION, ROWS_PER_STRIP = 0x0112, 278

PROBE = """
import sys
from companion.cli import main
try:
    main()
finally:
    peak = next(line for line in open("/proc/self/status") if line.startswith("VmHWM"))
    print(peak.split()[1], file=sys.stderr)
"""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What `companion read` did with a file: its entry in the list, its peak of memory, its stderr."""

    entry: dict[str, object]
    peak_mb: float
    said: str


def read(picture: Path) -> Outcome:
    """Reads an ordinary picture and then `picture`, in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        ordinary = Path(folder) / "ordinary.jpg"
        cv2.imwrite(str(ordinary), render_hand([["1m", "2m", "3m"], ["7z", "9s"]], seed=3).image)
        done = subprocess.run(
            [sys.executable, "-c", PROBE, "read", "--json", str(ordinary), str(picture)],
            capture_output=True, text=True, timeout=300, check=False,
            env={**os.environ, "COMPANION_DATA": folder},
        )  # fmt: skip
    said, peak = done.stderr.rstrip("\n").rpartition("\n")[::2]
    return Outcome(json.loads(done.stdout)[1], int(peak) * 1024 / 1e6, said)


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(
    path: Path,
    width: int,
    height: int,
    *,
    bits: int = 8,
    colour: int = 2,
    extra: bytes = b"",
    rows: int = -1,
    interlaced: bool = False,
) -> None:
    """A flat PNG, or the first of its rows; colour: 0 grey, 2 RGB, 3 palette, 6 RGBA."""
    samples = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[colour]

    def line(pixels: int) -> bytes:
        return bytes(1 + (pixels * samples * bits + 7) // 8)

    passes: list[tuple[int, int]] = [(width, height)]
    if interlaced:
        steps = (
            (0, 0, 8, 8),
            (4, 0, 8, 8),
            (0, 4, 4, 8),
            (2, 0, 4, 4),
            (0, 2, 2, 4),
            (1, 0, 2, 2),
            (0, 1, 1, 2),
        )
        passes = [((width - x + dx - 1) // dx, (height - y + dy - 1) // dy) for x, y, dx, dy in steps]
    packed = zlib.compressobj(1)
    with path.open("wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n")
        file.write(chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, bits, colour, 0, 0, interlaced)))
        if colour == 3:
            file.write(chunk(b"PLTE", bytes(range(256)) * 3))
        file.write(extra)
        for columns, lines in passes:
            many, left = divmod(lines if rows < 0 else rows, 1024)
            for count in (1024,) * many + (left,):
                if data := packed.compress(line(columns) * count):
                    file.write(chunk(b"IDAT", data))
        file.write(chunk(b"IDAT", packed.flush()))
        file.write(chunk(b"IEND", b""))


def tiff(path: Path, tags: dict[int, int | tuple[int, ...]], data: bytes) -> None:
    """A TIFF of these tags, its pixels at byte 8."""
    values = bytearray()
    entries = bytearray()
    at = 8 + len(data) + 2 + 12 * len(tags) + 4
    for tag, value in sorted(tags.items()):
        many = value if isinstance(value, tuple) else (value,)
        packed = struct.pack(f"<{len(many)}I", *many)
        if len(many) > 1:
            entries += struct.pack("<HHII", tag, 4, len(many), at + len(values))
            values += packed
        else:
            entries += struct.pack("<HHI", tag, 4, 1) + packed
    path.write_bytes(
        b"II*\0"
        + struct.pack("<I", 8 + len(data))
        + data
        + struct.pack("<H", len(tags))
        + entries
        + bytes(4)
        + values
    )


def flat(mode: str, width: int = SIDE, height: int = SIDE, **options: object) -> Callable[[Path], None]:
    return lambda path: Image.new(mode, (width, height)).save(path, **options)


def turned(mode: str, width: int, height: int, **options: object) -> Callable[[Path], None]:
    exif = Image.Exif()
    exif[ORIENTATION] = 6
    return flat(mode, width, height, exif=exif, **options)


def animated(width: int, height: int, **options: object) -> Callable[[Path], None]:
    def write(path: Path) -> None:
        first = Image.new("RGB", (width, height))
        second = Image.new("RGB", (width, height), "white")
        first.save(path, save_all=True, append_images=[second], **options)

    return write


def one_strip(mode: str, side: int, compression: str) -> Callable[[Path], None]:
    def write(path: Path) -> None:
        whole, TiffImagePlugin.STRIP_SIZE = TiffImagePlugin.STRIP_SIZE, 1 << 30
        try:
            Image.new(mode, (side, side)).save(path, compression=compression)
        finally:
            TiffImagePlugin.STRIP_SIZE = whole

    return write


def numbers(dtype: type, side: int) -> Callable[[Path], None]:
    return lambda path: Image.fromarray(np.zeros((side, side), dtype)).save(path)


def text_bombs(kind: bytes, count: int) -> Callable[[Path], None]:
    """Compressed texts of nearly 1 MB each, one sign of which takes four bytes."""
    texts = {b"zTXt": b"\0\0", b"iTXt": b"\0\1\0\0\0"}
    text = zlib.compress("€𐐷".encode() + b"a" * 1_048_000)
    data = [b"%d" % key + texts[kind] + text for key in range(count)]
    return lambda path: png(path, 640, 480, extra=b"".join(chunk(kind, each) for each in data))


def profile_bomb(path: Path) -> None:
    png(path, 640, 480, extra=chunk(b"iCCP", b"profile\0\0" + zlib.compress(bytes(500_000_000))))


def jpeg_headers(megabytes: int, marker: int, start: bytes) -> Callable[[Path], None]:
    def write(path: Path) -> None:
        Image.new("RGB", (640, 480)).save(path)
        whole = path.read_bytes()
        data = start + bytes(65_000)
        segment = struct.pack(">BBH", 0xFF, marker, len(data) + 2) + data
        path.write_bytes(whole[:2] + segment * (megabytes * 1_000_000 // len(segment)) + whole[2:])

    return write


def largest_webp(path: Path) -> None:
    """A lossless WebP that claims 16383 pixels a side."""
    Image.new("RGB", (64, 64)).save(path, lossless=True)
    whole = bytearray(path.read_bytes())
    whole[21:25] = struct.pack("<I", 16382 | 16382 << 14)
    path.write_bytes(whole)


def tile_of_a_giant(path: Path) -> None:
    data = zlib.compress(bytes(20_000 * 20_000), 9)
    tiff(
        path,
        {
            256: 100,
            257: 100,
            258: 8,
            259: 8,
            262: 1,
            277: 1,
            322: 20_000,
            323: 20_000,
            324: 8,
            325: len(data),
        },
        data,
    )


def many_strips(path: Path) -> None:
    count = 4_000_000
    tiff(
        path,
        {
            256: 100,
            257: count,
            258: 8,
            259: 1,
            262: 1,
            277: 1,
            278: 1,
            273: (8,) * count,
            279: (100,) * count,
        },
        bytes(100),
    )


def big_tag(path: Path) -> None:
    tiff(
        path,
        {
            256: 10,
            257: 10,
            258: 8,
            259: 1,
            262: 1,
            277: 1,
            278: 10,
            273: 8,
            279: 100,
            37724: (0,) * 60_000_000,
        },
        bytes(100),
    )


def tiles_all_over(path: Path) -> None:
    scene = render_hand([["1m", "2m", "3m", "4p", "5p", "6p", "7s"]] * 3, seed=3).image
    small = cv2.resize(scene, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
    height, width = small.shape[:2]
    cv2.imwrite(str(path), np.tile(small, (5000 // height, 5000 // width, 1)))


def noise(path: Path) -> None:
    cv2.imwrite(str(path), np.random.default_rng(4).integers(0, 256, (4900, 4900, 3), np.uint8))


def tag_bomb() -> bytes:
    """EXIF data of 64 kB of which each of 2500 tags claims nearly all."""
    entries = b"".join(struct.pack("<HHII", 40_000 + tag, 7, 64_000, 8) for tag in range(2_500))
    return (b"II*\0" + struct.pack("<IH", 8, 2_500) + entries).ljust(65_000, b"\0")


def tags_in_jpeg(path: Path) -> None:
    Image.new("RGB", (640, 480)).save(path)
    whole = path.read_bytes()
    data = b"Exif\0\0" + tag_bomb()
    segment = struct.pack(">BBH", 0xFF, 0xE1, len(data) + 2) + data
    path.write_bytes(whole[:2] + segment + whole[2:])


def behind(path: Path) -> None:
    flat("RGB", 640, 480)(path)
    with path.open("ab") as file:
        file.truncate(400_000_000)


HEAVY: dict[str, Callable[[Path], None]] = {
    "thin.png": lambda path: png(path, 1, 79_000_000, colour=0),
    "flat.png": lambda path: png(path, 79_000_000, 1, colour=0),
    "grey.png": lambda path: png(path, SIDE, SIDE, colour=0),
    "rgb.png": lambda path: png(path, SIDE, SIDE),
    "rgba.png": lambda path: png(path, SIDE, SIDE, colour=6),
    "palette.png": lambda path: png(path, SIDE, SIDE, colour=3),
    "bits.png": lambda path: png(path, SIDE, SIDE, bits=1, colour=0),
    "grey16.png": lambda path: png(path, SIDE, SIDE, bits=16, colour=0),
    "rgb16.png": lambda path: png(path, SIDE, SIDE, bits=16),
    "rgba16-50mp.png": lambda path: png(path, 8160, 6120, bits=16, colour=6),
    "interlaced.png": lambda path: png(path, SIDE, SIDE, interlaced=True),
    "24mp.png": lambda path: png(path, 6000, 4000),
    "36mp-rgba.png": lambda path: png(path, 7360, 4912, colour=6),
    "36mp-grey.png": lambda path: png(path, 7360, 4912, colour=0),
    "claimed.png": lambda path: png(path, SIDE, SIDE, rows=3),
    "claimed-25mp.png": lambda path: png(path, 5000, 5000, rows=3),
    "animated.png": animated(4000, 3000),
    "ztxt.png": text_bombs(b"zTXt", 63),
    "itxt.png": text_bombs(b"iTXt", 63),
    "itxt-2000.png": text_bombs(b"iTXt", 2000),
    "iccp.png": profile_bomb,
    "exif.png": lambda path: png(path, 640, 480, extra=chunk(b"eXIf", bytes(300_000_000))),
    "turned-24mp.png": turned("RGB", 6000, 4000),
    "baseline.jpg": flat("RGB"),
    "444.jpg": flat("RGB", subsampling=0),
    "progressive.jpg": flat("RGB", progressive=True),
    "progressive-444.jpg": flat("RGB", progressive=True, subsampling=0),
    "cmyk.jpg": flat("CMYK"),
    "progressive-cmyk.jpg": flat("CMYK", progressive=True, subsampling=0),
    "24mp.jpg": flat("RGB", 6000, 4000),
    "24mp-progressive-444.jpg": flat("RGB", 6000, 4000, progressive=True, subsampling=0),
    "24mp-cmyk-progressive.jpg": flat("CMYK", 6000, 4000, progressive=True, subsampling=0),
    "28mp.jpg": flat("RGB", 5400, 5200),
    "50mp.jpg": flat("RGB", 8160, 6120),
    "50mp-turned.jpg": turned("RGB", 8160, 6120),
    "50mp-progressive.jpg": flat("RGB", 8160, 6120, progressive=True),
    "108mp.jpg": flat("RGB", 12000, 9000),
    "108mp-progressive.jpg": flat("RGB", 12000, 9000, progressive=True),
    "200mp.jpg": flat("RGB", 16320, 12240),
    "panorama.jpg": flat("RGB", 30000, 3000),
    "giant.jpg": flat("L", 65500, 65500 // 8),
    "apps.jpg": jpeg_headers(300, 0xE4, b"anything"),
    "exifs.jpg": jpeg_headers(20, 0xE1, b"Exif\0\0"),
    "tags.jpg": tags_in_jpeg,
    "tags.png": lambda path: png(path, 640, 480, extra=chunk(b"eXIf", tag_bomb() * 60)),
    "icc.jpg": jpeg_headers(300, 0xE2, b"ICC_PROFILE\0"),
    "behind.jpg": behind,
    "lossy.webp": flat("RGB", method=0),
    "lossless.webp": flat("RGB", method=0, lossless=True),
    "lossy-22mp.webp": flat("RGB", 4690, 4690, method=0),
    "lossless-22mp.webp": flat("RGBA", 4690, 4690, method=0, lossless=True),
    "lossless-12mp.webp": flat("RGBA", 4032, 3024, method=0, lossless=True),
    "animated-12mp.webp": animated(4000, 3000, method=0),
    "animated-16mp.webp": animated(4000, 4000, method=0),
    "claimed.webp": largest_webp,
    "behind.webp": behind,
    "rgb.bmp": flat("RGB"),
    "grey.bmp": flat("L"),
    "36mp.bmp": flat("RGB", 7360, 4912),
    "rgb.tiff": flat("RGB"),
    "lzw.tiff": flat("RGB", compression="tiff_lzw"),
    "deflate.tiff": flat("RGB", compression="tiff_adobe_deflate"),
    "jpeg-36mp.tiff": flat("RGB", 7360, 4912, compression="jpeg"),
    "36mp-strip.tiff": one_strip("RGB", 6000, "tiff_adobe_deflate"),
    "25mp-strip.tiff": one_strip("RGBA", 5000, "tiff_adobe_deflate"),
    "grey16.tiff": numbers(np.uint16, SIDE),
    "int32.tiff": numbers(np.int32, SIDE),
    "float32.tiff": numbers(np.float32, SIDE),
    "cmyk.tiff": flat("CMYK"),
    "pages.tiff": animated(4000, 3000, compression="tiff_adobe_deflate"),
    "giant-tile.tiff": tile_of_a_giant,
    "many-strips.tiff": many_strips,
    "big-tag.tiff": big_tag,
    "tiles-all-over.png": tiles_all_over,
    "noise.jpg": noise,
}  # fmt: skip
"""Written by name; the suffix is the kind of file."""


def main(names: Iterable[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            path = Path(folder) / name
            HEAVY[name](path)
            size = path.stat().st_size
            try:
                outcome = read(path)
            except Exception as error:
                print(f"| {name} | {size / 1e6:.1f} MB | failed | {error!r:.80} |", flush=True)
                continue
            finally:
                path.unlink()
            what = outcome.entry.get("error") or "read: {width} x {height}, {n} tiles".format(
                **outcome.entry, n=len(outcome.entry["tiles"])
            )
            what = str(what).replace(folder + "/", "")
            print(f"| {name} | {size / 1e6:.1f} MB | {outcome.peak_mb:.0f} MB | {what} |", flush=True)
            if outcome.said.strip() and outcome.said.strip() != outcome.entry.get("error"):
                print("    said:", outcome.said.replace(folder, "")[:300].replace("\n", " / "), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:] or HEAVY)
