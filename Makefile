# Two commands do all the set-up: 'make check' and 'make test'. They need Python 3.11 or later and make, nothing else.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# The lists in constraints/ are complete: they name every package by version and digest, so nothing is resolved. uv installs
# them; pip, whichever there is, brings uv. uv does not read pip.conf: where your packages come from an index named there,
# say make INSTALLER=pip … On a system without ready-made files for a package: make BUILD=1 …
INSTALLER ?= uv
BUILD ?=
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
UV := $(BIN)/uv
READY_UV := $(if $(filter uv,$(INSTALLER)),$(UV))
INSTALL := $(if $(READY_UV),$(UV) --quiet pip install --python $(BIN)/python,$(PIP) install) --no-deps
PINNED := $(INSTALL) --require-hashes $(if $(BUILD),,--only-binary :all:)
NOTHING_MISSING := missing=$$($(BIN)/python -m pip check --disable-pip-version-check) || { echo "$$missing" >&2; exit 1; }
OR_SAY_HOW := || { echo "The packages could not be installed. 'make INSTALLER=pip …' uses pip and its settings instead of uv." >&2; exit 1; }
PYTEST := $(BIN)/python -m pytest -q --numprocesses auto --dist worksteal --durations 10
PYODIDE := conformance/pyodide/node_modules/.package-lock.json
# With Node and npm a site brings the interpreter for its table; without them it is built all the same, and its table says so.
IF_NODE := $(if $(and $(shell command -v node),$(shell command -v npm)),$(PYODIDE))
AXE := tests/browser/node_modules/.package-lock.json
EDITOR_SERVER := tests/editor/node_modules/.package-lock.json
# How much the C compiler optimises: 0 is soonest ready, 3 runs fastest.
LEVEL ?= 1

.PHONY: help check census adequacy fuzz compiled test setup-test test-scenario mutate-harness quick lint types hooks site serve browser pictures pyodide editor schema protocol bench wheel constraints oldest newest clean

help: ## say what there is
	@grep -hE '^[a-z -]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 15

check: $(VENV)/ready ## run the suite against the built-in reference
	@$(BIN)/hoyle check

