"""What the sources of a running game are called in sentences."""

from __future__ import annotations

from companion.live.proposals import Source, SourceKind
from companion.sentences import Sentence, msgid

NAMES = {
    SourceKind.TOUCH: msgid("a person"),
    SourceKind.DEVICE: msgid("the device {name}"),
    SourceKind.CAMERA: msgid("the camera"),
    SourceKind.SCRIPT: msgid("a script"),
}


def name_source(source: Source) -> Sentence:
    """The source, as part of a sentence."""
    return Sentence(NAMES[source.kind], {"name": source.name})
