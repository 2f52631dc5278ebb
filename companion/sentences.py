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
from typing import Protocol, Self

from companion.foreign_text import show


def msgid(text: str) -> str:
    """`text` itself: marks it as a message that is translated where it is shown."""
    return text


def as_text(text: str) -> str:
    """`text` with ? for what is not Unicode, as in file names of another encoding."""
    return text.encode("utf-8", "replace").decode()


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
        return self.template.format(**{name: _write(value) for name, value in self.params.items()})


def _write(value: object) -> object:
    return value if isinstance(value, int | float | Sentence) else show(value)
