"""Every end of a hand but a win, and what else is booked: a feature of the window."""
