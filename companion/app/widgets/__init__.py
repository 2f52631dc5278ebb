"""What is on the screen, one module a pane.

A pane shows a View and sends intents to the Desk; it keeps no facts.
"""
