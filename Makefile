# Each target makes its own virtual environment when it is missing or older than its pinned requirements.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check
PROOFS_VENV ?= .venv-proofs
PROOFS_PIP := $(PROOFS_VENV)/bin/python -m pip --quiet --disable-pip-version-check

.PHONY: play run test lint bench proofs images locales lock clean

play: $(VENV)/.base
	@$(BIN)/kontrolka play

run: $(VENV)/.base
	@$(BIN)/kontrolka run

test: $(VENV)/.dev
	@$(BIN)/python -m pytest -n auto --dist loadfile

lint: $(VENV)/.dev
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports
	@$(BIN)/kontrolka bank lint

bench: $(VENV)/.dev
	@$(BIN)/python -m bench

# Runs every proof of the course and compares what it prints with what is recorded. RECORD=1 records anew; ONLY="name …"
# takes some of them.
proofs: $(PROOFS_VENV)/.ready
	@$(PROOFS_VENV)/bin/python content/checkpoints/proofs/run.py $(if $(RECORD),--record) $(ONLY)

# Draws the pictures of the course anew.
images: $(PROOFS_VENV)/.ready
	@$(PROOFS_VENV)/bin/python content/checkpoints/images/make.py

# New and changed strings into the catalogues; the translations are then written by hand.
locales: $(VENV)/.dev
	@$(BIN)/python -m locales

# New pins: needs uv. No index address ever gets into the files.
lock:
	uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header \
		pyproject.toml --group build -o requirements/base.txt
	uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header \
		pyproject.toml --group test --group lint --group build -c requirements/base.txt -o requirements/dev.txt
	uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header \
		requirements/proofs.in --override requirements/without-torch.txt --no-emit-package torch \
		-o requirements/proofs.txt

clean:
	rm -rf $(VENV) $(PROOFS_VENV)

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

# The proofs have an environment of their own: nothing the bot needs. What torch needs besides is in proofs.txt.
$(PROOFS_VENV)/.ready: requirements/proofs.txt requirements/torch.txt
	@test -x $(PROOFS_VENV)/bin/python || $(PYTHON) -m venv $(PROOFS_VENV)
	@$(PROOFS_PIP) install --no-deps --require-hashes -r requirements/proofs.txt
	@$(PROOFS_PIP) install -r requirements/torch.txt
	@touch $@
