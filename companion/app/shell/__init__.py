"""The window as a whole: how it starts, its pages, its banner, its language, and what it keeps."""
