"""Recorded sessions: a game that was followed, in one folder, which newer code replays.

`session.json` says what was followed and how; `session.jsonl` has a line for everything in its order: sights,
frames, events, questions, what was lost and found. `frames/` holds the pictures in which something changed,
with the players' hands painted over.
"""
