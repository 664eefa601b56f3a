# Entry points. `make demo` and `make test` work from a fresh clone: they set up .venv, build and run.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
CPP := $(shell find native -name "*.cpp" -o -name "*.hpp")
SANITIZED := build/sanitized

.PHONY: help demo app test chromium axe lint core house unit explore bits free compilers arm bench gpu asan docs dist build clean

help: ## show the commands
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 10

# Build tools are installed into the environment (not an isolated one), so that a second build compiles only what changed.
INSTALL := PATH="$(abspath $(BIN)):$$PATH" $(BIN)/python -m pip install --quiet --no-build-isolation "-Cbuild-dir=build/{wheel_tag}"

$(VENV)/.tools:
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade pip
	$(BIN)/python -m pip install --quiet "scikit-build-core>=0.11" "nanobind>=3" cmake ninja
	@touch $@

# Everything the project needs, once per change of pyproject.toml or of native code.
$(VENV)/.ready: $(VENV)/.tools pyproject.toml CMakeLists.txt $(CPP)
	$(INSTALL) -e ".[test]"
	@cp build/cp3*/_native.pyi src/glasswood/_native.pyi
	@touch $@

build: $(VENV)/.ready ## build the native code and install the package, editable

demo: build ## train on the bundled Titanic data, explain the model, write report.html
	$(BIN)/glasswood demo

app: build ## the web app on 127.0.0.1 (PORT=8000)
	$(BIN)/glasswood app --port $(or $(PORT),8000)

# mypy keeps one CPU busy, so the core is built and tested beside it.
test: build ## everything CI runs
	$(MAKE) -j 2 lint core
	$(MAKE) house chromium axe unit

# The pages are tested in a real browser, the system's own.
chromium: ## a Chromium for the browser tests, installed where it may be
	@for name in chromium chromium-browser google-chrome google-chrome-stable; do \
	        command -v $$name > /dev/null && exit 0; done; false \
	    || { test "$$(id -u)" = 0 && apt-get update -q && apt-get install -y -q chromium; } \
	    || { sudo -n true 2> /dev/null && sudo -n apt-get update -q && sudo -n apt-get install -y -q chromium; } \
	    || { echo "the browser tests need Chromium; on Debian: apt-get install -y chromium" >&2; exit 1; }

# Rules of accessibility for the same tests; nothing of it is part of the package.
AXE := build/npm/node_modules/axe-core/axe.min.js
axe: $(AXE) ## axe-core for the browser tests, from npm
$(AXE):
	@command -v npm > /dev/null \
	    || { test "$$(id -u)" = 0 && apt-get update -q && apt-get install -y -q npm; } \
	    || { sudo -n true 2> /dev/null && sudo -n apt-get update -q && sudo -n apt-get install -y -q npm; } \
	    || { echo "the browser tests need axe-core from npm; on Debian: apt-get install -y npm" >&2; exit 1; }
	@npm install --prefix build/npm --no-save --no-audit --no-fund --loglevel=error axe-core@4.11.0

lint: build ## ruff, clang-format, mypy, import-linter
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	@echo clang-format
	@$(BIN)/clang-format --dry-run --Werror $(CPP)
	$(BIN)/mypy
	$(BIN)/lint-imports

# The same examples, the same order of sets and the same sums of BLAS in every run; `make explore` draws new ones.
# Peers get one thread each: there is a worker per CPU already, and threads of OpenMP that wait for one another took half of the time.
SAME := HYPOTHESIS_PROFILE=ci PYTHONHASHSEED=0 OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 RAYON_NUM_THREADS=1
UNIT := --doctest-modules --ignore tests/test_house.py src/glasswood tests
# The files with serial tests: importing all others to select from them takes longer than these tests.
SERIAL = $(shell grep -rlF mark.serial --include="*.py" tests)

house: build ## the architecture rules; prints the native folders and Python packages with files, lines and what they use
	@$(BIN)/python -m tests.folders
	$(SAME) $(BIN)/pytest -q -n auto tests/test_house.py

unit: build ## pytest, in parallel, then Ctrl-C and forks alone; warnings are errors; the examples of the docstrings run too
	$(SAME) $(BIN)/pytest -q -n auto -m "not serial" $(UNIT)
	$(SAME) $(BIN)/pytest -q -m serial $(SERIAL)

