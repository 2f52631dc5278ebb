"""A picture becomes tile readings: find, classify, weigh, compare, decide.

`Recogniser(models_dir()).read(picture)` is the whole of it; everything it returns is a plain value.
"""

from companion.vision.annotate import annotate
from companion.vision.pictures import load_picture
from companion.vision.reading import Reading, TileReading, reading_json, row_notation
from companion.vision.recogniser import Recogniser

__all__ = ["Reading", "Recogniser", "TileReading", "annotate", "load_picture", "reading_json", "row_notation"]
