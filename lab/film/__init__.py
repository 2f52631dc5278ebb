"""Whole hands of a game as one camera films them, with exact truth: see `prepare_film` and `write_film`.

A `Course` says from the log where each tile goes, a `Timeline` when it does, a `Filming` draws one moment,
and `Disturbances` are what makes that hard to follow. All of it follows from the log and a seed."""
