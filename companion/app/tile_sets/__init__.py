"""The tile sets that a person has taught, and the lesson that teaches one."""
