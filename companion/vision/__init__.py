"""A picture becomes tile readings: find, classify, weigh, compare, decide.

`load_recogniser().read(picture)` is the whole of it; everything it returns is a plain value.
"""

from companion.vision.annotate import annotate
from companion.vision.pictures import load_picture
from companion.vision.quickest import load_recogniser
from companion.vision.reading import Reading, TileReading, reading_json, row_notation
from companion.vision.recogniser import Recogniser

__all__ = [
    "Reading",
    "Recogniser",
    "TileReading",
    "annotate",
    "load_picture",
    "load_recogniser",
    "reading_json",
    "row_notation",
]
