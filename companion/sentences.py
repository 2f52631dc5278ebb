"""Sentences for people, which travel untranslated and are put into words where they are shown.

A message is an English template with named parameters. It is made where something is noticed: a floor below
the edge raises a CompanionError, whose `sentence` is one, or returns a Sentence; the serial bridge, which
imports nothing of companion, returns a Trouble of the same shape, which `Sentence.of` takes. Templates are
constants in the `messages` module of a floor or next to the code; tests check that each is translated. The
command line prints `str(sentence)`; the window says it in its language by `Words.say` (companion.app.text),
which looks the template up in the locale files, and each parameter that is a sentence, an error or a word
too. There is no other kind of message. Every other parameter that is not a number is foreign text: `show`
takes credentials and control characters out of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Protocol, Self

from companion.foreign_text import show


def msgid(text: str) -> str:
    """`text` itself: marks it as a message that is translated where it is shown."""
    return text


def as_text(text: str) -> str:
    """`text` with ? for what is not Unicode, as in file names of another encoding."""
    return text.encode("utf-8", "replace").decode()


def write_number(value: float | Decimal, *, signed: bool = False, places: int = 0) -> str:
    """A quantity as tables in English and in Chinese write it: 1,460; −1,460; signed: +1,460, and 0.
    places: decimals of what is not an int."""
    written = f"{abs(value):,}" if isinstance(value, int) else f"{abs(value):,.{places}f}"
    if not any(digit in "123456789" for digit in written):
        return written
    return ("−" if value < 0 else "+" if signed else "") + written


class Template(Protocol):
    """A message of code that does not know Sentence: the troubles of serial links."""

    @property
    def template(self) -> str: ...
    @property
    def params(self) -> Mapping[str, object]: ...


@dataclass(frozen=True, slots=True)
class Sentence:
    """One message: an English template and its parameters; a parameter may be a Sentence itself."""

    template: str
    params: Mapping[str, object] = field(default_factory=dict)

    @classmethod
    def of(cls, made: Template) -> Self:
        """The sentence of a link's trouble."""
        return cls(made.template, made.params)

    def __str__(self) -> str:
        """The sentence in English."""
        return self.template.format(**{name: write_value(value) for name, value in self.params.items()})


def write_value(value: object) -> object:
    """A parameter of a sentence, as it stands there; a number that is no quantity, such as a year, travels as
    text."""
    if isinstance(value, int) and not isinstance(value, bool):
        return write_number(value)
    return value if isinstance(value, int | float | Sentence) else show(value)
