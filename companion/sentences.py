"""Sentences for people, which travel untranslated and are put into words where they are shown.

A template is the English sentence itself. What shows it may look it up in another language.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol, Self


def msgid(text: str) -> str:
    """`text` itself: marks it as a message that is translated where it is shown."""
    return text


def as_text(text: str) -> str:
    """`text` with ? for what is not Unicode, as in the names of files that were written in another code."""
    return text.encode("utf-8", "replace").decode()


class Template(Protocol):
    """What is made of a template and its parameters: errors, and the troubles of serial links."""

    @property
    def template(self) -> str: ...
    @property
    def params(self) -> Mapping[str, object]: ...


@dataclass(frozen=True, slots=True)
class Sentence:
    """What is to be said: an English template and its parameters; a parameter may be a Sentence itself."""

    template: str
    params: Mapping[str, object] = field(default_factory=dict)

    @classmethod
    def of(cls, made: Template) -> Self:
        """The sentence of an error, or of a link's trouble."""
        return cls(made.template, made.params)

    def __str__(self) -> str:
        """In English."""
        return self.template.format(**self.params)