# On a machine with an NVIDIA GPU and CuPy; needs no network. Writes down what was compared: tests/gpu/verified.json. What else to
# run there, in which order: docs/decisions/0307-what-no-gpu-has-run.md.
gpu: build ## the tests of the GPU, on a machine that has one
	$(SAME) $(BIN)/pytest -q -m gpu tests/gpu
	$(BIN)/python -m tests.gpu.verified

# The tests of the core need no Python. `core_tests bits` prints for every kernel a hash of what it computes.
core: build ## the tests of the native core
	@$(BIN)/cmake -DGLASSWOOD_CORE_TESTS=ON $$(echo build/cp3*) > build/core.log || { cat build/core.log; exit 1; }
	@$(BIN)/cmake --build $$(echo build/cp3*) --target core_tests >> build/core.log || { cat build/core.log; exit 1; }
	@mkdir -p build/core && build/cp3*/core_tests && build/cp3*/core_tests bits > build/core/own.bits

CORE := -G Ninja -DCMAKE_MAKE_PROGRAM=$(abspath $(BIN))/ninja -DGLASSWOOD_PYTHON=OFF -DGLASSWOOD_CORE_TESTS=ON -DGLASSWOOD_WERROR=ON
# core NAME, options of CMake, emulator: the core alone, warnings as errors
define core
	@mkdir -p build/core
	@$(BIN)/cmake -S . -B build/core/$(1) $(CORE) $(2) > build/core/$(1).log || { cat build/core/$(1).log; exit 1; }
	@$(BIN)/cmake --build build/core/$(1) >> build/core/$(1).log || { cat build/core/$(1).log; exit 1; }
	@$(3) build/core/$(1)/core_tests && $(3) build/core/$(1)/core_tests bits > build/core/$(1).bits
endef

# Both must compute the same bits.
compilers: build ## everything with gcc and with clang, warnings as errors; both give the same bits
	$(call core,gcc,-DCMAKE_CXX_COMPILER=g++)
	$(call core,clang,-DCMAKE_CXX_COMPILER=clang++)
	diff build/core/gcc.bits build/core/clang.bits
	for compiler in g++ clang++; do \
	    $(BIN)/cmake -S . -B build/module/$$compiler -G Ninja -DCMAKE_MAKE_PROGRAM=$(abspath $(BIN))/ninja \
	        -DCMAKE_CXX_COMPILER=$$compiler -DGLASSWOOD_WERROR=ON -DPython_EXECUTABLE=$(abspath $(BIN))/python \
	        -Dnanobind_DIR="$$($(BIN)/python -m nanobind --cmake_dir)" && \
	    $(BIN)/cmake --build build/module/$$compiler --target _native || exit 1; \
	done

# On Debian: apt-get install -y g++-aarch64-linux-gnu qemu-user-static
arm: core ## the core cross-compiled for aarch64, its tests run under an emulator, the same bits as here
	$(call core,arm,-DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=aarch64 -DCMAKE_CXX_COMPILER=aarch64-linux-gnu-g++,qemu-aarch64-static -L /usr/aarch64-linux-gnu)
	diff build/core/own.bits build/core/arm.bits

# A finding becomes an @example in the change that mends it. SEED=… repeats a run, FILES=… says how many files are garbled.
explore: SEED := $(or $(SEED),$(shell shuf -i 0-4294967295 -n 1))
explore: build ## random examples, twenty times as many, and garbled files (SEED=, FILES=; not part of `make test`)
	@echo "make explore SEED=$(SEED)"
	HYPOTHESIS_PROFILE=explore PYTHONHASHSEED=$(SEED) $(BIN)/pytest -q -n auto -m hypothesis --hypothesis-seed=$(SEED) tests
	$(if $(wildcard tests/fuzz),$(BIN)/python -m tests.fuzz --files $(or $(FILES),50000) --seed $(SEED))

bench: build ## peers side by side, and docs/benchmarks.md (wants a quiet machine; QUICK=1: under ten minutes)
	$(INSTALL) -e ".[bench]"
	$(BIN)/python benchmarks/all.py $(if $(QUICK),--quick)

