"""The words of the program in three languages: sentences and names of tiles."""

from companion.words.catalogues import LOCALE_DIR, Language, Words, catalogue

__all__ = ["LOCALE_DIR", "Language", "Words", "catalogue"]
