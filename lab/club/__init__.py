"""A club on this machine: broker, database, collector and tables that built-in players play."""
