"""Whole hands of a game as one camera films them, with exact truth: `film_hand` in `writing`.

A `Course` says from the log where each tile goes, a `Timeline` when it does, a `Filming` draws one moment,
and `Disturbances` are what makes that hard to follow. All but the last file are pure functions of a seed."""
