"""House rules: profiles of house options, explained option by option, changed, copied and shared."""
