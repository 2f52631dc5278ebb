"""What scoring a photo keeps on disk: the draft of a win."""

from __future__ import annotations

from dataclasses import replace

from companion.photo_hand.draft import WinDraft
from companion.sentences import as_text


def make_storable(draft: WinDraft) -> WinDraft:
    """`draft` as JSON can hold it: in a picture's name that is not UTF-8, ? stands for what is not."""
    return draft if draft.picture is None else replace(draft, picture=as_text(draft.picture))