# The example engines that play whole games. Each gets so much time; the games of each day may have a seed of their own.
ENGINES := $(wildcard conformance/adapters/python/*_*.py)
TIME ?= 60s
SEED ?= 1
KNOWN := tests/tools/fuzz/known-differences.yaml

fuzz: $(VENV)/ready ## play random games on the example engines and on the reference: TIME=10m SEED=7
	@for engine in $(ENGINES); do \
	  $(BIN)/hoyle fuzz --games 1000000 --deadline $(TIME) --seed $(SEED) --known $(KNOWN) --no-progress $(BIN)/python $$engine || exit 1; \
	done

compiled: $(VENV)/ready-compiled ## compile the reference with mypyc, and run the suite against that
	@$(BIN)/python benchmarks/compiled.py build $(LEVEL)
	@$(BIN)/python benchmarks/compiled.py check

test: $(VENV)/ready-test ## run the tests
	@$(PYTEST) -m "interpreter and not slow" --cov --cov-fail-under=100
	@$(PYTEST) -m "slow or not interpreter"

setup-test: $(VENV)/ready-test ## install with old pips, from the folder and from a wheel; fetches packages
	@$(BIN)/python -m pytest tests/setup --no-cov -q --durations 10

test-scenario: $(VENV)/ready-test ## prove one scenario, and run the tests that concern it: NAME=to-score.the-example
	@test -n '$(NAME)' || { echo "Which one? make test-scenario NAME=to-score.the-example"; exit 2; }
	@$(BIN)/hoyle validate 'spec/scenarios/$(subst .,/,$(NAME)).scenario.yaml'
	@$(BIN)/python -m pytest -q tests/whole/test_one_scenario.py --scenario '$(NAME)'

mutate-harness: $(VENV)/ready-test ## change one thing at a time in the harness, and see whether a test notices; WORDS="runner/judge.py --most 50"
	@$(BIN)/python tests/mutate_harness.py $(WORDS)

quick: $(VENV)/ready-test ## run the tests that take no time
	@$(PYTEST) -m "not (slow or whole)"

hooks: ## check the subject of each commit that you make here
	@git config core.hooksPath .githooks

lint: $(VENV)/ready-lint ## check the code with ruff, and its layers with import-linter
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check
	@$(BIN)/lint-imports --no-cache >.lint-imports || { cat .lint-imports; rm .lint-imports; exit 1; }
	@rm .lint-imports

types: $(VENV)/ready-lint $(VENV)/ready-test ## check the types with mypy
	@$(BIN)/mypy

site: $(VENV)/ready-site $(IF_NODE) ## build the site, strictly, into site/; with Node and npm its table brings the interpreter
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet
	@echo "The site is in site/: open site/index.html."

serve: $(VENV)/ready-site $(IF_NODE) ## show the site at http://127.0.0.1:8000 while it is being written: each page is made when it is asked for
	@$(BIN)/python conformance/serving.py

browser: $(VENV)/ready-browser $(AXE) site ## look at the site with a real browser
	@$(BIN)/python -m pytest tests/browser --no-cov

pictures: $(VENV)/ready-browser ## take the pictures of the documentation anew, with a real browser
	@cd tests/browser && PYTHONPATH=. ../../$(BIN)/python pictures.py

pyodide: $(VENV)/ready-test $(PYODIDE) ## play, and ask the table, in Python as browsers run it (needs Node and npm)
	@$(BIN)/python -m pytest tests/interpreter/test_pyodide.py tests/web/site/test_browser_bundle.py --no-cov

editor: $(VENV)/ready-test $(EDITOR_SERVER) ## ask an editor's language server what it makes of the schemas (needs Node and npm)
	@$(BIN)/python -m pytest tests/whole/test_editor.py --no-cov

adequacy: $(VENV)/ready ## measure how good the suite is, by engines that are wrong in one thing each; RULESETS=some of them
	@$(BIN)/hoyle suite adequacy $(RULESETS)
	@$(BIN)/hoyle suite adequacy --evidence $(RULESETS)

census: $(VENV)/ready ## play the games of the census anew, and write them into spec/census
	@$(BIN)/hoyle suite census --write

schema: $(VENV)/ready ## write the schema of positions anew, from what the table says of its fields
	@$(BIN)/python -c 'import json; from hoyle_reference.notation.schema import position_schema; \
	print(json.dumps(position_schema(), indent=2, ensure_ascii=False))' > spec/schemas/position.schema.json

protocol: $(VENV)/ready ## write the tables in the pages of the protocol anew, from the schemas
	@$(BIN)/python -c 'from pathlib import Path; from hoyle_conformance.web.site.protocol_pages import write; write(Path("spec"))'

bench: $(VENV)/ready ## measure, each figure against its goal
	@$(BIN)/python benchmarks/bench.py

wheel: $(VENV)/ready-test ## build the wheel into dist/
	@$(BIN)/python -m build --wheel --no-isolation --outdir dist

constraints: $(UV) ## choose the newest versions allowed of what is needed, and write them into constraints/
	@$(BIN)/python constraints/write.py

oldest: RESOLUTION = lowest-direct
newest: RESOLUTION = highest
oldest newest: $(UV) ## try Hoyle with the oldest, or newest, versions allowed of what it needs
	@$(UV) venv --quiet --clear --python '$(PYTHON)' .venv-$@
	@$(UV) pip install --quiet --python .venv-$@ --resolution $(RESOLUTION) --editable '.[test]'
	@.venv-$@/bin/hoyle check
	@.venv-$@/bin/python -m pytest -q --numprocesses auto --dist worksteal -m "not slow"

clean: ## remove what the others have made
	rm -rf $(VENV) .venv-oldest .venv-newest $(dir $(PYODIDE) $(EDITOR_SERVER) $(AXE)) site dist build .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage

$(VENV)/bin/python:
	@echo "Making a Python environment in $(VENV) …"
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Hoyle needs Python 3.11 or later: make PYTHON=python3.11 …")'
	@$(PYTHON) -c 'import ensurepip' 2>/dev/null || { echo "This Python cannot make environments: on Debian, install python3-venv." >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV)

$(UV): constraints/uv.txt | $(VENV)/bin/python
	@$(PIP) install --no-deps --require-hashes --only-binary :all: -r $< $(OR_SAY_HOW)
	@touch $@

$(VENV)/ready: pyproject.toml constraints/build.txt constraints/run.txt $(READY_UV) | $(VENV)/bin/python
	@$(PINNED) -r constraints/build.txt -r constraints/run.txt $(OR_SAY_HOW)
	@$(INSTALL) --no-build-isolation --editable .
	@$(NOTHING_MISSING)
	@touch $@

$(VENV)/ready-%: constraints/%.txt $(VENV)/ready
	@$(PINNED) -r $< $(OR_SAY_HOW)
	@$(NOTHING_MISSING)
	@touch $@

$(PYODIDE) $(EDITOR_SERVER) $(AXE): %/node_modules/.package-lock.json: %/package-lock.json
	@npm ci --prefix $* --no-audit --no-fund --loglevel error
	@touch $@
