"""What is noticed at a table from one moment to the next, in pictures and in what devices report.

No window, no port, no camera.
"""