# A second environment that sees the packages of the first, but a glasswood whose native code is instrumented.
# verify_asan_link_order: numpy and scipy load their own libraries before ours. Leaks are not looked for: the interpreter keeps
# objects until the process ends.
asan: build ## the suite on native code built with address and undefined-behaviour sanitizers
	@test -x $(SANITIZED)/venv/bin/python || $(PYTHON) -m venv --without-pip $(SANITIZED)/venv
	@$(BIN)/python -c "import sysconfig; print(sysconfig.get_paths()['purelib'])" > $(SANITIZED)/packages
	@cp $(SANITIZED)/packages $$(echo $(SANITIZED)/venv/lib/python3*/site-packages)/packages.pth
	$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation --upgrade \
	    --target $$(echo $(SANITIZED)/venv/lib/python3*/site-packages) \
	    -Cbuild-dir=$(SANITIZED)/cmake -Ccmake.define.GLASSWOOD_SANITIZE=ON -Cinstall.strip=false .
	@test -n "$$(find $(SANITIZED)/venv/lib/python3*/site-packages/glasswood -name '_native*.so')"
	LD_PRELOAD="$$($(CXX) -print-file-name=libasan.so) $$($(CXX) -print-file-name=libubsan.so)" \
	    ASAN_OPTIONS=detect_leaks=0:verify_asan_link_order=0 UBSAN_OPTIONS=print_stacktrace=1 \
	    $(SANITIZED)/venv/bin/python -m pytest -q -n 2 -p no:cacheprovider -m 'not resident' tests --ignore tests/test_house.py --ignore tests/agreement --ignore tests/browser

# The same corpus in every way that must not matter; CLANG= leaves the second compiler out.
CLANG ?= clang++
bits: build ## hashes of fits and explanations over threads, order of rows, CPU levels, BLAS threads and compilers
	$(if $(CLANG),PATH="$(abspath $(BIN)):$$PATH" $(BIN)/python -m pip install --quiet --no-deps --no-build-isolation --upgrade \
	    --target build/clang/site -Cbuild-dir=build/clang/cmake -Ccmake.define.CMAKE_CXX_COMPILER=$(CLANG) -Cinstall.strip=false .)
	$(BIN)/python -m tests.bits $(if $(CLANG),--other clang=build/clang/site)

# The interpreter is yours to bring. Without PYTHON_GIL a package that is not ready for it would switch the lock on again.
FREE := build/free
FREE_TESTS := $(addprefix tests/native/test_,python_threads.py parallel.py parallel_processes.py interrupt.py)
free: ## the tests of threads on a free-threaded interpreter (PYTHON=/path/to/python3.13t)
	@$(PYTHON) -c "import sysconfig, sys; sysconfig.get_config_var('Py_GIL_DISABLED') or sys.exit( \
	    'make free needs a free-threaded interpreter: make free PYTHON=/path/to/python3.13t')"
	@test -x $(FREE)/bin/python || $(PYTHON) -m venv $(FREE)
	$(FREE)/bin/python -m pip install --quiet --disable-pip-version-check "scikit-build-core>=0.11" "nanobind>=3" cmake ninja \
	    numpy narwhals scikit-learn pandas pytest hypothesis
	PATH="$(abspath $(FREE)/bin):$$PATH" $(FREE)/bin/python -m pip install --quiet --disable-pip-version-check --no-deps \
	    --no-build-isolation --force-reinstall -Cbuild-dir=$(FREE)/cmake .
	@$(FREE)/bin/python -W error -c "import sys, glasswood._native; \
	    sys._is_gil_enabled() and sys.exit('glasswood._native switches the GIL on')"
	PYTHON_GIL=0 $(SAME) $(FREE)/bin/python -m pytest -q -p no:cacheprovider $(FREE_TESTS)

docs: build ## the documentation site, in site/
	$(INSTALL) -e ".[docs]"
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet

# Both go into an environment of their own, with nothing but what they ask for, and must find their way alone.
dist: build ## the wheel and the sdist, each installed in a clean environment and tried
	rm -rf dist build/dist && mkdir -p build/dist
	$(BIN)/python -m pip install --quiet build
	$(BIN)/python -m build --quiet --outdir dist .
	for kind in whl tar.gz; do \
	    $(PYTHON) -m venv build/dist/$$kind && build/dist/$$kind/bin/python -m pip install --quiet dist/*.$$kind && \
	    (cd build/dist && $$kind/bin/python -m glasswood --version && $$kind/bin/python -c \
	        "import glasswood as gw; from glasswood.data import load_titanic; print(gw.__version__)" && \
	    $$kind/bin/python -m glasswood demo > demo.log) || exit 1; \
	done

clean: ## remove what was built
	rm -rf build dist $(VENV) site src/glasswood/_native.pyi
