"""What each command does; `companion.cli` names them. Heavy imports stand in functions: it starts quickly."""
