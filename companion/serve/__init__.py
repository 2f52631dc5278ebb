"""The running game as a page for phones and television: watched, never touched."""
