"""What scrolls, and answers a touch on what it holds as soon as the finger is up.

Kivy hands the end of a short touch on 0.2 s later. By then an earlier touch may have changed what lies there,
and the later one would reach nothing, or something else.
"""

from __future__ import annotations

from typing import Any

from kivy.input.motionevent import MotionEvent
from kivy.uix.scrollview import ScrollView
from kivy.uix.stencilview import StencilView


class TouchScroll(ScrollView):
    """A ScrollView whose touches are answered in the order in which fingers are lifted."""

    def on_scroll_stop(self, touch: MotionEvent, check_children: bool = True) -> Any:
        own = touch.ud.get(self._get_uid()) if self._touch is touch else None
        handled = super().on_scroll_stop(touch, check_children)
        if own and own["mode"] == "unknown" and not touch.ud.get(self._get_uid("answered")):
            touch.ud[self._get_uid("answered")] = True
            self._end_touch(touch)
        return handled

    def _do_touch_up(self, touch: MotionEvent, *_: object) -> None:
        """What Kivy would do 0.2 s later has been done."""

    def _end_touch(self, touch: MotionEvent) -> None:
        """The touch, in the parent's coordinates, ends on what lies there and on what it has grabbed."""
        holder = touch.grab_current
        grabbed = [held for reference in touch.grab_list if (held := reference()) and held is not self]
        for held in (None, *grabbed):
            touch.grab_current = held
            touch.push()
            touch.apply_transform_2d(self.to_local)
            StencilView.on_touch_up(self, touch)
            touch.pop()
            if held is not None:
                touch.ungrab(held)
        touch.grab_current = holder
