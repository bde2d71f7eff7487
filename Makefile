# Each target makes its own virtual environment when it is missing or older than its pinned requirements.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check

.PHONY: play run test lint bench locales lock clean

play: $(VENV)/.base
	@$(BIN)/kontrolka play

run: $(VENV)/.base
	@$(BIN)/kontrolka run

test: $(VENV)/.dev
	@$(BIN)/python -m pytest

lint: $(VENV)/.dev
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports
	@$(BIN)/kontrolka bank lint

bench: $(VENV)/.dev
	@$(BIN)/python -m bench

# New and changed strings into the catalogues; the translations are then written by hand.
locales: $(VENV)/.dev
	@$(BIN)/python -m locales

# New pins: needs uv. No index address ever gets into the files.
lock:
	uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header \
		pyproject.toml --group build -o requirements/base.txt
	uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header \
		pyproject.toml --group test --group lint --group build -c requirements/base.txt -o requirements/dev.txt

clean:
	rm -rf $(VENV)

# pip checks every download against the hashes in the files; the project itself is added without its dependencies.
$(VENV)/.base: requirements/base.txt pyproject.toml
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@test -e $(VENV)/.dev || $(PIP) install --require-hashes -r requirements/base.txt
	@$(PIP) install --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV)/.dev: requirements/dev.txt pyproject.toml
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(PIP) install --require-hashes -r requirements/dev.txt
	@$(PIP) install --no-deps --no-build-isolation --editable .
	@touch $@ $(VENV)/.base
