# `make demo` shows the program, `make test` checks it; both set up what they need first and may be run again.
.DEFAULT_GOAL := help
.PHONY: help setup setup-test demo test lint types contract tests format clean

PYTHON := .venv/bin/python
# Without a display the tests open theirs on a virtual screen of a known size: so they do everywhere.
NO_DISPLAY := env -u DISPLAY -u WAYLAND_DISPLAY

help:
	@echo "make demo    draw a table, read it, score the hand, open the window (saves a picture of it without a display)"
	@echo "make test    lint, types, import contract and tests"
	@echo "make format  put the code into its one style"
	@echo "make clean   remove all that was made, what training left in .cache too"
	@echo "The first run installs what is missing: system packages by apt-get, Python packages into .venv."

setup:
	@.ci/setup runtime

setup-test:
	@.ci/setup test

demo: setup
	@$(PYTHON) -m companion demo

test: lint types contract tests

lint: setup-test
	$(PYTHON) -m ruff check .
	$(PYTHON) -m ruff format --check .

types: setup-test
	$(PYTHON) -m mypy

contract: setup-test
	.venv/bin/lint-imports

tests: setup-test
	$(NO_DISPLAY) $(PYTHON) -m pytest

format: setup-test
	$(PYTHON) -m ruff check --fix .
	$(PYTHON) -m ruff format .

clean:
	rm -rf .venv demo-output build dist *.egg-info .cache .mypy_cache .ruff_cache .pytest_cache .hypothesis \
		.import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
