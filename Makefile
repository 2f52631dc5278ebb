# `make demo` shows the program, `make test` checks it; both set up what they need first and may be run again.
.DEFAULT_GOAL := help
.PHONY: help setup setup-test demo check test lint types contract quick tests fuzz format pictures figures lock train clean

# Byte code is kept: the tests start the program hundreds of times.
unexport PYTHONDONTWRITEBYTECODE

PYTHON := .venv/bin/python
# Without a display the tests open theirs on a virtual screen of a known size: so they do everywhere.
NO_DISPLAY := env -u DISPLAY -u WAYLAND_DISPLAY
# A file stays in one worker, so what its tests share is made once; slow files come first (tests/conftest.py).
# A worker that dies ends the run: xdist would put another in its place and then wait for ever for lost tests.
WORKERS := 2
PYTEST := $(NO_DISPLAY) $(PYTHON) -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder --max-worker-restart 0

help:
	@echo "make demo    read and score a hand, follow a filmed game, open the window (without a display: a picture of it)"
	@echo "make check   format, lint, types, import contract and the quick tests: before every commit"
	@echo "make test    the same with all tests: what CI runs"
	@echo "make fuzz    fuzz the firmware's C library for ten minutes (firmware_bridge/README.md)"
	@echo "make format  put the code into its one style"
	@echo "make pictures  make the pictures of the documents and of the help page anew, of the window as it looks now"
	@echo "make figures  write what the settled evenings of docs/settling.md come to anew"
	@echo "make lock    renew locks/, the releases and sha256 of the Python packages that are installed, pip too"
	@echo "make train TILE_DATA=FOLDER"
	@echo "             make the recogniser's networks from nothing, for many hours (models/MODEL_CARD.md)"
	@echo "make clean   remove all that was made, what training left in .cache too"
	@echo "The first run installs what is missing: system packages by apt-get, Python packages into .venv,"
	@echo "exactly the ones that were tested: locks/ names them."

setup:
	@.ci/setup runtime

setup-test:
	@.ci/setup test

demo: setup
	@$(PYTHON) -m companion demo

check: lint types contract quick

test: lint types contract tests

lint: setup-test
	$(PYTHON) -m ruff check .
	$(PYTHON) -m ruff format --check .

types: setup-test
	$(PYTHON) -m mypy

contract: setup-test
	.venv/bin/lint-imports

quick: setup-test
	$(PYTEST) -m "not slow"

tests: setup-test
	$(PYTEST)

fuzz: setup-test
	@$(PYTHON) -m firmware_bridge.fuzzing

format: setup-test
	$(PYTHON) -m ruff check --fix .
	$(PYTHON) -m ruff format .

pictures: setup-test
	COMPANION_PICTURES=yes $(PYTEST) tests/app/test_pictures.py

figures: setup-test
	COMPANION_FIGURES=yes $(PYTEST) tests/docs/test_commands.py -k settling

lock:
	@.ci/lock

# Hands of writing and birds to draw tiles with; then two rounds: both networks from nothing, then the reader alone goes
# on with newly drawn tables; what is kept is the mean of both readers. Called again, it goes on where it was stopped. Its
# Python packages are bounded, not locked: which torch is right depends on the machine's graphics card.
train: setup
	@test -d "$(TILE_DATA)" || { echo "make train TILE_DATA=FOLDER: a folder with photos/, crops/, art/, backgrounds/" >&2; exit 2; }
	$(PYTHON) -m pip install --quiet --no-build-isolation --editable '.[train]'
	mkdir -p .cache/designs && cp models/training/npm/*.json .cache/designs
	npm ci --silent --ignore-scripts --prefix .cache/designs
	$(PYTHON) -m models.training.handwriting .cache/designs
	$(PYTHON) -m models.training.birds .cache/designs
	$(PYTHON) -m models.training --data "$(TILE_DATA)" --work .cache/first
	$(PYTHON) -m models.training --data "$(TILE_DATA)" --work .cache/second --start .cache/first --refine-reader --seed 17 --share 0.4
	$(PYTHON) -m models.training.average --data "$(TILE_DATA)" --out models .cache/first .cache/second

# Of demo-output all but its data goes: games were once kept there.
clean:
	[ ! -d demo-output ] || find demo-output -mindepth 1 -maxdepth 1 ! -name data -exec rm -rf {} +
	rm -rf .venv build dist *.egg-info .cache .mypy_cache .ruff_cache .pytest_cache .hypothesis \
		.import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
