"""How a thread hands something to another one: the window's, or whichever owns the state."""

from __future__ import annotations

from collections.abc import Callable

Post = Callable[[Callable[[], None]], None]
"""Takes what is to be called soon, on the owner's thread; returns at once, from any thread."""
