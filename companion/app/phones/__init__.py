"""The running game in the browsers of phones and television, switched on in the window."""
