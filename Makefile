# `make demo` shows the program, `make test` checks it. Both install what they need first and can be run again.
.DEFAULT_GOAL := help
.PHONY: help setup setup-test setup-chips demo club check test test-all test-installing test-arm64 lint types contract quick tests all-tests fuzz format pictures figures lock train clean

# Keep byte code: the tests start the program hundreds of times.
unexport PYTHONDONTWRITEBYTECODE

PYTHON := .venv/bin/python
# Without a display, the tests open a virtual screen of a known size, so they run the same everywhere.
NO_DISPLAY := env -u DISPLAY -u WAYLAND_DISPLAY
# A file stays in one worker, so what its tests share is made once. Slow files start first (tests/conftest.py).
# A worker that dies ends the run: xdist would replace it and then wait forever for the lost tests.
WORKERS := 2
PYTEST := $(NO_DISPLAY) $(PYTHON) -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder --max-worker-restart 0
# How many random cases the thorough run tries; the defaults of tests/conftest.py are for `make test`.
THOROUGH := --looks 12 --hands 1000 --damage 160 --power-failures 40 --played-hands 3

help:
	@echo "make demo      read and score a hand, follow a filmed game, open the window (without a display: save a picture of it)"
	@echo "make club      a whole club on this machine: broker, database, collector and twelve tables that built-in players play"
	@echo "make check     before every commit: format, lint, types, import contract, quick tests (2 minutes on two cores)"
	@echo "make test      before you propose a change, and in CI: the same with all but the long tests (10 minutes)"
	@echo "make test-all  before a release: everything, with more random cases (40 minutes)"
	@echo "make test-installing"
	@echo "               install, use, upgrade and remove the program in fresh Debian systems (as root, with debootstrap)"
	@echo "make test-arm64"
	@echo "               the program under emulation of a Raspberry Pi 4 and 5 (as root, with debootstrap and qemu-user-static)"
	@echo "make fuzz      fuzz the firmware's C library for ten minutes (firmware_bridge/README.md)"
	@echo "make format    format the code and fix what the linter can fix"
	@echo "make pictures  take new pictures of window and pages for docs/pictures and the help page"
	@echo "make figures   update the figures in docs/settling.md"
	@echo "make lock      update locks/: the exact Python packages to install, with their checksums"
	@echo "make train TILE_DATA=FOLDER"
	@echo "               train the recogniser's networks from scratch; takes many hours (models/MODEL_CARD.md)"
	@echo "make clean     delete everything that was built, including what training left in .cache"
	@echo
	@echo "The first run installs what is missing: system packages with apt-get, and into .venv"
	@echo "the exact Python packages that locks/ names. WORKERS=4 runs the tests in four processes (default: 2)."

setup:
	@.ci/setup runtime

setup-test:
	@.ci/setup test

setup-chips: setup-test
	@.ci/setup chips

demo: setup
	@$(PYTHON) -m companion demo

club: setup-test
	@$(PYTHON) -m lab.club

check: lint types contract quick

test: lint types contract tests

test-all: lint types contract all-tests

lint: setup-test
	$(PYTHON) -m ruff check .
	$(PYTHON) -m ruff format --check .

types: setup-test
	$(PYTHON) -m mypy

contract: setup-test
	.venv/bin/lint-imports

quick: setup-test
	$(PYTEST) -m "not slow and not long"

tests: setup-test
	$(PYTEST) -m "not long"

all-tests: setup-test setup-chips
	$(PYTEST) $(THOROUGH)

test-installing: setup-test
	$(PYTHON) -m pytest tests/deploy --roots $(CURDIR)/.cache/roots --ignore tests/deploy/test_arm64.py

test-arm64: setup-test
	$(PYTHON) -m pytest -o faulthandler_timeout=14400 tests/deploy/test_arm64.py --roots $(CURDIR)/.cache/roots

fuzz: setup-test
	@$(PYTHON) -m firmware_bridge.fuzzing

format: setup-test
	$(PYTHON) -m ruff check --fix .
	$(PYTHON) -m ruff format .

pictures: setup-test
	COMPANION_PICTURES=yes $(PYTEST) tests/app/test_pictures.py tests/serve/test_table_camera.py tests/serve/test_remote_page.py tests/club/test_pages_look.py -m slow

figures: setup-test
	COMPANION_FIGURES=yes $(PYTEST) tests/docs/test_commands.py -k settling

lock:
	@.ci/lock

# First the handwriting and the birds that tiles are drawn with. Then two rounds: both networks from scratch, and the reader
# alone with newly drawn tables; the result is the mean of both readers. A second call continues where the first stopped.
# The Python packages have bounds but no lock, because the right torch depends on the graphics card.
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

# Keep demo-output/data: older versions stored games there.
clean:
	[ ! -d demo-output ] || find demo-output -mindepth 1 -maxdepth 1 ! -name data -exec rm -rf {} +
	rm -rf .venv build dist *.egg-info .cache .mypy_cache .ruff_cache .pytest_cache .hypothesis \
		.import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
