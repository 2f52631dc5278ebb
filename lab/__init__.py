"""The laboratory: what draws, films and measures. It is not shipped; `companion` never imports it."""
