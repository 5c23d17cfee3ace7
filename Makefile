# Everything is run through here; `make` alone lists the targets. ARGS is handed on: make train ARGS="seed=3".
.DEFAULT_GOAL := help
.PHONY: help venv warm train test test-long lint format bench dist constraints clean
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c

WORKERS ?= 2
BIN := .venv/bin
PYTEST := $(BIN)/pytest -n $(WORKERS) --dist worksteal

# One thread a process, and none that spins while it waits: two threads on two busy cores made torch ten times slower.
export OMP_WAIT_POLICY ?= PASSIVE
export OMP_NUM_THREADS ?= 1
export OPENBLAS_NUM_THREADS ?= 1
export MKL_NUM_THREADS ?= 1

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' Makefile

venv: .venv/.stamp ## create .venv with lomber, editable, and all that the checks need

.venv/.stamp: pyproject.toml setup.py constraints.txt
	@if ! test -x $(BIN)/python; then \
	  found=; \
	  for python in $(PYTHON) python3.11 python3.12 python3.13 python3.14 python3; do \
	    if "$$python" -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then \
	      found=$$python; break; \
	    fi; \
	  done; \
	  if test -z "$$found"; then \
	    echo "lomber needs Python 3.11 or newer with its venv module; name one: make PYTHON=path/to/python" >&2; exit 1; \
	  fi; \
	  echo "creating .venv with $$found"; "$$found" -m venv .venv; \
	fi
	$(BIN)/python -m pip install --quiet --editable '.[all,dev]' --constraint constraints.txt
	@touch $@

warm: venv ## compile every game once, into the cache
	$(BIN)/lomber warm

# It may be said again: a finished run of its own makes room for the next; options of yours stand as they are.
train: venv ## train an agent for piquet (ARGS: its options)
	$(BIN)/lomber warm piquet
	$(BIN)/lomber train piquet $(if $(findstring --,$(ARGS)),,$(if $(wildcard runs/piquet/result.json),--overwrite)) $(ARGS)

test: venv lint warm ## what must pass before a commit lands
	$(PYTEST) -m 'not long' $(ARGS)

test-long: venv warm ## the long tests; then all others interpreted, and with bounds checked
	$(PYTEST) -m long $(ARGS)
	NUMBA_DISABLE_JIT=1 $(PYTEST) -m 'not long and not jit' $(ARGS)
	NUMBA_BOUNDSCHECK=1 $(PYTEST) -m 'not long' $(ARGS)

# mypy wants the import names, so it reads the sources through links under build/types.
lint: venv ## ruff, import-linter, mypy
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/lint-imports --no-logo
	@mkdir -p build/types/lomber
	@for root in envs agents training configs; do ln -sfn ../../../$$root build/types/lomber/$$root; done
	MYPYPATH=build/types $(BIN)/mypy -p lomber.envs -p lomber.agents -p lomber.training | sed 's|^build/types/lomber/||'

format: venv ## put imports in order and lay the code out
	$(BIN)/ruff check --select I --fix
	$(BIN)/ruff format

bench: venv warm ## measure decisions per second (ARGS: its options)
	$(BIN)/lomber bench $(ARGS)

dist: venv ## build the wheel into dist/ (never out of an old build/lib)
	rm -rf build dist
	$(BIN)/python -m pip wheel --quiet --no-deps --no-build-isolation --wheel-dir dist .
	@ls dist

constraints: venv ## write the versions in .venv to constraints.txt
	@{ echo "# What CI installs, exactly: the versions in .venv (made by: make constraints)."; \
	  $(BIN)/python -m pip freeze --all --exclude-editable | grep -v '^pip==' | sed 's/+cpu$$//'; } > constraints.tmp
	@mv constraints.tmp constraints.txt
	@touch .venv/.stamp

clean: ## remove what was built and cached here, .venv included
	rm -rf .venv build dist *.egg-info .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis
	find envs agents training configs tests -name __pycache__ -type d -prune -exec rm -rf {} +
