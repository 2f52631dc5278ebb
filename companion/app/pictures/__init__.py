"""Where pictures come from: the live camera, and the chooser of picture files."""
