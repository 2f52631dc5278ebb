"""What a game's events add up to, for people to read: the score sheet, figures, exports.

The sheet and the figures are pure and frozen. A sheet is made of the events alone, so a corrected event
changes all that follows from it, and nothing here can disagree with the ledger.
"""
