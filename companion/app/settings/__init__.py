"""The settings of the window, and a page that explains an evening."""
