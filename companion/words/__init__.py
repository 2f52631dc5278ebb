"""What the program says, in three languages: sentences put into words, and what tiles are called."""

from companion.words.catalogues import LOCALE_DIR, Language, Words, catalogue

__all__ = ["LOCALE_DIR", "Language", "Words", "catalogue"]
